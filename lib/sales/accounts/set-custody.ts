import { isDeepStrictEqual } from 'node:util';
import { decodeAction } from '@tranche/rules/action-memo.ts';
import { type Custody, custodyFaults } from '@tranche/rules/custody.ts';
import { and, eq, gt, inArray, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import { payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import {
  actions,
  type DepositAccountRow,
  depositAccounts,
  investments,
  payments,
  projects,
} from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { isInForce } from '#lib/xrpl/multi-signer.ts';
import { signerFaults } from '../actions/custody-checklist.ts';
import { agreedHead, readAgreedFeed } from '../feed/agreed-feed.ts';
import { isOfThisPeriod, lockDepositAccount } from '../feed/load-state.ts';
import type { AccountResource } from './contracts.ts';
import { loadAccountResources } from './list-accounts.ts';

const UNREAD_A_PAGE = 200;
/** Of each kind of what is open. */
const MOST_NAMED = 5;

/** What an operator says of a signer set; the rest of a custody is the account's own. */
type GivenSet = Omit<Custody, 'from_ledger' | 'refund_min_xrp'>;

/**
 * Sets whose signatures a deposit account needs, for its drafts and for what is launched from now on; null for one key.
 * From one key a signer set begins only on an account without a past: what one key did before could neither be proven by
 * witnesses nor be known to them, so the records and what they decide by begin at the ledger that shows the set in force.
 * After another set it begins a custody period when nothing of the one before is open, because who signs then knows nothing
 * of it. Throws `not_found`, `invalid_request` for a set that does not keep what custody promises, and `conflict` when the
 * account has a past under one key, does not have the set on the ledger, or has something open under the set before.
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
  const isAgain = input.custody !== null && isDeepStrictEqual(setOf(registered.custody), input.custody);
  if (!isAgain || (await hasLaterDistributor(ctx, registered))) {
    const position = input.custody === null ? null : await readBeginning(ctx, registered, input.custody);
    await ctx.db.transaction((tx) => changeCustody(ctx, tx, { address, set: input.custody, position, reason }));
  }
  const rows = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  const [resource] = await loadAccountResources(ctx, rows);
  if (resource === undefined) throw notRegistered();
  return resource;
}

/** Whether a draft is to be paid by a distributor that came under the account's signers after the account did. */
async function hasLaterDistributor(ctx: Ctx, { address, custody }: DepositAccountRow): Promise<boolean> {
  if (custody === null) return false;
  const drafts = await ctx.db
    .selectDistinct({ distributor: projects.distributor })
    .from(projects)
    .where(and(eq(projects.depositAddress, address), eq(projects.status, 'draft')));
  for (const { distributor } of drafts) {
    const list = (await ctx.ledger.account(distributor))?.signerList ?? null;
    if (list !== null && isInForce(custody, list) && list.setInLedger > custody.from_ledger) return true;
  }
  return false;
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
  if (registered.custody !== null && (await ctx.ledger.tickets(address)).length > 0) {
    throw new PlatformError(
      'conflict',
      `${address} still has tickets. The platform cancels those that pay nothing any more: wait until the ledger shows none.`,
    );
  }
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
  { address, cursorLedger, cursorHash, custody }: DepositAccountRow,
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
      (entry) =>
        entry.kind === 'payment' ||
        (entry.kind === 'self' ? decodeAction(entry) !== null : entry.counterparty !== null),
    );
    if (arrived !== undefined) {
      throw custody === null ? hasPast(arrived.hash) : isOpen(address, [`${arrived.hash} is not decided yet`]);
    }
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
  let isFresh = true;
  if (set === null || position === null) await assertNoOtherInForce(tx, address, null);
  else {
    const past = await findPast(tx, address);
    if (past !== null) {
      if (account.custody === null) throw hasPast(past);
      await endPeriod(tx, account, position.registeredLedger);
      isFresh = false;
    }
    const refund_min_xrp = formatDrops(account.refundMinDrops);
    custody = { ...set, from_ledger: position.registeredLedger, refund_min_xrp };
  }
  await tx
    .update(depositAccounts)
    // The records of an account that has some go on.
    .set({ custody, ...(isFresh ? position : {}) })
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

/** Something that the account has sold, received or done; null for nothing. Under the deposit account's lock. */
async function findPast(tx: Tx, address: string): Promise<string | null> {
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
  return past?.what ?? null;
}

/**
 * Ends the account's custody period with a ledger, in which nothing of it may be open: neither the platform nor who signs
 * from then on knows of it any more. Under the deposit account's lock.
 */
async function endPeriod(
  tx: Tx,
  { address, confirmedLedger }: DepositAccountRow,
  throughLedger: number,
): Promise<void> {
  if (throughLedger < confirmedLedger) throw ledgerUnavailable('The ledger server is behind the records; try again');
  const ofPeriod = and(
    eq(projects.depositAddress, address),
    ne(projects.status, 'draft'),
    isNull(projects.custodyThroughLedger),
  );
  const open = await openThings(tx, address, { ofPeriod, throughLedger });
  open.push(...(await sharedDistributors(tx, address)));
  if (open.length > 0) throw isOpen(address, open);
  await tx.update(projects).set({ custodyThroughLedger: throughLedger }).where(ofPeriod);
}

/** What of an account's custody period is not over, not paid, or was on the ledger only after its last ledger. */
async function openThings(
  tx: Tx,
  address: string,
  { ofPeriod, throughLedger }: { ofPeriod: SQL | undefined; throughLedger: number },
): Promise<string[]> {
  const released = sql`(select coalesce(sum(${payouts.amount}), 0) from ${payouts} where ${payouts.projectId} = ${projects.id}
    and ${payouts.kind} = 'release' and ${payouts.status} = 'validated')`;
  const unplanned = sql`exists (select from ${investments} where ${investments.projectId} = ${projects.id}
    and ${investments.status} = 'confirmed' and not ${investments.payoutsPlanned})`;
  const sales = await tx
    .select({
      name: projects.name,
      id: projects.id,
      what: sql<string>`case when ${projects.status} not in ('completed', 'cancelled') then 'is not over'
        when ${projects.status} = 'cancelled' and ${projects.cancellationCompletedAt} is null then 'is not refunded yet'
        when ${projects.status} = 'completed' and ${unplanned} then 'still has to plan its distributions'
        else 'has raised XRP that was not released to its treasury' end`,
    })
    .from(projects)
    .where(
      and(
        ofPeriod,
        sql`(${projects.status} not in ('completed', 'cancelled')
          or ${projects.status} = 'cancelled' and ${projects.cancellationCompletedAt} is null
          or ${projects.status} = 'completed' and (${unplanned} or ${projects.treasury} is not null and ${released} < ${projects.raisedDrops}))`,
      ),
    );
  const ids = tx.select({ id: projects.id }).from(projects).where(ofPeriod);
  const unpaid = await tx
    .select({ id: payouts.id, status: payouts.status })
    .from(payouts)
    .where(
      and(
        or(eq(payouts.account, address), inArray(payouts.projectId, ids)),
        or(
          notInArray(payouts.status, ['validated', 'cancelled']),
          and(eq(payouts.status, 'validated'), gt(payouts.ledgerIndex, throughLedger)),
        ),
      ),
    )
    .limit(MOST_NAMED);
  const undecided = await tx
    .select({ hash: payments.txHash, outcome: payments.outcome })
    .from(payments)
    .where(
      and(
        eq(payments.account, address),
        // What operating accounts have sent stays on the account for fees.
        or(
          eq(payments.outcome, 'pending'),
          and(gt(payments.heldDrops, 0n), sql`${payments.reason} is distinct from 'operating_funds'`),
        ),
        // What is found late of an earlier period cannot be sent back any more.
        isOfThisPeriod(),
      ),
    )
    .limit(MOST_NAMED);
  const acting = await tx
    .select({ hash: actions.txHash, action: actions.action })
    .from(actions)
    .where(
      and(
        eq(actions.account, address),
        or(inArray(actions.status, ['submitted', 'seen']), gt(actions.ledgerIndex, throughLedger)),
      ),
    )
    .limit(MOST_NAMED);
  const requested = await tx.$count(
    ticketRequests,
    and(eq(ticketRequests.account, address), eq(ticketRequests.status, 'open')),
  );
  return [
    ...sales.map(({ name, id, what }) => `${name} (${id}) ${what}`),
    ...unpaid.map(({ id, status }) => `the payout ${id} is ${status}${status === 'validated' ? ' just now' : ''}`),
    ...undecided.map(({ hash, outcome }) => `the payment ${hash} is ${outcome === 'pending' ? 'not decided' : 'held'}`),
    ...acting.map(({ hash, action }) => `the action ${action} (${hash}) is under way`),
    ...(requested > 0 ? ['tickets are being created or cancelled'] : []),
  ];
}

/**
 * What a distributor has paid tells nobody of which period it is: while it pays for another deposit account too, its
 * payments for this one would be unexplained to who watches both.
 */
async function sharedDistributors(tx: Tx, address: string): Promise<string[]> {
  const own = alias(projects, 'own');
  const shared = await tx
    .selectDistinct({ distributor: projects.distributor, id: projects.id })
    .from(projects)
    .innerJoin(own, or(eq(own.distributor, projects.distributor), eq(projects.distributor, address)))
    .where(
      and(
        eq(own.depositAddress, address),
        ne(own.status, 'draft'),
        ne(projects.depositAddress, address),
        ne(projects.status, 'draft'),
        isNull(projects.custodyThroughLedger),
      ),
    )
    .limit(MOST_NAMED);
  return shared.map(({ distributor, id }) => `${distributor} also pays for ${id} of another deposit account`);
}

const isOpen = (address: string, open: readonly string[]): PlatformError =>
  new PlatformError(
    'conflict',
    `Other signers of ${address} would never pay what is open: ${open.join('; ')}. Set them when all of it is over, paid and released.`,
  );

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
