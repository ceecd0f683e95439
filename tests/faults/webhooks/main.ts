import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { bundleWorker } from '#tests/faults/bundle.ts';
import { listed, sum } from '#tests/faults/counts.ts';
import { cutWhoHangs } from '#tests/faults/database.ts';
import { Draw } from '#tests/faults/draw.ts';
import { positive, say } from '#tests/faults/program.ts';
import { scramble } from './faults.ts';
import type { Report } from './report.ts';
import { playRound, settle } from './rounds.ts';
import { openScene, type Scene } from './scene.ts';
import { verify } from './verify.ts';

const flags = new Command('npx tranche faults webhooks')
  .description(
    'Kills processes that deliver webhooks at every step while the queue and Redis fail, and counts what arrived',
  )
  .option('--events <n>', 'how many events; 10000 is the full form', positive, 300)
  .option('--webhooks <n>', 'webhooks, each of which gets every event', positive, 5)
  .option('--processes <n>', 'processes of the app at once', positive, 3)
  .option('--rounds <n>', 'portions in which they are published; unless given, of 50 events at the most', positive)
  .option('--seed <text>', 'what everything is drawn from', randomBytes(4).toString('hex'))
  .parse()
  .opts<{ events: number; webhooks: number; processes: number; rounds?: number; seed: string }>();

const MOST_PER_ROUND = 50;
/** Outages come by turns, one a round: the short form has more rounds than it needs for its events, and so meets them all. */
const rounds =
  flags.rounds ?? Math.max(Math.ceil(Math.sqrt(flags.events) / 2), Math.ceil(flags.events / MOST_PER_ROUND));
const PROGRESS_EVERY = 5;
/** Violations that are printed; one fault often shows in many deliveries. */
const SHOWN = 20;
const startedAt = performance.now();
const seconds = () => Math.round((performance.now() - startedAt) / 1000);

/** Gives the last event, by sequence, that is settled. */
async function play(scene: Scene, report: Report): Promise<number> {
  const draw = new Draw(flags.seed);
  scramble(scene.qstash.faults, draw);
  const perRound = Math.ceil(flags.events / rounds);
  for (let from = 0, round = 0; from < flags.events; from += perRound, round++) {
    await playRound(scene, draw, report, { round, from, to: Math.min(flags.events, from + perRound) });
    if ((round + 1) % PROGRESS_EVERY === 0) say(`  round ${round + 1}: ${sum(report.kills)} kills, ${seconds()} s`);
  }
  const throughSequence = await settle(scene, report, (line) => say(`${line}, ${seconds()} s`));
  if (throughSequence !== null) return throughSequence;
  report.violations.push('deliveries are open although everything has long been well');
  return Number.MAX_SAFE_INTEGER;
}

const folder = await mkdtemp(path.join(tmpdir(), 'faults-webhooks-'));
const postgres = await startPostgres();
const report: Report = { violations: [], kills: new Map(), stops: 0, outages: new Map() };
try {
  const databaseUrl = await postgres.createDatabase('webhooks');
  await migrateDatabase(databaseUrl);
  await cutWhoHangs(postgres.url);
  const script = await bundleWorker(folder, path.join(import.meta.dirname, 'worker.ts'));
  const scene = await openScene({ ...flags, databaseUrl, script });
  try {
    const throughSequence = await play(scene, report);
    const found = await verify(scene, throughSequence);
    report.violations.push(...found.violations);
    for (const violation of report.violations.slice(0, SHOWN)) say(`  ${violation}`);
    if (report.violations.length > 0)
      say(
        `FAILED  npx tranche faults webhooks --seed ${flags.seed} --events ${flags.events} --rounds ${rounds} --webhooks ${flags.webhooks} --processes ${flags.processes}`,
      );
    say(
      `seed ${flags.seed}: ${scene.eventIds.length} events and ${found.ownEvents} of the platform's own to ${scene.webhookIds.length} webhooks, ${found.deliveries} deliveries, ${report.violations.length} violations, ${sum(report.kills)} kills, ${report.stops} stops, ${seconds()} s`,
    );
    say(`attempts                 ${found.attempts} and ${found.interrupted} interrupted, ${found.arrivals} arrivals`);
    say(`kills by step            ${listed(report.kills)}`);
    say(`outages                  ${listed(report.outages)}`);
    say(`failures of receivers    ${listed(scene.receivers.failures)}`);
    say(
      `faults of the queue      ${scene.qstash.faults
        .list()
        .map((fault) => `${fault.kind}${'times' in fault ? ` ${fault.times}` : ''} ${fault.struck}`)
        .join(', ')}`,
    );
  } finally {
    await scene.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = report.violations.length > 0 ? 1 : 0;
