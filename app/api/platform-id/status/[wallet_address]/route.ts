import { getPlatformIdStatusContract } from '#lib/accounts/platform-ids/contracts.ts';
import { operation, resource } from '#lib/api/route.ts';
import { showPlatformIdStatus } from '#lib/jobs/platform-id/show-status.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPlatformIdStatusContract, (ctx, { params }) => showPlatformIdStatus(ctx, params.wallet_address)),
);
