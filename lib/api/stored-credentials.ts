import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { authenticateMember } from '#lib/accounts/members/authenticate-member.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { authenticatePortal } from '#lib/webhooks/portal/authenticate-portal.ts';

/** Who holds a token that the database knows: an API key, or a session of the portal or of a member; null for any other. */
export const findHolder = async (ctx: Ctx, token: string): Promise<Actor | null> =>
  (await authenticateApiKey(ctx, token)) ??
  (await authenticatePortal(ctx, token)) ??
  (await authenticateMember(ctx, token));
