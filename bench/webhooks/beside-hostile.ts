import { env } from '#lib/base/env.ts';
import { reportMetrics } from '../figures.ts';
import { type Attempts, attemptsAt, type Measured, measureAlone, measureBeside } from './hostile.ts';
import { HOSTILE_BEHAVIOURS } from './hostile-behaviours.ts';
import { median } from './percentile.ts';
import { startReceivers } from './receiver-process.ts';
import type { World } from './world.ts';

/** Beyond its time-out an attempt may take this long, and beside hostile receivers the others this many times as long. */
const GRACE_MS = 1_000;
const MOST_RATIO = 1.2;

const CASES = ['alone', 'among healthy', 'beside hostile'] as const;
type Case = (typeof CASES)[number];

/**
 * Measures what healthy receivers notice of hostile ones beside them, and how long those can hold an attempt. More events cost
 * more whoever gets them: what hostility costs shows beside as many healthy receivers with as many events.
 */
export async function benchHostile(
  world: World,
  { receivers, rounds, rate, seconds }: { receivers: number; rounds: number; rate: number; seconds: number },
  say: (line: string) => void,
): Promise<void> {
  const healthy = await startReceivers(Array.from({ length: receivers }, () => 'healthy'));
  const harmless = await startReceivers(HOSTILE_BEHAVIOURS.map(() => 'healthy'));
  const hostile = await startReceivers(HOSTILE_BEHAVIOURS);
  const steady = { perSecond: rate, seconds };
  const attempts: Attempts[] = [];
  const measures: Record<Case, () => Promise<Measured>> = {
    alone: () => measureAlone(world, healthy, steady),
    'among healthy': () => measureBeside(world, healthy, harmless, steady),
    'beside hostile': async () => {
      const measured = await measureBeside(world, healthy, hostile, steady);
      attempts.push(...(await attemptsAt(world, measured.beside)));
      return measured;
    },
  };
  const p95: Record<Case, number[]> = { alone: [], 'among healthy': [], 'beside hostile': [] };
  try {
    await world.watchLoop();
    // Who is measured first would pay for what is loaded and compiled.
    await measureAlone(world, healthy, { ...steady, seconds: Math.min(5, seconds) });
    for (let round = 0; round < rounds; round++) {
      for (const name of CASES.map((_, n) => CASES[(n + round) % CASES.length] ?? 'alone')) {
        const { latency, usage } = await measures[name]();
        p95[name].push(latency.p95);
        say(
          `  round ${round + 1}: ${name} p50 ${Math.round(latency.p50)} ms, p95 ${Math.round(latency.p95)} ms, app ${usage.cores.toFixed(2)} cores, event loop p95 ${usage.loopDelayP95Ms.toFixed(1)} ms`,
        );
      }
    }
  } finally {
    for (const each of [healthy, harmless, hostile]) each.end();
  }
  const [alone, among, beside] = CASES.map((name) => median(p95[name])) as [number, number, number];
  say(
    `p95 publish to receive    ${Math.round(alone)} ms alone, ${Math.round(among)} ms among as many more healthy receivers, ${Math.round(beside)} ms beside hostile ones`,
  );
  say(`ratio to the same events  ${(beside / among).toFixed(2)} times, limit ${MOST_RATIO}`);
  say(`ratio to fewer events     ${(beside / alone).toFixed(2)} times`);
  reportMetrics('webhooks beside hostile receivers', [
    {
      what: 'publish to receive beside hostile receivers, p95',
      value: beside / among,
      unit: 'times',
      comparedWith: 'the same events beside healthy ones',
      target: { atMost: MOST_RATIO },
    },
  ]);
  const limitMs = env().WEBHOOK_TIMEOUT_MS + GRACE_MS;
  for (const manner of HOSTILE_BEHAVIOURS) {
    const of = attempts.filter((each) => each.manner === manner);
    const longestMs = Math.max(...of.map((each) => each.longestMs));
    const count = of.reduce((sum, each) => sum + each.attempts, 0);
    say(`  ${manner.padEnd(14)} ${count} attempts, longest ${longestMs} ms of ${limitMs} ms`);
  }
}
