import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { reportMetrics } from '../figures.ts';
import { buildCopy } from '../load/build.ts';
import { type MillionOptions, playMillion } from './play.ts';
import { millionFaults, millionFigures, millionLines } from './report.ts';

const whole = (least: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`must be a whole number, ${least} or more`);
  }
  return value;
};

const options = new Command('npx tranche bench million')
  .description(
    'A million payments through the production build: whether anything is lost, grows, or takes longer at the end',
  )
  .option('--payments <n>', 'how many payments', whole(10_000), 1_000_000)
  .option('--wallets <n>', 'wallets that pay', whole(2), 300_000)
  .option('--payouts <n>', 'wallets among them that hold the token: each pays once and is paid out', whole(1), 100_000)
  .option('--waiting', 'the tokens of all others are due at once too, and wait for their holders', false)
  .option('--webhooks <n>', 'webhooks, each of which takes every investment.confirmed', whole(0), 1)
  .option('--reads <n>', 'pages and answers about the larger sale read a second meanwhile', whole(0), 2)
  .option('--window <n>', 'payments that are on their way to confirmation at once', whole(1), 4_000)
  .option('--ledger-ms <n>', 'milliseconds between two ledgers', whole(1), 1_000)
  .option('--ledger-heap-mb <n>', 'memory of the sandbox ledger, which holds every transaction', whole(512), 12_000)
  .option('--stall-seconds <n>', 'without progress for so long, the run fails', whole(1), 300)
  .option('--no-build', 'run the copy that an earlier run built')
  .option('--json <file>', 'writes all that was measured')
  .parse()
  .opts<MillionOptions & { build: boolean; json?: string }>();
if (options.payouts >= options.wallets || options.payouts >= options.payments) {
  throw new InvalidArgumentError('--payouts must be below --wallets and --payments: others pay too');
}

const startedAt = performance.now();
const say = (line: string): void =>
  void process.stdout.write(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(6)} s  ${line}\n`);

/** The first signal ends the run in order, the second at once. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(130);
    say('stopping …');
    stop.abort(new Error(`Stopped by ${signal}`));
  });
}

if (options.build) {
  say('building …');
  await buildCopy();
}
say(`load average ${loadavg()[0]?.toFixed(1)}`);
const million = await playMillion(options, stop.signal, say);
for (const line of millionLines(million, options)) process.stdout.write(`${line}\n`);
if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ options, million }, null, 2));
reportMetrics('million', millionFigures(million, options));
const faults = millionFaults(million, options);
for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
