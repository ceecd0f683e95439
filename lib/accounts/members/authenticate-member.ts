import { and, eq, gt, sql } from 'drizzle-orm';
import { memberSessions, members } from '#drizzle/schema/members.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';

const FORM = /^tr_member_[0-9A-Za-z]{43}$/;

/** Of a session: not over, by the database's clock. One that was ended, or whose membership was, has no row. */
export const isLiveSession = gt(memberSessions.expiresAt, sql`now()`);

/**
 * The member whose session it is, or null. Membership and role are those of this moment, so what becomes of them holds from
 * the next request on. The look-up is by hash, so its duration tells nothing of the token.
 */
export async function authenticateMember(ctx: Ctx, token: string): Promise<Actor | null> {
  if (!FORM.test(token)) return null;
  const [row] = await ctx.db
    .select({
      memberId: members.id,
      sessionId: memberSessions.id,
      tenantId: members.tenantId,
      walletAddress: members.walletAddress,
      role: members.role,
    })
    .from(memberSessions)
    .innerJoin(members, eq(members.id, memberSessions.memberId))
    .where(and(eq(memberSessions.tokenHash, sha256Hex(token)), isLiveSession));
  return row === undefined ? null : { kind: 'member', ...row };
}
