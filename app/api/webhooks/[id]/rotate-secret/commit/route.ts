import { operation, resource } from '#lib/api/route.ts';
import { commitRotationContract } from '#lib/webhooks/rotation/contracts.ts';
import { commitRotation } from '#lib/webhooks/rotation/end-rotation.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(commitRotationContract, (ctx, { params }) => commitRotation(ctx, params.webhook_id)),
);
