import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { isMet } from '../figures.ts';
import { BENCHES, type Bench } from './benches.ts';
import { type Machine, readCommit, readMachine } from './machine.ts';
import { writePage } from './page.ts';
import { type Result, runBench } from './run.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const named = (name: string, before: readonly Bench[] = []): Bench[] => {
  const bench = BENCHES.find((each) => each.name === name);
  if (bench === undefined) {
    throw new InvalidArgumentError(`there are ${BENCHES.map((each) => each.name).join(', ')}`);
  }
  return [...before, bench];
};

const options = new Command('npx tranche bench')
  .description('Runs the benchmarks one after the other and writes their figures to docs/performance.md')
  .option('--only <names...>', 'these only, the long ones too; of the others the page keeps what it had', named)
  .option('--quick', 'short forms: to see that they run, not for figures', false)
  .option('--minutes <n>', 'the longest that one benchmark may take', Number, 30)
  .option('--out <folder>', 'where the page and its charts go', path.join(ROOT, 'docs'))
  .parse()
  .opts<{ only?: Bench[]; quick: boolean; minutes: number; out: string }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const file = path.join(options.out, 'performance.json');

/** What the page had: nothing at first, and nothing that was measured on another machine. */
async function readBefore(machine: Machine): Promise<Result[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return [];
  const kept = JSON.parse(text) as { machine: Machine; results: Result[] };
  return kept.machine.processor === machine.processor && kept.machine.processors === machine.processors
    ? kept.results
    : [];
}

async function write(machine: Machine, results: readonly Result[]): Promise<void> {
  const { page, charts } = writePage(machine, results);
  const folder = path.join(options.out, 'images/performance');
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ machine, results }, null, 2)}\n`);
  await writeFile(path.join(options.out, 'performance.md'), page);
  for (const [name, chart] of charts) await writeFile(path.join(folder, name), chart);
}

const machine = await readMachine();
const commit = await readCommit();
const byName = new Map((await readBefore(machine)).map((result) => [result.name, result]));
const run: Result[] = [];
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
for (const bench of options.only ?? BENCHES.filter(({ isLong }) => isLong !== true)) {
  say(`== ${bench.name}: ${bench.title} (load ${loadavg()[0]?.toFixed(1)})`);
  const given = { isQuick: options.quick, timeoutMs: options.minutes * 60_000, commit, stop: stop.signal };
  const result = await runBench(bench, given);
  run.push(result);
  // One that was stopped before its first figure says nothing about the last run.
  if (!stop.signal.aborted || result.figures.length > 0) byName.set(bench.name, result);
  // After each: what was measured stands, whatever becomes of the rest.
  await write(
    machine,
    BENCHES.flatMap(({ name }) => byName.get(name) ?? []),
  );
  if (stop.signal.aborted) break;
}
for (const { name, failure, figures } of run) {
  const missed = figures.filter((figure) => isMet(figure) === false).map(({ what }) => what);
  say(`${name.padEnd(20)} ${failure === null ? `${figures.length} figures` : `FAILED: ${failure}`}`);
  for (const what of missed) say(`${''.padEnd(20)} missed: ${what}`);
}
process.exitCode = run.every(({ failure }) => failure === null) ? 0 : 1;
