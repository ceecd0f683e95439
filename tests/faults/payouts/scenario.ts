import path from 'node:path';
import { Option } from 'commander';
import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { checkAgain } from '#lib/payouts/change-status.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { countFlag, type Run, runCampaign, type Scenario } from '#tests/faults/campaign.ts';
import { Crew, type TaskEnd, type Worker } from '#tests/faults/crew.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { type Ledgers, openLedgers } from '#tests/faults/ledgers.ts';
import { drawStrike, type Strike, type StrikeWeights } from '#tests/faults/strike.ts';
import { type FaultName, Weather, WITNESS_FAULT_NAMES } from '#tests/faults/weather.ts';
import { drawsWitnesses, WITNESSES, Witnesses } from '#tests/faults/witnesses.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { testEnv } from '#tests/support/env.ts';
import { type Ceiling, drawCeiling, passHour, verifyCeiling } from './ceiling.ts';
import { drawObligations, type Obligation, owe, writeSales } from './obligations.ts';
import { openScene, type Scene } from './scene.ts';
import type { Delay, Held, SliceOrder, SliceResult } from './slice.ts';
import { verifyRecords } from './verify-books.ts';
import { verifyFloor } from './verify-floor.ts';
import { readPaid, verifyLedger } from './verify-ledger.ts';
import { verifyReasons } from './verify-reasons.ts';
import { countSigned, verifyPatience, verifyWaiting, verifyWitnessed } from './verify-witnessed.ts';
import { drawInvestments, launchSales, payIn } from './witnessed.ts';
import { WITNESSED_WORLDS, WORLDS, type World as WorldName, worldOf } from './worlds.ts';
import { backUp, restore } from './yesterday.ts';

interface Flags {
  runs: number;
  run?: number;
  times: number;
  processes?: number;
  world?: WorldName;
  witnesses?: number;
  lanes: number;
}

/** Who co-signs in a run, and what happens to them and to the database. */
interface Witnessed {
  witnesses: Witnesses;
  weather: Weather;
  draw: Draw;
  /** The round after which too few of them answer. */
  aloneIn: number;
  /** The rounds before which the database is kept, and is what was kept; null when it never is. */
  yesterday: { keptIn: number; restoredIn: number } | null;
}

interface World {
  run: Run<Flags>;
  db: Db;
  draw: Draw;
  rounds: number;
  ledgers: Ledgers;
  scene: Scene;
  weather: Weather;
  crew: Crew;
  /** Processes that pay at once; the crew has one more. */
  processes: number;
  settings: Record<string, string | undefined>;
  ceiling: Ceiling;
  owed: readonly Obligation[];
  /** The ledger after which each obligation was written. */
  owedSince: Map<string, number>;
  /** Submissions that the network holds back, with the ledger in which they arrive. */
  late: { blob: string; arrivesIn: number }[];
  /** Null when one key signs. */
  witnessed: Witnessed | null;
  /** Attempts that a restored database does not know. */
  forgotten: Set<string>;
}

const MOST_PROCESSES = 3;
/** A run that failed once by the moment in which processes met fails again in one of so many. */
const MADE_AGAIN = 16;
/** Runs after which the figures so far are printed. */
const PROGRESS_EVERY = 25;
/** Enough for every attempt under way to expire. */
const LEDGERS_TO_EXPIRE = 25;
/** At most so many slices until nothing is under way any more, and so many rounds of asking again for what is held. */
const MAX_SLICES = 80;
const MAX_PASSES = 8;
/** Where an hour must pass between them. */
const MAX_HOURS = 30;

/** Between these money is at stake. */
const CORE_STEPS = [
  ...(['persist', 'note', 'submit', 'record answer', 'settle', 'commit of settle'] as const),
  ...(['persist tickets', 'submit tickets'] as const),
] as const;
/** Of so many runs one is witnessed. */
const ONE_WITNESSED_IN = 12;
const SHARE_RESTORED = 0.4;
/** At these a process is struck only where there are witnesses. */
const WITNESSED_STEPS = [...CORE_STEPS, ...(['ask witnesses', 'ask witnesses', 'settle tickets'] as const)] as const;
const STRIKES: StrikeWeights = {
  among: [
    [0.7, CORE_STEPS],
    [1, [...CORE_STEPS, ...(['lease', 'postpone', 'settle tickets', 'release lease'] as const)]],
  ],
  nth: (step, draw) =>
    step === 'submit' ? draw.between(1, 8) : step === 'lease' || step === 'release lease' ? draw.between(1, 2) : 1,
  shareStopped: 0.2,
};
const WITNESSED_STRIKES: StrikeWeights = { ...STRIKES, among: [[1, WITNESSED_STEPS]] };
const FAULTS = [
  'submits lost',
  'submit answers lost',
  'ledger lags',
  'ledger lacks history',
  'ledger loaded',
  'ledger overloaded',
  'ledger dropped',
  'ledger switched',
] as const satisfies readonly FaultName[];

