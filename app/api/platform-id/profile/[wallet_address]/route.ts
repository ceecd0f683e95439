import { getPlatformIdProfileContract } from '#lib/accounts/platform-ids/contracts.ts';
import { operation, resource } from '#lib/api/route.ts';
import { showPlatformIdProfile } from '#lib/jobs/platform-id/show-profile.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPlatformIdProfileContract, (ctx, { params }) => showPlatformIdProfile(ctx, params.wallet_address)),
);
