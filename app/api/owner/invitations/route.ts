import { inviteMemberContract, listInvitationsContract } from '#lib/accounts/members/contracts.ts';
import { inviteMember, listInvitations } from '#lib/accounts/members/members.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listInvitationsContract, (ctx) => listInvitations(ctx)),
  operation(inviteMemberContract, (ctx, { body }) => inviteMember(ctx, body)),
);
