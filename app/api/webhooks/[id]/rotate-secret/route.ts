import { operation, resource } from '#lib/api/route.ts';
import { cancelRotationContract, rotateSecretContract } from '#lib/webhooks/contracts.ts';
import { cancelRotation, rotateSecret } from '#lib/webhooks/registry/rotate-secret.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(rotateSecretContract, (ctx, { params }) => rotateSecret(ctx, params.webhook_id)),
  operation(cancelRotationContract, (ctx, { params }) => cancelRotation(ctx, params.webhook_id)),
);
