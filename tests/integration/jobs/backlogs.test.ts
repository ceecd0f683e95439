import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { type Receiver, startReceiver } from '#tests/integration/webhooks/receiver.ts';
import { appendInvestments, newWebhook } from '#tests/integration/webhooks/stage.ts';
import type { TestCtx } from '#tests/support/ctx.ts';

/** `npx tranche bench backlogs` runs this file with the numbers of a bad day, and prints each round. */
const [payments = 800, payouts = 120, deliveries = 400] = (process.env.BACKLOGS ?? '')
  .split(',')
  .filter((count) => count !== '')
  .map(Number);
const isBench = process.env.BACKLOGS !== undefined;
/** In the short form a slice is so short that each backlog takes several. */
const SLICE_BUDGET_MS = isBench ? 20_000 : 1_000;
const PAGE_ENTRIES = isBench ? 2_000 : 200;
const MOST_ROUNDS = isBench ? 1_000 : 60;

let stage: Stage;
let receiver: Receiver;
let sale: Sale;
beforeAll(async () => {
  stage = await openStage();
  stage.set({ SLICE_BUDGET_MS: String(SLICE_BUDGET_MS) });
  receiver = await startReceiver();
  // One deposit account: of several, a slice that is short of time serves each in its turn.
  sale = await stage.launched({
    tiers: [{ price_per_token: '0.10', total_tokens: '100000000' }],
    distribution: 'at_end',
  });
}, 60_000);
afterAll(async () => {
  await receiver?.close();
  await stage?.end();
});

/** The stage's ctx on a clock that runs, with a ledger that gives a page of so many entries at most. */
function working(): TestCtx {
  const { ctx } = stage;
  const startedAtMs = performance.now();
  const beganAtMs = ctx.clock.nowMs();
  const readFeed: Ledger['readFeed'] = (request) =>
    ctx.ledger.readFeed({ ...request, maxEntries: Math.min(PAGE_ENTRIES, request.maxEntries) });
  const ledger = new Proxy(ctx.ledger, {
    get: (target, name) => (name === 'readFeed' ? readFeed : Reflect.get(target, name)),
  });
  const clock = Object.assign(Object.create(ctx.clock), {
    nowMs: () => Math.round(beganAtMs + performance.now() - startedAtMs),
  });
  return { ...ctx, redis: ctx.redis, queue: ctx.queue, log: ctx.log, ledger, clock };
}

/** XRP of strangers that has to go back. */
async function createRefunds(count: number): Promise<void> {
  const { address } = sale.deposit;
  const strangers = await stage.desk.accounts(10);
  const destinations = sql.param(strangers.map((each) => each.address));
  await stage.database.db.execute(sql`
    insert into payments (tx_hash, account, ledger_index, transaction_index, closed_at, sender, received_drops, held_drops, outcome, reason)
    select lpad(to_hex(n), 64, 'A'), ${address}, 1, n, now(), (${destinations}::text[])[1 + n % 10], 100, 100, 'held', 'no_tag'
    from generate_series(1, ${count}::integer) n`);
  await stage.database.db.execute(sql`
    insert into payouts (id, kind, payment_hash, account, destination, amount, due_at)
    select 'pay_' || n, 'refund', lpad(to_hex(n), 64, 'A'), ${address}, (${destinations}::text[])[1 + n % 10], 100, 'epoch'
    from generate_series(1, ${count}::integer) n`);
}

interface Progress extends Record<string, unknown> {
  /** Of the payments. */
  recognised: number;
  confirmed: number;
  /** Transactions of payouts, tickets for them included. */
  signed: number;
  paid: number;
  delivered: number;
}

async function progress(): Promise<Progress> {
  const { rows } = await stage.database.db.execute<Progress>(sql`
    select (select count(*) from payments where account = ${sale.deposit.address})::integer as recognised,
      (select count(*) from payments where account = ${sale.deposit.address} and outcome <> 'pending')::integer as confirmed,
      ((select count(*) from payout_attempts where account = ${sale.deposit.address})
        + (select count(*) from ticket_requests where account = ${sale.deposit.address}))::integer as signed,
      (select count(*) from payouts where account = ${sale.deposit.address} and status = 'validated')::integer as paid,
      (select count(*) from deliveries where status = 'success')::integer as delivered`);
  if (rows[0] === undefined) throw new Error('Nothing is told');
  return rows[0];
}

test(`${payments} payments, ${payouts} payouts and ${deliveries} deliveries that wait at once each get on in every round`, {
  timeout: isBench ? 3 * 3_600_000 : 120_000,
}, async () => {
  await newWebhook(stage.ctx, receiver.url);
  await appendInvestments(stage.database.db, deliveries);
  await createRefunds(payouts);
  stage.desk.ledger.writePayments({
    count: payments,
    perLedger: 100,
    destination: sale.deposit.address,
    destinationTag: sale.project.destination_tag,
    amountDrops: 1_000_000n,
  });
  stage.desk.close(2);
  const goals = {
    recognised: payments,
    confirmed: payments,
    signed: Number.POSITIVE_INFINITY,
    paid: payouts,
    delivered: deliveries,
  };
  const ctx = working();
  const start = await progress();
  const at = (now: Progress, key: 'recognised' | 'confirmed' | 'paid' | 'delivered') => now[key] - start[key];
  const isLeft = (now: Progress) =>
    (['confirmed', 'paid', 'delivered'] as const).some((key) => at(now, key) < goals[key]);
  let before = start;
  let rounds = 0;
  while (isLeft(before) && rounds < MOST_ROUNDS) {
    rounds += 1;
    // One after the other: in production they are two functions, here they share a process and its connections.
    const done = await processPayments(ctx);
    await dispatchDeliveries(ctx);
    expect(done.faults).toEqual([]);
    const after = await progress();
    if (isBench) process.stdout.write(`round ${rounds}: ${done.duration_ms} ms ${JSON.stringify(after)}\n`);
    for (const [key, whole] of [
      ['recognised', goals.recognised],
      ['confirmed', goals.confirmed],
      ['delivered', goals.delivered],
    ] as const) {
      if (at(before, key) < whole) expect(after[key], `${key} in round ${rounds}`).toBeGreaterThan(before[key]);
    }
    if (after.paid < payouts) expect(after.signed, `payouts in round ${rounds}`).toBeGreaterThan(before.signed);
    before = after;
    stage.desk.close();
  }
  expect(isLeft(before)).toBe(false);
  expect(rounds).toBeGreaterThan(2);
});
