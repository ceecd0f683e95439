import { isDeepStrictEqual } from 'node:util';
import { type Custody, custodyFaults } from '@tranche/rules/custody.ts';
import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, type DepositAccountRow, depositAccounts, payments, projects } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { signerFaults } from '../actions/custody-checklist.ts';
import { agreedHead, readAgreedFeed } from '../feed/agreed-feed.ts';
import { lockDepositAccount } from '../feed/load-state.ts';
import type { AccountResource } from './contracts.ts';
import { loadAccountResources } from './list-accounts.ts';

const UNREAD_A_PAGE = 200;

/** What an operator says of a signer set; the rest of a custody is the account's own. */
type GivenSet = Omit<Custody, 'from_ledger' | 'refund_min_xrp'>;

/**
 * Sets whose signatures a deposit account needs, for its drafts and for what is launched from now on; null for one key.
 * A signer set begins only on an account without a past: what one key did before could neither be proven by witnesses nor
 * be known to them, so the records and what they decide by begin at the ledger that shows the set in force. Throws
 * `not_found`, `invalid_request` for a set that does not keep what custody promises, and `conflict` when the account has a
 * past, does not have the set on the ledger, or has an unfinished sale under the set that is to be removed.
 */
export async function setCustody(
  ctx: Ctx,
  input: { address: string; custody: GivenSet | null; reason: string },
): Promise<AccountResource> {
  const { address, reason } = input;
  const faults = input.custody === null ? [] : custodyFaults(input.custody);
  if (faults.length > 0) {
    const errors = faults.map((message) => ({ field: 'custody', message }));
    throw new PlatformError('invalid_request', 'The signer set is not usable.', { errors });
  }
  const [registered] = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  if (registered === undefined) throw notRegistered();
  // Asked for again, it stays as it is: sales may have begun under it.
  if (input.custody === null || !isDeepStrictEqual(setOf(registered.custody), input.custody)) {
    const position = input.custody === null ? null : await readBeginning(ctx, registered, input.custody);
    await ctx.db.transaction((tx) => changeCustody(ctx, tx, { address, set: input.custody, position, reason }));
  }
  const rows = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  const [resource] = await loadAccountResources(ctx, rows);
  if (resource === undefined) throw notRegistered();
  return resource;
}

const notRegistered = (): PlatformError => new PlatformError('not_found', 'No such deposit account.');

/** Pure. */
function setOf(custody: Custody | null): GivenSet | null {
  if (custody === null) return null;
  const { from_ledger: _, refund_min_xrp: __, ...set } = custody;
  return set;
}

type Beginning = Pick<
  DepositAccountRow,
  | 'registeredLedger'
  | 'cursorLedger'
  | 'cursorHash'
  | 'confirmedLedger'
  | 'recordedBalanceDrops'
  | 'recordedFromLedger'
  | 'differenceDrops'
  | 'reconciledLedger'
>;

/** Where the records of an account under custody begin: at the ledger that shows the set in force, with a new balance. */
async function readBeginning(ctx: Ctx, registered: DepositAccountRow, set: GivenSet): Promise<Beginning> {
  const { address } = registered;
  const account = await ctx.ledger.account(address);
  if (account === null) throw new PlatformError('conflict', `${address} does not exist on the ledger.`);
  const faults = [...signerFaults(set, account)];
  if (faults.length > 0) {
    throw new PlatformError(
      'conflict',
      `The account ${faults.join('; ')}. Bring it under the signer set first (npx tranche custody setup).`,
    );
  }
  const ledger = account.ledgerIndex;
  const head = await agreedHead(ctx, ledger);
  if (head === null) throw ledgerUnavailable('The ledger servers do not agree on the newest ledger; try again');
  await assertNothingUnread(ctx, registered, ledger);
  return {
    registeredLedger: ledger,
    cursorLedger: ledger,
    cursorHash: head.hash,
    confirmedLedger: ledger,
    recordedBalanceDrops: null,
    recordedFromLedger: null,
    differenceDrops: 0n,
    reconciledLedger: null,
  };
}

/** What arrived before the beginning and was not read yet would be nobody's payment: it would count as the platform's own. */
async function assertNothingUnread(
  ctx: Ctx,
  { address, cursorLedger, cursorHash }: DepositAccountRow,
  throughLedger: number,
): Promise<void> {
  for (let afterLedger = cursorLedger, afterHash = cursorHash; afterLedger < throughLedger; ) {
    const page = await readAgreedFeed(ctx, {
      account: address,
      afterLedger,
      afterHash,
      throughLedger,
      maxEntries: UNREAD_A_PAGE,
    });
    const arrived = page.entries.find(
      (entry) => entry.kind === 'payment' || (entry.kind === 'other' && entry.counterparty !== null),
    );
    if (arrived !== undefined) throw hasPast(arrived.hash);
    if (page.readThrough <= afterLedger)
      throw ledgerUnavailable('The account’s newest ledgers cannot be read yet; try again');
    ({ readThrough: afterLedger, readThroughHash: afterHash } = page);
  }
}

async function changeCustody(
  ctx: Ctx,
  tx: Tx,
  input: { address: string; set: GivenSet | null; position: Beginning | null; reason: string },
): Promise<void> {
  const { address, set, position, reason } = input;
  const account = await lockDepositAccount(tx, address);
  if (account === undefined) throw notRegistered();
  let custody: Custody | null = null;
  if (set === null || position === null) await assertNoOtherInForce(tx, address, null);
  else {
    await assertFresh(tx, address);
    const refund_min_xrp = formatDrops(account.refundMinDrops);
    custody = { ...set, from_ledger: position.registeredLedger, refund_min_xrp };
  }
  await tx
    .update(depositAccounts)
    .set({ custody, ...position })
    .where(eq(depositAccounts.address, address));
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
}

/** Under the deposit account's lock. */
async function assertFresh(tx: Tx, address: string): Promise<void> {
  const launched = tx
    .select({ what: projects.id })
    .from(projects)
    .where(and(eq(projects.depositAddress, address), ne(projects.status, 'draft')));
  const paid = tx.select({ what: payments.txHash }).from(payments).where(eq(payments.account, address));
  const acted = tx
    .select({ what: actions.txHash })
    .from(actions)
    .where(and(eq(actions.account, address), ne(actions.status, 'expired')));
  const [past] = await unionAll(launched, paid, acted).limit(1);
  if (past !== undefined) throw hasPast(past.what);
}

const hasPast = (what: string): PlatformError =>
  new PlatformError(
    'conflict',
    `The account has a past under its own key (${what}), and witnesses could not know what it has paid. Use a new deposit account for sales under custody.`,
  );

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
