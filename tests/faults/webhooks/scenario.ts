import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { appendEvents } from '#lib/events/append.ts';
import { eventId, type NewEvent } from '#lib/events/envelope.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { eraseEvent } from '#lib/webhooks/events/erase-event.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from '#lib/webhooks/testing/samples.ts';
import { countFlag, type Run, runCampaign, type Scenario } from '#tests/faults/campaign.ts';
import { verifyDeliveries } from '#tests/faults/deliveries.ts';
import { Draw } from '#tests/faults/draw.ts';
import { advanceQueue } from '#tests/faults/passing-time.ts';
import {
  calm,
  continueStopped,
  cron,
  LONG_SECONDS,
  LONGEST_SECONDS,
  openPlatform,
  PATIENT_SECONDS,
  type Platform,
  pass,
  SLICE_LEASE_SECONDS,
  type Subscribed,
  workUntilIdle,
} from '#tests/faults/platform.ts';
import { drawStrike, type StrikeWeights } from '#tests/faults/strike.ts';
import { type FaultName, scramble, Weather } from '#tests/faults/weather.ts';
import {
  observe,
  REFUSING,
  subscribeWanting,
  verifyDelays,
  verifyErasures,
  verifyRates,
  verifyReports,
} from './wanted.ts';

interface Flags {
  events: number;
  webhooks: number;
  processes: number;
  rounds?: number;
}

interface World {
  run: Run<Flags>;
  platform: Platform;
  webhooks: readonly Subscribed[];
  draw: Draw;
  weather: Weather;
  /** Every event that the campaign has committed. */
  eventIds: string[];
  /** Those whose body an operator had removed, with when that was over by the database's clock. */
  erased: Map<string, string>;
  /** The last event, by sequence, that is settled: the platform goes on to tell of its health. */
  throughSequence: number;
}

/** Of the pairs of event and webhook, so many have a receiver that fails at first. */
const SHARE_FAILING = 0.2;
/** Of the failures, so many hang; fewer of many events: who hangs is left one place, and so holds all that follow up. */
const SHARE_HANGING = 0.225;
const SHARE_HANGING_OF_MANY = 0.08;
const MANY_EVENTS = 1_000;
/** Of the events for a receiver that refuses some of them. */
const SHARE_REFUSED = 0.05;
/** Of the portions, so many have one of their events erased while they are delivered. */
const SHARE_ERASED = 0.6;
/** How often an event on its way is looked for, and how soon again. */
const MOST_LOOKS = 40;
const LOOK_AGAIN_MS = 20;
/** What a receiver that hangs costs. */
const TIMEOUT_MS = 600;
const SLICE_MS = 3_000;
const MOST_PER_ROUND = 50;
const PROGRESS_EVERY = 5;
const SAY_EVERY = 10;
/** As long as callbacks are waited for while services are down, in seconds of real time; and when all is mended but nobody hangs. */
const IMPATIENT_SECONDS = 1.5;
const MENDED_SECONDS = 4;
const SOON_MS = 1_500;
/** Rounds in which no delivery ends: one may need as many as it has attempts, each with the next one's delay before it. */
const MAX_FRUITLESS_ROUNDS = 30;

/** All of them by turns, one a round. */
const FAULTS = [
  'queue down',
  'redis down',
  'queue answers lost',
  'redis slow',
  'queue resets',
  'queue drops',
] as const satisfies readonly FaultName[];

/** Between the first of these a delivery can be lost or doubled. */
const CORE_STEPS = ['fan out', 'claim', 'request', 'record', 'announce'] as const;
const STRIKES: StrikeWeights = {
  among: [
    [0.75, CORE_STEPS],
    [
      1,
      [
        ...CORE_STEPS,
        ...(['hold wake', 'lease', 'give back', 'note receiver', 'release lease'] as const),
        ...(['let wakes through', 'release expired', 'republish'] as const),
      ],
    ],
  ],
  nth: (step, draw) => (step === 'request' ? draw.between(1, 20) : draw.between(1, 3)),
  shareStopped: 0.25,
};

