import { and, asc, count, eq, gt, lte, sql } from 'drizzle-orm';
import { memberInvitations, members } from '#drizzle/schema/members.ts';
import { lockProvenTenant } from '#lib/accounts/tenants/tenant.ts';
import { appendAudit } from '#lib/audit.ts';
import { toIso } from '#lib/base/clock.ts';
import type { MemberRole } from '#lib/base/contract.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { actingMember, lockAsOwner, type MemberRow, toMember } from './acting-member.ts';
import { INVITED_FOR_DAYS, type InvitationResource, type MemberResource } from './contracts.ts';

/** Of a tenant, open invitations included. */
export const MOST_MEMBERS = 50;

/** The members of the tenant, the oldest first. */
export async function listMembers(ctx: Ctx): Promise<{ members: MemberResource[] }> {
  const rows = await ctx.db
    .select()
    .from(members)
    .where(eq(members.tenantId, actingMember(ctx).tenantId))
    .orderBy(asc(members.createdAt), asc(members.id));
  return { members: rows.map(toMember) };
}

/** A member of the tenant that acts. Throws `not_found` for one of another, as for one that is none. */
async function findMember(tx: Tx, ctx: Ctx, memberId: string): Promise<MemberRow> {
  const [row] = await tx
    .select()
    .from(members)
    .where(and(eq(members.id, memberId), eq(members.tenantId, actingMember(ctx).tenantId)));
  if (row === undefined) throw new PlatformError('not_found', 'The tenant has no such member.');
  return row;
}

/** What an owner offered ends with the owner: an invitation must not bring back who was just removed. */
async function withdrawInvitationsOf(tx: Tx, { tenantId, walletAddress }: MemberRow): Promise<void> {
  await tx
    .delete(memberInvitations)
    .where(and(eq(memberInvitations.tenantId, tenantId), eq(memberInvitations.invitedBy, walletAddress)));
}

/** The tenant is its wallet's: it would get in again by its proof, so a tenant is never without an owner. */
function requireNotFounder(member: MemberRow, provenWallet: string): void {
  if (member.walletAddress !== provenWallet) return;
  throw new PlatformError('conflict', 'The tenant is that of this wallet: it stays an owner.');
}

/**
 * Changes the role of a member, which holds from their next request on. Throws `not_found`, and `conflict` for the wallet
 * that the tenant is of.
 */
export async function changeMember(ctx: Ctx, input: { memberId: string; role: MemberRole }): Promise<MemberResource> {
  return ctx.db.transaction(async (tx) => {
    const { provenWallet } = await lockAsOwner(tx, ctx);
    const before = await findMember(tx, ctx, input.memberId);
    if (before.role === input.role) return toMember(before);
    requireNotFounder(before, provenWallet);
    const [after] = await tx.update(members).set({ role: input.role }).where(eq(members.id, before.id)).returning();
    if (after === undefined) throw new Error('The update of a member returned no row');
    if (before.role === 'owner') await withdrawInvitationsOf(tx, before);
    await appendAudit(tx, ctx, {
      action: 'member.change',
      subject: after.id,
      reason: 'role changed by an owner',
      before: { wallet_address: before.walletAddress, role: before.role },
      after: { wallet_address: after.walletAddress, role: after.role },
    });
    return toMember(after);
  });
}

async function removeRow(tx: Tx, ctx: Ctx, member: MemberRow, act: { action: string; reason: string }): Promise<void> {
  await tx.delete(members).where(eq(members.id, member.id));
  await withdrawInvitationsOf(tx, member);
  await appendAudit(tx, ctx, {
    ...act,
    subject: member.id,
    before: { wallet_address: member.walletAddress, role: member.role },
  });
}

/** Ends a membership with its sessions. Throws `not_found`, and `conflict` for the wallet that the tenant is of. */
export async function removeMember(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { provenWallet } = await lockAsOwner(tx, ctx);
    const member = await findMember(tx, ctx, memberId);
    requireNotFounder(member, provenWallet);
    await removeRow(tx, ctx, member, { action: 'member.remove', reason: 'removed by an owner' });
  });
}

