import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Database } from '#lib/base/db.ts';
import { count } from '#tests/faults/counts.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { SIDES } from '#tests/faults/edges.ts';
import type { Strike } from '#tests/faults/strike.ts';
import { BOUNDARIES, type Boundary, CORE_BOUNDARIES } from './boundaries.ts';
import { type Ceiling, passHour, verifyCeiling } from './ceiling.ts';
import type { Crew, SliceEnd, Worker } from './crew.ts';
import { type FaultKind, strikeServers } from './faults.ts';
import type { Delay } from './orders.ts';
import type { Scene } from './scene.ts';
import type { Servers } from './servers.ts';
import type { World } from './worlds.ts';

/** What one run did, and everything that was wrong at its end. */
export interface RunReport {
  world: World;
  violations: string[];
  obligations: number;
  paid: number;
  attempts: number;
  kills: Map<string, number>;
  stops: number;
  faults: Map<FaultKind, number>;
}

/** Enough for every attempt under way to expire. */
export const LEDGERS_TO_EXPIRE = 25;

export interface ProcessContext {
  draw: Draw;
  servers: Servers;
  scene: Scene;
  database: Database;
  crew: Crew;
  settings: Record<string, string | undefined>;
  ceiling: Ceiling;
  report: RunReport;
  /** Submissions that the network holds back, with the ledger in which they arrive. */
  late: { blob: string; arrivesIn: number }[];
}

/** Closes ledgers; what was held back arrives when its ledger is open. */
export async function close({ servers, scene, late }: ProcessContext, ledgers: number): Promise<void> {
  for (let closed = 0; closed < ledgers; closed++) {
    const index = servers.accept();
    for (const { blob } of late.filter(({ arrivesIn }) => arrivesIn === index)) {
      await scene.client.request({ command: 'submit', tx_blob: blob });
    }
  }
}

/** The feed has read everything that is closed. */
export const readFeed = ({ database, servers }: ProcessContext) =>
  database.db.update(depositAccounts).set({ cursorLedger: servers.newest() });

/** An hour ends, and nobody has paid more in it than allowed. */
export async function endHour({ database, ceiling, report }: ProcessContext): Promise<void> {
  report.violations.push(...(await verifyCeiling(database.db, ceiling, report.stops)));
  await passHour(database.db);
}

/** Lets time pass for whoever was killed or stopped while it held a lease. */
export const expireLeases = ({ database }: ProcessContext) =>
  database.db.execute(sql`update ${leases} set leased_until = now()`);

function drawStrike(draw: Draw): Strike<Boundary> | null {
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
export async function slice(
  run: ProcessContext,
  worker: Worker,
  plan: { strike: Strike<Boundary> | null; delay: Delay | null; killAfterMs: number | null },
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
export async function playRound(run: ProcessContext, processes: number): Promise<void> {
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