/** Outages come by turns, one a round: the short form has more rounds than it needs for its events, and so meets them all. */
const roundsOf = ({ events, rounds }: Flags): number =>
  rounds ?? Math.max(Math.ceil(Math.sqrt(events) / 2), Math.ceil(events / MOST_PER_ROUND));

async function start(run: Run<Flags>): Promise<World> {
  const { events, webhooks: count, processes } = run.flags;
  const shareHanging = events > MANY_EVENTS ? SHARE_HANGING_OF_MANY : SHARE_HANGING;
  const platform = await openPlatform(run, {
    receivers: {
      ...{ webhooks: count, shareFailing: SHARE_FAILING, shareHanging, saysWhen: true },
      ...{ refusing: REFUSING, shareRefused: SHARE_REFUSED },
    },
    processes,
    settings: { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS), SLICE_BUDGET_MS: String(SLICE_MS) },
  });
  await observe(platform.db);
  const webhooks = await subscribeWanting(platform, run.draw('wanted'), count);
  platform.startCrew();
  scramble(platform.qstash.faults, run.draw('queue'));
  const { qstash, redis } = platform;
  const weather = new Weather({ qstash, redis }, run.draw('weather'));
  return {
    run,
    platform,
    webhooks,
    draw: run.draw('strikes'),
    weather,
    eventIds: [],
    erased: new Map(),
    throughSequence: 0,
  };
}

/** Investments of several amounts and states, so that conditions of webhooks tell them apart. */
function newEvent(seed: string, n: number): NewEvent {
  const draw = new Draw(`${seed}/event/${n}`);
  const occurredAt = new Date(Date.UTC(2026, 10, 21) + n);
  const amountDrops = draw.pick([1_000_000n, 5_000_000n, SAMPLE_AMOUNT_DROPS]);
  const data = sampleData({ amountDrops, investorAccount: SAMPLE_ACCOUNT, now: occurredAt });
  const type = draw.pick(['investment.created', 'investment.confirmed', 'investment.failed'] as const);
  return { type, subject: `${seed}/${n}`, projectId: null, occurredAt, data: data[type] };
}

/** Reports facts number `from` to `to` in one transaction, as verbs do, and wakes the dispatch. */
async function publish({ run, platform: { ctx, db }, eventIds }: World, from: number, to: number): Promise<void> {
  const events = Array.from({ length: to - from }, (_, index) => newEvent(run.seed, from + index));
  await db.transaction((tx) => appendEvents(tx, events));
  eventIds.push(...events.map(({ type, subject }) => eventId(type, subject)));
  await wakeDispatch(ctx);
}

/** An event that is being delivered just now, as soon as there is one; after a while the newest one. */
async function eventOnItsWay({ platform: { db }, eventIds }: World): Promise<string | undefined> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { rows } = await db.execute<{ id: string }>(
      sql`select event_id as id from deliveries where leased_until > now() order by random() limit 1`,
    );
    if (rows[0] !== undefined && eventIds.includes(rows[0].id)) return rows[0].id;
    await pause(LOOK_AGAIN_MS);
  }
  return eventIds.at(-1);
}

/** An operator has the body of an event removed while it is on its way. */
async function eraseOne(world: World): Promise<void> {
  const { platform, erased } = world;
  const id = await eventOnItsWay(world);
  if (id === undefined || erased.has(id)) return;
  await eraseEvent(platform.ctx, id, 'The campaign asks for it');
  const { rows } = await platform.db.execute<{ at: string }>(sql`select clock_timestamp()::text as at`);
  erased.set(id, rows[0]?.at ?? '');
}

function drawFaults(draw: Draw, round: number): FaultName[] {
  const drawn = FAULTS.filter((_, index) => index === round % FAULTS.length);
  return draw.chance(0.5) ? [...drawn, draw.pick(FAULTS)] : drawn;
}

