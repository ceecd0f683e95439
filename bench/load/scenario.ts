import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from '../webhooks/now.ts';
import { percentile } from '../webhooks/percentile.ts';
import { type DatabaseUse, databaseUse } from './database-use.ts';
import { AMOUNT_DROPS, CONFIRMATIONS, type Environment, openEnvironment } from './environment.ts';
import type { Closes } from './ledger.ts';
import { findLost, type Lost, ledgersOf, ledgersToPayout } from './lost.ts';
import { watchMemory } from './memory.ts';
import { payAtOnce, paySteadily } from './pay.ts';
import type { Reads } from './readers.ts';
import type { Arrivals } from './receiver.ts';
import { type Settled, untilSettled } from './settle.ts';
import { between, total, type Usage } from './usage.ts';
import { type SignedPayment, signPayment } from './wallets.ts';

/** Payments at the beginning for each instance, the times of which do not count. */
const WARM_UP = 30;
/** Several slices of a worker that follows the ledger, and a call of the scheduler. */
const IDLE_MS = 60_000;
const READING_MS = 4_000;

export interface ScenarioOptions {
  wallets: number;
  webhooks: number;
  /** 0 is none. */
  readsPerSecond: number;
  /** The sale pays out at once, which is waited for; else at its end, which does not come. */
  payouts: boolean;
  ledgerMs: number;
  heartbeatSeconds: number;
  /** Whether a worker follows the ledger; else there are beats. */
  follow: boolean;
  /** Payments of the steady part, and how many a second. */
  steady: number;
  steadyPerSecond: number;
  /** The longest that either part may take to settle. */
  seconds: number;
}

export interface Latency {
  p50: number;
  p95: number;
  p99: number;
  highest: number;
}

/** What was paid in a row, and what became of it. */
export interface Part {
  payments: number;
  /** Milliseconds: until the ledger had taken the last submission. */
  submittedMs: number;
  /** Milliseconds from the first submission to the last payment confirmed, received by all, paid out; null if it never was. */
  confirmedMs: number | null;
  receivedMs: number | null;
  paidOutMs: number | null;
  /** Tokens were to be paid out at once. */
  isPaidOut: boolean;
  /** From the close of the ledger that confirms a payment to the first byte of the event at a webhook, in milliseconds, over all webhooks. */
  latency: Latency | null;
  /** From the ledger that confirms a payment to that of its payout, in ledgers; null where none was paid out. */
  ledgersToPayout: Latency | null;
  lost: Lost;
  reads: { count: number; p50: number; p99: number; failures: Record<string, number> };
}

/** What instances used together in a while. */
export interface Used {
  elapsedMs: number;
  app: Usage;
  database: DatabaseUse;
  queueMessages: number;
}

export interface Scenario {
  instances: number;
  warmUp: Part;
  flood: Part;
  steady: Part | null;
  floodUse: Used;
  /** The sale is active, and nobody pays or reads. */
  idleUse: Used;
  /** Processor time that the app takes for one read, in milliseconds. */
  cpuMsARead: number;
  /** Of each instance, every second of the flood. */
  rssBytes: number[][];
  /** Alive in all instances together, after a collection. */
  heapBeforeBytes: number;
  heapAfterBytes: number;
}

/** Processor time of the app for the payments themselves, without the reads, in milliseconds. */
export const cpuMsOfPayments = ({ flood, floodUse, cpuMsARead }: Scenario): number =>
  Math.max(0, floodUse.app.cpuMs - flood.reads.count * cpuMsARead);

async function lookAtUse(ground: Environment): Promise<Omit<Used, 'elapsedMs'> & { atMs: number }> {
  return {
    atMs: nowMs(),
    app: total(await ground.fleet.look()),
    database: await databaseUse(ground.database),
    queueMessages: await ground.queueMessages(),
  };
}

type Look = Awaited<ReturnType<typeof lookAtUse>>;

const usedBetween = (before: Look, after: Look): Used => ({
  elapsedMs: after.atMs - before.atMs,
  app: between(before.app, after.app),
  database: {
    activeMs: after.database.activeMs - before.database.activeMs,
    sizeBytes: after.database.sizeBytes - before.database.sizeBytes,
  },
  queueMessages: after.queueMessages - before.queueMessages,
});

async function use(ground: Environment, work: () => Promise<unknown>): Promise<Used> {
  const before = await lookAtUse(ground);
  await work();
  return usedBetween(before, await lookAtUse(ground));
}

/** Pages and interface as they are asked for during a sale, some of them about wallets that pay. */
function pathsToRead({ project, payers }: Environment): string[] {
  const wallets = payers.slice(0, 50).map(({ address }) => address);
  return wallets.flatMap((wallet) => [
    `/sales/${project.slug}`,
    `/api/projects/${project.id}`,
    `/api/investments?wallet_address=${wallet}`,
    '/',
    `/api/projects/${project.id}/quote?amount_xrp=10.000000`,
    `/wallets/${wallet}`,
    '/api/system/status',
    '/api/projects',
  ]);
}

const spread = (values: readonly number[]): Latency | null =>
  values.length === 0
    ? null
    : {
        p50: percentile(values, 0.5),
        p95: percentile(values, 0.95),
        p99: percentile(values, 0.99),
        highest: percentile(values, 1),
      };

