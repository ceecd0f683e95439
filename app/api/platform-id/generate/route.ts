import { notImplemented } from '#lib/http/not-implemented.ts';
import { operation, resource } from '#lib/http/route.ts';
import { generatePlatformIdContract } from '#lib/identity/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(generatePlatformIdContract, notImplemented),
);