async function start(run: Run<Flags>): Promise<World> {
  const { flags, seed, crew, database, report, defer } = run;
  if (crew === null) throw new Error('Paying out needs the processes of its lane');
  const { db } = database;
  const draw = run.draw('run');
  const rounds = draw.between(3, 8);
  const processes = flags.processes ?? draw.between(1, MOST_PROCESSES);
  const ledgers = await openLedgers(run);
  const [first, second] = ledgers.faulty;
  const urls = draw.pick<readonly string[]>([
    [first.server.wsUrl],
    [first.server.wsUrl, second.server.wsUrl],
    [first.relay.wsUrl],
    [first.relay.wsUrl, second.server.wsUrl],
  ]);
  const redis = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  defer(() => redis.close());
  const isWitnessed = flags.witnesses === undefined ? drawsWitnesses(seed, ONE_WITNESSED_IN) : flags.witnesses > 0;
  const drawn = flags.world ?? worldOf(seed);
  const name = isWitnessed && !WITNESSED_WORLDS.has(drawn) ? 'plain' : drawn;
  report.count('worlds', isWitnessed ? `${name} with witnesses` : name);
  const scene = await openScene(ledgers, draw, run.draw(name), { world: name, rounds });
  const { result } = await scene.client.request({ command: 'ledger', ledger_index: 'validated' });
  const witnessed = isWitnessed ? await openWitnessed(run, ledgers, rounds) : null;
  const owed = isWitnessed
    ? drawInvestments(scene, draw)
    : drawObligations(scene, draw, Date.parse(result.ledger.close_time_iso));
  report.count('figures', 'obligations', owed.length);
  const ceiling = drawCeiling(name, seed);
  const payers = [scene.issuer, scene.distributor, scene.deposit];
  const settings = testEnv({
    POSTGRES_URL: database.url,
    POSTGRES_POOL_SIZE: '3',
    KV_REST_API_URL: redis.url,
    XRPL_URLS: urls.join(','),
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: payers
      .map(({ address, seed: own }) => witnessed?.witnesses.keyFor(address) ?? `${address}=ed25519:${own}`)
      .join(','),
    ...witnessed?.witnesses.settings,
    PAYOUT_HOURLY_LIMIT: String(ceiling.payouts),
    PAYOUT_HOURLY_XRP: String(ceiling.xrp),
  });
  await (witnessed === null ? writeSales(db, scene) : launchSales(db, scene, ledgers, witnessed.witnesses));
  witnessed?.witnesses.keepYesterday();
  return {
    ...{ run, db, draw, rounds, ledgers, scene, crew, processes, settings, ceiling, owed, witnessed },
    forgotten: new Set(),
    weather: new Weather({ ledgers }, run.draw('weather')),
    owedSince: new Map(),
    late: [],
  };
}

async function openWitnessed(run: Run<Flags>, ledgers: Ledgers, rounds: number): Promise<Witnessed> {
  const draw = run.draw('witnessed play');
  const witnesses = await Witnesses.open(ledgers, run.draw('witnesses'), run.defer);
  const keptIn = draw.between(0, rounds - 2);
  return {
    ...{ witnesses, draw },
    weather: new Weather({ witnesses }, run.draw('weather of witnesses')),
    aloneIn: draw.between(0, rounds - 1),
    yesterday: draw.chance(SHARE_RESTORED) ? { keptIn, restoredIn: draw.between(keptIn + 1, rounds - 1) } : null,
  };
}

/** Closes ledgers; what was held back arrives when its ledger is open. */
async function close({ ledgers, late }: World, count: number): Promise<void> {
  for (let closed = 0; closed < count; closed++) {
    const index = ledgers.accept();
    for (const { blob } of late.filter(({ arrivesIn }) => arrivesIn === index)) {
      await ledgers.client.request({ command: 'submit', tx_blob: blob });
    }
  }
}

/** The feed has read everything that is closed. */
const readFeed = ({ db, ledgers }: World) => db.update(depositAccounts).set({ cursorLedger: ledgers.newest() });