function latencyOf(arrived: Arrivals, onLedger: ReadonlyMap<string, number>, closes: Closes): Latency | null {
  const closedAtMs = new Map(closes);
  const latencies = arrived.arrivals.flatMap(([, eventId, atMs]) => {
    const ledger = onLedger.get(arrived.hashes[eventId] ?? '');
    const closed = ledger === undefined ? undefined : closedAtMs.get(ledger + CONFIRMATIONS);
    return closed === undefined ? [] : [atMs - closed];
  });
  return spread(latencies);
}

interface PartOptions extends ScenarioOptions {
  /** Paid and settled before. */
  paidBefore: number;
}

async function playPart(
  ground: Environment,
  payments: readonly SignedPayment[],
  pay: () => Promise<unknown>,
  options: PartOptions,
): Promise<Part> {
  const { webhooks, payouts, readsPerSecond, seconds, paidBefore } = options;
  await ground.readers.order({ kind: 'read', paths: pathsToRead(ground), perSecond: readsPerSecond });
  const startedAtMs = nowMs();
  await pay();
  const submittedMs = nowMs() - startedAtMs;
  const settled: Settled = await untilSettled(ground, {
    payments: paidBefore + payments.length,
    arrivals: payments.length * webhooks,
    payouts,
    timeoutMs: seconds * 1000,
  });
  const reads = await ground.readers.order<Reads>({ kind: 'stop' });
  const arrived = await ground.receiver.order<Arrivals>({ kind: 'take' });
  const onLedger = await ledgersOf(ground.client, ground.project.address);
  const paid = payments.map(({ hash }) => hash);
  const since = (atMs: number | null) => (atMs === null ? null : atMs - startedAtMs);
  const { latenciesMs, failures } = reads;
  return {
    payments: payments.length,
    submittedMs,
    confirmedMs: since(settled.confirmedAtMs),
    receivedMs: since(settled.receivedAtMs),
    paidOutMs: since(settled.paidOutAtMs),
    isPaidOut: payouts,
    ledgersToPayout: spread(await ledgersToPayout(ground.database, paid, CONFIRMATIONS)),
    latency: latencyOf(arrived, onLedger, await ground.ledger.order<Closes>({ kind: 'closes' })),
    lost: await findLost(ground.database, {
      projectId: ground.project.id,
      paid,
      onLedger,
      webhooks,
      arrived,
    }),
    reads: {
      count: latenciesMs.length,
      p50: latenciesMs.length === 0 ? Number.NaN : percentile(latenciesMs, 0.5),
      p99: latenciesMs.length === 0 ? Number.NaN : percentile(latenciesMs, 0.99),
      failures,
    },
  };
}

/** What one read costs, above what an active sale costs with nobody about. */
async function measureReads(ground: Environment, idle: Used, perSecond: number): Promise<number> {
  if (perSecond === 0) return 0;
  let reads = 0;
  const reading = await use(ground, async () => {
    await ground.readers.order({ kind: 'read', paths: pathsToRead(ground), perSecond });
    await pause(READING_MS);
    reads = (await ground.readers.order<Reads>({ kind: 'stop' })).latenciesMs.length;
  });
  const idleCpuMs = (idle.app.cpuMs / idle.elapsedMs) * reading.elapsedMs;
  return Math.max(0, reading.app.cpuMs - idleCpuMs) / Math.max(1, reads);
}

const collectedHeap = async ({ fleet }: Environment): Promise<number> => total(await fleet.look(true)).heapBytes ?? 0;

/** A sale on a ground of its own, served by so many instances: some pay at a steady rate, then everybody at once. */
export async function playScenario(instances: number, options: ScenarioOptions): Promise<Scenario> {
  const ground = await openEnvironment({ ...options, instances });
  try {
    const sign = (count: number): SignedPayment[] => {
      const to = { address: ground.project.address, tag: ground.project.tag, amountDrops: AMOUNT_DROPS };
      return ground.payers.slice(0, count).map((payer) => signPayment(payer, to));
    };
    const [first, few, crowd] = [
      sign(Math.min(WARM_UP * instances, options.wallets)),
      sign(options.steady),
      sign(options.wallets),
    ];
    await ground.ledger.order({ kind: 'begin', everyMs: options.ledgerMs });
    const atRate = (payments: readonly SignedPayment[], paidBefore: number): Promise<Part> => {
      const pay = () => paySteadily(ground.ledgerUrl, payments, options.steadyPerSecond);
      return playPart(ground, payments, pay, { ...options, paidBefore });
    };
    // What is loaded and compiled once is nobody's latency and no growth of memory.
    const warmUp = await atRate(first, 0);
    const steady = few.length === 0 ? null : await atRate(few, first.length);
    const heapBeforeBytes = await collectedHeap(ground);
    const memory = watchMemory(() => ground.fleet.look());
    const before = await lookAtUse(ground);
    const payAll = () => payAtOnce(ground.ledgerUrl, crowd);
    const flood = await playPart(ground, crowd, payAll, { ...options, paidBefore: first.length + few.length });
    const floodUse = usedBetween(before, await lookAtUse(ground));
    const rssBytes = memory.end();
    const heapAfterBytes = await collectedHeap(ground);
    const idleUse = await use(ground, () => pause(IDLE_MS));
    const cpuMsARead = await measureReads(ground, idleUse, options.readsPerSecond);
    return {
      instances,
      warmUp,
      flood,
      steady,
      floodUse,
      idleUse,
      cpuMsARead,
      rssBytes,
      heapBeforeBytes,
      heapAfterBytes,
    };
  } finally {
    await ground.end();
  }
}
