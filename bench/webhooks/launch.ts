import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, reportMetrics } from '../figures.ts';
import type { Committed, Deliverer } from './deliverer.ts';
import { percentile } from './percentile.ts';
import { type ReceiverProcess, startReceivers } from './receiver-process.ts';
import { openSvix } from './svix.ts';
import { openTranche } from './tranche.ts';
import type { World } from './world.ts';

const POLL_MS = 50;
const GIVES_UP_AFTER_MS = 300_000;
const MOST_STEADY_P95_MS = 10;
const MOST_CPU_MS = 4;
const LEAST_RATIO = 2;
const MOST_BURST_P95_MS = 3_000;
const MOST_LAUNCH_S = 60;
/** Somebody else has so many events a second beside a launch, and waits this long for one of them. */
const OF_ANOTHER_PER_SECOND = 10;
const MOST_OF_ANOTHER_P95_MS = 1_000;

export interface LaunchSizes {
  /** Events a second, and for how long. */
  rate: number;
  seconds: number;
  /** Events for twenty receivers, and for one. */
  wide: number;
  narrow: number;
  /** Events of a whole launch for twenty receivers. */
  whole: number;
}

const RECEIVERS = 20;

type Arrivals = [eventId: string, atMs: number][];

async function untilArrived(receivers: ReceiverProcess, count: number): Promise<Arrivals> {
  const giveUpAtMs = performance.now() + GIVES_UP_AFTER_MS;
  while ((await receivers.countArrivals()) < count) {
    if (performance.now() > giveUpAtMs) throw new Error(`${await receivers.countArrivals()} of ${count} arrived`);
    await pause(POLL_MS);
  }
  return receivers.takeArrivals();
}

function latenciesOf(committed: Committed, arrivals: Arrivals): number[] {
  return arrivals.map(([eventId, atMs]) => {
    const committedAtMs = committed.get(eventId);
    if (committedAtMs === undefined) throw new Error(`${eventId} arrived and was not published`);
    return atMs - committedAtMs;
  });
}

/** Publishes at a steady rate, whatever becomes of it, until `isOver`. */
async function publishSteadily(
  perSecond: number,
  isOver: (published: number) => boolean,
  publish: (n: number) => Promise<Committed>,
): Promise<Committed> {
  const startedAt = performance.now();
  const publishing: Promise<Committed>[] = [];
  for (let n = 0; !isOver(n); n++) {
    const dueInMs = startedAt + (n * 1000) / perSecond - performance.now();
    if (dueInMs > 0) await pause(dueInMs);
    publishing.push(publish(n));
  }
  return new Map((await Promise.all(publishing)).flatMap((each) => [...each]));
}

interface Measured {
  steady: { p50: number; p95: number; p99: number; cpuMs: number; memoryMb: number };
  wide: Burst;
  narrow: Burst;
  launch: Burst & { p95OfAnother: number };
}

interface Burst {
  perSecond: number;
  p95: number;
  lastMs: number;
  cpuMs: number;
}

async function measureSteady(system: Deliverer, all: ReceiverProcess, { rate, seconds }: LaunchSizes) {
  const warmUp = await publishSteadily(
    rate,
    (n) => n >= rate * 2,
    (n) => system.publishTo(n % RECEIVERS),
  );
  await untilArrived(all, warmUp.size);
  await system.settle();
  const cpuBefore = await system.cpuMs();
  const committed = await publishSteadily(
    rate,
    (n) => n >= rate * seconds,
    (n) => system.publishTo(n % RECEIVERS),
  );
  const latencies = latenciesOf(committed, await untilArrived(all, committed.size));
  await system.settle();
  return {
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    cpuMs: ((await system.cpuMs()) - cpuBefore) / committed.size,
    memoryMb: await system.memoryMb(),
  };
}

async function measureBurst(
  system: Deliverer,
  receivers: ReceiverProcess,
  events: number,
  each: number,
): Promise<Burst> {
  const cpuBefore = await system.cpuMs();
  const startedAt = performance.timeOrigin + performance.now();
  const committed = await system.publishAll(events);
  const arrivals = await untilArrived(receivers, events * each);
  const latencies = latenciesOf(committed, arrivals);
  const lastAt = arrivals.reduce((last, [, atMs]) => Math.max(last, atMs), 0);
  await system.settle();
  return {
    perSecond: (arrivals.length * 1000) / (lastAt - startedAt),
    p95: percentile(latencies, 0.95),
    lastMs: percentile(latencies, 1),
    cpuMs: ((await system.cpuMs()) - cpuBefore) / arrivals.length,
  };
}