/** Lets time pass for whoever was killed or stopped while it held a lease. */
const expireLeases = ({ db }: World) => db.execute(sql`update ${leases} set leased_until = now()`);

interface Plan {
  strike: Strike | null;
  delay: Delay | null;
  killAfterMs: number | null;
}
const UNDISTURBED: Plan = { strike: null, delay: null, killAfterMs: null };

const drawDelay = (draw: Draw): Delay | null =>
  draw.chance(0.2)
    ? { count: draw.between(1, 6), ledgers: draw.between(1, LEDGERS_TO_EXPIRE), answered: draw.chance(0.5) }
    : null;

/** A slice in one process, which may be struck by itself or be killed by its parent. */
async function slice(world: World, worker: Worker, plan: Plan): Promise<TaskEnd<SliceResult>> {
  const { settings, ledgers, late, run } = world;
  // One that is only starting would be killed for nothing.
  await worker.port;
  worker.arm(...(plan.strike === null ? [] : [plan.strike]));
  const timer = plan.killAfterMs === null ? undefined : setTimeout(() => worker.kill(), plan.killAfterMs);
  const order: SliceOrder = { settings, delay: plan.delay };
  const end = await worker.perform<SliceResult>(order, (news) => {
    const { blob, ledgers: later } = news as Held;
    run.report.count('faults', 'submit delayed');
    late.push({ blob, arrivesIn: ledgers.newest() + later });
  });
  clearTimeout(timer);
  if (end.kind === 'stopped') run.report.count('stops', 'stops');
  return end;
}

const drawPlan = (draw: Draw, { witnessed }: Pick<World, 'witnessed'>): Plan => ({
  strike: draw.chance(0.75) ? drawStrike(draw, witnessed === null ? STRIKES : WITNESSED_STRIKES) : null,
  delay: drawDelay(draw),
  killAfterMs: draw.chance(0.15) ? draw.between(1, 120) : null,
});

/** What falls due in a round, so that each has something to pay. The parts of an investment stay together. */
async function oweOf(world: World, round: number): Promise<void> {
  const { db, scene, owed, owedSince, ledgers, rounds } = world;
  const portion = owed.filter(({ investment }) => investment % rounds === round);
  if (world.witnessed !== null) await payIn(scene, ledgers, portion);
  await owe(db, scene, portion);
  for (const { id } of portion) owedSince.set(id, ledgers.newest());
}

/** One to three processes pay at once while servers fail; then ledgers close, and who was stopped goes on. */
async function playRound(world: World, round: number): Promise<void> {
  const { run, db, draw, crew, processes, weather, scene } = world;
  await restoreDatabase(world, round);
  await oweOf(world, round);
  await readFeed(world);
  await scene.changeManners(round);
  const drawn = Array.from({ length: draw.between(0, 2) }, () => ({ name: draw.pick(FAULTS), rounds: 1 }));
  for (const name of await weather.change(drawn)) run.report.count('faults', name);
  await strikeWitnesses(world);
  const workers = crew.workers.slice(0, processes);
  const plans = workers.map(() => drawPlan(draw, world));
  const [meanwhile, afterwards] = [draw.chance(0.3), draw.pick([0, 1, 1, 1, 1, 2, 3, LEDGERS_TO_EXPIRE])];
  const leasesExpire = draw.chance(0.8);
  const others = { ...drawPlan(draw, world), delay: null, killAfterMs: null };
  const slices = workers.map((worker, index) => slice(world, worker, plans[index] ?? UNDISTURBED));
  if (meanwhile) await close(world, 1);
  const ends = await Promise.all(slices);
  if (leasesExpire) await expireLeases(world);
  const stopped = ends.flatMap((end) => (end.kind === 'stopped' ? [end] : []));
  const other = crew.workers[processes];
  if (stopped.length > 0 && other !== undefined) {
    await expireLeases(world);
    const end = await slice(world, other, others);
    if (end.kind === 'stopped') await end.goOn();
  }
  await close(world, afterwards);
  await Promise.all(stopped.map((end) => end.goOn()));
  run.report.countEnded(crew.refill());
  await checkAgain(db, {}, world.witnessed !== null);
  if (world.witnessed?.aloneIn !== round) return;
  await payWithoutQuorum(world, world.witnessed);
  await payDeceived(world, world.witnessed);
}

