import { sql } from 'drizzle-orm';
import type { Worker } from '#tests/faults/app-crew.ts';
import { count } from '#tests/faults/counts.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { SIDES } from '#tests/faults/edges.ts';
import { advanceQueue, ageDatabase } from '#tests/faults/passing-time.ts';
import type { Strike } from '#tests/faults/strike.ts';
import { TEST_CRON_SECRET } from '#tests/support/env.ts';
import { BOUNDARIES, CORE_BOUNDARIES } from './boundaries.ts';
import { breakServices, mendServices } from './faults.ts';
import type { Report } from './report.ts';
import type { Scene } from './scene.ts';

/** As long as callbacks are waited for while services are down, in seconds of real time; and when all is mended but nobody hangs. */
const IMPATIENT_SECONDS = 1.5;
const MENDED_SECONDS = 4;
/** With all processes well, a slice ends within this. */
const PATIENT_SECONDS = 15;
/** Longer than a killed slice keeps others out, shorter than a claim. */
const SLICE_LEASE_SECONDS = 6;
/** Longer than a claim, a slice's lease, a wake and QStash's first retries. */
const LONG_SECONDS = 300;
/** The longest delay of the schedule, and some. */
const LONGEST_SECONDS = 22_000;
/** Rounds in which no delivery ends: one may need as many as it has attempts, each with the next one's delay before it. */
const MAX_FRUITLESS_ROUNDS = 30;
const SOON_MS = 1_500;
const SAY_EVERY = 10;

function drawStrike(draw: Draw): Strike {
  const boundary = draw.chance(0.75) ? draw.pick(CORE_BOUNDARIES) : draw.pick(BOUNDARIES);
  return {
    boundary,
    side: draw.pick(SIDES),
    nth: boundary === 'request' ? draw.between(1, 20) : draw.between(1, 3),
    signal: draw.chance(0.25) ? 'SIGSTOP' : 'SIGKILL',
  };
}

/** The scheduler calls; it may find nobody, or somebody who dies over it. */
async function cron(baseUrl: string, patienceSeconds: number): Promise<void> {
  await fetch(`${baseUrl}/api/cron/process-payments`, {
    headers: { authorization: `Bearer ${TEST_CRON_SECRET}` },
    signal: AbortSignal.timeout(patienceSeconds * 1000),
  })
    .then((answer) => answer.text())
    .catch(() => undefined);
}

function countKills(report: Report, ended: readonly Worker[]): void {
  for (const { armedWith: strike, wasKilled, crashed } of ended) {
    if (crashed) {
      report.violations.push('a process ended by itself');
      continue;
    }
    count(report.kills, strike === null || wasKilled ? 'any time' : `${strike.side} ${strike.boundary}`);
  }
}

/** Time passes on both clocks alike. */
async function pass({ database, qstash }: Scene, seconds: number, patienceSeconds: number): Promise<void> {
  await ageDatabase(database.db, seconds);
  await advanceQueue(qstash.url, seconds, patienceSeconds);
}

/** Publishes a portion while services are down and processes die; then those that hang go on, long after their claims. */
export async function playRound(
  scene: Scene,
  draw: Draw,
  report: Report,
  { round, from, to }: { round: number; from: number; to: number },
): Promise<void> {
  const { crew, qstash, redis, baseUrl } = scene;
  const services = { qstash: qstash.faults, redis: redis.faults };
  for (const outage of breakServices(services, draw, round)) count(report.outages, outage);
  const killer = draw.chance(0.4) ? setTimeout(() => crew.workers[0]?.kill(), draw.between(1, SOON_MS)) : undefined;
  const portions = draw.between(1, 3);
  for (let portion = 0; portion < portions; portion++) {
    for (const worker of crew.workers) if (worker.armedWith === null && draw.chance(0.8)) worker.arm(drawStrike(draw));
    const edge = (k: number) => from + Math.floor(((to - from) * k) / portions);
    await scene.publish(edge(portion), edge(portion + 1));
    await Promise.all([
      cron(baseUrl, IMPATIENT_SECONDS),
      pass(scene, draw.pick([1, SLICE_LEASE_SECONDS]), IMPATIENT_SECONDS),
    ]);
    countKills(report, crew.refill());
  }
  // Nobody who is well is held to be dead: an age passes over those only who hang or were killed.
  mendServices(services);
  for (const worker of crew.workers) if (!worker.isStopped) worker.arm();
  await advanceQueue(
    qstash.url,
    0,
    crew.workers.some(({ isStopped }) => isStopped) ? IMPATIENT_SECONDS : MENDED_SECONDS,
  );
  await pass(scene, draw.pick([30, LONG_SECONDS, LONG_SECONDS, LONGEST_SECONDS]), IMPATIENT_SECONDS);
  await cron(baseUrl, IMPATIENT_SECONDS);
  for (const worker of crew.workers) {
    if (!worker.isStopped) continue;
    report.stops += 1;
    worker.goOn();
  }
  clearTimeout(killer);
  countKills(report, crew.refill());
}

/** Events that wait for their deliveries and deliveries that have not ended, and the last event of which that can be said. */
async function look({ database }: Scene): Promise<{ open: number; throughSequence: number }> {
  const result = await database.db.execute<{ open: number; throughSequence: number }>(sql`
    select ((select count(*) from events where not fanned_out)
      + (select count(*) from deliveries where status in ('pending', 'retrying') or leased_until is not null))::integer as open,
      (select coalesce(max(sequence), 0) from events)::float8 as "throughSequence"`);
  return result.rows[0] ?? { open: 0, throughSequence: 0 };
}

/**
 * With all services up and all processes well, time passes until nothing is open. Gives the last event, by sequence, that is
 * thereby settled: the platform goes on to tell of its health. Null when it came to no end.
 */
export async function settle(scene: Scene, report: Report, say: (line: string) => void): Promise<number | null> {
  const { crew, qstash, baseUrl } = scene;
  let fewest = Number.POSITIVE_INFINITY;
  let fruitless = 0;
  for (let round = 0; fruitless < MAX_FRUITLESS_ROUNDS; round++) {
    const { open, throughSequence } = await look(scene);
    if (open === 0) return throughSequence;
    if (round % SAY_EVERY === 0) say(`  settling, step ${round}: ${open} open`);
    fruitless = open < fewest ? 0 : fruitless + 1;
    fewest = Math.min(fewest, open);
    // One that was about to be struck when the last round ended is struck in this one.
    countKills(report, crew.refill());
    for (const worker of crew.workers) {
      worker.arm();
      worker.goOn();
    }
    await cron(baseUrl, PATIENT_SECONDS);
    // While slices are at work, nobody's claim is held to have run out.
    if (!(await advanceQueue(qstash.url, 0, PATIENT_SECONDS))) continue;
    await pass(scene, round % 2 === 0 ? LONG_SECONDS : LONGEST_SECONDS, PATIENT_SECONDS);
  }
  return null;
}
