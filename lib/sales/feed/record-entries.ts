import { eq, sql } from 'drizzle-orm';
import { depositAccounts, investments, moves } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { quotePayments } from '#lib/rules/quote-payments.ts';
import type { SaleMove } from '#lib/rules/types.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { investmentId } from '../investment-id.ts';
import { lateDiscovery, unknownWithdrawal } from './alerts.ts';
import { createdEvent } from './created-event.ts';
import { type Change, changesOf, insertChanges } from './insert-changes.ts';
import { type Arrival, arrivalsOf, insertPayments } from './insert-payments.ts';
import { loadParties } from './load-parties.ts';
import type { LoadedAccount } from './load-state.ts';
import { decodeMove } from './move-memo.ts';
import { loadPending } from './pending.ts';

/** What was written for the first time. */
export interface Recorded {
  payments: number;
  moves: number;
  events: number;
}

/**
 * Writes entries of the feed that are not there yet: payments, investments in `pending_confirmation`, moves seen, every
 * other change of the balance, `investment.created` and what alarms; a constant number of statements. The caller holds the
 * account's row lock. Entries at or below the confirmed ledger come too late to be decided: payments are held, moves are
 * without effect. `throughLedger` is the last ledger that the entries may lie in.
 */
export async function recordEntries(
  ctx: Ctx,
  tx: Tx,
  loaded: LoadedAccount,
  entries: readonly FeedEntry[],
  throughLedger: number,
): Promise<Recorded> {
  const { address, confirmedLedger } = loaded.account;
  const moveEntries = entries.flatMap((entry): SaleMove[] => {
    const move = entry.kind === 'self' ? decodeMove(entry) : null;
    return move === null || !loaded.rows.has(move.projectId) ? [] : [move];
  });
  const arrivals = arrivalsOf(entries, confirmedLedger);
  const fresh = await insertPayments(tx, loaded, arrivals);
  const seen = await markMovesSeen(tx, moveEntries, loaded);
  // After the moves: one that was signed elsewhere counts as the platform's own from here on.
  const changes = await insertChanges(tx, address, changesOf(entries, arrivals));
  await book(tx, loaded, fresh, changes);
  const alerts = alertsOf(ctx, loaded, fresh, seen, changes);
  for (const { data } of alerts) ctx.log.error({ kind: data.kind, details: data.details }, data.message);
  const credited = fresh.filter(({ entry, late }) => entry.kind === 'payment' && !late).map(({ entry }) => entry.hash);
  const written = await insertInvestments(tx, address, throughLedger, new Set(credited), loaded);
  return {
    payments: fresh.filter(({ entry }) => entry.kind === 'payment').length,
    moves: seen.length,
    events: written + (await appendEvents(tx, alerts)),
  };
}

/** Adds to the books what the rows just written did to the balance, unless the books began with that in it. */
async function book(
  tx: Tx,
  { account }: LoadedAccount,
  fresh: readonly Arrival[],
  changes: readonly Change[],
): Promise<void> {
  const isAfterStart = ({ entry }: { entry: FeedEntry }) => entry.ledgerIndex > (account.bookedFromLedger ?? 0);
  const drops =
    fresh.filter(isAfterStart).reduce((sum, { receivedDrops }) => sum + receivedDrops, 0n) +
    changes.filter(isAfterStart).reduce((sum, { changeDrops }) => sum + changeDrops, 0n);
  if (drops === 0n) return;
  await tx
    .update(depositAccounts)
    .set({ bookedDrops: sql`${depositAccounts.bookedDrops} + ${drops}` })
    .where(eq(depositAccounts.address, account.address));
}

function alertsOf(
  ctx: Ctx,
  { account }: LoadedAccount,
  fresh: readonly Arrival[],
  seen: readonly SaleMove[],
  changes: readonly (Change & { ours: boolean })[],
) {
  const nowMs = ctx.clock.nowMs();
  const { address, confirmedLedger } = account;
  const found = ({ hash, ledgerIndex, closedAtMs }: FeedEntry | SaleMove, transactionType: string) => ({
    account: address,
    hash,
    ledgerIndex,
    closedAtMs,
    transactionType,
  });
  return [
    ...fresh
      .filter(({ late }) => late)
      .map(({ entry, transactionType, receivedDrops }) =>
        lateDiscovery(found(entry, transactionType), receivedDrops, nowMs),
      ),
    ...seen
      .filter((move) => move.ledgerIndex <= confirmedLedger)
      .map((move) => lateDiscovery(found(move, 'AccountSet'), null, nowMs)),
    ...changes
      // A fee alone is no withdrawal: what it did was something else.
      .filter(({ ours, changeDrops, entry }) => !ours && changeDrops + entry.feeDrops < 0n)
      .map(({ entry, transactionType, changeDrops }) =>
        unknownWithdrawal(found(entry, transactionType), -(changeDrops + entry.feeDrops), nowMs),
      ),
  ];
}

