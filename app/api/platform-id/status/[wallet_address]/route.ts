import { operation, resource } from '#lib/http/route.ts';
import { getPlatformIdStatusContract } from '#lib/identity/contracts.ts';
import { showPlatformIdStatus } from '#lib/jobs/platform-id/show-status.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPlatformIdStatusContract, (ctx, { params }) => showPlatformIdStatus(ctx, params.wallet_address)),
);
