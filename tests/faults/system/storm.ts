import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from '#tests/faults/app-crew.ts';
import { count } from '#tests/faults/counts.ts';
import { Draw } from '#tests/faults/draw.ts';
import { SIDES } from '#tests/faults/edges.ts';
import { advanceQueue, ageDatabase, agePayouts } from '#tests/faults/passing-time.ts';
import type { Strike } from '#tests/faults/strike.ts';
import { TEST_CRON_SECRET } from '#tests/support/env.ts';
import { BOUNDARIES, EVENT_BOUNDARIES, MONEY_BOUNDARIES } from './boundaries.ts';
import { payOnce } from './crowd.ts';
import { Weather } from './faults.ts';
import type { Operator } from './operator.ts';
import { patiently } from './patiently.ts';
import type { Report } from './report.ts';
import type { Scene } from './scene.ts';

/** A round takes so long, or until the scheduler's call has ended. */
const ROUND_MS = 1_500;
const CRON_SECONDS = 3;
/** Steps of which a process is struck at the one that it comes to first. */
const STRIKES = 4;
/** Longer than a killed slice keeps others out, shorter than a claim. */
const SLICE_LEASE_SECONDS = 6;
/** Longer than any lease or claim. */
const LONG_SECONDS = 300;
const IMPATIENT_SECONDS = 1;

function drawStrike(draw: Draw): Strike {
  const among = draw.fraction();
  const boundary = draw.pick(among < 0.6 ? MONEY_BOUNDARIES : among < 0.85 ? EVENT_BOUNDARIES : BOUNDARIES);
  const often = ['request', 'lease', 'submit', 'append events'].includes(boundary);
  return {
    boundary,
    side: draw.pick(SIDES),
    nth: often ? draw.between(1, 4) : draw.pick([1, 1, 1, 2]),
    signal: draw.chance(0.3) ? 'SIGSTOP' : 'SIGKILL',
  };
}

/** The scheduler calls; it may find nobody, or somebody who dies over it. */
export const cron = (baseUrl: string, patienceSeconds: number): Promise<void> =>
  fetch(`${baseUrl}/api/cron/process-payments`, {
    headers: { authorization: `Bearer ${TEST_CRON_SECRET}` },
    signal: AbortSignal.timeout(patienceSeconds * 1000),
  })
    .then(async (answer) => void (await answer.text()))
    .catch(() => undefined);

/** Time passes on the database's and the queue's clocks alike. */
export async function pass(scene: Scene, seconds: number, patienceSeconds: number): Promise<void> {
  // Made once more after a failure, time passes a little faster.
  await patiently(() => ageDatabase(scene.database.db, seconds));
  await patiently(() => agePayouts(scene.database.db));
  await advanceQueue(scene.qstash.url, seconds, patienceSeconds);
}

export function countEnded(report: Report, ended: readonly Worker[]): void {
  for (const { armedWith: strike, wasKilled, crashed } of ended) {
    if (crashed) report.violations.push('a process of the app ended by itself');
    else count(report.kills, strike === null || wasKilled ? 'any time' : `${strike.side} ${strike.boundary}`);
  }
}

/** Each draws from a sequence of its own: what one draws does not depend on when another does. */
interface Draws {
  strikes: Draw;
  crowd: Draw;
  weather: Weather;
}

/** One round: faults change, processes are struck, people pay, operators move; then who hangs goes on. */
async function playRound(scene: Scene, draws: Draws, report: Report, operators: readonly Operator[]) {
  const { crew, baseUrl } = scene;
  const draw = draws.strikes;
  const beganAt = performance.now();
  const plans = crew.workers.map(() =>
    draw.chance(0.85) ? Array.from({ length: STRIKES }, () => drawStrike(draw)) : [],
  );
  // Whoever did not come to its step in the last round is given another.
  for (const [n, worker] of crew.workers.entries()) worker.arm(...(plans[n] ?? []));
  const payments = draw.between(3, 8);
  const killAfterMs = draw.chance(0.3) ? draw.between(1, ROUND_MS) : null;
  const seconds = draw.pick([1, 1, SLICE_LEASE_SECONDS]);
  const killer = killAfterMs === null ? undefined : setTimeout(() => crew.workers[0]?.kill(), killAfterMs);
  const acts = (async () => {
    for (let n = 0; n < payments; n++) count(report.payments, await payOnce(scene.ground, scene.sales, draws.crowd));
  })();
  // An operator and the scheduler wait longer than a round for an answer.
  for (const operator of operators) void operator.goOn();
  const [names] = await Promise.all([draws.weather.change(), acts]);
  for (const name of names) count(report.faults, name);
  const called = cron(baseUrl, CRON_SECONDS);
  await pass(scene, seconds, IMPATIENT_SECONDS);
  countEnded(report, crew.refill());
  await Promise.all([called, pause(Math.max(0, ROUND_MS - (performance.now() - beganAt)))]);
  const hanging = crew.workers.filter(({ isStopped }) => isStopped);
  // Nobody who is well is held to be dead: an age passes only while somebody hangs, and only sometimes.
  const ages = draw.chance(0.6);
  if (hanging.length > 0 && ages) {
    void cron(baseUrl, CRON_SECONDS);
    await pass(scene, LONG_SECONDS, IMPATIENT_SECONDS);
  }
  for (const worker of hanging) {
    report.stops += 1;
    worker.arm();
    worker.goOn();
  }
  clearTimeout(killer);
  countEnded(report, crew.refill());
}

/** Lets everything go wrong for so many seconds while people pay. */
export async function storm(
  scene: Scene,
  seed: string,
  report: Report,
  operators: readonly Operator[],
  seconds: number,
): Promise<void> {
  const weather = new Weather(scene, new Draw(`${seed} weather`));
  const draws = { strikes: new Draw(`${seed} strikes`), crowd: new Draw(`${seed} crowd`), weather };
  // The rounds are counted, not timed: what is drawn follows from the seed on a slow machine too.
  const rounds = Math.ceil((seconds * 1000) / ROUND_MS);
  for (let round = 0; round < rounds; round++) await playRound(scene, draws, report, operators);
  weather.clear();
}