/** Publishes a portion while services are down and processes die; then those that hang go on, long after their claims. */
async function playRound(world: World, round: number): Promise<void> {
  const { run, platform, draw, weather } = world;
  const { report, flags } = run;
  const { crew, qstash } = platform;
  const perRound = Math.ceil(flags.events / roundsOf(flags));
  const from = Math.min(flags.events, round * perRound);
  const to = Math.min(flags.events, from + perRound);
  const begun = await weather.change([...new Set(drawFaults(draw, round))].map((name) => ({ name, rounds: 1 })));
  for (const name of begun) report.count('faults', name);
  const killer = draw.chance(0.4) ? setTimeout(() => crew.workers[0]?.kill(), draw.between(1, SOON_MS)) : undefined;
  const portions = draw.between(1, 3);
  for (let portion = 0; portion < portions; portion++) {
    for (const worker of crew.workers) {
      if (worker.armedWith === null && draw.chance(0.8)) worker.arm(drawStrike(draw, STRIKES));
    }
    const edge = (k: number) => from + Math.floor(((to - from) * k) / portions);
    await publish(world, edge(portion), edge(portion + 1));
    await Promise.all([
      cron(platform, IMPATIENT_SECONDS),
      pass(platform, draw.pick([1, SLICE_LEASE_SECONDS]), IMPATIENT_SECONDS),
      draw.chance(SHARE_ERASED) ? eraseOne(world) : undefined,
    ]);
    report.countEnded(crew.refill());
  }
  // Nobody who is well is held to be dead: an age passes over those only who hang or were killed.
  weather.clear();
  for (const worker of crew.workers) if (!worker.isStopped) worker.arm();
  const isHung = crew.workers.some(({ isStopped }) => isStopped);
  await advanceQueue(qstash.url, 0, isHung ? IMPATIENT_SECONDS : MENDED_SECONDS);
  await pass(platform, draw.pick([30, LONG_SECONDS, LONG_SECONDS, LONGEST_SECONDS]), IMPATIENT_SECONDS);
  await cron(platform, IMPATIENT_SECONDS);
  continueStopped(platform);
  clearTimeout(killer);
  report.countEnded(crew.refill());
  if ((round + 1) % PROGRESS_EVERY === 0) run.say(`  round ${round + 1}: ${report.sum('kills')} kills`);
}

/** Events that wait for their deliveries and deliveries that have not ended, and the last event of which that can be said. */
async function look({ db }: Platform): Promise<{ open: number; throughSequence: number }> {
  const { rows } = await db.execute<{ open: number; throughSequence: number }>(sql`
    select ((select count(*) from events where not fanned_out)
      + (select count(*) from deliveries where status in ('pending', 'retrying') or leased_until is not null))::integer as open,
      (select coalesce(max(sequence), 0) from events)::float8 as "throughSequence"`);
  return rows[0] ?? { open: 0, throughSequence: 0 };
}

/** With all services up and all processes well, time passes until nothing is open. */
async function settle(world: World): Promise<void> {
  const { run, platform } = world;
  let fewest = Number.POSITIVE_INFINITY;
  let fruitless = 0;
  for (let round = 0; fruitless < MAX_FRUITLESS_ROUNDS; round++) {
    const { open, throughSequence } = await look(platform);
    world.throughSequence = throughSequence;
    if (open === 0) return;
    if (round % SAY_EVERY === 0) run.say(`  settling, step ${round}: ${open} open`);
    fruitless = open < fewest ? 0 : fruitless + 1;
    fewest = Math.min(fewest, open);
    calm(platform);
    if (await workUntilIdle(platform)) {
      await pass(platform, round % 2 === 0 ? LONG_SECONDS : LONGEST_SECONDS, PATIENT_SECONDS);
    }
  }
  world.throughSequence = Number.MAX_SAFE_INTEGER;
  run.report.violations.push('deliveries are open although everything has long been well');
}

