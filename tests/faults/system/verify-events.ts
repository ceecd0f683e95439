import { eq } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { eventId } from '#lib/events/envelope.ts';

interface Alert {
  kind: string;
  message: string;
  details: { reason?: string };
}

/** What an operator is told while witnesses are away, halted or lied to. */
const TOLD_OF_WITNESSES = new Set(['waiting_witnesses', 'witness_refused']);

/** Alerts that tell an operator of something in the books: nothing here deserves one. */
function tellsOf(body: string, witnessesFail: boolean): string[] {
  const { kind, message, details } = (JSON.parse(body) as { data: Alert }).data;
  return witnessesFail && TOLD_OF_WITNESSES.has(details.reason ?? '') ? [] : [`an alert: ${kind}: ${message}`];
}

/**
 * Whether each fact in the books was told by one event and nothing else was, and whether the events of each project stand
 * in the order of the ledger that decided. `witnessesFail` says that something happened to witnesses.
 */
export async function verifyEvents(db: Db, witnessesFail: boolean): Promise<string[]> {
  const wrong: string[] = [];
  const told = (await db.select().from(events)).sort((a, b) => a.sequence - b.sequence);
  for (const { body } of told.filter(({ type }) => type === 'system.alert'))
    wrong.push(...tellsOf(body, witnessesFail));
  const expected = new Map<string, string>();
  const expect = (type: Parameters<typeof eventId>[0], subject: string) =>
    void expected.set(eventId(type, subject), `${type} ${subject}`);
  const paid = await db.select().from(investments).innerJoin(payments, eq(payments.txHash, investments.txHash));
  for (const { investments: row } of paid) {
    expect('investment.created', row.txHash);
    // What a cancelled sale took back was confirmed before.
    if ((row.totalUnits ?? 0n) > 0n) expect('investment.confirmed', row.txHash);
    if (row.status === 'failed') expect('investment.failed', row.txHash);
  }
  for (const { id, status, launchedAt } of await db.select().from(projects)) {
    if (launchedAt !== null) expect('project.launched', id);
    if (status === 'completed') expect('project.sale_ended', id);
  }
  for (const { projectId, tier, completedAt } of await db.select().from(tiers)) {
    if (completedAt !== null) expect('project.tier_completed', `${projectId}/${tier}`);
  }
  const byId = new Map(told.map((event) => [event.id, event]));
  for (const [id, fact] of expected) if (!byId.has(id)) wrong.push(`nobody was told of ${fact}`);
  const facts = new Set([
    'investment.created',
    'investment.confirmed',
    'investment.failed',
    'project.launched',
    'project.tier_completed',
  ]);
  for (const { id, type, body } of told) {
    if (facts.has(type) && !expected.has(id)) wrong.push(`${type} was told, and the books do not say so: ${body}`);
  }
  for (const type of ['investment.created', 'investment.confirmed', 'investment.failed'] as const) {
    const sequences = paid
      .flatMap(
        ({ payments: { ledgerIndex, transactionIndex, projectId }, investments: { txHash, cancellationApplied } }) => {
          const event = byId.get(eventId(type, txHash));
          return event === undefined || (cancellationApplied && type === 'investment.failed')
            ? []
            : [{ ledgerIndex, transactionIndex, projectId, sequence: event.sequence }];
        },
      )
      .sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
    for (const [projectId, own] of Map.groupBy(sequences, (each) => each.projectId)) {
      const isOrdered = own.every(({ sequence }, index) => sequence > (own[index - 1]?.sequence ?? 0));
      if (!isOrdered) wrong.push(`${type} of ${projectId} was not told in the order of the ledger`);
    }
  }
  wrong.push(...(await verifyPaidEvents(db, told)));
  return wrong;
}

/** Each payout that was paid was told once, with its own transaction, and none that was not. */
async function verifyPaidEvents(db: Db, told: readonly (typeof events.$inferSelect)[]): Promise<string[]> {
  const wrong: string[] = [];
  const bodies = told
    .filter(({ type }) => type === 'investment.tokens_distributed' || type === 'investment.refunded')
    .map(({ body }) => (JSON.parse(body) as { data: { payout_id: string; transaction: { hash: string } } }).data);
  const byPayout = Map.groupBy(bodies, (body) => body.payout_id);
  for (const { id, status, txHash, investmentId } of await db.select().from(payouts)) {
    const own = byPayout.get(id) ?? [];
    // A refund of a payment that belongs to no sale concerns no project and is told to nobody.
    const due = status === 'validated' && investmentId !== null ? 1 : 0;
    if (own.length !== due) wrong.push(`${id}, which is ${status}, was told ${own.length} times`);
    for (const { transaction } of own)
      if (transaction.hash !== txHash) wrong.push(`${id} was told with ${transaction.hash}`);
  }
  return wrong;
}
