import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { migrateDatabase } from '#drizzle/migrate.ts';
import type { Database } from '#lib/base/db.ts';
import { bundle } from '#tests/support/bundle.ts';
import { copyTemplate, TEMPLATE } from '#tests/support/postgres.ts';
import type { Crew } from './crew.ts';
import { openOwnDatabase } from './database.ts';
import { Draw } from './draw.ts';
import { type RestartablePostgres, startRestartable } from './postgres.ts';
import { Report } from './report.ts';
import { SABOTAGES, type Sabotage, sabotaged } from './sabotage.ts';

/** One play of a scenario: all that it draws follows from its seed. */
export interface Run<Flags> {
  flags: Flags;
  seed: string;
  report: Report;
  postgres: RestartablePostgres;
  /** Migrated and empty, past the relay; the campaign's own connections to it never give up. */
  database: Database & { url: string };
  /** A standalone server in place of the stand-in ledger. */
  ledgerUrl: string | undefined;
  /** The bundle that a process of the app runs. */
  script: string;
  /** The processes of its lane, where the scenario keeps them from play to play. */
  crew: Crew | null;
  /** Numbers of a sequence of its own: what one draws does not depend on when another does. */
  draw(name: string): Draw;
  /** Closes something when the play is over, the last one first. */
  defer(close: () => unknown): void;
  say(line: string): void;
}

/** What is played: who works, what is offered to the platform, what breaks, when it is over, and what must then hold. */
export interface Scenario<Flags, World> {
  /** As it is called on the command line. */
  command: string;
  description: string;
  /** The program of a process of the app. */
  worker: string;
  options: readonly Option[];
  /** The plays, by their seeds; how many at once; and the flags that repeat one. */
  plan(flags: Flags & { seed: string }, isGiven: (flag: string) => boolean): Plan;
  /** Processes that live from play to play, one crew a lane. */
  crew?(script: string, flags: Flags): Crew;
  start(run: Run<Flags>): Promise<World>;
  rounds(world: World): number;
  /** Offers work while faults change and processes are struck. */
  playRound(world: World, round: number): Promise<void>;
  /** Ends every fault, and lets time pass until nothing is under way; a violation when it comes to no end. */
  settle(world: World): Promise<void>;
  /** Each gives what is wrong when all is mended and quiet. */
  invariants: readonly ((world: World) => string[] | Promise<string[]>)[];
  /** The line about one play, or about all so far. */
  line(report: Report, plays: Plays): string;
  /** Rows at the end, each with a heading. */
  summary(total: Report): readonly (readonly [heading: string, text: string])[];
}

export interface Plan {
  seeds: readonly string[];
  lanes?: number;
  /** No play begins later, but for the first. */
  beginsWithinMs?: number;
  /** What repeats one play, after the command. */
  replay(seed: string): string;
  /** A line is printed after so many plays; 1 is each. */
  lineEvery: number;
}

export interface Plays {
  seed: string;
  played: number;
  failed: number;
  seconds: number;
}

/** The value of a flag that counts from `least`. */
const counting = (least: number) => (text: string) => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidArgumentError(least === 0 ? 'must be a whole number' : `must be a whole number, ${least} or more`);
};

/** A flag that is a whole number. */
export const countFlag = (flags: string, description: string, given: { least?: number; default?: number } = {}) => {
  const option = new Option(flags, description).argParser(counting(given.least ?? 1));
  return given.default === undefined ? option : option.default(given.default);
};

/** Violations of a play that are printed; one fault often shows in many places. */
const SHOWN = 20;
/** A play takes minutes on a machine with much other work; one that takes so long does not end. */
const MOST_MINUTES = 180;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const secondsSince = (fromMs: number): number => Math.round((performance.now() - fromMs) / 1000);
const causeOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack ?? error.message}${error.cause === undefined ? '' : `, because ${causeOf(error.cause)}`}`
    : String(error);

/** Plays once. Whatever fails, of the campaign itself too, is a violation of this play, and has its seed. */
async function play<Flags, World>(
  scenario: Scenario<Flags, World>,
  given: Pick<Run<Flags>, 'flags' | 'seed' | 'postgres' | 'script' | 'crew' | 'ledgerUrl'>,
): Promise<Report> {
  const report = new Report();
  const closers: (() => unknown)[] = [];
  const failed = (error: unknown): void => void report.violations.push(`the campaign itself failed: ${causeOf(error)}`);
  const act = async (): Promise<void> => {
    const copy = await copyTemplate(given.postgres.url);
    closers.push(() => copy.drop());
    const database = openOwnDatabase(copy.url);
    closers.push(() => database.close());
    const world = await scenario.start({
      ...given,
      report,
      database,
      draw: (name) => new Draw(`${given.seed} ${name}`),
      defer: (closer) => void closers.push(closer),
      say,
    });
    for (let round = 0; round < scenario.rounds(world); round++) await scenario.playRound(world, round);
    await scenario.settle(world);
    for (const invariant of scenario.invariants) report.violations.push(...(await invariant(world)));
  };
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not over after ${MOST_MINUTES} minutes`)), MOST_MINUTES * 60_000);
  await Promise.race([act(), limit]).catch(failed);
  clearTimeout(timer);
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    await Promise.try(close).catch(failed);
  }
  return report;
}

