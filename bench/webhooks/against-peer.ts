import { reportMetrics } from '../figures.ts';
import { type Latency, measureBurst, measureLatency, measureThroughput } from './measure.ts';
import { startPeer } from './peer-process.ts';
import { median } from './percentile.ts';
import { openPgBoss } from './pg-boss.ts';
import { openPlatform } from './platform.ts';
import { startReceivers } from './receiver-process.ts';
import type { World } from './world.ts';

/** Beside pg-boss, of its deliveries a second. */
const LEAST_RATIO = 1;
const MOST_P95_MS = 1_000;
/** Of the queue, for 1,000 healthy deliveries. */
const MOST_MESSAGES = 50;
/** The first delivery after four times as many events: work that grows with their square would take sixteen times as long. */
const BURST_TIMES = 4;
const MOST_BURST_GROWTH = 6;
const shown = (value: number): string => Math.round(value).toLocaleString('en-US');

const inWords = ({ p50, p95, p99 }: Latency): string =>
  `p50 ${shown(p50)} ms, p95 ${shown(p95)} ms, p99 ${shown(p99)} ms`;

const medians = (rounds: readonly Latency[]): Latency => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p95: median(rounds.map(({ p95 }) => p95)),
  p99: median(rounds.map(({ p99 }) => p99)),
});

export interface PeerOptions {
  events: number;
  burst: number;
  receivers: number;
  rounds: number;
  rate: number;
  seconds: number;
  answerAfter?: number;
}

/** Measures deliveries a second from a backlog, and latencies at a steady rate, in rounds of both systems. */
export async function benchAgainstPeer(world: World, options: PeerOptions, say: (line: string) => void): Promise<void> {
  const receivers = await startReceivers(
    Array.from({ length: options.receivers }, () => 'healthy'),
    options.answerAfter,
  );
  const peer = await startPeer();
  const pgBoss = await openPgBoss(world, peer);
  const platform = openPlatform(world);
  const steady = { perSecond: options.rate, seconds: options.seconds };
  // A B, B A, A B: what slows the machine down for a while slows both.
  const inTurn = (round: number) => (round % 2 === 0 ? ([platform, pgBoss] as const) : ([pgBoss, platform] as const));
  try {
    // The first backlog of either pays for what is loaded and compiled once.
    for (const system of inTurn(0)) {
      await measureThroughput(system, await world.register(receivers.urls), receivers, options.events);
    }
    const rates = { platform: [] as number[], pgBoss: [] as number[], ratios: [] as number[] };
    for (let round = 0; round < options.rounds; round++) {
      const inRound = { platform: 0, pgBoss: 0 };
      for (const system of inTurn(round)) {
        const rate = await measureThroughput(system, await world.register(receivers.urls), receivers, options.events);
        inRound[system === platform ? 'platform' : 'pgBoss'] = rate;
        say(`  round ${round + 1}: ${system.name} ${shown(rate)} deliveries a second`);
      }
      rates.platform.push(inRound.platform);
      rates.pgBoss.push(inRound.pgBoss);
      rates.ratios.push(inRound.platform / inRound.pgBoss);
    }
    const latencies = { platform: [] as Latency[], pgBoss: [] as Latency[] };
    const messages: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      for (const system of inTurn(round)) {
        const targets = await world.register(receivers.urls);
        await system.prepare(targets);
        const before = await world.queueMessages();
        await system.start();
        const latency = await measureLatency(system, targets, receivers, steady);
        await system.rest();
        latencies[system === platform ? 'platform' : 'pgBoss'].push(latency);
        if (system === platform) {
          messages.push((((await world.queueMessages()) - before) * 1000) / (steady.perSecond * steady.seconds));
        }
        say(`  round ${round + 1}: ${system.name} ${inWords(latency)}`);
      }
    }
    const bursts = { few: [] as number[], many: [] as number[] };
    for (let round = 0; round < options.rounds; round++) {
      const burst = async (events: number) =>
        measureBurst(platform, await world.register(receivers.urls.slice(0, 1)), receivers, world, events);
      bursts.few.push(await burst(Math.ceil(options.burst / BURST_TIMES)));
      bursts.many.push(await burst(options.burst));
      say(
        `  round ${round + 1}: first delivery of a burst ${shown(bursts.few[round] ?? 0)} ms, ${shown(bursts.many[round] ?? 0)} ms`,
      );
    }
    const firstOfBurstMs = median(bursts.many);
    const burstGrowth = firstOfBurstMs / median(bursts.few);
    say(`deliveries a second       ${shown(median(rates.platform))}, pg-boss ${shown(median(rates.pgBoss))}`);
    say(`ratio to pg-boss          ${median(rates.ratios).toFixed(2)} times as many`);
    say(`publish to receive        ${inWords(medians(latencies.platform))}`);
    say(`  pg-boss                 ${inWords(medians(latencies.pgBoss))}`);
    say(`queue messages per 1,000  ${median(messages).toFixed(1)}`);
    say(
      `first of ${shown(options.burst)} events      ${shown(firstOfBurstMs)} ms, ${burstGrowth.toFixed(1)} times that of a quarter as many`,
    );
    const comparedWith = 'pg-boss, the same POSTs from the same database';
    const [mine, others] = [medians(latencies.platform), medians(latencies.pgBoss)];
    reportMetrics('webhooks', [
      { what: 'deliveries a second', value: median(rates.platform), unit: 'a second' },
      {
        what: 'deliveries a second',
        value: median(rates.ratios),
        unit: 'times',
        comparedWith,
        target: { atLeast: LEAST_RATIO },
      },
      { what: 'publish to receive, p50', value: mine.p50, unit: 'ms' },
      { what: 'publish to receive, p95', value: mine.p95, unit: 'ms', target: { atMost: MOST_P95_MS } },
      { what: 'publish to receive, p99', value: mine.p99, unit: 'ms' },
      { what: 'publish to receive, p99', value: mine.p99 / others.p99, unit: 'times', comparedWith },
      {
        what: `first delivery of ${shown(options.burst)} events in one transaction`,
        value: firstOfBurstMs,
        unit: 'ms',
      },
      {
        what: `first delivery of ${shown(options.burst)} events in one transaction`,
        value: burstGrowth,
        unit: 'times',
        comparedWith: 'a quarter as many',
        target: { atMost: MOST_BURST_GROWTH },
      },
      { what: 'queue messages', value: median(messages), unit: 'a thousand events', target: { atMost: MOST_MESSAGES } },
    ]);
  } finally {
    await pgBoss.end();
    receivers.end();
    peer.end();
  }
}
