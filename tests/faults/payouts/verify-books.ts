import { inArray } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';
import { payoutAttempts, payoutCounts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import type { Obligation } from './obligations.ts';
import { type Paid, paymentsByObligation } from './verify-ledger.ts';

const EVENT_TYPES = {
  distribution: 'investment.tokens_distributed',
  refund: 'investment.refunded',
  release: null,
  lock: null,
  unlock: null,
};

interface Body {
  data: { payout_id: string; transaction: { hash: string; ledger_index: number } };
}

/** Whether the counts of the metrics are those of the attempts: each signed once, each ended once, failures by their result. */
async function verifyCounts(db: Db): Promise<string[]> {
  const counts = await db.select().from(payoutCounts);
  const attempts = await db.select().from(payoutAttempts);
  const sum = (is: (count: (typeof counts)[number]) => boolean) =>
    counts.reduce((total, one) => total + (is(one) ? one.count : 0), 0);
  const results = [...new Set(attempts.map(({ engineResult }) => engineResult))];
  const pairs: [string, number, number][] = [
    ['signed', sum(({ outcome }) => outcome === 'signed'), attempts.length],
    ['ended', sum(({ outcome }) => outcome !== 'signed'), attempts.filter(({ status }) => status !== 'open').length],
    ...results.map((result): [string, number, number] => [
      `failed with ${result}`,
      sum(({ outcome, reason }) => outcome === 'failed' && reason === result),
      attempts.filter(({ status, engineResult }) => status === 'failed' && engineResult === result).length,
    ]),
  ];
  return pairs.flatMap(([what, counted, there]) =>
    counted === there ? [] : [`${there} attempts are ${what}, and counted ${counted}`],
  );
}

/** Whether the database says of every payout, attempt and event what the ledger says; `forgotten` are attempts that a restore has lost. */
export async function verifyRecords(
  db: Db,
  owed: readonly Obligation[],
  shown: Paid,
  forgotten: ReadonlySet<string>,
): Promise<string[]> {
  const wrong: string[] = [];
  const rows = new Map((await db.select().from(payouts)).map((row) => [row.id, row]));
  const reported = await db
    .select()
    .from(events)
    .where(inArray(events.type, [EVENT_TYPES.distribution, EVENT_TYPES.refund]));
  const bodies = reported.map(({ type, body }) => ({ type, ...(JSON.parse(body) as Body).data }));
  for (const [{ id, kind, isReported, payer }, [payment]] of paymentsByObligation(owed, shown)) {
    const row = rows.get(id);
    const told = bodies.filter((event) => event.payout_id === id);
    if ((row?.status === 'validated') !== (payment !== undefined)) {
      wrong.push(
        `${id} is ${row?.status} (${row?.reason}), and on the ledger ${payment ? `paid by ${payment.hash}` : 'unpaid'}`,
      );
    }
    if (told.length !== (payment && isReported ? 1 : 0)) wrong.push(`${id} has ${told.length} events`);
    if (payment === undefined) continue;
    // Somebody else has ended the escrow: of that there is no transaction.
    if (kind === 'unlock' && payment.sender !== payer) {
      const isSeen = row?.txHash === null && (row.ledgerIndex ?? 0) >= payment.ledgerIndex;
      if (!isSeen)
        wrong.push(`${id} names ${row?.txHash} in ${row?.ledgerIndex}, and ${payment.hash} has ended its escrow`);
      continue;
    }
    if (row?.txHash !== payment.hash || row.ledgerIndex !== payment.ledgerIndex) {
      wrong.push(
        `${id} names ${row?.txHash} in ${row?.ledgerIndex}, the ledger ${payment.hash} in ${payment.ledgerIndex}`,
      );
    }
    if (row?.validatedAt?.getTime() !== Date.parse(payment.closedAt)) {
      wrong.push(`${id} was validated at ${row?.validatedAt?.toISOString()}, on the ledger at ${payment.closedAt}`);
    }
    for (const { type, transaction } of told) {
      const agrees = transaction.hash === payment.hash && transaction.ledger_index === payment.ledgerIndex;
      if (type !== EVENT_TYPES[kind] || !agrees) wrong.push(`${id} has an event ${type} of ${transaction.hash}`);
    }
  }
  const payers = new Set(owed.map(({ payer }) => payer));
  const paid = new Map(
    shown.payments.filter(({ sender }) => payers.has(sender)).map((payment) => [payment.hash, payment]),
  );
  for (const { txHash, payoutId, status, engineResult } of await db.select().from(payoutAttempts)) {
    const outcome = paid.has(txHash) ? 'validated' : shown.failed.has(txHash) ? 'failed' : 'expired';
    if (status !== outcome) wrong.push(`attempt ${txHash} of ${payoutId} is ${status}, on the ledger ${outcome}`);
    if (outcome === 'failed' && engineResult !== shown.failed.get(txHash)) {
      wrong.push(`attempt ${txHash} of ${payoutId} failed with ${engineResult}, not ${shown.failed.get(txHash)}`);
    }
    paid.delete(txHash);
    shown.failed.delete(txHash);
  }
  for (const hash of [...paid.keys(), ...shown.failed.keys()]) {
    if (!forgotten.has(hash)) wrong.push(`${hash} stands in no attempt`);
  }
  wrong.push(...(await verifyCounts(db)));
  const open = (await db.select().from(ticketRequests)).filter(({ status }) => status === 'open');
  if (open.length > 0) wrong.push(`${open.length} ticket requests are open`);
  return wrong;
}
