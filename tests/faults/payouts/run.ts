import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { checkAgain } from '#lib/payouts/check-again.ts';
import { type Database, openDatabase } from '#lib/platform/db.ts';
import { NETWORK_ID } from '#tests/integration/ledger/desk.ts';
import { testEnv } from '#tests/support/env.ts';
import { BOUNDARIES, CORE_BOUNDARIES, SIDES, type Strike } from './boundaries.ts';
import type { Crew, SliceEnd, Worker } from './crew.ts';
import { Draw } from './draw.ts';
import { endFaults, type FaultKind, strikeServers } from './faults.ts';
import { drawObligations, type Obligation, owe, writeSales } from './obligations.ts';
import type { Delay } from './orders.ts';
import { openScene, type Scene } from './scene.ts';
import { openServers, type Servers } from './servers.ts';
import { verifyBooks } from './verify-books.ts';
import { readLedger, verifyLedger } from './verify-ledger.ts';
import { verifyReasons } from './verify-reasons.ts';

/** What one run did, and everything that was wrong at its end. */
export interface RunReport {
  violations: string[];
  obligations: number;
  paid: number;
  attempts: number;
  kills: Map<string, number>;
  stops: number;
  faults: Map<FaultKind, number>;
}

/** At most so many slices until nothing is under way any more, and so many rounds of asking again for what is held. */
const MAX_SLICES = 80;
const MAX_PASSES = 8;
/** Enough for every attempt under way to expire. */
const LEDGERS_TO_EXPIRE = 25;

interface Surroundings {
  draw: Draw;
  servers: Servers;
  scene: Scene;
  database: Database;
  crew: Crew;
  settings: Record<string, string | undefined>;
  report: RunReport;
  /** Submissions that the network holds back, with the ledger in which they arrive. */
  late: { blob: string; arrivesIn: number }[];
}

const count = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Closes ledgers; what was held back arrives when its ledger is open. */
async function close({ servers, scene, late }: Surroundings, ledgers: number): Promise<void> {
  for (let closed = 0; closed < ledgers; closed++) {
    const index = servers.accept();
    for (const { blob } of late.filter(({ arrivesIn }) => arrivesIn === index)) {
      await scene.client.request({ command: 'submit', tx_blob: blob });
    }
  }
}

/** Lets time pass for whoever was killed or stopped while it held a lease. */
const expireLeases = ({ database }: Surroundings) =>
  database.db.execute(sql`update ${leases} set leased_until = now()`);

function drawStrike(draw: Draw): Strike | null {
  if (!draw.chance(0.75)) return null;
  const boundary = draw.chance(0.7) ? draw.pick(CORE_BOUNDARIES) : draw.pick(BOUNDARIES);
  const often = boundary === 'submit' || boundary === 'lease' || boundary === 'release lease';
  return {
    boundary,
    side: draw.pick(SIDES),
    nth: often ? draw.between(1, boundary === 'submit' ? 8 : 2) : 1,
    signal: draw.chance(0.2) ? 'SIGSTOP' : 'SIGKILL',
  };
}

const drawDelay = (draw: Draw): Delay | null =>
  draw.chance(0.2)
    ? { count: draw.between(1, 6), ledgers: draw.between(1, LEDGERS_TO_EXPIRE), answered: draw.chance(0.5) }
    : null;

/** A slice in one process, which may be struck by itself or be killed by its parent. */
async function slice(
  run: Surroundings,
  worker: Worker,
  plan: { strike: Strike | null; delay: Delay | null; killAfterMs: number | null },
): Promise<SliceEnd> {
  const { settings, servers, late, report } = run;
  const { strike, delay } = plan;
  const timer = plan.killAfterMs === null ? undefined : setTimeout(() => worker.kill(), plan.killAfterMs);
  const end = await worker.slice({ settings, strike, delay }, (blob, ledgers) => {
    count(report.faults, 'delayed');
    late.push({ blob, arrivesIn: servers.newest() + ledgers });
  });
  clearTimeout(timer);
  if (end.kind === 'killed') count(report.kills, end.strike ? `${end.strike.side} ${end.strike.boundary}` : 'any time');
  if (end.kind === 'stopped') report.stops += 1;
  return end;
}

