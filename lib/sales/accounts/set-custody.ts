import { type Custody, custodyFaults } from '@tranche/rules/custody.ts';
import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { lockDepositAccount } from '../feed/load-state.ts';
import type { AccountResource } from './contracts.ts';
import { loadAccountResources } from './list-accounts.ts';

/** What an operator says of a signer set; the rest of a custody is the account's own. */
type SignerSet = Omit<Custody, 'from_ledger' | 'refund_min_xrp'>;

/**
 * Sets whose signatures a deposit account needs, for its drafts and for what is launched from now on; null for one key.
 * Throws `not_found`, `invalid_request` for a set that does not keep what custody promises, and `conflict` while a sale
 * that is launched and not finished, or is being launched, has another set: its terms stand on the ledger.
 */
export async function setCustody(
  ctx: Ctx,
  input: { address: string; custody: SignerSet | null; reason: string },
): Promise<AccountResource> {
  const { address, reason } = input;
  await ctx.db.transaction(async (tx) => {
    const account = await lockDepositAccount(tx, address);
    if (account === undefined) throw notRegistered();
    const custody =
      input.custody === null
        ? null
        : {
            ...input.custody,
            from_ledger: account.registeredLedger,
            refund_min_xrp: formatDrops(account.refundMinDrops),
          };
    const errors = (custody === null ? [] : custodyFaults(custody)).map((message) => ({ field: 'custody', message }));
    if (errors.length > 0) throw new PlatformError('invalid_request', 'The signer set is not usable.', { errors });
    await assertNoOtherInForce(tx, address, custody);
    await tx.update(depositAccounts).set({ custody }).where(eq(depositAccounts.address, address));
    // The next launch writes and anchors the terms anew.
    await tx
      .update(projects)
      .set({ custody, terms: null, termsHash: null })
      .where(and(eq(projects.depositAddress, address), eq(projects.status, 'draft')));
    await appendAudit(tx, ctx, {
      action: 'account.custody',
      subject: address,
      reason,
      before: { custody: account.custody },
      after: { custody },
    });
  });
  const rows = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  const [resource] = await loadAccountResources(ctx, rows);
  if (resource === undefined) throw notRegistered();
  return resource;
}

const notRegistered = (): PlatformError => new PlatformError('not_found', 'No such deposit account.');

/** Under the deposit account's lock. */
async function assertNoOtherInForce(tx: Tx, address: string, custody: Custody | null): Promise<void> {
  const ofAccount = eq(projects.depositAddress, address);
  const differs = sql`${projects.custody} is distinct from ${custody === null ? null : JSON.stringify(custody)}::jsonb`;
  const unpaid = sql`exists (select from ${payouts} where ${payouts.projectId} = ${projects.id}
    and ${payouts.status} not in ('validated', 'cancelled'))`;
  const unfinished = or(
    notInArray(projects.status, ['completed', 'cancelled']),
    and(eq(projects.status, 'cancelled'), isNull(projects.cancellationCompletedAt)),
    unpaid,
  );
  const [sale] = await tx
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(and(ofAccount, ne(projects.status, 'draft'), differs, unfinished))
    .limit(1);
  if (sale !== undefined) {
    throw new PlatformError(
      'conflict',
      `${sale.name} (${sale.id}) is launched with another custody and not finished. Use another deposit account, or wait until everything of it is paid.`,
    );
  }
  const [launch] = await tx
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(actions, eq(actions.projectId, projects.id))
    .where(and(ofAccount, eq(actions.action, 'launch'), inArray(actions.status, ['submitted', 'seen']), differs))
    .limit(1);
  if (launch !== undefined) {
    throw new PlatformError('conflict', `The launch of ${launch.id} is under way. Wait for its outcome.`);
  }
}
