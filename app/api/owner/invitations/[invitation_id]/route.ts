import { withdrawInvitationContract } from '#lib/accounts/members/contracts.ts';
import { withdrawInvitation } from '#lib/accounts/members/members.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(withdrawInvitationContract, (ctx, { params }) => withdrawInvitation(ctx, params.invitation_id)),
);
