import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { events } from '#drizzle/schema/events.ts';
import { confirmation } from '#lib/jobs/confirmation.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { intake } from '#lib/jobs/intake.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { reportMetrics } from '../figures.ts';
import { copySameRows } from './copy.ts';
import { openWorld } from './world.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const { payments, perLedger } = new Command('npx tranche bench intake')
  .description(
    'Recognises and confirms payments from the ledger, fans their events out, and compares with COPY of the same rows',
  )
  .option('--payments <n>', 'how many payments', positive, 100_000)
  .option('--per-ledger <n>', 'payments in one ledger', positive, 200)
  .parse()
  .opts<{ payments: number; perLedger: number }>();

const AMOUNT_DROPS = 1_000_000n;
/** A slice in production lives this long (SLICE_BUDGET_MS); then the next one goes on. */
const SLICE_MS = 20_000;
/** While no page is written there is nothing to fan out: a deliveries slice is woken no oftener. */
const FAN_OUT_PAUSE_MS = 250;
/** What the whole XRP Ledger is said to carry. */
const LEAST_A_SECOND = 1_500;
const MOST_STATEMENTS = 0.02;
const MOST_MB = 400;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shown = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Counts every statement that goes to the server, `begin` and `commit` included. */
let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  statements += 1;
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;

/** Highest memory of this process, with all that it has loaded, while the intake runs; taken often, because it falls again. */
function watchMemory(): () => number {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    look();
    return peak;
  };
}

const world = await openWorld({
  tiers: [
    { price_per_token: '0.10', total_tokens: String(payments * 4) },
    { price_per_token: '0.20', total_tokens: String(payments * 4) },
  ],
});
const folder = mkdtempSync(path.join(tmpdir(), 'intake-'));
// The database server may run as another user.
chmodSync(folder, 0o777);
try {
  const { ctx, database } = world;
  await runJobs(ctx, { jobs: [intake, confirmation] });
  await world.client.request({
    command: 'sandbox_write_payments',
    destination: world.deposit,
    destination_tag: world.destinationTag,
    amount: AMOUNT_DROPS.toString(),
    count: payments,
    senders: 10_000,
    per_ledger: perLedger,
  } as never);
  await world.accept(2);

  statements = 0;
  const peak = watchMemory();
  const startedAt = performance.now();
  let confirmed = 0;
  let reading = true;
  let deliveries = 0;
  const read = async () => {
    while (reading) {
      const results = await runJobs(ctx, { jobs: [intake, confirmation] });
      const taken = results.orThrow(intake)?.done;
      const decided = results.orThrow(confirmation)?.done;
      for (const { error } of [...(taken?.failures ?? []), ...(decided?.failures ?? [])]) throw error;
      confirmed += decided?.confirmed ?? 0;
      reading = results.more || results.passedOver;
    }
  };
  // In production another process does it meanwhile.
  const fanOut = async () => {
    for (let last = false; !last; ) {
      const allRead = !reading;
      const slice = await fanOutEvents(ctx, Date.now() + SLICE_MS);
      deliveries += slice.deliveries;
      last = allRead && !slice.more;
      if (slice.deliveries === 0 && !last) await pause(FAN_OUT_PAUSE_MS);
    }
  };
  await Promise.all([read().finally(() => (reading = false)), fanOut()]);
  const elapsedMs = performance.now() - startedAt;
  const perPayment = statements / payments;
  const peakBytes = peak();
  if (confirmed !== payments) throw new Error(`${confirmed} of ${payments} payments were confirmed`);
  const [books] = (
    await database.db.execute<{ whole: boolean }>(sql`
      select bool_and(received_drops = invested_drops + refunded_drops + held_drops and outcome = 'invested') as whole
      from payments`)
  ).rows;
  if (books?.whole !== true) throw new Error('The books do not add up');
  const owed = await database.db.$count(events);
  if (deliveries !== owed) throw new Error(`${deliveries} deliveries were written for ${owed} events`);
  const copy = await copySameRows(database.db, folder);

  say(
    `payments a second    ${shown((payments / elapsedMs) * 1000)} (${shown(payments)} in ${(elapsedMs / 1000).toFixed(1)} s)`,
  );
  say(`statements a payment ${perPayment.toFixed(4)}`);
  say(`peak memory          ${shown(peakBytes / 2 ** 20)} MB`);
  say(`COPY of the rows     ${(copy.elapsedMs / 1000).toFixed(1)} s for ${shown(copy.rows)} rows`);
  say(`ratio to COPY        ${(elapsedMs / copy.elapsedMs).toFixed(2)} times as long`);
  reportMetrics('intake', [
    {
      what: 'payments recognised, confirmed and fanned out',
      value: (payments / elapsedMs) * 1000,
      unit: 'a second',
      target: { atLeast: LEAST_A_SECOND },
    },
    {
      what: 'time of the intake',
      value: elapsedMs / copy.elapsedMs,
      unit: 'times',
      comparedWith: 'COPY of the very same rows',
    },
    { what: 'statements', value: perPayment, unit: 'a payment', target: { atMost: MOST_STATEMENTS } },
    {
      what: 'peak memory, heap as in a function of 2 GB',
      value: peakBytes / 2 ** 20,
      unit: 'MB',
      target: { atMost: MOST_MB },
    },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await world.end();
}
