import { and, desc, eq, gt, notInArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { tenants } from '#drizzle/schema/access.ts';
import { memberInvitations, memberSessions, members } from '#drizzle/schema/members.ts';
import { proveWallet } from '#lib/accounts/api-keys/prove-wallet.ts';
import { lockProvenTenant, lockWalletTenant } from '#lib/accounts/tenants/tenant.ts';
import { appendAudit } from '#lib/audit.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId, randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type MemberRow, tenantColumns, toMember, toTenant } from './acting-member.ts';
import { SESSION_HOURS, type SignedIn, type signInBody } from './contracts.ts';

/** More than 256 bits. */
const TOKEN_DIGITS = 43;
/** Of a member: the oldest ends when there are more. */
const MOST_SESSIONS = 20;

/** Who signs in, and what that made of the wallet's membership. */
interface Entry {
  member: MemberRow;
  act: 'member.found' | 'member.join' | 'session.open';
}

/**
 * Signs a wallet in to its own tenant, to one that it is a member of, or to one that it was invited to, which accepts the
 * invitation. A tenant that signs in for the first time has its wallet as its first owner. Throws `invalid_proof`, and
 * `not_found` for a tenant or an invitation that is not the wallet's, whether or not there is one.
 */
export async function signIn(ctx: Ctx, body: z.output<typeof signInBody>): Promise<SignedIn> {
  const walletAddress = await proveWallet(ctx, body.proof, 'sign_in');
  return ctx.db.transaction(async (tx) => {
    const { member, act } = await enter(tx, ctx, walletAddress, body);
    const token = `tr_member_${randomBase62(ctx.random, TOKEN_DIGITS)}`;
    const session = await insertSession(tx, ctx, member.id, token);
    const actor = {
      kind: 'member',
      memberId: member.id,
      sessionId: session.id,
      tenantId: member.tenantId,
      walletAddress,
      role: member.role,
    } as const;
    const acting = { actor, random: ctx.random, requestId: ctx.requestId };
    await appendAudit(tx, acting, {
      action: act,
      subject: act === 'session.open' ? session.id : member.id,
      reason: 'signed in by a wallet proof',
      after: { wallet_address: walletAddress, role: member.role, session: session.id },
    });
    return {
      session_token: token,
      session_id: session.id,
      expires_at: toIso(session.expiresAt),
      tenant: await readTenant(tx, member.tenantId),
      member: toMember(member),
    };
  });
}

async function enter(
  tx: Tx,
  ctx: Ctx,
  walletAddress: string,
  { tenant_id: tenantId, invitation_id: invitationId }: z.output<typeof signInBody>,
): Promise<Entry> {
  if (invitationId !== undefined) return accept(tx, ctx, walletAddress, invitationId);
  if (tenantId !== undefined) {
    const [member] = await tx
      .select()
      .from(members)
      .where(and(eq(members.tenantId, tenantId), eq(members.walletAddress, walletAddress)))
      // Not removed before it has its session.
      .for('key share');
    if (member === undefined) throw new PlatformError('not_found', 'This wallet is no member of such a tenant.');
    return { member, act: 'session.open' };
  }
  const own = await lockWalletTenant(tx, ctx, walletAddress);
  const [founder] = await tx
    .insert(members)
    .values({ id: newId('mem', ctx.random), tenantId: own, walletAddress, role: 'owner' })
    .onConflictDoNothing()
    .returning();
  if (founder !== undefined) return { member: founder, act: 'member.found' };
  const [member] = await tx
    .select()
    .from(members)
    .where(and(eq(members.tenantId, own), eq(members.walletAddress, walletAddress)));
  if (member === undefined) throw new Error('The wallet of a tenant is always a member of it');
  return { member, act: 'session.open' };
}

/** Locks the tenant as all who change its members do: an invitation that is withdrawn meanwhile is not accepted any more. */
async function accept(tx: Tx, ctx: Ctx, walletAddress: string, invitationId: string): Promise<Entry> {
  const open = and(
    eq(memberInvitations.id, invitationId),
    eq(memberInvitations.walletAddress, walletAddress),
    gt(memberInvitations.expiresAt, sql`now()`),
  );
  const [found] = await tx.select({ tenantId: memberInvitations.tenantId }).from(memberInvitations).where(open);
  const invitationNotFound = () =>
    new PlatformError(
      'not_found',
      'This wallet has no such open invitation. Ask an owner of the tenant for a new one.',
    );
  if (found === undefined) throw invitationNotFound();
  await lockProvenTenant(tx, found.tenantId);
  const [invitation] = await tx.delete(memberInvitations).where(open).returning();
  if (invitation === undefined) throw invitationNotFound();
  const [member] = await tx
    .insert(members)
    .values({ id: newId('mem', ctx.random), tenantId: invitation.tenantId, walletAddress, role: invitation.role })
    .returning();
  if (member === undefined) throw new Error('The insert of a member returned no row');
  return { member, act: 'member.join' };
}

async function insertSession(tx: Tx, ctx: Ctx, memberId: string, token: string) {
  const newest = tx
    .select({ id: memberSessions.id })
    .from(memberSessions)
    .where(eq(memberSessions.memberId, memberId))
    .orderBy(desc(memberSessions.createdAt), desc(memberSessions.id))
    .limit(MOST_SESSIONS - 1);
  await tx
    .delete(memberSessions)
    .where(and(eq(memberSessions.memberId, memberId), notInArray(memberSessions.id, newest)));
  const [row] = await tx
    .insert(memberSessions)
    .values({
      id: newId('ses', ctx.random),
      memberId,
      tokenHash: sha256Hex(token),
      expiresAt: sql`now() + make_interval(hours => ${SESSION_HOURS}::integer)`,
    })
    .returning({ id: memberSessions.id, expiresAt: memberSessions.expiresAt });
  if (row === undefined) throw new Error('The insert of a session returned no row');
  return row;
}

async function readTenant(tx: Tx, tenantId: string) {
  const [row] = await tx.select(tenantColumns).from(tenants).where(eq(tenants.id, tenantId));
  if (row === undefined) throw new Error('The tenant of a member is always there');
  return toTenant(row);
}
