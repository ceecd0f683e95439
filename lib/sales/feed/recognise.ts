import { decodeAction } from '@tranche/rules/action-memo.ts';
import { investmentId } from '@tranche/rules/ids.ts';
import type { Quote } from '@tranche/rules/quote-payments.ts';
import type { HeldReason, SaleAction, SalePayment } from '@tranche/rules/types.ts';
import { eq, sql } from 'drizzle-orm';
import { payoutAttempts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { accountChanges, actions, depositAccounts, investments, payments } from '#drizzle/schema/sale.ts';
import { insertRows, textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { type Drops, formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { FeedEntry, FeedPage, OtherEntry, PaymentEntry } from '#lib/xrpl/types.ts';
import { lateDiscovery, raiseAlerts, unknownWithdrawal } from './alerts.ts';
import { type LoadedAccount, lockAndLoad } from './load-state.ts';
import { quoteArrivals, type Undecided } from './quote-arrivals.ts';

interface Recognised extends Recorded {
  /** False when another process had moved the cursor first; nothing was written. */
  advanced: boolean;
}

const NOTHING: Recorded = { payments: 0, actions: 0, events: 0, undecided: null };

/**
 * Writes one page of the feed: payments, investments in `pending_confirmation`, actions seen, `investment.created`, and
 * the cursor, in one transaction and a constant number of statements. The cursor moves by compare-and-set under the
 * account's row lock, so two processes with the same page write it once. `kept` is the `undecided` of the page before.
 */
export async function recognise(
  ctx: Ctx,
  input: { account: string; afterLedger: number; page: FeedPage; kept?: Undecided | null },
): Promise<Recognised> {
  const { page, kept = null } = input;
  return ctx.db.transaction(async (tx) => {
    const loaded = await lockAndLoad(tx, input.account, { entries: page.entries });
    if (loaded.account.cursorLedger !== input.afterLedger || loaded.account.halted) {
      return { advanced: false, ...NOTHING };
    }
    const { changeDrops, ...recorded } = await writeEntries(ctx, tx, loaded, page.entries, {
      throughLedger: page.readThrough,
      kept,
    });
    await tx
      .update(depositAccounts)
      .set({ cursorLedger: page.readThrough, cursorHash: page.readThroughHash, ...booked(changeDrops) })
      .where(eq(depositAccounts.address, input.account));
    return { advanced: true, ...recorded };
  });
}

/** What was written for the first time. */
interface Recorded {
  payments: number;
  actions: number;
  events: number;
  /** For the next page. */
  undecided: Undecided | null;
}

/**
 * Writes entries of the feed that are not there yet: payments, investments in `pending_confirmation`, actions seen, every
 * other change of the balance, `investment.created` and what alarms; a constant number of statements. The caller holds the
 * account's row lock. Entries at or below the confirmed ledger come too late to be decided: payments are held, actions are
 * without effect. `throughLedger` is the last ledger that the entries may lie in.
 */
export async function recordEntries(
  ctx: Ctx,
  tx: Tx,
  loaded: LoadedAccount,
  entries: readonly FeedEntry[],
  throughLedger: number,
): Promise<Recorded> {
  const { changeDrops, ...recorded } = await writeEntries(ctx, tx, loaded, entries, { throughLedger, kept: null });
  if (changeDrops !== 0n) {
    await tx
      .update(depositAccounts)
      .set(booked(changeDrops))
      .where(eq(depositAccounts.address, loaded.account.address));
  }
  return recorded;
}

/** The same but for the recorded balance, which changes by `changeDrops`: the caller writes that. */
async function writeEntries(
  ctx: Ctx,
  tx: Tx,
  loaded: LoadedAccount,
  entries: readonly FeedEntry[],
  { throughLedger, kept }: { throughLedger: number; kept: Undecided | null },
): Promise<Recorded & { changeDrops: Drops }> {
  const arrivals = arrivalsOf(entries, loaded.account.confirmedLedger);
  const fresh = await insertPayments(tx, loaded, arrivals);
  const seen = await markActionsSeen(tx, actionsOf(entries, loaded), loaded);
  // After the actions: one that was signed elsewhere counts as the platform's own from here on.
  const changes = await insertChanges(tx, loaded, changesOf(entries, arrivals));
  const { created, undecided } = await insertInvestments(tx, loaded, fresh, { throughLedger, kept });
  return {
    undecided,
    changeDrops: recordedChange(loaded, fresh, changes),
    payments: fresh.filter(({ entry }) => entry.kind === 'payment').length,
    actions: seen.length,
    events: created + (await raiseAlerts(ctx, tx, alertsOf(loaded, fresh, seen, changes))),
  };
}

/** What the rows just written did to the balance, unless the records began with that in it. */
function recordedChange({ account }: LoadedAccount, fresh: readonly Arrival[], changes: readonly Change[]): Drops {
  const isAfterStart = ({ entry }: { entry: FeedEntry }) => entry.ledgerIndex > (account.recordedFromLedger ?? 0);
  return (
    fresh.filter(isAfterStart).reduce((sum, { receivedDrops }) => sum + receivedDrops, 0n) +
    changes.filter(isAfterStart).reduce((sum, { changeDrops }) => sum + changeDrops, 0n)
  );
}

/** Adds a change to the recorded balance. */
const booked = (changeDrops: Drops) => ({
  recordedBalanceDrops: sql`${depositAccounts.recordedBalanceDrops} + ${changeDrops}`,
});

function alertsOf(
  { account }: LoadedAccount,
  fresh: readonly Arrival[],
  seen: readonly SaleAction[],
  changes: readonly (Change & { ours: boolean })[],
) {
  const found = ({ hash, ledgerIndex, closedAtMs }: FeedEntry | SaleAction, transactionType: string) => ({
    account: account.address,
    hash,
    ledgerIndex,
    closedAtMs,
    transactionType,
  });
  return [
    ...fresh
      .filter(({ late }) => late)
      .map(({ entry, transactionType, receivedDrops }) => lateDiscovery(found(entry, transactionType), receivedDrops)),
    ...seen
      .filter((action) => action.ledgerIndex <= account.confirmedLedger)
      .map((action) => lateDiscovery(found(action, 'AccountSet'), null)),
    ...changes
      // A fee alone is no withdrawal: what it did was something else.
      .filter(({ ours, changeDrops, entry }) => !ours && changeDrops + entry.feeDrops < 0n)
      .map(({ entry, transactionType, changeDrops }) =>
        unknownWithdrawal(found(entry, transactionType), -(changeDrops + entry.feeDrops)),
      ),
  ];
}

/** Columns that say where an entry stands on the ledger. */
const positionOf = ({ hash, ledgerIndex, transactionIndex, closedAtMs }: FeedEntry | SaleAction) => ({
  txHash: hash,
  ledgerIndex,
  transactionIndex,
  closedAt: new Date(closedAtMs),
});

/** XRP that reached the account, one row of `payments`. */
export interface Arrival {
  entry: PaymentEntry | OtherEntry;
  /** `Payment`, or by what it arrived otherwise. */
  transactionType: string;
  sender: string;
  destinationTag: number | null;
  sourceTag: number | null;
  receivedDrops: Drops;
  /** It turned up in a ledger that is decided. */
  late: boolean;
}

/** The arrivals among the entries, in their order. */
export const arrivalsOf = (entries: readonly FeedEntry[], confirmedLedger: number): Arrival[] =>
  entries.flatMap((entry): Arrival[] => {
    const late = entry.ledgerIndex <= confirmedLedger;
    if (entry.kind === 'payment') {
      const { sender, destinationTag, sourceTag, deliveredDrops } = entry;
      return [
        { entry, transactionType: 'Payment', sender, destinationTag, sourceTag, receivedDrops: deliveredDrops, late },
      ];
    }
    if (entry.kind === 'self' || entry.counterparty === null) return [];
    return [
      {
        entry,
        transactionType: entry.transactionType,
        sender: entry.counterparty,
        destinationTag: null,
        sourceTag: null,
        receivedDrops: entry.changeDrops + entry.feeDrops,
        late,
      },
    ];
  });

/**
 * Why an arrival is held from the first, or null when it is to be decided. Below the watermark everything is decided for
 * good: what turns up there is held for a person; what is no Payment is nobody's investment
 * (docs/adr/0008-held-payments.md).
 */
const heldBecause = ({ entry, late }: Arrival): HeldReason | null => {
  if (late) return 'late_discovery';
  return entry.kind === 'payment' ? null : 'not_a_payment';
};

const projectIdOf = (loaded: LoadedAccount, tag: number | null): string | null =>
  tag === null ? null : (loaded.state.projects.get(tag)?.id ?? null);

/** Writes arrivals that are not there yet, and gives those: only they become investments, events and bookings. */
async function insertPayments(
  tx: Tx,
  loaded: LoadedAccount,
  arrivals: readonly Arrival[],
): Promise<readonly Arrival[]> {
  if (arrivals.length === 0) return [];
  const rows = arrivals.map((arrival) => {
    const { entry, transactionType, sender, destinationTag, sourceTag, receivedDrops } = arrival;
    const reason = heldBecause(arrival);
    return {
      ...positionOf(entry),
      account: loaded.account.address,
      transactionType,
      sender,
      destinationTag,
      sourceTag,
      receivedDrops,
      projectId: projectIdOf(loaded, destinationTag),
      outcome: reason === null ? ('pending' as const) : ('held' as const),
      reason,
      heldDrops: reason === null ? 0n : receivedDrops,
    };
  });
  // What was there already is what is told: mostly nothing.
  const { rows: known } = await tx.execute<{ tx_hash: string }>(sql`
    with written as (${insertRows(payments, rows)} on conflict (tx_hash) do nothing returning tx_hash)
    select tx_hash from unnest(${textArray(arrivals.map(({ entry }) => entry.hash))}) as arrived(tx_hash)
    where tx_hash not in (select tx_hash from written)`);
  if (known.length === 0) return arrivals;
  const hashes = new Set(known.map((row) => row.tx_hash));
  return arrivals.filter(({ entry }) => !hashes.has(entry.hash));
}

/** What a transaction did to the account's XRP beside what it brought: one row of `account_changes`. */
export interface Change {
  entry: FeedEntry;
  transactionType: string;
  changeDrops: Drops;
}

const typeOf = (entry: FeedEntry): string => {
  if (entry.kind === 'other') return entry.transactionType;
  return entry.kind === 'self' ? 'AccountSet' : 'Payment';
};

/** Every change of the balance that the arrivals do not explain, so that both together explain all of it. */
export function changesOf(entries: readonly FeedEntry[], arrivals: readonly Arrival[]): Change[] {
  const received = new Map(arrivals.map(({ entry, receivedDrops }) => [entry.hash, receivedDrops]));
  return entries.flatMap((entry) => {
    const changeDrops = entry.changeDrops - (received.get(entry.hash) ?? 0n);
    return changeDrops === 0n ? [] : [{ entry, transactionType: typeOf(entry), changeDrops }];
  });
}

/**
 * Writes changes that are not there yet, and gives those, with whether the platform made them: its transactions are
 * persisted before they are submitted.
 */
async function insertChanges(
  tx: Tx,
  { account }: LoadedAccount,
  changes: readonly Change[],
): Promise<(Change & { ours: boolean })[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ entry, transactionType, changeDrops }) => ({
    ...positionOf(entry),
    account: account.address,
    transactionType,
    changeDrops,
    feeDrops: entry.feeDrops,
  }));
  const ours = sql`exists (select from ${payoutAttempts} a where a.tx_hash = given.tx_hash)
    or exists (select from ${actions} m where m.tx_hash = given.tx_hash)
    or exists (select from ${ticketRequests} r where r.tx_hash = given.tx_hash)`;
  const inserted = await tx.execute<{ tx_hash: string; ours: boolean }>(
    sql`${insertRows(accountChanges, rows, { ours })} on conflict (account, tx_hash) do nothing returning tx_hash, ours`,
  );
  const isOurs = new Map(inserted.rows.map((row) => [row.tx_hash, row.ours]));
  return changes.flatMap((change) => {
    const ours = isOurs.get(change.entry.hash);
    return ours === undefined ? [] : [{ ...change, ours }];
  });
}

