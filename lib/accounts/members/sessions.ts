import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { memberInvitations, memberSessions, members } from '#drizzle/schema/members.ts';
import { appendAudit } from '#lib/audit.ts';
import { toIso } from '#lib/base/clock.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { actingMember, tenantColumns, toMember, toTenant } from './acting-member.ts';
import { isLiveSession } from './authenticate-member.ts';
import { type Me, MOST_INVITATIONS_SHOWN, type SessionResource } from './contracts.ts';

/** Who is signed in, and what else the wallet is a member of or invited to. */
export async function getMe(ctx: Ctx): Promise<Me> {
  const actor = actingMember(ctx);
  const [memberships, invitations, sessions] = await Promise.all([
    ctx.db
      .select({ member: members, tenant: tenantColumns })
      .from(members)
      .innerJoin(tenants, eq(tenants.id, members.tenantId))
      .where(eq(members.walletAddress, actor.walletAddress))
      .orderBy(members.createdAt, members.id),
    ctx.db
      .select({ invitation: memberInvitations, tenant: tenantColumns })
      .from(memberInvitations)
      .innerJoin(tenants, eq(tenants.id, memberInvitations.tenantId))
      .where(and(eq(memberInvitations.walletAddress, actor.walletAddress), gt(memberInvitations.expiresAt, sql`now()`)))
      .orderBy(desc(memberInvitations.createdAt), desc(memberInvitations.id))
      .limit(MOST_INVITATIONS_SHOWN),
    readSessions(ctx),
  ]);
  const own = memberships.find(({ member }) => member.id === actor.memberId);
  const session = sessions.find(({ current }) => current);
  if (own === undefined || session === undefined) {
    throw new PlatformError('unauthorized', 'This session has ended.', { headers: { 'www-authenticate': 'Bearer' } });
  }
  return {
    tenant: toTenant(own.tenant),
    member: toMember(own.member),
    session,
    memberships: memberships.map(({ member, tenant }) => ({ tenant: toTenant(tenant), role: member.role })),
    deposit_accounts: env().OWNER_DEPOSIT_ACCOUNTS,
    invitations: invitations.map(({ invitation, tenant }) => ({
      id: invitation.id,
      tenant: toTenant(tenant),
      role: invitation.role,
      expires_at: toIso(invitation.expiresAt),
    })),
  };
}

async function readSessions(ctx: Ctx): Promise<SessionResource[]> {
  const actor = actingMember(ctx);
  const rows = await ctx.db
    .select({
      id: memberSessions.id,
      createdAt: memberSessions.createdAt,
      expiresAt: memberSessions.expiresAt,
    })
    .from(memberSessions)
    .where(and(eq(memberSessions.memberId, actor.memberId), isLiveSession))
    .orderBy(desc(memberSessions.createdAt), desc(memberSessions.id));
  return rows.map(({ id, createdAt, expiresAt }) => ({
    id,
    created_at: toIso(createdAt),
    expires_at: toIso(expiresAt),
    current: id === actor.sessionId,
  }));
}

/** The sessions of the member who asks that are not over. */
export const listSessions = async (ctx: Ctx): Promise<{ sessions: SessionResource[] }> => ({
  sessions: await readSessions(ctx),
});

/** Ends a session of the member who asks, the asking one too. Throws `not_found` for any other. */
export async function endSession(ctx: Ctx, sessionId: string): Promise<void> {
  const { memberId } = actingMember(ctx);
  await ctx.db.transaction(async (tx) => {
    const { rowCount } = await tx
      .delete(memberSessions)
      .where(and(eq(memberSessions.id, sessionId), eq(memberSessions.memberId, memberId)));
    if (rowCount === 0) throw new PlatformError('not_found', 'You have no such session.');
    await appendAudit(tx, ctx, { action: 'session.end', subject: sessionId, reason: 'signed out' });
  });
}

/** Rows that one statement takes on. */
const BATCH = 500;

/** Removes sessions and invitations that are over, batch after batch until `deadlineMs` (of ctx.clock). Safe beside itself. */
export async function removeExpiredSessions(ctx: Ctx, deadlineMs: number): Promise<number> {
  const sessions = ctx.db
    .select({ id: memberSessions.id })
    .from(memberSessions)
    .where(lte(memberSessions.expiresAt, sql`now()`))
    .limit(BATCH)
    .for('update', { skipLocked: true });
  const invitations = ctx.db
    .select({ id: memberInvitations.id })
    .from(memberInvitations)
    .where(lte(memberInvitations.expiresAt, sql`now()`))
    .limit(BATCH)
    .for('update', { skipLocked: true });
  let removed = 0;
  for (;;) {
    const ended = await ctx.db.delete(memberSessions).where(inArray(memberSessions.id, sessions));
    const lapsed = await ctx.db.delete(memberInvitations).where(inArray(memberInvitations.id, invitations));
    const batch = (ended.rowCount ?? 0) + (lapsed.rowCount ?? 0);
    removed += batch;
    if (batch === 0 || ctx.clock.nowMs() >= deadlineMs) return removed;
  }
}
