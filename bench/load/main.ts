import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { reportMetrics } from '../figures.ts';
import { buildCopy } from './build.ts';
import { costOf, costTable } from './cost.ts';
import { compareLines, metricsOf, scenarioFaults, scenarioLines } from './report.ts';
import { playScenario, type Scenario } from './scenario.ts';

const whole = (least: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`must be a whole number, ${least} or more`);
  }
  return value;
};
const positive = whole(1);

const options = new Command('npx tranche load')
  .description(
    'A sale in which everybody pays at once: what arrives when, what is lost, what it takes and what it costs',
  )
  .option('--wallets <n>', 'wallets, each of which pays once as fast as the ledger takes it', positive, 10_000)
  .option('--webhooks <n>', 'webhooks, each of which takes every investment.confirmed', whole(0), 20)
  .option(
    '--instances <n,n>',
    'instances of the app, one run for each number',
    (text) => text.split(',').map(positive),
    [1, 4],
  )
  .option('--reads <n>', 'pages and answers read a second meanwhile', whole(0), 20)
  .option('--steady <n>', 'payments that follow at a steady rate', whole(0), 100)
  .option('--steady-rate <n>', 'how many of them a second', positive, 10)
  .option('--payouts', 'tokens are paid out at once, and that is waited for; else the sale pays out at its end', false)
  .option('--ledger-ms <n>', 'milliseconds between two ledgers', positive, 1_000)
  .option('--heartbeat <s>', 'HEARTBEAT_SECONDS of the app', positive, 4)
  .option('--no-follow', 'FOLLOW_LEDGER=0: beats alone')
  .option('--seconds <n>', 'the longest that either part of a run may take to settle', positive, 300)
  .option('--no-build', 'run the copy that an earlier run built')
  .option('--json <file>', 'writes all that was measured')
  .option('--markdown <file>', 'writes the cost of a million payments as tables')
  .parse()
  .opts<{
    wallets: number;
    webhooks: number;
    instances: number[];
    reads: number;
    payouts: boolean;
    steady: number;
    steadyRate: number;
    ledgerMs: number;
    heartbeat: number;
    follow: boolean;
    seconds: number;
    build: boolean;
    json?: string;
    markdown?: string;
  }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const machine = (): string => {
  const [first] = cpus();
  const load = loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');
  return `${cpus().length} processors (${first?.model ?? 'unknown'}), load average ${load}`;
};

if (options.build) await buildCopy();
say(machine());
const scenarios: Scenario[] = [];
for (const instances of options.instances) {
  process.stderr.write(`a sale served by ${instances} …\n`);
  const scenario = await playScenario(instances, {
    ...options,
    readsPerSecond: options.reads,
    heartbeatSeconds: options.heartbeat,
    steady: Math.min(options.steady, options.wallets),
    steadyPerSecond: options.steadyRate,
  });
  for (const line of scenarioLines(scenario)) say(line);
  scenarios.push(scenario);
}
const [first, ...others] = scenarios;
if (first === undefined) throw new Error('Nothing was run');
for (const other of others) for (const line of compareLines(first, other)) say(line);
const cost = costOf(first, {
  ...options,
  worker: options.follow ? 'a worker follows the ledger' : `a heartbeat every ${options.heartbeat} s`,
});
say(`cost, extrapolated from the run with ${first.instances}`);
say(costTable(cost));
say(machine());
if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ options, scenarios, cost }, null, 2));
if (options.markdown !== undefined) await writeFile(options.markdown, costTable(cost));
reportMetrics('load', metricsOf(scenarios));
const faults = scenarios.flatMap(scenarioFaults);
for (const fault of faults) say(`FAULT: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