/** The actions among the entries that name a project of the account. */
export const actionsOf = (entries: readonly FeedEntry[], loaded: LoadedAccount): SaleAction[] =>
  entries.flatMap((entry) => {
    const action = entry.kind === 'self' ? decodeAction(entry) : null;
    return action === null || !loaded.rows.has(action.projectId) ? [] : [action];
  });

/**
 * An action is real when the feed brings it, whoever signed it: our own submission and one made elsewhere count alike. Gives
 * those that were not seen before.
 */
async function markActionsSeen(
  tx: Tx,
  entries: readonly SaleAction[],
  { account }: LoadedAccount,
): Promise<readonly SaleAction[]> {
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => {
    const { projectId, action, termsHash, listHash, paymentHash, signers } = entry;
    // As with payments: what is decided stays decided (docs/adr/0008-held-payments.md).
    const late = entry.ledgerIndex <= account.confirmedLedger;
    return {
      ...positionOf(entry),
      account: account.address,
      projectId,
      action,
      termsHash,
      listHash,
      paymentHash,
      signers: [...signers],
      status: late ? ('ineffective' as const) : ('seen' as const),
      detail: late ? 'late_discovery' : null,
    };
  });
  const marked = await tx.execute<{ tx_hash: string }>(sql`
    ${insertRows(actions, rows)}
    on conflict (tx_hash) do update set status = excluded.status, detail = excluded.detail, ledger_index = excluded.ledger_index,
      transaction_index = excluded.transaction_index, closed_at = excluded.closed_at, signers = excluded.signers
    where ${actions.status} in ('submitted', 'expired')
    returning tx_hash`);
  const hashes = new Set(marked.rows.map((row) => row.tx_hash));
  return entries.filter((action) => hashes.has(action.hash));
}

