import { sql } from 'drizzle-orm';
import { depositAccounts, investments, moves, payments } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { FeedPage, PaymentEntry } from '#lib/ledger/types.ts';
import { bulkRows } from '#lib/platform/bulk.ts';
import type { Tx } from '#lib/platform/db.ts';
import { derivedId } from '#lib/platform/ids.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/platform/money.ts';
import { type LoadedAccount, lockAndLoad } from './load-state.ts';
import { decodeMove } from './move-memo.ts';
import { loadPending } from './pending.ts';
import { type Quote, quotePayments } from './quote-payments.ts';
import type { SaleMove, SalePayment } from './types.ts';

export const investmentId = (txHash: string): string => derivedId('inv', txHash);

export interface Recognised {
  /** False when another process had moved the cursor first; nothing was written. */
  advanced: boolean;
  payments: number;
  moves: number;
  deliveries: number;
}

/**
 * Writes one page of the feed: payments, investments in `pending_confirmation`, moves seen, `investment.created`, and
 * the cursor, in one transaction and a constant number of statements. The cursor moves by compare-and-set under the
 * account's row lock, so two processes with the same page write it once.
 */
export async function recognise(
  ctx: Ctx,
  input: { account: string; afterLedger: number; page: FeedPage },
): Promise<Recognised> {
  const { page } = input;
  return ctx.db.transaction(async (tx) => {
    const loaded = await lockAndLoad(tx, input.account);
    if (loaded.account.cursorLedger !== input.afterLedger || loaded.account.halted) {
      return { advanced: false, payments: 0, moves: 0, deliveries: 0 };
    }
    const paymentEntries = page.entries.filter((entry) => entry.kind === 'payment');
    const moveEntries = page.entries.flatMap((entry): SaleMove[] => {
      const move = entry.kind === 'self' ? decodeMove(entry) : null;
      return move === null || !loaded.rows.has(move.projectId) ? [] : [move];
    });
    const fresh = await insertPayments(tx, input.account, paymentEntries, loaded);
    const late = paymentEntries.filter((entry) => entry.ledgerIndex <= loaded.account.confirmedLedger);
    for (const entry of late.filter((each) => fresh.has(each.hash))) {
      ctx.log.error({ transaction_hash: entry.hash, ledger_index: entry.ledgerIndex }, 'late_discovery: payment held');
    }
    await markMovesSeen(ctx, tx, moveEntries, loaded);
    const deliveries = await insertInvestments(tx, input.account, page, fresh, loaded);
    await tx
      .update(depositAccounts)
      .set({ cursorLedger: page.readThrough, cursorHash: page.readThroughHash })
      .where(sql`${depositAccounts.address} = ${input.account}`);
    return { advanced: true, payments: fresh.size, moves: moveEntries.length, deliveries };
  });
}

/** Returns the hashes that this call really inserted: only those become investments and events. */
async function insertPayments(
  tx: Tx,
  account: string,
  entries: readonly PaymentEntry[],
  loaded: LoadedAccount,
): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const rows = entries.map((entry) => ({
    tx_hash: entry.hash,
    ledger_index: entry.ledgerIndex,
    transaction_index: entry.transactionIndex,
    closed_at: new Date(entry.closedAtMs),
    sender: entry.sender,
    destination_tag: entry.destinationTag,
    source_tag: entry.sourceTag,
    received_drops: entry.deliveredDrops,
    project_id: projectIdOf(loaded, entry.destinationTag),
    // Below the watermark everything is decided for good: what turns up there is held for a person (design section 4).
    late: entry.ledgerIndex <= loaded.account.confirmedLedger,
  }));
  const inserted = await tx.execute<{ tx_hash: string }>(sql`
    insert into ${payments} (tx_hash, account, ledger_index, transaction_index, closed_at, sender, destination_tag,
      source_tag, received_drops, project_id, outcome, reason, held_drops)
    select tx_hash, ${account}, ledger_index, transaction_index, closed_at, sender, destination_tag, source_tag,
      received_drops, project_id, case when late then 'held' else 'pending' end,
      case when late then 'late_discovery' end, case when late then received_drops else 0 end
    from ${bulkRows(
      'given',
      {
        tx_hash: 'text',
        ledger_index: 'bigint',
        transaction_index: 'integer',
        closed_at: 'timestamptz',
        sender: 'text',
        destination_tag: 'bigint',
        source_tag: 'bigint',
        received_drops: 'bigint',
        project_id: 'text',
        late: 'boolean',
      },
      rows,
    )}
    on conflict (tx_hash) do nothing
    returning tx_hash`);
  return new Set(inserted.rows.map((row) => row.tx_hash));
}

const projectIdOf = (loaded: LoadedAccount, tag: number | null): string | null =>
  tag === null ? null : (loaded.state.projects.get(tag)?.id ?? null);

/** A move is real when the feed brings it, whoever signed it: our own submission and one made elsewhere count alike. */
async function markMovesSeen(
  ctx: Ctx,
  tx: Tx,
  entries: readonly SaleMove[],
  { account }: LoadedAccount,
): Promise<void> {
  if (entries.length === 0) return;
  const isLate = (move: SaleMove): boolean => move.ledgerIndex <= account.confirmedLedger;
  for (const move of entries.filter(isLate)) {
    ctx.log.error(
      { transaction_hash: move.hash, ledger_index: move.ledgerIndex },
      'late_discovery: move without effect',
    );
  }
  await tx.execute(sql`
    insert into ${moves} (tx_hash, account, project_id, move, terms_hash, status, detail, ledger_index,
      transaction_index, closed_at)
    select tx_hash, ${account.address}, project_id, move, terms_hash, case when late then 'ineffective' else 'seen' end,
      case when late then 'late_discovery' end, ledger_index, transaction_index, closed_at
    from ${bulkRows(
      'given',
      {
        tx_hash: 'text',
        project_id: 'text',
        move: 'text',
        terms_hash: 'text',
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
        ledger_index: move.ledgerIndex,
        transaction_index: move.transactionIndex,
        closed_at: new Date(move.closedAtMs),
        // As with payments: what is decided stays decided (design section 4).
        late: isLate(move),
      })),
    )}
    on conflict (tx_hash) do update set status = excluded.status, detail = excluded.detail, ledger_index = excluded.ledger_index,
      transaction_index = excluded.transaction_index, closed_at = excluded.closed_at
    where ${moves.status} in ('submitted', 'expired')`);
}

async function insertInvestments(
  tx: Tx,
  account: string,
  page: FeedPage,
  fresh: ReadonlySet<string>,
  loaded: LoadedAccount,
): Promise<number> {
  if (fresh.size === 0) return 0;
  // The quote counts every earlier payment: all that is pending, this page included, runs through the reducer.
  const { entries } = await loadPending(tx, account, page.readThrough, Number.MAX_SAFE_INTEGER - 1);
  const quotes = quotePayments(loaded.state, entries, fresh);
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
    quotes.map((quote) => createdEvent(quote, quote.payment)),
  );
}

function createdEvent(quote: Quote, payment: SalePayment): NewEvent<'investment.created'> {
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