/** Ends the membership of who asks, with its sessions. Throws `conflict` for the wallet that the tenant is of. */
export async function leaveTenant(ctx: Ctx): Promise<void> {
  const { tenantId, memberId } = actingMember(ctx);
  await ctx.db.transaction(async (tx) => {
    const provenWallet = await lockProvenTenant(tx, tenantId);
    const member = await findMember(tx, ctx, memberId);
    requireNotFounder(member, provenWallet);
    await removeRow(tx, ctx, member, { action: 'member.leave', reason: 'left' });
  });
}

type InvitationRow = typeof memberInvitations.$inferSelect;

const toInvitation = (row: InvitationRow): InvitationResource => ({
  id: row.id,
  wallet_address: row.walletAddress,
  role: row.role,
  invited_by: row.invitedBy,
  created_at: toIso(row.createdAt),
  expires_at: toIso(row.expiresAt),
});

const openOf = (ctx: Ctx) =>
  and(eq(memberInvitations.tenantId, actingMember(ctx).tenantId), gt(memberInvitations.expiresAt, sql`now()`));

/** The open invitations of the tenant, the oldest first. */
export async function listInvitations(ctx: Ctx): Promise<{ invitations: InvitationResource[] }> {
  const rows = await ctx.db
    .select()
    .from(memberInvitations)
    .where(openOf(ctx))
    .orderBy(asc(memberInvitations.createdAt), asc(memberInvitations.id));
  return { invitations: rows.map(toInvitation) };
}

/**
 * Invites a wallet in place of an earlier invitation. It says nothing of the wallet but what the tenant knows itself. Throws
 * `conflict` for a member, `limit_reached` at the most members that a tenant may have.
 */
export async function inviteMember(
  ctx: Ctx,
  input: { wallet_address: string; role: MemberRole },
): Promise<InvitationResource> {
  const { tenantId, walletAddress: invitedBy } = actingMember(ctx);
  return ctx.db.transaction(async (tx) => {
    await lockAsOwner(tx, ctx);
    const current = await tx
      .select({ walletAddress: members.walletAddress })
      .from(members)
      .where(eq(members.tenantId, tenantId));
    if (current.some(({ walletAddress }) => walletAddress === input.wallet_address)) {
      throw new PlatformError('conflict', 'This wallet is a member already. Change its role instead.');
    }
    const ofWallet = and(
      eq(memberInvitations.tenantId, tenantId),
      eq(memberInvitations.walletAddress, input.wallet_address),
    );
    await tx.delete(memberInvitations).where(ofWallet);
    await tx
      .delete(memberInvitations)
      .where(and(eq(memberInvitations.tenantId, tenantId), lte(memberInvitations.expiresAt, sql`now()`)));
    const [open] = await tx
      .select({ invitations: count() })
      .from(memberInvitations)
      .where(eq(memberInvitations.tenantId, tenantId));
    if (current.length + (open?.invitations ?? 0) >= MOST_MEMBERS) {
      throw new PlatformError(
        'limit_reached',
        `A tenant has at most ${MOST_MEMBERS} members and open invitations. Remove or withdraw one first.`,
      );
    }
    const [row] = await tx
      .insert(memberInvitations)
      .values({
        id: newId('invite', ctx.random),
        tenantId,
        walletAddress: input.wallet_address,
        role: input.role,
        invitedBy,
        expiresAt: sql`now() + make_interval(days => ${INVITED_FOR_DAYS}::integer)`,
      })
      .returning();
    if (row === undefined) throw new Error('The insert of an invitation returned no row');
    const invitation = toInvitation(row);
    await appendAudit(tx, ctx, {
      action: 'member.invite',
      subject: row.id,
      reason: 'invited by an owner',
      after: { wallet_address: row.walletAddress, role: row.role, expires_at: invitation.expires_at },
    });
    return invitation;
  });
}

/** Withdraws an open invitation of the tenant. Throws `not_found`. */
export async function withdrawInvitation(ctx: Ctx, invitationId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockAsOwner(tx, ctx);
    const [row] = await tx
      .delete(memberInvitations)
      .where(and(eq(memberInvitations.id, invitationId), openOf(ctx)))
      .returning();
    if (row === undefined) throw new PlatformError('not_found', 'The tenant has no such open invitation.');
    await appendAudit(tx, ctx, {
      action: 'member.withdraw_invitation',
      subject: row.id,
      reason: 'withdrawn by an owner',
      before: { wallet_address: row.walletAddress, role: row.role },
    });
  });
}