/** Writes an investment for each fresh payment with a project's tag, and appends its event. Gives how many events. */
async function insertInvestments(
  tx: Tx,
  loaded: LoadedAccount,
  fresh: readonly Arrival[],
  { throughLedger, kept }: { throughLedger: number; kept: Undecided | null },
): Promise<{ created: number; undecided: Undecided | null }> {
  const arrived = fresh.flatMap(({ entry, late, receivedDrops }): SalePayment[] => {
    if (entry.kind !== 'payment' || late) return [];
    const { hash, ledgerIndex, transactionIndex, closedAtMs, sender, destinationTag } = entry;
    const place = { hash, ledgerIndex, transactionIndex, closedAtMs };
    return [{ kind: 'payment', ...place, sender, destinationTag, receivedDrops }];
  });
  if (arrived.length === 0) return { created: 0, undecided: kept };
  const { quotes, undecided } = await quoteArrivals(tx, loaded, { arrived, throughLedger, kept });
  if (quotes.length === 0) return { created: 0, undecided };
  const rows = quotes.map(({ payment, projectId, tier, price, units }) => ({
    id: investmentId(payment.hash),
    txHash: payment.hash,
    projectId,
    investorAccount: payment.sender,
    amountDrops: payment.receivedDrops,
    quoteTier: tier,
    quotePrice: price,
    quoteUnits: units,
    paidAt: new Date(payment.closedAtMs),
  }));
  await tx.execute(insertRows(investments, rows));
  return { created: await appendEvents(tx, quotes.values().map(createdEvent)), undecided };
}

/** `investment.created`: the quote with every earlier payment counted. */
export function createdEvent(quote: Quote): NewEvent<'investment.created'> {
  const { payment } = quote;
  const paidAt = new Date(payment.closedAtMs);
  return {
    type: 'investment.created',
    subject: payment.hash,
    projectId: quote.projectId,
    occurredAt: paidAt,
    data: {
      investment_id: investmentId(payment.hash),
      project_id: quote.projectId,
      investor_account: payment.sender,
      amount_xrp: formatDrops(payment.receivedDrops),
      tier_info: {
        tier: quote.tier,
        price_per_token: formatPrice(quote.price),
        tokens_expected: formatUnits(quote.units, quote.decimals),
      },
      transaction: {
        hash: payment.hash,
        ledger_index: payment.ledgerIndex,
        destination_tag: payment.destinationTag ?? 0,
      },
      status: 'pending_confirmation',
      created_at: paidAt.toISOString(),
    },
  };
}
