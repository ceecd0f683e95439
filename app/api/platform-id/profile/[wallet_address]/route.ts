import { getPlatformIdProfileContract } from '#lib/accounts/platform-ids/contracts.ts';
import { showPlatformIdProfile } from '#lib/accounts/platform-ids/show-profile.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPlatformIdProfileContract, (ctx, { params }) => showPlatformIdProfile(ctx, params.wallet_address)),
);
