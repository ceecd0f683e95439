import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, Option } from 'commander';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { bundleWorker } from '#tests/faults/bundle.ts';
import { cutWhoHangs, emptyDatabase } from '#tests/faults/database.ts';
import { positive, say, whole } from '#tests/faults/program.ts';
import { copyTemplate, TEMPLATE } from '#tests/support/postgres.ts';
import { Crew } from './crew.ts';
import type { RunReport } from './rounds.ts';
import { playRun } from './run.ts';
import { Tally } from './tally.ts';
import { WORLDS, type World } from './worlds.ts';

interface Flags {
  runs: number;
  seed: string;
  run?: number;
  times: number;
  processes?: number;
  world?: World;
  lanes: number;
}
const flags = new Command('npx tranche faults payouts')
  .description(
    'Kills processes that pay out at every step while the ledger fails, and reads from the ledger what was paid',
  )
  .option('--runs <n>', 'how many runs', positive, 25)
  .option('--seed <text>', 'what everything is drawn from', randomBytes(4).toString('hex'))
  .option('--run <k>', 'only the k-th run, from 0: how a failing one is made again', whole)
  .option('--times <n>', 'how often that run is made: not all its moments follow from the seed', positive, 1)
  .option('--processes <n>', 'processes that pay at once; drawn from 1 to 3 when absent', positive)
  .addOption(new Option('--world <name>', 'what is particular about the runs; drawn when absent').choices(WORLDS))
  .option('--lanes <n>', 'runs at the same time', positive, 2)
  .parse()
  .opts<Flags>();

/** A run that failed once by the moment in which processes met fails again in one of so many. */
const MADE_AGAIN = 16;
/** Runs after which the figures so far are printed. */
const PROGRESS_EVERY = 25;
const failure = (error: unknown): Pick<RunReport, 'violations'> => ({
  violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
});

const folder = await mkdtemp(path.join(tmpdir(), 'faults-payouts-'));
const postgres = await startPostgres();
const crew = new Crew(await bundleWorker(folder, path.join(import.meta.dirname, 'worker.ts')), flags.lanes * 2);
const tally = new Tally();
try {
  await migrateDatabase(await postgres.createDatabase(TEMPLATE));
  await cutWhoHangs(postgres.url);
  const { run, times } = flags;
  const left =
    run === undefined
      ? Array.from({ length: flags.runs }, (_, index) => index)
      : Array.from({ length: times }, () => run);
  const queue = left.values();
  const lane = async (): Promise<void> => {
    const database = await copyTemplate(postgres.url);
    for (const index of queue) {
      await emptyDatabase(database.url);
      const seed = `${flags.seed}/${index}`;
      const { processes, world } = flags;
      const report = await playRun({ seed, databaseUrl: database.url, crew, processes, world }).catch(failure);
      tally.add(report);
      for (const violation of report.violations) say(`  run ${index}: ${violation}`);
      if (report.violations.length > 0) {
        const given = Object.entries({ processes, world }).flatMap(([name, value]) =>
          value === undefined ? [] : [` --${name} ${value}`],
        );
        say(
          `FAILED  npx tranche faults payouts --seed ${flags.seed} --run ${index} --times ${MADE_AGAIN}${given.join('')}`,
        );
      }
      if (tally.runs % PROGRESS_EVERY === 0) say(tally.line(flags.seed));
    }
  };
  await Promise.all(Array.from({ length: Math.min(flags.lanes, left.length) }, lane));
} finally {
  crew.end();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
say(tally.summary(flags.seed));
process.exitCode = tally.failedRuns > 0 ? 1 : 0;
