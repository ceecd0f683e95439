import { isDeepStrictEqual } from 'node:util';
import { heldThrough } from '@tranche/verifier/read-feed.ts';
import { and, asc, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  distributorCursors,
  payoutAttempts,
  payouts,
  ticketRequests,
  unknownTransfers,
} from '#drizzle/schema/payouts.ts';
import { actions, depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { FeedPage, LedgerHistory, OtherEntry } from '#lib/xrpl/types.ts';
import { deliversExactly } from './attempts.ts';
import { unknownTransfer } from './events.ts';
import { loadStored } from './load.ts';
import type { Payout } from './types.ts';

type UnknownTransfer = typeof unknownTransfers.$inferSelect;

/** How far a distributor has been searched. */
interface DistributorCursor {
  address: string;
  cursorLedger: number;
  cursorHash: string | null;
}

/**
 * Every distributor of a sale that was launched, in any order but a fixed one. A new one is searched from the launch of
 * its first sale on, or from now on where the ledger server holds no ledger so old.
 */
export async function loadDistributors(ctx: Ctx, history: LedgerHistory): Promise<DistributorCursor[]> {
  const fresh = await ctx.db.execute<{ address: string; launched: number | null }>(sql`
    select p.distributor as address, min(m.ledger_index)::float8 as launched
    from ${projects} as p left join ${actions} as m on m.project_id = p.id and m.action = 'launch' and m.status = 'applied'
    where p.status <> 'draft' and not exists (select from ${distributorCursors} as c where c.address = p.distributor)
    group by 1`);
  for (const { address, launched } of fresh.rows) {
    // Nothing is distributed before the launch.
    const from = launched === null ? history.validatedIndex : launched - 1;
    const isHeld = heldThrough(history, from) !== null;
    if (!isHeld) ctx.log.warn({ account: address, ledger_index: from }, 'a distributor is searched from now on only');
    const cursorLedger = isHeld ? from : history.validatedIndex;
    await ctx.db.insert(distributorCursors).values({ address, cursorLedger }).onConflictDoNothing();
  }
  return ctx.db
    .select({
      address: distributorCursors.address,
      cursorLedger: distributorCursors.cursorLedger,
      cursorHash: distributorCursors.cursorHash,
    })
    .from(distributorCursors)
    .orderBy(sql`random()`);
}

/**
 * Writes what a page of a distributor's history shows that the platform did not sign, and raises an alert for each, but for
 * a payment that is exactly what an unpaid payout owes: an operator may be settling that by hand. Moves the cursor by
 * compare-and-set; false when another process was first. The platform's own transactions are persisted before they are
 * submitted, so none of them is taken for a foreign one.
 */
export async function recordTransfers(ctx: Ctx, distributor: DistributorCursor, page: FeedPage): Promise<boolean> {
  const account = distributor.address;
  return ctx.db.transaction(async (tx) => {
    const moved = await tx
      .update(distributorCursors)
      .set({ cursorLedger: page.readThrough, cursorHash: page.readThroughHash })
      .where(
        and(eq(distributorCursors.address, account), eq(distributorCursors.cursorLedger, distributor.cursorLedger)),
      )
      .returning({ address: distributorCursors.address });
    if (moved.length === 0) return false;
    const candidates = page.entries.filter(
      (entry): entry is OtherEntry =>
        entry.kind === 'other' && (entry.sent !== undefined || entry.movedOtherwise === true),
    );
    const unknown = await withoutOurs(tx, account, candidates);
    const found: UnknownTransfer[] = [];
    for (const entry of unknown) {
      const payoutId = await payoutPaidBy(tx, account, entry);
      found.push(
        ...(await tx
          .insert(unknownTransfers)
          .values({
            txHash: entry.hash,
            account,
            ledgerIndex: entry.ledgerIndex,
            closedAt: new Date(entry.closedAtMs),
            transactionType: entry.transactionType,
            destination: entry.sent?.destination ?? null,
            destinationTag: entry.sent?.destinationTag ?? null,
            delivered: deliveredText(entry.sent?.delivered),
            payoutId,
          })
          .onConflictDoNothing({ target: [unknownTransfers.account, unknownTransfers.txHash] })
          .returning()),
      );
    }
    await alarm(
      ctx,
      tx,
      found.filter(({ payoutId }) => payoutId === null),
    );
    return true;
  });
}

/**
 * Looks again at payments that may have been meant to settle a payout: those that have settled one are explained, whichever
 * it was; one whose payout was paid otherwise stands for another that owes the same, since equal parts may be settled with
 * each other's payments. Where there is none it has been paid beside, and is alarmed. At most as many as there are such
 * payments.
 */
export async function settleUnknownTransfers(ctx: Ctx): Promise<void> {
  await ctx.db.execute(sql`
    update ${unknownTransfers} as u set explained = true, payout_id = case when p.id = u.payout_id then p.id end
    from ${payouts} as p where not u.explained and p.tx_hash = u.tx_hash and p.status = 'validated'`);
  await ctx.db.transaction(async (tx) => {
    const isBeside = sql`not ${unknownTransfers.explained} and exists (select from ${payouts} as p
      where p.id = ${unknownTransfers.payoutId} and p.status in ('validated', 'cancelled')
        and p.tx_hash is distinct from ${unknownTransfers.txHash})`;
    // Reading these accounts' pages matches payments to payouts too (recordTransfers): one at a time.
    await tx
      .select({ address: distributorCursors.address })
      .from(distributorCursors)
      .where(
        sql`${distributorCursors.address} in (select ${unknownTransfers.account} from ${unknownTransfers} where ${isBeside})`,
      )
      .orderBy(asc(distributorCursors.address))
      .for('no key update');
    const alarming: UnknownTransfer[] = [];
    for (const transfer of await tx.select().from(unknownTransfers).where(isBeside)) {
      const payoutId = await anotherOwing(tx, transfer);
      await tx
        .update(unknownTransfers)
        .set({ payoutId })
        .where(and(eq(unknownTransfers.account, transfer.account), eq(unknownTransfers.txHash, transfer.txHash)));
      if (payoutId === null) alarming.push(transfer);
    }
    await alarm(ctx, tx, alarming);
  });
}

/** Another unpaid payout with exactly the amount of the one that the payment was matched to; else null. */
async function anotherOwing(tx: Tx, transfer: UnknownTransfer): Promise<string | null> {
  const { account, destination, destinationTag, payoutId } = transfer;
  if (destination === null || payoutId === null) return null;
  const [before] = await loadStored(tx, eq(payouts.id, payoutId), [], 1);
  return unpaidOf(
    tx,
    { account, destination, destinationTag },
    ({ asset, amount }) => amount === before?.payout.amount && isDeepStrictEqual(asset, before.payout.asset),
  );
}

async function alarm(ctx: Ctx, tx: Tx, found: readonly UnknownTransfer[]): Promise<void> {
  const alerts = found.map((transfer) => unknownTransfer(transfer, ctx.clock.nowMs()));
  for (const { data } of alerts) ctx.log.error({ kind: data.kind, details: data.details }, data.message);
  await appendEvents(tx, alerts);
}

/**
 * Without the platform's own transactions, what went to another distributor of the platform, and the XRP of an account that
 * is a deposit account too: its own feed watches that (sales/feed/recognise.ts).
 */
async function withoutOurs(tx: Tx, account: string, entries: readonly OtherEntry[]): Promise<OtherEntry[]> {
  if (entries.length === 0) return [];
  const { rows } = await tx.execute<{ hash: string }>(sql`
    select hash from unnest(${textArray(entries.map(({ hash }) => hash))}) as given(hash)
    where exists (select from ${payoutAttempts} a where a.tx_hash = hash)
      or exists (select from ${ticketRequests} r where r.tx_hash = hash)
      or exists (select from ${actions} m where m.tx_hash = hash)
      or exists (select from ${payouts} p where p.tx_hash = hash and p.status = 'validated' and p.account = ${account})`);
  const ours = new Set(rows.map(({ hash }) => hash));
  const unknown = entries.filter(({ hash }) => !ours.has(hash));
  if (unknown.length === 0) return [];
  const distributors = await tx
    .select({ address: projects.distributor })
    .from(projects)
    .where(
      inArray(
        projects.distributor,
        unknown.flatMap(({ sent }) => (sent === undefined ? [] : [sent.destination])),
      ),
    );
  const within = new Set(distributors.map(({ address }) => address));
  const isDeposit = (await tx.$count(depositAccounts, eq(depositAccounts.address, account))) > 0;
  // What was delivered as XRP may have been paid in tokens: then no XRP has left the account.
  const isXrpOnly = ({ sent, changeDrops, feeDrops }: OtherEntry) =>
    changeDrops + feeDrops < 0n && (sent === undefined || typeof sent.delivered === 'string');
  return unknown.filter(
    (entry) => !(entry.sent !== undefined && within.has(entry.sent.destination)) && !(isDeposit && isXrpOnly(entry)),
  );
}

/** The unpaid payout that a payment has paid to the last digit, and that no other payment stands for yet; else null. */
async function payoutPaidBy(tx: Tx, account: string, { sent }: OtherEntry): Promise<string | null> {
  if (sent === undefined) return null;
  return unpaidOf(tx, { account, ...sent }, (payout) => deliversExactly(payout, sent.delivered));
}

async function unpaidOf(
  tx: Tx,
  { account, destination, destinationTag }: Pick<Payout, 'account' | 'destination' | 'destinationTag'>,
  fits: (payout: Payout) => boolean,
): Promise<string | null> {
  const unpaid = await loadStored(
    tx,
    and(
      eq(payouts.account, account),
      eq(payouts.destination, destination),
      // No payment stands for a lock or unlock, also none of the account to itself.
      notInArray(payouts.kind, ['lock', 'unlock']),
      destinationTag === null ? isNull(payouts.destinationTag) : eq(payouts.destinationTag, destinationTag),
      inArray(payouts.status, ['scheduled', 'waiting_holder', 'ready', 'submitted', 'held']),
      // What is due later is nobody's to pay now.
      sql`${payouts.dueAt} <= now()`,
      sql`not exists (select from ${unknownTransfers} as u where u.payout_id = ${payouts.id})`,
    ),
    [sql`${payouts.status} = 'held' desc`, sql`${payouts.dueAt}`],
    1_000,
  );
  return unpaid.find(({ payout }) => fits(payout))?.payout.id ?? null;
}

const deliveredAmount = z.lazy(() =>
  z.union([
    z.object({ value: z.string(), currency: z.string() }).transform(({ value, currency }) => `${value} ${currency}`),
    z
      .object({ value: z.string(), mpt_issuance_id: z.string() })
      .transform(({ value, mpt_issuance_id: id }) => `${value} of ${id}`),
    z
      .string()
      .regex(/^\d{1,18}$/)
      .transform((drops) => `${formatDrops(BigInt(drops))} XRP`),
  ]),
);

/** `meta.delivered_amount` as a person reads it; null for what has none, or another form. */
const deliveredText = (delivered: unknown): string | null => deliveredAmount.safeParse(delivered).data ?? null;