/** Whether every event that was committed is there. */
async function verifyOutbox({ run, platform, eventIds, webhooks }: World): Promise<string[]> {
  const { rows } = await platform.db.execute<{ id: string }>(sql`select id from events`);
  const known = new Set(rows.map(({ id }) => id));
  run.report.count('figures', 'published', eventIds.length);
  run.report.count('figures', 'webhooks', webhooks.length);
  for (const { arrivals } of platform.receivers.seen.values()) run.report.count('figures', 'arrivals', arrivals);
  for (const [failure, times] of platform.receivers.failures) run.report.count('failures', failure, times);
  for (const fault of platform.qstash.faults.list()) {
    run.report.count('queue', `${fault.kind}${'times' in fault ? ` ${fault.times}` : ''}`, fault.struck);
  }
  return eventIds.flatMap((id) => (known.has(id) ? [] : [`${id} was published and is gone`]));
}

async function verifyLeases({ platform }: World): Promise<string[]> {
  const { rows } = await platform.db.execute<{ name: string }>(
    sql`select name from leases where holder is not null union select name from job_schedules where woken_until > now()`,
  );
  return rows.map(({ name }) => `the lease ${name} is still held`);
}

const scenario: Scenario<Flags, World> = {
  command: 'npx tranche faults webhooks',
  description:
    'Kills processes that deliver webhooks at every step while the queue and Redis fail, and counts what arrived',
  worker: path.join(import.meta.dirname, 'worker.ts'),
  options: [
    countFlag('--events <n>', 'how many events; 10000 is the full form', { default: 300 }),
    countFlag('--webhooks <n>', 'webhooks, each of which gets every event', { default: 5 }),
    countFlag('--processes <n>', 'processes of the app at once', { default: 3 }),
    countFlag('--rounds <n>', 'portions in which they are published; unless given, of 50 events at the most'),
  ],
  plan: (flags) => ({
    seeds: [flags.seed],
    lineEvery: 1,
    replay: (seed) =>
      `--seed ${seed} --events ${flags.events} --rounds ${roundsOf(flags)} --webhooks ${flags.webhooks} --processes ${flags.processes}`,
  }),
  start,
  rounds: ({ run }) => roundsOf(run.flags),
  playRound,
  settle,
  invariants: [
    ({ platform, webhooks, throughSequence }) => verifyDeliveries(platform, webhooks, { throughSequence }),
    verifyOutbox,
    verifyLeases,
    ({ platform }) => verifyRates(platform),
    ({ platform }) => verifyDelays(platform),
    ({ platform, erased }) => verifyErasures(platform, erased),
    ({ platform }) => verifyReports(platform),
  ],
  line(report, { seed, seconds }) {
    const figure = (name: string) => report.figure('figures', name);
    const own = figure('events') - figure('published');
    return `seed ${seed}: ${figure('published')} events and ${own} of the platform's own to ${figure('webhooks')} webhooks, ${figure('deliveries')} deliveries, ${report.violations.length} violations, ${report.sum('kills')} kills, ${report.sum('stops')} stops, ${seconds} s`;
  },
  summary: (total) => [
    [
      'attempts',
      `${total.figure('figures', 'attempts of deliveries')} and ${total.figure('figures', 'interrupted ones')} interrupted, ${total.figure('figures', 'arrivals')} arrivals`,
    ],
    [
      'what webhooks want',
      `${total.listed('wanted')}; ${total.figure('figures', 'claims within a rate limit')} claims within a rate limit, ${total.figure('figures', 'answers that said when')} answers that said when, ${total.figure('figures', 'erased')} events erased, ${total.figure('figures', 'exhausted')} deliveries exhausted`,
    ],
    ['kills by step', total.listed('kills')],
    ['outages', total.listed('faults')],
    ['failures of receivers', total.listed('failures')],
    ['faults of the queue', total.listed('queue')],
  ],
};

await runCampaign(scenario);
