import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { actions, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { type FieldError, fieldError, PlatformError } from '#lib/base/errors.ts';
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

const NOT_YOURS = 'is an account of another sale: use one of your own, or ask an administrator';

/**
 * True of an account that takes payments, or pays or issues the tokens of a sale that is not the tenant's: the platform can
 * sign for it, and its tokens are the other's. Of others only launched sales count, which everybody knows; `atLaunch` also what
 * administrators prepare. Issuers count for administrators' sales alone: anybody may sell a token that another issues.
 */
async function isOfAnotherSale(
  db: Db,
  { tenantId, account, atLaunch }: { tenantId: string; account: string; atLaunch: boolean },
): Promise<boolean> {
  if (env().OWNER_DEPOSIT_ACCOUNTS.includes(account)) return true;
  const isAdministrators = isNull(projects.tenantId);
  const isLaunched = sql`(${projects.status} <> 'draft' or exists (select from ${actions} where ${actions.projectId} = ${projects.id}
    and ${actions.action} = 'launch' and ${actions.status} in ('submitted', 'seen')))`;
  const paysOrIssues = or(eq(projects.distributor, account), and(isAdministrators, eq(projects.issuer, account)));
  const [other] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        isNull(projects.deletedAt),
        atLaunch ? or(isLaunched, isAdministrators) : isLaunched,
        or(
          eq(projects.depositAddress, account),
          and(sql`${projects.tenantId} is distinct from ${tenantId}`, paysOrIssues),
        ),
      ),
    )
    .limit(1);
  return other !== undefined;
}

/** Throws `invalid_request` for a member's sale whose distributor `isOfAnotherSale`. */
export async function assertOwnDistributor(db: Db, { actor }: Ctx, { distributor }: ProjectInput): Promise<void> {
  const tenantId = tenantOf(actor);
  if (tenantId === null || !(await isOfAnotherSale(db, { tenantId, account: distributor, atLaunch: false }))) return;
  throw fieldError('distributor', NOT_YOURS);
}

/** The same at the launch, whoever asks for it: the other sale may have come since the draft was written. */
export async function ownDistributorFaults(
  db: Db,
  { tenantId, distributor }: Pick<ProjectRow, 'tenantId' | 'distributor'>,
): Promise<FieldError[]> {
  if (tenantId === null || !(await isOfAnotherSale(db, { tenantId, account: distributor, atLaunch: true }))) return [];
  return [{ field: 'distributor', message: NOT_YOURS }];
}

/** Under the tenant's lock, so that two at once cannot both be the last. Throws `limit_reached`, and as `assertOwnDistributor`. */
export async function assertMayDraft(tx: Tx, ctx: Ctx, given: ProjectInput): Promise<void> {
  const tenantId = tenantOf(ctx.actor);
  if (tenantId === null) return;
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for('no key update');
  const drafts = and(eq(projects.tenantId, tenantId), eq(projects.status, 'draft'), isNull(projects.deletedAt));
  if ((await tx.$count(projects, drafts)) >= MOST_DRAFTS) {
    throw new PlatformError('limit_reached', `A tenant has at most ${MOST_DRAFTS} drafts. Delete one first.`);
  }
  await assertOwnDistributor(tx, ctx, given);
}
