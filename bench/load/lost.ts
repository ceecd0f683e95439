import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Client } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments } from '#drizzle/schema/sale.ts';
import type { Database } from '#lib/base/db.ts';
import type { Arrivals } from './receiver.ts';

const PAGE = 400;

/** Of each payment that the ledger holds, the ledger in which it stands. Throws for one that did not succeed. */
export async function ledgersOf(client: Client, account: string): Promise<Map<string, number>> {
  const ledgers = new Map<string, number>();
  for (let marker: unknown; ; ) {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      forward: true,
      ledger_index_min: -1,
      ledger_index_max: -1,
      limit: PAGE,
      ...(marker === undefined ? {} : { marker }),
    });
    for (const { hash, ledger_index: ledgerIndex, meta, tx_json: transaction } of result.transactions) {
      if (transaction?.TransactionType !== 'Payment' || transaction.Destination !== account) continue;
      if (typeof meta !== 'object' || meta.TransactionResult !== 'tesSUCCESS')
        throw new Error(`${hash} did not succeed`);
      ledgers.set(String(hash), Number(ledgerIndex));
    }
    if (result.marker === undefined) return ledgers;
    marker = result.marker;
  }
}

/** Of each of these payments that was paid out, how many ledgers after the one that confirms it. */
export async function ledgersToPayout(
  { db }: Database,
  paid: readonly string[],
  confirmations: number,
): Promise<number[]> {
  const rows = await db
    .select({ paidIn: payments.ledgerIndex, paidOutIn: payouts.ledgerIndex })
    .from(payouts)
    .innerJoin(investments, eq(investments.id, payouts.investmentId))
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .where(and(eq(payouts.kind, 'distribution'), inArray(investments.txHash, [...paid])));
  return rows.flatMap(({ paidIn, paidOutIn }) => (paidOutIn === null ? [] : [paidOutIn - paidIn - confirmations]));
}

/** What became of what was paid. All but the first two are 0 when nothing was lost and nothing happened twice. */
export interface Lost {
  paid: number;
  arrivalsExpected: number;
  notOnLedger: number;
  withoutInvestment: number;
  notConfirmed: number;
  withSeveralInvestments: number;
  /** Payments whose parts do not sum to the whole. */
  unbalanced: number;
  eventsNotReceived: number;
  eventsReceivedAgain: number;
  signaturesRefused: number;
}

/** Follows every payment from the ledger to its investment and to every webhook. */
export async function findLost(
  { db }: Database,
  given: {
    projectId: string;
    paid: readonly string[];
    onLedger: ReadonlyMap<string, number>;
    webhooks: number;
    arrived: Arrivals;
  },
): Promise<Lost> {
  const { projectId, paid, onLedger, webhooks, arrived } = given;
  const rows = await db
    .select({ hash: investments.txHash, status: investments.status })
    .from(investments)
    .where(eq(investments.projectId, projectId));
  const ofHash = Map.groupBy(rows, ({ hash }) => hash);
  const books = await db.execute<{ unbalanced: number }>(sql`
    select count(*)::integer as unbalanced from ${payments}
    where received_drops <> invested_drops + refunded_drops + held_drops and outcome <> 'pending'`);
  const times = new Map<string, number>();
  for (const [webhook, eventId] of arrived.arrivals) {
    const key = `${arrived.hashes[eventId]} ${webhook}`;
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  const received = paid.flatMap((hash) => Array.from({ length: webhooks }, (_, n) => times.get(`${hash} ${n}`) ?? 0));
  const investmentsOf = paid.map((hash) => ofHash.get(hash) ?? []);
  return {
    paid: paid.length,
    arrivalsExpected: received.length,
    notOnLedger: paid.filter((hash) => !onLedger.has(hash)).length,
    withoutInvestment: investmentsOf.filter(({ length }) => length === 0).length,
    notConfirmed: investmentsOf.filter((each) => each.some(({ status }) => status !== 'confirmed')).length,
    withSeveralInvestments: investmentsOf.filter(({ length }) => length > 1).length,
    unbalanced: books.rows[0]?.unbalanced ?? 0,
    eventsNotReceived: received.filter((count) => count === 0).length,
    eventsReceivedAgain: received.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    signaturesRefused: arrived.refused,
  };
}

/** What was lost or doubled, in words; empty when all is well. */
export function faultsOf({ paid: _paid, arrivalsExpected: _expected, ...faults }: Lost): string[] {
  return Object.entries(faults).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]));
}
