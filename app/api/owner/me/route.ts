import { getMeContract, leaveTenantContract } from '#lib/accounts/members/contracts.ts';
import { leaveTenant } from '#lib/accounts/members/members.ts';
import { getMe } from '#lib/accounts/members/sessions.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getMeContract, (ctx) => getMe(ctx)),
  operation(leaveTenantContract, (ctx) => leaveTenant(ctx)),
);
