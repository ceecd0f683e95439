import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { writers } from '#lib/webhooks/access.ts';
import * as schemas from '#lib/webhooks/schemas.ts';

export const resendDeliveryContract = defineContract({
  id: 'resendDelivery',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
  alias: '/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
  tag: 'webhooks',
  summary: 'Send the event of an ended delivery once more, as a new delivery with the same bytes',
  access: writers,
  rateLimit: 'write',
  idempotent: true,
  params: z.strictObject({ webhook_id: schemas.webhookId, delivery_id: schemas.deliveryId }),
  responses: { 202: schemas.deliveryRecord },
  errors: ['webhook_not_found', 'not_found', 'conflict', 'gone'],
});
