import { loadavg } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { type Figure, reportMetrics } from '../figures.ts';
import { buildCopy } from '../load/build.ts';
import { scenarioFaults, scenarioLines } from '../load/report.ts';
import { playScenario, type Scenario } from '../load/scenario.ts';

/** From the close of the ledger that confirms a payment to the event, p95. */
const MOST_MS = 1_000;
/** The payout goes into the ledger after the one that confirms. */
const MOST_LEDGERS = 1;
const PER_SECOND = 10;
const LEDGER_MS = 4_000;
const HEARTBEAT_SECONDS = 4;
const HOUR_MS = 3_600_000;

const options = new Command('npx tranche bench follow')
  .description('How long after its ledger a payment is announced and paid out: a worker that follows, beside beats')
  .option(
    '--payments <n>',
    `payments of each part: at ${PER_SECOND} a second, then at once`,
    (text) => {
      const value = Number(text);
      if (!Number.isSafeInteger(value) || value < 1)
        throw new InvalidArgumentError('must be a whole number, 1 or more');
      return value;
    },
    200,
  )
  .option('--no-build', 'run the copy that an earlier run of this or of the load test built')
  .parse()
  .opts<{ payments: number; build: boolean }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const play = (follow: boolean): Promise<Scenario> =>
  playScenario(1, {
    wallets: options.payments,
    webhooks: 1,
    readsPerSecond: 0,
    payouts: true,
    ledgerMs: LEDGER_MS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    follow,
    steady: options.payments,
    steadyPerSecond: PER_SECOND,
    seconds: 300,
  });

function figuresOf(name: string, { steady, idleUse }: Scenario, isHeld: boolean): Figure[] {
  const { latency, ledgersToPayout } = steady ?? {};
  if (latency == null || ledgersToPayout == null) throw new Error(`With ${name}, nothing was announced or paid out`);
  const anHour = (count: number) => (count / idleUse.elapsedMs) * HOUR_MS;
  const calls = Object.values(idleUse.app.routes).reduce((total, route) => total + route.calls, 0);
  return [
    {
      what: `close of the confirming ledger to received, ${PER_SECOND} a second, ${name}, p95`,
      value: latency.p95,
      unit: 'ms',
      ...(isHeld ? { target: { atMost: MOST_MS } } : {}),
    },
    {
      what: `the confirming ledger to that of the payout, ${name}, p95`,
      value: ledgersToPayout.p95,
      unit: 'ledgers',
      ...(isHeld ? { target: { atMost: MOST_LEDGERS } } : {}),
    },
    { what: `messages of an hour without payments, ${name}`, value: anHour(idleUse.queueMessages), unit: 'messages' },
    { what: `calls of an hour without payments, ${name}`, value: anHour(calls), unit: 'calls' },
  ];
}

if (options.build) await buildCopy();
say(`load before the run: ${loadavg()[0]?.toFixed(1)}`);
const [followed, beats] = [await play(true), await play(false)];
for (const [name, scenario] of [
  ['a worker follows the ledger', followed],
  [`a heartbeat every ${HEARTBEAT_SECONDS} s`, beats],
] as const) {
  say(name);
  for (const line of scenarioLines(scenario)) say(`  ${line}`);
}
const figures = [...figuresOf('followed', followed, true), ...figuresOf('beats', beats, false)];
for (const { what, value, unit, target } of figures) {
  const aim = target !== undefined && 'atMost' in target ? `  (at most ${target.atMost})` : '';
  say(`${what.padEnd(75)} ${Math.round(value).toLocaleString('en-US')} ${unit}${aim}`);
}
reportMetrics('follow', figures);
const faults = [followed, beats].flatMap(scenarioFaults);
for (const fault of faults) say(`FAULT: ${fault}`);
const isMet = figures.every(
  ({ value, target }) => target === undefined || !('atMost' in target) || value <= target.atMost,
);
process.exitCode = faults.length === 0 && isMet ? 0 : 1;
