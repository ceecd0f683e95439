import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import type { ProjectInput } from './project-input.ts';

/** Drafts of a tenant: each holds a destination tag for good. */
export const MOST_DRAFTS = 20;

/** Whose sale a project becomes that this actor drafts; null for a sale of the administrators. */
export const tenantOf = (actor: Actor): string | null => (actor.kind === 'member' ? actor.tenantId : null);

/** The tenant of the member who acts. Contracts for members admit no other actor. */
export function ownTenant({ actor }: Pick<Ctx, 'actor'>): string {
  if (actor.kind !== 'member') throw new Error(`Only a member acts here; the actor is ${actor.kind}`);
  return actor.tenantId;
}

/**
 * A member drafts on the deposit accounts that are set up for owners alone: registering an account makes the platform read,
 * refund and sign for it. Throws `invalid_request`.
 */
export function assertOwnedAccounts({ actor }: Ctx, { deposit_address: account }: ProjectInput): void {
  if (tenantOf(actor) === null || env().OWNER_DEPOSIT_ACCOUNTS.includes(account)) return;
  throw fieldError(
    'deposit_address',
    'is no account for sales of owners: choose one of `deposit_accounts` of GET /api/owner/me, or ask an administrator',
  );
}

/**
 * A distributor that pays the tokens of another's sale pays none of a member's: its tokens are the other's. Only launched
 * sales count, which everybody knows. Throws `invalid_request`.
 */
export async function assertNotSoldByOthers(db: Db, { actor }: Ctx, { distributor }: ProjectInput): Promise<void> {
  const tenantId = tenantOf(actor);
  if (tenantId === null) return;
  const [other] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.distributor, distributor),
        ne(projects.status, 'draft'),
        sql`${projects.tenantId} is distinct from ${tenantId}`,
      ),
    )
    .limit(1);
  if (other === undefined) return;
  throw fieldError('distributor', 'pays out another sale: use an account of your own, or ask an administrator');
}

/** Under the tenant's lock, so that two at once cannot both be the last. Throws `limit_reached`, and as `assertNotSoldByOthers`. */
export async function assertMayDraft(tx: Tx, ctx: Ctx, given: ProjectInput): Promise<void> {
  const tenantId = tenantOf(ctx.actor);
  if (tenantId === null) return;
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for('no key update');
  const drafts = and(eq(projects.tenantId, tenantId), eq(projects.status, 'draft'), isNull(projects.deletedAt));
  if ((await tx.$count(projects, drafts)) >= MOST_DRAFTS) {
    throw new PlatformError('limit_reached', `A tenant has at most ${MOST_DRAFTS} drafts. Delete one first.`);
  }
  await assertNotSoldByOthers(tx, ctx, given);
}
