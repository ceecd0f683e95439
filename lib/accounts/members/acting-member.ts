import { eq } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { members } from '#drizzle/schema/members.ts';
import { lockProvenTenant } from '#lib/accounts/tenants/tenant.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import type { MemberResource } from './contracts.ts';

export type MemberActor = Extract<Actor, { kind: 'member' }>;
export type MemberRow = typeof members.$inferSelect;

/** Who acts. Contracts for members admit no other actor. */
export function actingMember({ actor }: Pick<Ctx, 'actor'>): MemberActor {
  if (actor.kind !== 'member') throw new Error(`Only a member acts here; the actor is ${actor.kind}`);
  return actor;
}

export const toMember = (row: MemberRow): MemberResource => ({
  id: row.id,
  wallet_address: row.walletAddress,
  role: row.role,
  created_at: row.createdAt.toISOString(),
});

export const tenantColumns = { id: tenants.id, provenWallet: tenants.provenWallet };
export const toTenant = ({ id, provenWallet }: { id: string; provenWallet: string | null }) => {
  if (provenWallet === null) throw new Error('A tenant with members is that of a proven wallet');
  return { id, wallet_address: provenWallet };
};

/**
 * Locks the tenant of the member who acts, so that its members and invitations are changed by one request at a time, and
 * checks under the lock that the actor is still an owner. Gives the wallet that the tenant is of. Throws `unauthorized` when
 * the membership ended since it was checked at the door, `forbidden` when its role was changed.
 */
export async function lockAsOwner(tx: Tx, ctx: Pick<Ctx, 'actor'>): Promise<{ provenWallet: string }> {
  const { memberId, tenantId } = actingMember(ctx);
  const provenWallet = await lockProvenTenant(tx, tenantId);
  const [self] = await tx.select({ role: members.role }).from(members).where(eq(members.id, memberId));
  if (self === undefined) {
    throw new PlatformError('unauthorized', 'This membership has ended.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  if (self.role !== 'owner') {
    throw new PlatformError(
      'forbidden',
      `This needs the role owner; your role is ${self.role}. Ask an owner of the tenant.`,
    );
  }
  return { provenWallet };
}