/**
 * A move is real when the feed brings it, whoever signed it: our own submission and one made elsewhere count alike. Gives
 * those that were not seen before.
 */
async function markMovesSeen(
  tx: Tx,
  entries: readonly SaleMove[],
  { account }: LoadedAccount,
): Promise<readonly SaleMove[]> {
  if (entries.length === 0) return [];
  const marked = await tx.execute<{ tx_hash: string }>(sql`
    insert into ${moves} (tx_hash, account, project_id, move, terms_hash, list_hash, payment_hash, status, detail, ledger_index,
      transaction_index, closed_at)
    select tx_hash, ${account.address}, project_id, move, terms_hash, list_hash, payment_hash, case when late then 'ineffective' else 'seen' end,
      case when late then 'late_discovery' end, ledger_index, transaction_index, closed_at
    from ${bulkRows(
      'given',
      {
        tx_hash: 'text',
        project_id: 'text',
        move: 'text',
        terms_hash: 'text',
        list_hash: 'text',
        payment_hash: 'text',
        ledger_index: 'bigint',
        transaction_index: 'integer',
        closed_at: 'timestamptz',
        late: 'boolean',
      },
      entries.map((move) => ({
        tx_hash: move.hash,
        project_id: move.projectId,
        move: move.move,
        terms_hash: move.termsHash,
        list_hash: move.listHash,
        payment_hash: move.paymentHash,
        ledger_index: move.ledgerIndex,
        transaction_index: move.transactionIndex,
        closed_at: new Date(move.closedAtMs),
        // As with payments: what is decided stays decided (docs/adr/0008-held-payments.md).
        late: move.ledgerIndex <= account.confirmedLedger,
      })),
    )}
    on conflict (tx_hash) do update set status = excluded.status, detail = excluded.detail, ledger_index = excluded.ledger_index,
      transaction_index = excluded.transaction_index, closed_at = excluded.closed_at
    where ${moves.status} in ('submitted', 'expired')
    returning tx_hash`);
  const hashes = new Set(marked.rows.map((row) => row.tx_hash));
  return entries.filter((move) => hashes.has(move.hash));
}

async function insertInvestments(
  tx: Tx,
  account: string,
  throughLedger: number,
  fresh: ReadonlySet<string>,
  loaded: LoadedAccount,
): Promise<number> {
  if (fresh.size === 0) return 0;
  // The quote counts every earlier payment: all that is pending, this page included, runs through the reducer.
  const { entries } = await loadPending(tx, account, throughLedger, Number.MAX_SAFE_INTEGER - 1);
  const quotes = quotePayments(await loadParties(tx, loaded.state, entries), entries, fresh);
  if (quotes.length === 0) return 0;
  await tx.execute(sql`
    insert into ${investments} (id, tx_hash, project_id, investor_account, amount_drops, quote_tier, quote_price,
      quote_units, paid_at)
    select id, tx_hash, project_id, investor_account, amount_drops, quote_tier, quote_price, quote_units, paid_at
    from ${bulkRows(
      'given',
      {
        id: 'text',
        tx_hash: 'text',
        project_id: 'text',
        investor_account: 'text',
        amount_drops: 'bigint',
        quote_tier: 'integer',
        quote_price: 'numeric',
        quote_units: 'bigint',
        paid_at: 'timestamptz',
      },
      quotes.map((quote) => ({
        id: investmentId(quote.payment.hash),
        tx_hash: quote.payment.hash,
        project_id: quote.projectId,
        investor_account: quote.payment.sender,
        amount_drops: quote.payment.receivedDrops,
        quote_tier: quote.tier,
        quote_price: quote.price,
        quote_units: quote.units,
        paid_at: new Date(quote.payment.closedAtMs),
      })),
    )}`);
  return appendEvents(
    tx,
    quotes.map((quote) => createdEvent(quote)),
  );
}
