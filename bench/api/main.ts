import { Command, InvalidArgumentError } from 'commander';
import { reportMetrics } from '../figures.ts';
import { median } from '../webhooks/percentile.ts';
import { buildCopy } from './build.ts';
import { callOfEveryRoute } from './calls.ts';
import { measureCold } from './cold.ts';
import { hotReads, measureHot } from './hot.ts';
import { startServer } from './server.ts';
import { openStage } from './stage.ts';

const LEAST_THROUGHPUT = 0.6;
const MOST_FIRST_ANSWER = 1.5;

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const options = new Command('npx tranche bench api')
  .description('Hot reads, and the first answer of every route, beside a bare Next.js route handler of the same build')
  .option(
    '--rounds <n>',
    'rounds of each measurement, and three times as many more of a first answer over the target; medians are shown',
    positive,
    5,
  )
  .option('--seconds <n>', 'how long a hot read is asked in a round', positive, 4)
  .option('--route <text>', 'first answers of the routes whose path holds this only', '')
  .option('--no-build', 'measure the copy that an earlier run built')
  .parse()
  .opts<{ rounds: number; seconds: number; route: string; build: boolean }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const verdict = (isMet: boolean): string => (isMet ? '' : '  MISSED');

if (options.build) await buildCopy();
const stage = await openStage();
try {
  const server = await startServer(stage.settings);
  const { measured, left } = await measureHot(server, hotReads(stage), options).finally(() => server.end());
  say('hot reads: requests a second, p99, ratio to the bare handler, the same by processor time');
  say(`  (target: ${LEAST_THROUGHPUT} at least for what is kept)`);
  for (const { name, perSecond, p99Ms, ratio, cpuRatio } of measured) {
    const isMet = ratio >= LEAST_THROUGHPUT || name.includes('kept nowhere');
    const figures = `${perSecond.toFixed(0).padStart(6)}/s ${p99Ms.toFixed(1).padStart(7)} ms`;
    say(`  ${name.padEnd(28)} ${figures}  ${ratio.toFixed(2)}  ${cpuRatio.toFixed(2)}${verdict(isMet)}`);
  }
  for (const line of left) say(`  left out, ${line}`);
  const calls = [...callOfEveryRoute(stage)].filter(([route]) => route.includes(options.route));
  const cold = await measureCold(stage.settings, new Map(calls), { rounds: options.rounds, most: MOST_FIRST_ANSWER });
  say('first answers of a fresh process: milliseconds, ratio to the bare handler, the same by processor time, rounds');
  say(`  (target: ${MOST_FIRST_ANSWER} at most)`);
  for (const { route, status, ms, ratio, cpuRatio, rounds } of cold.toSorted((a, b) => b.ratio - a.ratio)) {
    const figures = `${status} ${ms.toFixed(0).padStart(5)} ms  ${ratio.toFixed(2)}  ${cpuRatio.toFixed(2)} ${String(rounds).padStart(3)}`;
    say(`  ${route.padEnd(62)} ${figures}${verdict(ratio <= MOST_FIRST_ANSWER)}`);
  }
  const comparedWith = 'a bare route handler of the same build';
  const [slowest] = cold.toSorted((a, b) => b.ratio - a.ratio);
  const late = cold.filter(({ ratio }) => ratio > MOST_FIRST_ANSWER);
  reportMetrics('api', [
    ...measured.map(({ name, ratio }) => ({
      what: `requests a second, ${name}`,
      value: ratio,
      unit: 'times',
      comparedWith,
      ...(name.includes('kept nowhere') ? {} : { target: { atLeast: LEAST_THROUGHPUT } }),
    })),
    ...(slowest === undefined
      ? []
      : [
          {
            what: `first answer, median of ${cold.length} routes`,
            value: median(cold.map(({ ratio }) => ratio)),
            unit: 'times',
            comparedWith,
            target: { atMost: MOST_FIRST_ANSWER },
          },
          {
            what: `slowest first answer, ${slowest.route}`,
            value: slowest.ratio,
            unit: 'times',
            comparedWith,
            target: { atMost: MOST_FIRST_ANSWER },
          },
          {
            what: `first answers over ${MOST_FIRST_ANSWER} times`,
            value: late.length,
            unit: `of ${cold.length}`,
            target: { atMost: 0 },
          },
          {
            what: `first answer by processor time, median of ${cold.length} routes`,
            value: median(cold.map(({ cpuRatio }) => cpuRatio)),
            unit: 'times',
            comparedWith,
          },
          { what: 'first answer, median', value: median(cold.map(({ ms }) => ms)), unit: 'ms' },
        ]),
  ]);
} finally {
  await stage.end();
}
