import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { reportMetrics } from '../figures.ts';
import type { Measured, Task } from './worker.ts';
import { CURRENCY, openWorld } from './world.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const { holders, rounds, delay } = new Command('npx tranche bench holders')
  .description('Synchronises the holders of a token, and compares with merely reading the same pages from the ledger')
  .option('--holders <n>', 'how many holders', positive, 100_000)
  .option('--rounds <n>', 'how often each is done, one after the other in turn', positive, 5)
  .option('--delay <ms>', 'how late every answer of the ledger comes in the second part', positive, 40)
  .parse()
  .opts<{ holders: number; rounds: number; delay: number }>();

/** In at most so many times the time that merely paging takes, with one statement a page at most. */
const LIMIT_RATIO = 1.5;

const run = promisify(execFile);
const WORKER = new URL('./worker.ts', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shown = (value: number): string => Math.round(value).toLocaleString('en-US');
const mb = (bytes: number): string => `${shown(bytes / 1e6)} MB`;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measure(task: Task): Promise<Measured> {
  const { stdout } = await run(process.execPath, [WORKER, JSON.stringify(task)], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as Measured;
}

function report(name: string, measured: Measured): boolean {
  const ratios = measured.rounds.map(({ pagingMs, syncMs }) => syncMs / pagingMs);
  const ratio = median(ratios);
  const seconds = (pick: 'pagingMs' | 'syncMs') =>
    (median(measured.rounds.map((round) => round[pick])) / 1000).toFixed(2);
  say(
    `${name}: ${shown(measured.holders)} holders synchronised in ${seconds('syncMs')} s, merely paged in ${seconds('pagingMs')} s; ratio ${ratio.toFixed(2)} (limit ${LIMIT_RATIO}; rounds ${ratios.map((each) => each.toFixed(2)).join(' ')})`,
  );
  return ratio <= LIMIT_RATIO;
}

const world = await openWorld();
try {
  const few = Math.max(1, Math.floor(holders / 10));
  say(`writing ${shown(holders)} holders into a ledger`);
  const { ledgerUrl, databaseUrl } = world;
  const taskFor = (issuer: string, count: number): Task => ({
    ledgerUrl,
    databaseUrl,
    token: { kind: 'iou', currency: CURRENCY, issuer },
    rounds: count,
  });
  const small = taskFor(await world.issueTo(few), 1);
  const issuer = await world.issueTo(holders);
  const [little, much] = [await measure(small), await measure(taskFor(issuer, 1))];
  const prompt = await measure(taskFor(issuer, rounds));
  await world.delayAnswers(delay);
  const late = await measure(taskFor(issuer, rounds));

  const isQuick = report('answers at once', prompt);
  const isQuickLate = report(`answers after ${delay} ms`, late);
  say(
    `statements: ${prompt.statementsOfPages} for ${prompt.pages} pages (${(prompt.statementsOfPages / prompt.pages).toFixed(2)} a page), ${prompt.statements - prompt.statementsOfPages} more to begin and to end`,
  );
  say(
    `memory: at most ${mb(little.peakRssBytes)} with ${shown(little.holders)} holders, ${mb(much.peakRssBytes)} with ${shown(much.holders)} (${mb(much.startRssBytes)} before it begins); ratio ${(much.peakRssBytes / little.peakRssBytes).toFixed(2)}`,
  );
  say(`a holding with its rank, of the smallest holder, right after: ${prompt.holdingMs.toFixed(1)} ms`);
  say(`removing the balances of the snapshot before, once the new one stands: ${(prompt.pruneMs / 1000).toFixed(2)} s`);
  if (!isQuick || !isQuickLate || prompt.statementsOfPages > prompt.pages) process.exitCode = 1;
  const ratioOf = (measured: Measured) => median(measured.rounds.map(({ pagingMs, syncMs }) => syncMs / pagingMs));
  const what = `time to synchronise ${shown(prompt.holders)} holders`;
  const comparedWith = 'merely reading the same pages';
  reportMetrics('holders', [
    { what, value: ratioOf(prompt), unit: 'times', comparedWith, target: { atMost: LIMIT_RATIO } },
    {
      what: `${what}, each answer ${delay} ms later`,
      value: ratioOf(late),
      unit: 'times',
      comparedWith,
      target: { atMost: LIMIT_RATIO },
    },
    { what: 'statements', value: prompt.statementsOfPages / prompt.pages, unit: 'a page', target: { atMost: 1 } },
    {
      what: 'highest memory',
      value: much.peakRssBytes / little.peakRssBytes,
      unit: 'times',
      comparedWith: 'with a tenth of the holders',
    },
    { what: 'a holding with its rank', value: prompt.holdingMs, unit: 'ms' },
  ]);
} finally {
  await world.end();
}