/** Runs a scenario as a program: its flags, its plays, what it prints, and 1 as exit code when any of them failed. */
export async function runCampaign<Flags extends object, World>(scenario: Scenario<Flags, World>): Promise<void> {
  const command = new Command(scenario.command).description(scenario.description);
  for (const option of scenario.options) command.addOption(option);
  command
    .addOption(
      new Option('--ledger <url>', 'a standalone server of this machine (ws://) in place of the stand-in').env(
        'LEDGER_URL',
      ),
    )
    .option('--seed <text>', 'what everything is drawn from', randomBytes(4).toString('hex'))
    .addOption(
      new Option('--sabotage <name>', 'break the code itself, to see that it is found').choices(Object.keys(SABOTAGES)),
    )
    .parse();
  const flags = command.opts<Flags & { seed: string; sabotage?: Sabotage; ledger?: string }>();
  const { sabotage, ledger: ledgerUrl } = flags;
  const plan = scenario.plan(flags, (flag) => command.getOptionValueSource(flag) === 'cli');
  const startedAt = performance.now();
  const total = new Report();
  let [played, failed] = [0, 0];
  const soFar = (): Plays => ({ seed: flags.seed, played, failed, seconds: secondsSince(startedAt) });
  const folder = await mkdtemp(path.join(tmpdir(), 'faults-'));
  const postgres = await startRestartable(folder);
  const queue = plan.seeds.values();
  const lane = async (script: string): Promise<void> => {
    const crew = scenario.crew?.(script, flags) ?? null;
    for (const seed of queue) {
      if (played > 0 && secondsSince(startedAt) * 1000 > (plan.beginsWithinMs ?? Infinity)) break;
      const beganAt = performance.now();
      const report = await play(scenario, { flags, seed, postgres, script, crew, ledgerUrl });
      played += 1;
      total.add(report);
      const isFailed = report.violations.length > 0;
      if (isFailed) failed += 1;
      if (plan.lineEvery === 1) {
        say(scenario.line(report, { seed, played: 1, failed: isFailed ? 1 : 0, seconds: secondsSince(beganAt) }));
      } else if (played % plan.lineEvery === 0 && played < plan.seeds.length) say(scenario.line(total, soFar()));
      if (!isFailed) continue;
      // Some may still be at what the play began.
      crew?.end();
      crew?.refill();
      for (const violation of report.violations.slice(0, SHOWN)) say(`  ${seed}: ${violation}`);
      const broken = sabotage === undefined ? '' : ` --sabotage '${sabotage}'`;
      say(`FAILED  ${scenario.command} ${plan.replay(seed)}${broken}`);
      // What is broken on purpose need be found but once.
      if (sabotage !== undefined) break;
    }
    crew?.end();
  };
  try {
    await migrateDatabase(await postgres.createDatabase(TEMPLATE));
    const script = await bundle(folder, scenario.worker, sabotage === undefined ? [] : [sabotaged(sabotage)]);
    // Plays at the same time would close each other's ledgers.
    const lanes = ledgerUrl === undefined ? (plan.lanes ?? 1) : 1;
    await Promise.all(Array.from({ length: Math.min(lanes, plan.seeds.length) }, () => lane(script)));
  } finally {
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
  say(
    plan.lineEvery === 1
      ? `${played} seeds, ${failed} failed, ${secondsSince(startedAt)} s`
      : scenario.line(total, soFar()),
  );
  const rows = scenario.summary(total);
  const width = Math.max(...rows.map(([heading]) => heading.length)) + 2;
  for (const [heading, text] of rows) say(`${heading.padEnd(width)}${text}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
