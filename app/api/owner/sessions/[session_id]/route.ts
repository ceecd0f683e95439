import { endSessionContract } from '#lib/accounts/members/contracts.ts';
import { endSession } from '#lib/accounts/members/sessions.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(endSessionContract, (ctx, { params }) => endSession(ctx, params.session_id)),
);
