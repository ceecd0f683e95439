import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, Option } from 'commander';
import { Client } from 'pg';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { bundleWorker } from '#tests/faults/bundle.ts';
import { listed, sum } from '#tests/faults/counts.ts';
import { positive, say } from '#tests/faults/program.ts';
import { copyTemplate, TEMPLATE } from '#tests/support/postgres.ts';
import { startRestartable } from './postgres.ts';
import { addReport, newReport } from './report.ts';
import { SABOTAGES, type Sabotage, sabotaged } from './sabotage.ts';
import { playSeed } from './seed.ts';

const flags = new Command('npx tranche faults')
  .description(
    'Breaks every part of the platform while a crowd pays into sales, mends it, and reads from the ledger and the receivers what became of it',
  )
  .option(
    '--seeds <n>',
    'how many seeds; 200 is the full form, and without it as many of four as two minutes allow',
    positive,
    4,
  )
  .option('--seed <text>', 'the one seed to play, or with --seeds what they begin with', (text: string) => text)
  .option('--seconds <n>', 'how long everything goes wrong, a seed', positive, 12)
  .addOption(
    new Option('--sabotage <name>', 'break the code itself, to see that it is found').choices(Object.keys(SABOTAGES)),
  )
  .parse();
const { seeds, seed, seconds, sabotage } = flags.opts<{
  seeds: number;
  seed?: string;
  seconds: number;
  sabotage?: Sabotage;
}>();
const root = seed ?? randomBytes(4).toString('hex');
const isShort = flags.getOptionValueSource('seeds') === 'default';
const isOne = seed !== undefined && isShort;
const names = isOne ? [root] : Array.from({ length: seeds }, (_, n) => `${root}/${n}`);

/** The short form begins no seed after this: on a slow machine it plays fewer, and at least one. */
const SHORT_MS = 110_000;
/** Violations of a seed that are printed; one fault often shows in many places. */
const SHOWN = 12;
const startedAt = performance.now();
const since = (from: number) => `${Math.round((performance.now() - from) / 1000)} s`;
const causeOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack ?? error.message}${error.cause === undefined ? '' : `, because ${causeOf(error.cause)}`}`
    : String(error);

const folder = await mkdtemp(path.join(tmpdir(), 'faults-'));
const postgres = await startRestartable(folder);
const total = newReport();
let [played, failed] = [0, 0];
try {
  await migrateDatabase(await createTemplate());
  const plugins = sabotage === undefined ? [] : [sabotaged(sabotage)];
  const script = await bundleWorker(folder, path.join(import.meta.dirname, 'worker.ts'), plugins);
  for (const name of names) {
    const beganAt = performance.now();
    if (isShort && beganAt - startedAt > SHORT_MS) break;
    const database = await copyTemplate(postgres.url);
    const report = await playSeed({
      seed: name,
      postgres,
      databaseUrl: database.url,
      script,
      stormSeconds: seconds,
    }).catch((error: unknown) => ({ ...newReport(), violations: [causeOf(error)] }));
    await database.drop();
    played += 1;
    addReport(total, report);
    const { violations, kills, stops, faults, figures } = report;
    say(
      `seed ${name}: ${violations.length} violations, ${sum(kills)} kills, ${stops} stops, ${sum(faults)} faults, ${figures.get('payments') ?? 0} payments, ${figures.get('payouts paid') ?? 0} payouts, ${figures.get('events') ?? 0} events, ${figures.get('deliveries') ?? 0} deliveries, ${since(beganAt)}`,
    );
    if (violations.length === 0) continue;
    failed += 1;
    for (const violation of violations.slice(0, SHOWN)) say(`  ${violation}`);
    say(
      `FAILED  npx tranche faults --seed ${name} --seconds ${seconds}${sabotage === undefined ? '' : ` --sabotage '${sabotage}'`}`,
    );
    // What is broken on purpose need be found but once.
    if (sabotage !== undefined) break;
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
say(`${played} seeds, ${failed} failed, ${since(startedAt)}`);
say(`kills by step   ${listed(total.kills)}, and ${total.stops} stops`);
say(`faults          ${listed(total.faults)}`);
say(`sales           ${listed(total.sales)}; ended ${listed(total.ends)}`);
say(`payments        ${listed(total.payments)}`);
say(`in all          ${listed(total.figures)}`);
process.exitCode = failed > 0 ? 1 : 0;

async function createTemplate(): Promise<string> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`).finally(() => client.end());
  const url = new URL(postgres.url);
  url.pathname = `/${TEMPLATE}`;
  return url.href;
}
