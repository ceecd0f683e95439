import { Client } from 'xrpl';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { checkAgain } from '#lib/payouts/change-status.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { Draw } from '#tests/faults/draw.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { testEnv } from '#tests/support/env.ts';
import { drawCeiling } from './ceiling.ts';
import type { Crew, Worker } from './crew.ts';
import { endFaults } from './faults.ts';
import { drawObligations, type Obligation, owe, writeSales } from './obligations.ts';
import {
  close,
  endHour,
  expireLeases,
  LEDGERS_TO_EXPIRE,
  type ProcessContext,
  playRound,
  type RunReport,
  readFeed,
  slice,
} from './rounds.ts';
import { openScene } from './scene.ts';
import { openServers, type Servers } from './servers.ts';
import { verifyRecords } from './verify-books.ts';
import { verifyFloor } from './verify-floor.ts';
import { readLedger, verifyLedger } from './verify-ledger.ts';
import { verifyReasons } from './verify-reasons.ts';
import { type World, worldOf } from './worlds.ts';

/** At most so many slices until nothing is under way any more, and so many rounds of asking again for what is held. */
const MAX_SLICES = 80;
const MAX_PASSES = 8;
/** Where an hour must pass between them. */
const MAX_HOURS = 30;

/** Lets one process pay until nothing is under way. Returns how much it did, or null when it came to no end. */
async function payUntilQuiet(run: ProcessContext, worker: Worker): Promise<number | null> {
  let progress = 0;
  for (let slices = 1; slices <= MAX_SLICES; slices++) {
    await expireLeases(run);
    await readFeed(run);
    const end = await slice(run, worker, { strike: null, delay: null, killAfterMs: null });
    if (end.kind !== 'done') throw new Error(`A slice without faults ended: ${JSON.stringify(end)}`);
    for (const fault of end.faults) run.report.violations.push(`an account could not be paid from: ${fault}`);
    progress += end.run.submitted + end.run.settled;
    // A starved machine cuts a slice off as an outage does: the next one goes on, and there is an end to them.
    if (!end.run.remaining && end.run.broken === 0) return progress;
    await close(run, slices % 8 === 0 ? LEDGERS_TO_EXPIRE : 1);
  }
  return null;
}

/** With all faults ended, pays until asking again for everything that waits or is held changes nothing. */
async function settle(run: ProcessContext): Promise<void> {
  const worker = run.crew.take();
  const passes = run.report.world === 'ceiling' ? MAX_HOURS : MAX_PASSES;
  for (let pass = 0; pass < passes; pass++) {
    await endHour(run);
    await checkAgain(run.database.db, {}, true);
    const progress = await payUntilQuiet(run, worker);
    if (progress === null)
      run.report.violations.push(`payouts are under way after ${MAX_SLICES} slices without faults`);
    if (!progress) break;
  }
  run.crew.give(worker);
}

/** What falls due round by round, so that each has something to pay. The parts of an investment stay together. */
function inPortions(owed: readonly Obligation[], rounds: number): Obligation[][] {
  const portions: Obligation[][] = Array.from({ length: rounds }, () => []);
  for (const obligation of owed) portions[obligation.investment % rounds]?.push(obligation);
  return portions;
}

interface Input {
  seed: string;
  databaseUrl: string;
  crew: Crew;
  /** Processes that pay at once; drawn from 1 to 3 when absent. */
  processes: number | undefined;
  /** Drawn when absent. */
  world: World | undefined;
}

/** One run of the campaign: everything in it follows from the seed, but for the moments in which processes meet. */
export async function playRun(input: Input): Promise<RunReport> {
  const draw = new Draw(input.seed);
  const rounds = draw.between(3, 8);
  const processes = input.processes ?? draw.between(1, 3);
  const servers = await openServers(draw);
  const database = await openDatabase(input.databaseUrl, 2);
  const redis = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  const client = new Client(servers.clean.wsUrl);
  try {
    await client.connect();
    return await play(input, { draw, rounds, processes, servers, database, redisUrl: redis.url, client });
  } finally {
    await client.disconnect();
    await redis.close();
    await database.close();
    await servers.close();
  }
}

async function play(
  input: Input,
  opened: {
    draw: Draw;
    rounds: number;
    processes: number;
    servers: Servers;
    database: Database;
    redisUrl: string;
    client: Client;
  },
): Promise<RunReport> {
  const { draw, rounds, processes, servers, database, redisUrl, client } = opened;
  const world = input.world ?? worldOf(input.seed);
  const scene = await openScene(client, servers, draw, { world, rounds, seed: input.seed });
  const { result } = await scene.client.request({ command: 'ledger', ledger_index: 'validated' });
  const owed = drawObligations(scene, draw, Date.parse(result.ledger.close_time_iso));
  const owedSince = new Map<string, number>();
  const ceiling = drawCeiling(world, input.seed);
  const report: RunReport = {
    world,
    violations: [],
    obligations: owed.length,
    paid: 0,
    attempts: 0,
    kills: new Map(),
    stops: 0,
    faults: new Map(),
  };
  const payers = [scene.issuer, scene.distributor, scene.deposit];
  const settings = testEnv({
    POSTGRES_URL: input.databaseUrl,
    POSTGRES_POOL_SIZE: '3',
    KV_REST_API_URL: redisUrl,
    XRPL_URLS: servers.urls.join(','),
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: payers.map(({ address, seed }) => `${address}=ed25519:${seed}`).join(','),
    PAYOUT_HOURLY_LIMIT: String(ceiling.payouts),
    PAYOUT_HOURLY_XRP: String(ceiling.xrp),
  });
  const run: ProcessContext = { draw, servers, scene, database, crew: input.crew, settings, ceiling, report, late: [] };
  await writeSales(database.db, scene);
  const portions = inPortions(owed, rounds);
  for (let round = 0; round < rounds; round++) {
    const portion = portions[round] ?? [];
    await owe(database.db, scene, portion);
    for (const { id } of portion) owedSince.set(id, servers.newest());
    await readFeed(run);
    await scene.changeManners(round);
    await playRound(run, processes);
    await checkAgain(database.db, {}, false);
  }
  endFaults(servers);
  await scene.topUp();
  await close(run, 1);
  await settle(run);
  const shown = await readLedger(scene);
  report.paid = shown.payments.length;
  report.violations.push(...verifyLedger(owed, shown));
  report.violations.push(...(await verifyFloor(scene, owed, shown, owedSince)));
  report.violations.push(...(await verifyRecords(database.db, owed, shown)));
  report.violations.push(...(await verifyReasons(database.db, scene, owed)));
  report.attempts = shown.attempts;
  return report;
}