/** One to three processes pay at once while servers fail; then ledgers close, and who was stopped goes on. */
async function playRound(run: Surroundings, processes: number): Promise<void> {
  const { draw, servers, crew, report } = run;
  for (const kind of strikeServers(servers, draw, servers.newest())) count(report.faults, kind);
  const workers = Array.from({ length: processes }, () => crew.take());
  const plans = workers.map(() => ({
    strike: drawStrike(draw),
    delay: drawDelay(draw),
    killAfterMs: draw.chance(0.15) ? draw.between(1, 120) : null,
  }));
  const [meanwhile, afterwards] = [draw.chance(0.3), draw.pick([0, 1, 1, 1, 1, 2, 3, LEDGERS_TO_EXPIRE])];
  const leasesExpire = draw.chance(0.8);
  const others = { strike: drawStrike(draw), delay: null, killAfterMs: null };
  const slices = plans.map((plan, index) => slice(run, workers[index] as Worker, plan));
  if (meanwhile) await close(run, 1);
  const ends = await Promise.all(slices);
  if (leasesExpire) await expireLeases(run);
  const stopped = ends.flatMap((end) => (end.kind === 'stopped' ? [end] : []));
  if (stopped.length > 0) {
    await expireLeases(run);
    const other = crew.take();
    const end = await slice(run, other, others);
    if (end.kind === 'stopped') await end.goOn();
    crew.give(other);
  }
  await close(run, afterwards);
  await Promise.all(stopped.map((end) => end.goOn()));
  for (const worker of workers) crew.give(worker);
}

/** Lets one process pay until nothing is under way. Returns how much it did, or null when it came to no end. */
async function payUntilQuiet(run: Surroundings, worker: Worker): Promise<number | null> {
  let progress = 0;
  for (let slices = 1; slices <= MAX_SLICES; slices++) {
    await expireLeases(run);
    const end = await slice(run, worker, { strike: null, delay: null, killAfterMs: null });
    if (end.kind !== 'done') throw new Error(`A slice without faults ended: ${JSON.stringify(end)}`);
    if (end.run.broken > 0) run.report.violations.push('an account could not be paid from without any fault');
    progress += end.run.submitted + end.run.settled;
    if (!end.run.remaining) return progress;
    await close(run, slices % 8 === 0 ? LEDGERS_TO_EXPIRE : 1);
  }
  return null;
}

/** With all faults ended, pays until asking again for everything that waits or is held changes nothing. */
async function settle(run: Surroundings): Promise<void> {
  const worker = run.crew.take();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
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

/** One run of the campaign: everything in it follows from the seed, but for the moments in which processes meet. */
export async function playRun(input: {
  seed: string;
  databaseUrl: string;
  crew: Crew;
  /** Processes that pay at once; drawn from 1 to 3 when absent. */
  processes: number | undefined;
}): Promise<RunReport> {
  const draw = new Draw(input.seed);
  const rounds = draw.between(3, 8);
  const processes = input.processes ?? draw.between(1, 3);
  const servers = await openServers(draw);
  const database = await openDatabase(input.databaseUrl, 2);
  const scene = await openScene(servers, draw, rounds);
  const { result } = await scene.client.request({ command: 'ledger', ledger_index: 'validated' });
  const owed = drawObligations(scene, draw, Date.parse(result.ledger.close_time_iso));
  const report: RunReport = {
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
    XRPL_URLS: servers.urls.join(','),
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: payers.map(({ address, seed }) => `${address}=ed25519:${seed}`).join(','),
    PAYOUT_HOURLY_XRP: '1000000',
  });
  const run: Surroundings = { draw, servers, scene, database, crew: input.crew, settings, report, late: [] };
  try {
    await writeSales(database.db, scene);
    const portions = inPortions(owed, rounds);
    for (let round = 0; round < rounds; round++) {
      await owe(database.db, scene, portions[round] ?? []);
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
    report.violations.push(...(await verifyBooks(database.db, owed, shown)));
    report.violations.push(...(await verifyReasons(database.db, scene, owed)));
    report.attempts = shown.attempts;
    return report;
  } finally {
    await scene.end();
    await database.close();
    await servers.close();
  }
}