/** The database is yesterday's, while Redis has lost what it remembered. */
async function restoreDatabase({ db, witnessed, forgotten, settings, run }: World, round: number): Promise<void> {
  const { keptIn, restoredIn } = witnessed?.yesterday ?? {};
  if (round === keptIn) await backUp(db);
  if (round !== restoredIn) return;
  for (const hash of await restore(db, settings.KV_REST_API_URL ?? '')) forgotten.add(hash);
  run.report.count('faults', 'database restored');
}

/** Witnesses die, hang, are restored, halted or cut off, and their ledger servers lie to them. */
async function strikeWitnesses({ witnessed, scene, run }: World): Promise<void> {
  if (witnessed === null) return;
  const { witnesses, weather, draw } = witnessed;
  await witnesses.findLie(scene.client, scene.deposit.address);
  const drawn = Array.from({ length: draw.between(0, 2) }, () => ({
    name: draw.pick(WITNESS_FAULT_NAMES),
    rounds: draw.between(1, 2),
  }));
  for (const name of await weather.change(drawn)) run.report.count('witnesses', name);
}

/** How two of three are out of reach here. One that hangs is waited for with each request, and does so in the rounds. */
const AWAY = ['cut', 'killed'] as const;

/** While fewer than a quorum answer, nothing is signed, everything says what it waits for, and nobody is asked again at once. */
async function payWithoutQuorum(world: World, { witnesses, weather, draw }: Witnessed): Promise<void> {
  const { db, run } = world;
  const { violations } = run.report;
  weather.clear();
  world.weather.clear();
  await witnesses.mend();
  const [first, second] = draw.pick<readonly [number, number]>([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  const ends = [first, second].map((index) => witnesses.strike(draw.pick(AWAY), draw, index));
  run.report.count('witnesses', 'quorum away');
  const once = () => payOnce(world);
  // What was signed before passes or expires.
  await close(world, LEDGERS_TO_EXPIRE);
  await once();
  const signed = await countSigned(db);
  const written = witnesses.log.length;
  await checkAgain(db, {}, true);
  await once();
  violations.push(...(await verifyWaiting(db)));
  await once();
  violations.push(...verifyPatience(witnesses.log.slice(written)));
  const now = await countSigned(db);
  if (now !== signed) violations.push(`without a quorum ${now - signed} transactions were signed`);
  for (const end of ends) end();
  await witnesses.mend();
  await checkAgain(db, {}, true);
}

/** Whoever answers for all witnesses says that all is paid, by a payment of something else: what comes of it is seen in the end. */
async function payDeceived(world: World, { witnesses }: Witnessed): Promise<void> {
  await witnesses.findLie(world.scene.client, world.scene.deposit.address);
  const end = witnesses.deceive();
  await payOnce(world);
  end();
  await witnesses.up();
  await checkAgain(world.db, {}, true);
}

/** One slice that nothing disturbs. */
async function payOnce(world: World): Promise<void> {
  const [worker] = world.crew.workers;
  if (worker === undefined) throw new Error('There is no process to pay');
  await expireLeases(world);
  await readFeed(world);
  const end = await slice(world, worker, UNDISTURBED);
  if (end.kind === 'done') world.run.report.violations.push(...end.result.faults);
}

/** Lets one process pay until nothing is under way. Returns how much it did, or null when it came to no end. */
async function payUntilQuiet(world: World, worker: Worker): Promise<number | null> {
  const { run } = world;
  let progress = 0;
  for (let slices = 1; slices <= MAX_SLICES; slices++) {
    await expireLeases(world);
    await readFeed(world);
    const end = await slice(world, worker, UNDISTURBED);
    if (end.kind !== 'done') throw new Error(`A slice without faults was ${end.kind}`);
    const { run: done, faults } = end.result;
    for (const fault of faults) run.report.violations.push(`an account could not be paid from: ${fault}`);
    progress += (done?.submitted ?? 0) + (done?.settled ?? 0);
    // A starved machine cuts a slice off as an outage does: the next one goes on, and there is an end to them.
    if (done !== null && !done.remaining && done.broken === 0) return progress;
    await close(world, slices % 8 === 0 ? LEDGERS_TO_EXPIRE : 1);
  }
  return null;
}

/** The escrows of what vesting owes come to their end. */
async function passLocks(world: World): Promise<void> {
  const { owed, scene } = world;
  const ends = owed.flatMap(({ kind, lockedUntil }) => (kind === 'unlock' ? [lockedUntil?.getTime() ?? 0] : []));
  const isPast = async () => {
    const { result } = await scene.client.request({ command: 'ledger', ledger_index: 'validated' });
    return Date.parse(result.ledger.close_time_iso) > Math.max(0, ...ends);
  };
  while (!(await isPast())) await close(world, 1);
  await scene.endEscrows();
  await close(world, 1);
}

/** With all faults ended, pays until asking again for everything that waits or is held changes nothing. */
async function settle(world: World): Promise<void> {
  const { run, db, scene, weather, crew, ceiling } = world;
  const { report } = run;
  weather.clear();
  world.witnessed?.weather.clear();
  await world.witnessed?.witnesses.mend();
  await scene.topUp();
  await close(world, 1);
  const [worker] = crew.workers;
  if (worker === undefined) throw new Error('There is no process to pay');
  const passes = scene.world === 'ceiling' ? MAX_HOURS : MAX_PASSES;
  for (let pass = 0; pass < passes; pass++) {
    // An hour ends, and nobody has paid more in it than allowed.
    report.violations.push(...(await verifyCeiling(db, ceiling, report.sum('stops'))));
    await passHour(db);
    await checkAgain(db, {}, true);
    const progress = await payUntilQuiet(world, worker);
    if (progress === null) report.violations.push(`payouts are under way after ${MAX_SLICES} slices without faults`);
    if (pass === 0) await passLocks(world);
    else if (!progress) break;
  }
}

/** What the ledger shows, against what was owed, the records and the reasons that they give. */
async function verify({ run, db, scene, owed, owedSince, witnessed, forgotten }: World): Promise<string[]> {
  const shown = await readPaid(scene);
  run.report.count('figures', 'paid', shown.payments.length);
  run.report.count('figures', 'attempts', shown.payments.length + shown.failed.size);
  return [
    ...verifyLedger(owed, shown),
    ...(await verifyFloor(scene, owed, shown, owedSince)),
    ...(witnessed === null ? [] : await verifyWitnessed(scene, witnessed.witnesses, owed, shown)),
    ...(await verifyRecords(db, owed, shown, forgotten)),
    ...(await verifyReasons(db, scene, owed)),
  ];
}

const scenario: Scenario<Flags, World> = {
  command: 'npx tranche faults payouts',
  description:
    'Kills processes that pay out at every step while the ledger fails, and reads from the ledger what was paid',
  worker: path.join(import.meta.dirname, 'worker.ts'),
  options: [
    countFlag('--runs <n>', 'how many runs', { default: 25 }),
    countFlag('--run <k>', 'only the k-th run, from 0: how a failing one is made again', { least: 0 }),
    countFlag('--times <n>', 'how often that run is made: not all its moments follow from the seed', { default: 1 }),
    countFlag('--processes <n>', 'processes that pay at once; drawn from 1 to 3 when absent'),
    new Option('--world <name>', 'what is particular about the runs; drawn when absent').choices(WORLDS),
    countFlag(`--witnesses <n>`, `witnesses that co-sign: 0 or ${WITNESSES}; drawn when absent`, { least: 0 }),
    countFlag('--lanes <n>', 'runs at the same time', { default: 2 }),
  ],
  plan({ seed, runs, run, times, lanes, processes, world, witnesses }) {
    const numbers = run === undefined ? Array.from({ length: runs }, (_, index) => index) : Array(times).fill(run);
    const given = Object.entries({ processes, world, witnesses }).flatMap(([name, value]) =>
      value === undefined ? [] : [` --${name} ${value}`],
    );
    return {
      seeds: numbers.map((index) => `${seed}/${index}`),
      lanes,
      lineEvery: PROGRESS_EVERY,
      replay: (failed) => `--seed ${seed} --run ${failed.split('/').at(-1)} --times ${MADE_AGAIN}${given.join('')}`,
    };
  },
  crew: (script, { processes }) => new Crew(script, null, (processes ?? MOST_PROCESSES) + 1),
  start,
  rounds: ({ rounds }) => rounds,
  playRound,
  settle,
  invariants: [verify],
  line: (report, { seed, played, failed, seconds }) =>
    `seed ${seed}: ${played} runs, ${failed} failed, ${report.sum('kills')} kills, ${report.sum('stops')} stops, ${report.sum('faults')} faults, ${report.figure('figures', 'paid')} of ${report.figure('figures', 'obligations')} obligations paid, ${seconds} s`,
  summary: (total) => [
    ['transactions on the ledger', String(total.figure('figures', 'attempts'))],
    ['kills by step', total.listed('kills')],
    ['worlds', total.listed('worlds')],
    ['faults of the servers', total.listed('faults')],
    ['faults of witnesses', total.listed('witnesses')],
  ],
};

await runCampaign(scenario);
