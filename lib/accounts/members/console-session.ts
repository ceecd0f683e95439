import type { RandomBytes } from '#lib/base/ids.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { authenticateMember } from './authenticate-member.ts';

const CONTEXT = 'owner-session';

/** The token of a session as the text of a cookie: sealed, so that who reads the cookie has no credential for the API. */
export const sealSession = (token: string, random: RandomBytes): string => seal(token, CONTEXT, random);

/** The member whose session the cookie holds; null when it was altered, has ended, or the membership has. */
export async function readConsoleSession(ctx: Ctx, cookie: string): Promise<Actor | null> {
  let token: string;
  try {
    token = unseal(cookie, CONTEXT);
  } catch {
    return null;
  }
  return authenticateMember(ctx, token);
}
