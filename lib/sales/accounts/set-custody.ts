import { isDeepStrictEqual } from 'node:util';
import { decodeAction } from '@tranche/rules/action-memo.ts';
import { type Custody, custodyFaults } from '@tranche/rules/custody.ts';
import { and, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import { payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
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
import { signerFaults } from '../actions/custody-checklist.ts';
import { agreedHead, readAgreedFeed } from '../feed/agreed-feed.ts';
import { isOfThisPeriod, lockDepositAccount } from '../feed/load-state.ts';
import type { AccountResource } from './contracts.ts';
import { lateListOfOneKey } from './late-list.ts';
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
 * After another set it begins a custody period, at the last ledger in which nothing of the one before was open: who signs
 * then knows nothing of it, and owes what came since. Throws `not_found`, `invalid_request` for a set that does not keep what
 * custody promises, and `conflict` when the account has a past under one key, does not have the set on the ledger, or has
 * something open under the set before.
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
  if (!isAgain || (await hasLaterList(ctx, registered))) {
    const beginning = input.custody === null ? null : await readBeginning(ctx, registered, input.custody);
    await ctx.db.transaction((tx) => changeCustody(ctx, tx, { address, set: input.custody, beginning, reason }));
  }
  const rows = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  const [resource] = await loadAccountResources(ctx, rows);
  if (resource === undefined) throw notRegistered();
  return resource;
}

/** Whether one key set the signers of the account, or of a distributor of its drafts, after its custody period began. */
async function hasLaterList(ctx: Ctx, { address, custody }: DepositAccountRow): Promise<boolean> {
  if (custody === null) return false;
  const drafts = await ctx.db
    .selectDistinct({ distributor: projects.distributor })
    .from(projects)
    .where(and(eq(projects.depositAddress, address), eq(projects.status, 'draft')));
  for (const paying of new Set([address, ...drafts.map(({ distributor }) => distributor)])) {
    const account = await ctx.ledger.account(paying);
    if (account !== null && (await lateListOfOneKey(ctx, custody, account)) !== null) return true;
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

/** A validated ledger in which a custody period can begin, the newest one that can be told. */
interface Beginning {
  ledgerIndex: number;
  hash: string;
  closedAt: Date;
}

async function readLedger(ctx: Ctx, ledgerIndex: number): Promise<Beginning> {
  const head = await agreedHead(ctx, ledgerIndex);
  if (head === null) throw ledgerUnavailable(`The ledger servers do not agree on ledger ${ledgerIndex}; try again`);
  return { ledgerIndex, hash: head.hash, closedAt: new Date(head.closedAtMs) };
}

/**
 * Where the custody period begins: at the ledger that shows the set in force; after another set at the last one in which
 * nothing of the period before was open. What people send meanwhile cannot keep it from beginning.
 */
async function readBeginning(
  ctx: Ctx,
  registered: DepositAccountRow,
  set: GivenSet,
): Promise<{ begins: Beginning; newest: Beginning }> {
  const { address, custody, cursorLedger } = registered;
  const account = await ctx.ledger.account(address);
  if (account === null) throw new PlatformError('conflict', `${address} does not exist on the ledger.`);
  const faults = [...signerFaults(set, account)];
  if (faults.length > 0) {
    throw new PlatformError(
      'conflict',
      `The account ${faults.join('; ')}. Bring it under the signer set first (npx tranche custody setup).`,
    );
  }
  const unread = await firstUnread(ctx, registered, account.ledgerIndex);
  if (unread !== null && custody === null) throw hasPast(unread);
  const newest = await readLedger(ctx, unread === null ? account.ledgerIndex : cursorLedger);
  if (custody === null) return { begins: newest, newest };
  return beginningUpTo(ctx, address, newest);
}

async function beginningUpTo(ctx: Ctx, address: string, newest: Beginning) {
  const clean = await lastLedgerWithoutDebts(ctx, address, newest.ledgerIndex);
  return { begins: clean === newest.ledgerIndex ? newest : await readLedger(ctx, clean), newest };
}

/** Something that arrived or was done up to a ledger and was not read yet; null for nothing. */
async function firstUnread(
  ctx: Ctx,
  { address, cursorLedger, cursorHash }: DepositAccountRow,
  throughLedger: number,
): Promise<string | null> {
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
    if (arrived !== undefined) return arrived.hash;
    if (page.readThrough <= afterLedger)
      throw ledgerUnavailable('The account’s newest ledgers cannot be read yet; try again');
    ({ readThrough: afterLedger, readThroughHash: afterHash } = page);
  }
  return null;
}

/** The last ledger, up to `latest`, at whose end everything was paid and sent back that payments until then were owed. */
async function lastLedgerWithoutDebts(ctx: Ctx, address: string, latest: number): Promise<number> {
  const { rows } = await ctx.db.execute<{ ledger: string | null }>(sql`
    with debts as (
      select ${payments.ledgerIndex} as since,
        case when ${payouts.status} = 'validated' then ${payouts.ledgerIndex} end as until
      from ${payouts} join ${payments} on ${payments.txHash} = ${payouts.paymentHash}
      where ${payments.account} = ${address} and ${payouts.status} <> 'cancelled' and ${isOfThisPeriod()}
      union all
      select ${payments.ledgerIndex}, null from ${payments}
      where ${payments.account} = ${address} and ${isUndecidedOrHeld} and ${isOfThisPeriod()}
    ), by_ledger as (
      select since, max(coalesce(until, 9223372036854775807)) as until from debts where since <= ${latest}::bigint group by since
    ), in_order as (
      select since, max(until) over (order by since rows between unbounded preceding and 1 preceding) as before from by_ledger
    )
    select max(ledger)::text as ledger from (
      select since - 1 as ledger from in_order where coalesce(before, 0) < since
      union all
      select ${latest}::bigint where not exists (select from by_ledger where until > ${latest}::bigint)
    ) as clean`);
  return Number(rows[0]?.ledger ?? latest);
}

/** What operating accounts have sent stays on the account for fees. */
const isUndecidedOrHeld = sql`(${payments.outcome} = 'pending'
  or ${payments.heldDrops} > 0 and ${payments.reason} is distinct from 'operating_funds')`;

async function changeCustody(
  ctx: Ctx,
  tx: Tx,
  input: {
    address: string;
    set: GivenSet | null;
    beginning: Awaited<ReturnType<typeof readBeginning>> | null;
    reason: string;
  },
): Promise<void> {
  const { address, set, beginning, reason } = input;
  const account = await lockDepositAccount(tx, address);
  if (account === undefined) throw notRegistered();
  let custody: Custody | null = null;
  let records = {};
  if (set === null || beginning === null) await assertNoOtherInForce(tx, address, null);
  else {
    const past = await findPast(tx, address);
    if (past !== null && account.custody === null) throw hasPast(past);
    const { ledgerIndex, hash } = past === null ? beginning.newest : beginning.begins;
    if (past === null) records = recordsFrom(ledgerIndex, hash);
    // The records of an account that has some go on.
    else await endPeriod(ctx, tx, account, beginning);
    custody = { ...set, from_ledger: ledgerIndex, refund_min_xrp: formatDrops(account.refundMinDrops) };
  }
  await tx
    .update(depositAccounts)
    .set({ custody, ...records })
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

/** The records of an account without a past begin at this ledger, with a new balance. Pure. */
const recordsFrom = (ledgerIndex: number, hash: string) => ({
  registeredLedger: ledgerIndex,
  cursorLedger: ledgerIndex,
  cursorHash: hash,
  confirmedLedger: ledgerIndex,
  recordedBalanceDrops: null,
  recordedFromLedger: null,
  differenceDrops: 0n,
  reconciledLedger: null,
});

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
  ctx: Ctx,
  tx: Tx,
  { address }: DepositAccountRow,
  beginning: Awaited<ReturnType<typeof readBeginning>>,
): Promise<void> {
  const open = await openBefore(ctx, tx, address, beginning);
  if (open.length > 0) throw isOpen(address, open);
  await tx.update(projects).set({ custodyThroughLedger: beginning.begins.ledgerIndex }).where(ofPeriodOf(address));
}

/** What would keep other signers from being set for a deposit account, if they were on the ledger now. */
export async function openUnderItsSigners(ctx: Ctx, address: string): Promise<string[]> {
  const [registered] = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  if (registered === undefined || registered.custody === null) return [];
  const newest = await readLedger(ctx, registered.cursorLedger);
  const beginning = await beginningUpTo(ctx, address, newest);
  return ctx.db.transaction((tx) => openBefore(ctx, tx, address, beginning));
}

const ofPeriodOf = (address: string): SQL | undefined =>
  and(eq(projects.depositAddress, address), ne(projects.status, 'draft'), isNull(projects.custodyThroughLedger));

async function openBefore(
  ctx: Ctx,
  tx: Tx,
  address: string,
  { begins, newest }: Awaited<ReturnType<typeof readBeginning>>,
): Promise<string[]> {
  const openIn = (ledger: Beginning) => openThings(ctx, tx, address, { ofPeriod: ofPeriodOf(address), ledger });
  let open = await openIn(begins);
  // Where nothing was ever whole since the sales were over, what is open now says why.
  if (open.length > 0 && begins !== newest) open = await openIn(newest);
  return [...open, ...(await sharedDistributors(tx, address))];
}

/** What of an account's custody period is not over, not paid, or was on the ledger only after this ledger. */
async function openThings(
  ctx: Ctx,
  tx: Tx,
  address: string,
  { ofPeriod, ledger }: { ofPeriod: SQL | undefined; ledger: Beginning },
): Promise<string[]> {
  const { ledgerIndex: throughLedger, closedAt } = ledger;
  const released = sql`(select coalesce(sum(${payouts.amount}), 0) from ${payouts} where ${payouts.projectId} = ${projects.id}
    and ${payouts.kind} = 'release' and ${payouts.status} = 'validated')`;
  const unplanned = sql`exists (select from ${investments} where ${investments.projectId} = ${projects.id}
    and ${investments.status} = 'confirmed' and not ${investments.payoutsPlanned})`;
  const wasOn = sql`${projects.endedAt} > ${closedAt.toISOString()}::timestamptz`;
  const sales = await tx
    .select({
      name: projects.name,
      id: projects.id,
      what: sql<string>`case when ${projects.status} not in ('completed', 'cancelled') or ${wasOn} then 'is not over'
        when ${projects.status} = 'cancelled' and ${projects.cancellationCompletedAt} is null then 'is not refunded yet'
        when ${projects.status} = 'completed' and ${unplanned} then 'still has to plan its distributions'
        else 'has raised XRP that was not released to its treasury' end`,
    })
    .from(projects)
    .where(
      and(
        ofPeriod,
        sql`(${projects.status} not in ('completed', 'cancelled') or ${wasOn}
          or ${projects.status} = 'cancelled' and ${projects.cancellationCompletedAt} is null
          or ${projects.status} = 'completed' and (${unplanned} or ${projects.treasury} is not null and ${released} < ${projects.raisedDrops}))`,
      ),
    );
  const ids = tx.select({ id: projects.id }).from(projects).where(ofPeriod);
  const unpaid = await tx
    .select({ id: payouts.id, status: payouts.status })
    .from(payouts)
    .leftJoin(payments, eq(payments.txHash, payouts.paymentHash))
    .where(
      and(
        or(eq(payouts.account, address), inArray(payouts.projectId, ids)),
        or(isNull(payouts.paymentHash), lte(payments.ledgerIndex, throughLedger)),
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
        isUndecidedOrHeld,
        // One with the tag of a sale is decided as what that sale's investors were told.
        or(
          lte(payments.ledgerIndex, throughLedger),
          and(eq(payments.outcome, 'pending'), isNotNull(payments.projectId)),
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
    ...((await oldTickets(ctx, tx, address, throughLedger)) ? [STILL_TICKETS] : []),
  ];
}

const STILL_TICKETS =
  'it has tickets from before (the platform cancels those that pay nothing any more: wait until the ledger shows none)';

/** Whether the account has tickets that were created up to a ledger: those who sign afterwards know nothing of them. */
async function oldTickets(ctx: Ctx, tx: Tx, address: string, throughLedger: number): Promise<boolean> {
  const held = await ctx.ledger.tickets(address);
  if (held.length === 0) return false;
  const later = await tx
    .select({ ticket: ticketAssignments.ticket })
    .from(ticketAssignments)
    .innerJoin(ticketRequests, eq(ticketRequests.txHash, ticketAssignments.requestHash))
    .where(
      and(
        eq(ticketAssignments.account, address),
        inArray(ticketAssignments.ticket, held),
        eq(ticketRequests.status, 'validated'),
        gte(ticketRequests.firstLedger, throughLedger),
      ),
    );
  const known = new Set(later.map(({ ticket }) => ticket));
  return held.some((ticket) => !known.has(ticket));
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
    `Other signers of ${address} would never pay what is open: ${open.join('; ')}. Set them when all of it is over, paid and released; when something of it can never be paid, use a new deposit account for later sales.`,
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
