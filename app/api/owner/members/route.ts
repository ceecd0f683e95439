import { listMembersContract } from '#lib/accounts/members/contracts.ts';
import { listMembers } from '#lib/accounts/members/members.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listMembersContract, (ctx) => listMembers(ctx)),
);
