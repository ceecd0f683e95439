import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { and, eq } from 'drizzle-orm';
import { depositAccounts, type ProjectRow, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { agreedHead } from '../feed/agreed-feed.ts';
import { lockDepositAccount } from '../feed/load-state.ts';
import type { ProjectResource } from '../schemas.ts';
import { checkProject, defaultMinimumDrops } from './check-project.ts';
import { assertMayDraft, assertOwnedAccounts, tenantOf } from './owned-project.ts';
import { assertSlugFree, projectColumns, slugFor, slugTaken } from './project-columns.ts';
import type { ProjectInput } from './project-input.ts';
import { projectResourceOf } from './project-resource.ts';

const TAG_DRAWS = 4;

/**
 * Creates a draft and registers its deposit account: the feed begins after the ledger that is validated now. A member's draft
 * is of the tenant. Throws `invalid_request` with every faulty field, `conflict` for a slug in use, `limit_reached` for a tenant
 * with too many drafts.
 */
export async function createProject(ctx: Ctx, given: ProjectInput): Promise<ProjectResource> {
  assertOwnedAccounts(ctx, given);
  const { tiers: checkedTiers, locks } = await checkProject(ctx, given);
  // Null says that the sale is to have none; only what is left out is filled in.
  const minimum =
    given.min_investment_xrp === undefined ? defaultMinimumDrops(given, checkedTiers) : given.min_investment_xrp;
  const input = { ...given, min_investment_xrp: minimum };
  const server = await ctx.ledger.serverState();
  const head = await agreedHead(ctx, server.validatedIndex);
  if (head === null) throw ledgerUnavailable('The ledger servers do not agree on the newest ledger; try again');
  const balanceDrops = await ctx.ledger.balanceAt(input.deposit_address, server.validatedIndex);
  const refundMinDrops = BigInt(env().REFUND_MIN_DROPS);
  const id = newId('proj', ctx.random);
  return ctx.db.transaction(async (tx) => {
    await tx
      .insert(depositAccounts)
      .values({
        address: input.deposit_address,
        networkId: server.networkId,
        registeredLedger: server.validatedIndex,
        cursorLedger: server.validatedIndex,
        cursorHash: head.hash,
        confirmedLedger: server.validatedIndex,
        recordedBalanceDrops: balanceDrops,
        recordedFromLedger: server.validatedIndex,
        reconciledLedger: server.validatedIndex,
        refundMinDrops,
      })
      .onConflictDoNothing();
    await assertMayDraft(tx, ctx, given);
    // Nothing can be recognised meanwhile: a tag that a payment carries already must not become a project's.
    await lockDepositAccount(tx, input.deposit_address);
    const [account] = await tx
      .select({ custody: depositAccounts.custody })
      .from(depositAccounts)
      .where(eq(depositAccounts.address, input.deposit_address));
    if (input.slug !== undefined) await assertSlugFree(tx, input.slug, id);
    const row = await insertWithTag(ctx, tx, {
      id,
      tenantId: tenantOf(ctx.actor),
      slug: input.slug ?? slugFor(input.name, id),
      ...projectColumns(input, locks),
      refundMinDrops,
      custody: account?.custody ?? null,
    });
    if (row === null) {
      if (input.slug !== undefined) throw slugTaken();
      throw new PlatformError('conflict', 'No free destination tag could be drawn. Try again.');
    }
    const tierRows = await tx
      .insert(tiers)
      .values(checkedTiers.map((tier) => ({ projectId: id, ...tier })))
      .returning();
    const resource = projectResourceOf(row, tierRows, 0, null);
    await appendAudit(tx, ctx, { action: 'project.create', subject: id, reason: 'created', after: resource });
    return resource;
  });
}

/** A tag collides about once in four billion; a second draw settles it. Null when another project has the slug. */
async function insertWithTag(
  ctx: Ctx,
  tx: Tx,
  values: Omit<typeof projects.$inferInsert, 'destinationTag'>,
): Promise<ProjectRow | null> {
  for (let draws = 0; draws < TAG_DRAWS; draws++) {
    const destinationTag = allocateTag(ctx);
    if (await isTagPaidTo(tx, values.depositAddress, destinationTag)) continue;
    const [row] = await tx
      .insert(projects)
      .values({ ...values, destinationTag })
      .onConflictDoNothing()
      .returning();
    if (row !== undefined) return row;
  }
  return null;
}

/** A 32-bit tag, never 0, never the one by which bounced refunds are known. */
function allocateTag(ctx: Ctx): number {
  const tag = Buffer.from(ctx.random(4)).readUInt32BE();
  return tag === 0 || tag === REFUND_SOURCE_TAG ? allocateTag(ctx) : tag;
}

/** True when some payment to the account carries the tag already: it was judged, or will be, as nobody's. */
async function isTagPaidTo(tx: Tx, account: string, destinationTag: number): Promise<boolean> {
  const [paid] = await tx
    .select({ txHash: payments.txHash })
    .from(payments)
    .where(and(eq(payments.account, account), eq(payments.destinationTag, destinationTag)))
    .limit(1);
  return paid !== undefined;
}
