import { operation, resource } from '#lib/api/route.ts';
import { cancelRotationContract, rotateSecretContract } from '#lib/webhooks/rotation/contracts.ts';
import { cancelRotation } from '#lib/webhooks/rotation/end-rotation.ts';
import { rotateSecret } from '#lib/webhooks/rotation/rotate-secret.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(rotateSecretContract, (ctx, { params }) => rotateSecret(ctx, params.webhook_id)),
  operation(cancelRotationContract, (ctx, { params }) => cancelRotation(ctx, params.webhook_id)),
);
