import { operation, resource } from '#lib/http/route.ts';
import { getPlatformIdProfileContract } from '#lib/identity/contracts.ts';
import { showPlatformIdProfile } from '#lib/jobs/platform-id/show-profile.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPlatformIdProfileContract, (ctx, { params }) => showPlatformIdProfile(ctx, params.wallet_address)),
);
