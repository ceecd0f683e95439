import { operation, resource } from '#lib/api/route.ts';
import { commitRotationContract } from '#lib/webhooks/contracts.ts';
import { commitRotation } from '#lib/webhooks/registry/rotate-secret.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(commitRotationContract, (ctx, { params }) => commitRotation(ctx, params.webhook_id)),
);