async function measure(system: Deliverer, sizes: LaunchSizes, say: (line: string) => void): Promise<Measured> {
  const all = await startReceivers(Array.from({ length: RECEIVERS }, () => 'healthy'));
  const another = await startReceivers(['healthy']);
  const [urlOfAnother = ''] = another.urls;
  const tell = (what: string, burst: Burst) =>
    say(
      `  ${system.name}: ${what} ${Math.round(burst.perSecond)} a second, p95 ${Math.round(burst.p95)} ms, last ${Math.round(burst.lastMs)} ms, ${burst.cpuMs.toFixed(2)} ms of processor time each`,
    );
  try {
    await system.register(all.urls, urlOfAnother, 'own');
    const steady = await measureSteady(system, all, sizes);
    say(
      `  ${system.name}: steady p50 ${steady.p50.toFixed(1)} ms, p95 ${steady.p95.toFixed(1)} ms, p99 ${steady.p99.toFixed(1)} ms, ${steady.cpuMs.toFixed(2)} ms of processor time each, ${Math.round(steady.memoryMb)} MB`,
    );
    await system.register(all.urls, urlOfAnother, 'same');
    const wide = await measureBurst(system, all, sizes.wide, RECEIVERS);
    tell(`${sizes.wide} events for ${RECEIVERS}`, wide);
    await system.register(all.urls.slice(0, 1), urlOfAnother, 'same');
    const narrow = await measureBurst(system, all, sizes.narrow, 1);
    tell(`${sizes.narrow} events for one`, narrow);
    await system.register(all.urls, urlOfAnother, 'same');
    let isOver = false;
    const beside = pause(1_000).then(() =>
      publishSteadily(
        OF_ANOTHER_PER_SECOND,
        () => isOver,
        () => system.publishToAnother(),
      ),
    );
    const launch = await measureBurst(system, all, sizes.whole, RECEIVERS);
    isOver = true;
    const ofAnother = await beside;
    const p95OfAnother = percentile(latenciesOf(ofAnother, await untilArrived(another, ofAnother.size)), 0.95);
    tell(`${sizes.whole} events for ${RECEIVERS}`, launch);
    say(`  ${system.name}: somebody else meanwhile p95 ${Math.round(p95OfAnother)} ms`);
    return { steady, wide, narrow, launch: { ...launch, p95OfAnother } };
  } finally {
    all.end();
    another.end();
  }
}

/** Measures what a launch brings: a steady stream, bursts, and 200,000 deliveries; beside a Svix server where there is one. */
export async function benchLaunch(
  world: World,
  sizes: LaunchSizes,
  svixServer: string | undefined,
  say: (line: string) => void,
): Promise<void> {
  say(`load before               ${loadavg()[0]?.toFixed(2)}`);
  const mine = await measure(openTranche(world), sizes, say);
  let svix: Measured | undefined;
  if (svixServer !== undefined) {
    const peer = await openSvix(world, svixServer);
    try {
      svix = await measure(peer, sizes, say);
    } finally {
      peer.end();
    }
  }
  const comparedWith = 'a Svix server with the same database server and receivers';
  const beside = (what: string, value: number, other: number | undefined, target?: Figure['target']): Figure[] =>
    other === undefined
      ? []
      : [{ what, value: value / other, unit: 'times', comparedWith, ...(target === undefined ? {} : { target }) }];
  const burst = (what: string, of: 'wide' | 'narrow'): Figure[] => [
    { what: `deliveries a second, ${what}`, value: mine[of].perSecond, unit: 'a second' },
    ...beside(`deliveries a second, ${what}`, mine[of].perSecond, svix?.[of].perSecond, { atLeast: LEAST_RATIO }),
    {
      what: `commit to received, ${what}, p95`,
      value: mine[of].p95,
      unit: 'ms',
      target: { atMost: MOST_BURST_P95_MS },
    },
  ];
  reportMetrics('webhooks of a launch', [
    { what: `commit to received, ${sizes.rate} a second, p50`, value: mine.steady.p50, unit: 'ms' },
    {
      what: `commit to received, ${sizes.rate} a second, p95`,
      value: mine.steady.p95,
      unit: 'ms',
      target: { atMost: MOST_STEADY_P95_MS },
    },
    ...beside(`commit to received, ${sizes.rate} a second, p95`, mine.steady.p95, svix?.steady.p95),
    {
      what: 'processor time of a delivery, database included',
      value: mine.steady.cpuMs,
      unit: 'ms',
      target: { atMost: MOST_CPU_MS },
    },
    ...beside('processor time of a delivery, database included', mine.steady.cpuMs, svix?.steady.cpuMs),
    ...beside('resident memory', mine.steady.memoryMb, svix?.steady.memoryMb),
    ...burst(`${sizes.wide} events for ${RECEIVERS} receivers`, 'wide'),
    ...burst(`${sizes.narrow} events for one receiver`, 'narrow'),
    {
      what: `${sizes.whole * RECEIVERS} deliveries of a launch`,
      value: mine.launch.lastMs / 1_000,
      unit: 's',
      target: { atMost: MOST_LAUNCH_S },
    },
    ...beside(`${sizes.whole * RECEIVERS} deliveries of a launch`, mine.launch.lastMs, svix?.launch.lastMs),
    {
      what: 'commit to received of somebody else meanwhile, p95',
      value: mine.launch.p95OfAnother,
      unit: 'ms',
      target: { atMost: MOST_OF_ANOTHER_P95_MS },
    },
    ...beside(
      'commit to received of somebody else meanwhile, p95',
      mine.launch.p95OfAnother,
      svix?.launch.p95OfAnother,
    ),
  ]);
}
