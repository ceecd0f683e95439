import { changeMemberContract, removeMemberContract } from '#lib/accounts/members/contracts.ts';
import { changeMember, removeMember } from '#lib/accounts/members/members.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(changeMemberContract, (ctx, { params, body }) =>
    changeMember(ctx, { memberId: params.member_id, role: body.role }),
  ),
  operation(removeMemberContract, (ctx, { params }) => removeMember(ctx, params.member_id)),
);
