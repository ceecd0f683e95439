import { getPlatformIdStatusContract } from '#lib/accounts/platform-ids/contracts.ts';
import { showPlatformIdStatus } from '#lib/accounts/platform-ids/show-status.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPlatformIdStatusContract, (ctx, { params }) => showPlatformIdStatus(ctx, params.wallet_address)),
);
