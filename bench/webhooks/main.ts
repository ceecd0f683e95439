import { Command, InvalidArgumentError } from 'commander';
import { type Latency, measureLatency, measureThroughput } from './measure.ts';
import { startPeer } from './peer-process.ts';
import { median } from './percentile.ts';
import { openPgBoss } from './pg-boss.ts';
import { openPlatform } from './platform.ts';
import { startReceivers } from './receiver-process.ts';
import { openWorld } from './world.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const options = new Command('bench:webhooks')
  .description('Delivers webhooks, and compares with pg-boss doing the same POSTs from the same database')
  .option('--events <n>', 'events of a backlog, each for every receiver', positive, 400)
  .option('--receivers <n>', 'receivers', positive, 8)
  .option('--rounds <n>', 'rounds of each measurement; medians are shown', positive, 3)
  .option('--rate <n>', 'events a second at a steady rate', positive, 100)
  .option('--seconds <n>', 'how long', positive, 20)
  .parse()
  .opts<{ events: number; receivers: number; rounds: number; rate: number; seconds: number }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shown = (value: number): string => Math.round(value).toLocaleString('en-US');

const inWords = ({ p50, p95, p99 }: Latency): string =>
  `p50 ${shown(p50)} ms, p95 ${shown(p95)} ms, p99 ${shown(p99)} ms`;

const world = await openWorld();
const receivers = await startReceivers('healthy', options.receivers);
const peer = await startPeer();
const pgBoss = await openPgBoss(world, peer);
const platform = openPlatform(world);
const steady = { perSecond: options.rate, seconds: options.seconds };
const medians = (rounds: readonly Latency[]): Latency => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p95: median(rounds.map(({ p95 }) => p95)),
  p99: median(rounds.map(({ p99 }) => p99)),
});
try {
  const rates = { platform: [] as number[], pgBoss: [] as number[] };
  for (let round = 0; round < options.rounds; round++) {
    // A B, B A, A B: what slows the machine down for a while slows both.
    for (const system of round % 2 === 0 ? ([platform, pgBoss] as const) : ([pgBoss, platform] as const)) {
      const rate = await measureThroughput(system, await world.register(receivers.urls), receivers, options.events);
      rates[system === platform ? 'platform' : 'pgBoss'].push(rate);
      say(`  round ${round + 1}: ${system.name} ${shown(rate)} deliveries a second`);
    }
  }
  const latencies = { platform: [] as Latency[], pgBoss: [] as Latency[] };
  const messages: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const system of round % 2 === 0 ? ([platform, pgBoss] as const) : ([pgBoss, platform] as const)) {
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
  const [ours, theirs] = [median(rates.platform), median(rates.pgBoss)];
  say(`deliveries a second       ${shown(ours)}, pg-boss ${shown(theirs)}`);
  say(`ratio to pg-boss          ${(ours / theirs).toFixed(2)} times as many`);
  say(`publish to receive        ${inWords(medians(latencies.platform))}`);
  say(`  pg-boss                 ${inWords(medians(latencies.pgBoss))}`);
  say(`queue messages per 1,000  ${median(messages).toFixed(1)}`);
} finally {
  await pgBoss.end();
  receivers.end();
  peer.end();
  await world.end();
}
