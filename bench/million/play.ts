import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Client } from 'xrpl';
import { type DatabaseUse, databaseUse } from '../load/database-use.ts';
import { AMOUNT_DROPS, type Environment, type LoadSale, openEnvironment } from '../load/environment.ts';
import { findLost, type Lost, ledgersOf } from '../load/lost.ts';
import { onConnections, submitAll } from '../load/pay.ts';
import type { Reads } from '../load/readers.ts';
import type { Arrivals } from '../load/receiver.ts';
import { total, type Usage } from '../load/usage.ts';
import { type Payer, type SignedPayment, signPayment } from '../load/wallets.ts';
import { percentile } from '../webhooks/percentile.ts';
import {
  countStatements,
  DATABASE_SETTINGS,
  type IndexLine,
  readSizes,
  readStatements,
  type StatementLine,
  type Statements,
  slowest,
  type TableLine,
} from './database.ts';
import { type Memory, memoryOf, watchHighest } from './processes.ts';
import { type Verified, verifyFromOutside } from './verify.ts';

export interface MillionOptions {
  payments: number;
  wallets: number;
  /** Wallets that hold the token: each pays once, to a sale that pays out at once. */
  payouts: number;
  /** The tokens of all others are due at once too, and wait for their holders; else they are due when their sale ends. */
  waiting: boolean;
  webhooks: number;
  /** Pages and answers about the larger sale that are asked for each second meanwhile. */
  reads: number;
  /** Payments that may be on their way to confirmation at once. */
  window: number;
  ledgerMs: number;
  /** Without progress for so long, the run fails. */
  stallSeconds: number;
  ledgerHeapMb: number;
}

/** The times of those before do not count: what is loaded and compiled once is nobody's time per payment. */
const WARM_UP = 1_000;
const PARTS = 10;
const LINE_EVERY = 10_000;
/** Payments that are signed before anything else is looked at. */
const SIGNED_AT_ONCE = 500;
const LOOK_EVERY_MS = 200;

/** How far the platform is, by what it has counted itself: no row of a payment is read. */
interface Reached {
  confirmed: number;
  paidOut: number;
}

async function reached({ database }: Environment): Promise<Reached> {
  const { rows } = await database.db.execute<{ confirmed: number; paid_out: number }>(sql`
    select (select coalesce(sum(raised_drops), 0) from projects)::double precision / ${AMOUNT_DROPS} as confirmed,
      (select coalesce(sum(count), 0) from payout_counts
        where kind = 'distribution' and outcome = 'validated')::double precision as paid_out`);
  const [row] = rows;
  if (row === undefined) throw new Error('The database says nothing');
  return { confirmed: Math.floor(row.confirmed), paidOut: row.paid_out };
}

/** What stood at the end of a part. */
interface Mark extends Reached {
  atMs: number;
  app: Usage;
  database: DatabaseUse;
  statements: Statements;
  /** Taken once the reads that were under way are answered: nothing waits for them. */
  reads: Promise<Reads>;
}

/** A tenth of the payments. */
export interface Part {
  confirmed: number;
  paidOut: number;
  elapsedMs: number;
  /** Of the app: processor time, and what is alive after a collection at its end. */
  cpuMs: number;
  heapBytes: number;
  /** Time in which the database executed statements. */
  databaseMs: number;
  sizeBytes: number;
  /** The highest of each process. */
  memory: Memory;
  /** Milliseconds of those that were answered, 0 without any; and what the others were answered. */
  readsP95: number;
  readFailures: Record<string, number>;
}

export interface Million {
  parts: Part[];
  /** Of all after the warm-up, until the last was confirmed, paid out, and received by the last webhook. */
  payments: number;
  confirmedMs: number;
  paidOutMs: number;
  receivedMs: number;
  lost: Lost[];
  verified: Verified[];
  /** Validated payouts on the ledger, as the verifier has counted them. */
  payoutsVerified: number;
  tables: TableLine[];
  indexes: IndexLine[];
  statements: StatementLine[];
}

/** One of the two sales, its wallets and what they have paid. */
interface Side {
  sale: LoadSale;
  payers: readonly Payer[];
  hashes: string[];
}

/** The payments in their order: those of holders evenly among all others, each wallet in its turn. */
class Payments {
  readonly total: number;
  readonly holders: Side;
  readonly others: Side;
  signed = 0;

  constructor(total: number, holders: Side, others: Side) {
    this.total = total;
    this.holders = holders;
    this.others = others;
  }

  next(count: number): SignedPayment[] {
    return Array.from({ length: Math.min(count, this.total - this.signed) }, () => {
      const { length } = this.holders.payers;
      const isHolder = Math.floor(((this.signed + 1) * length) / this.total) > this.holders.hashes.length;
      const { sale, payers, hashes } = isHolder ? this.holders : this.others;
      const payer = payers[hashes.length % payers.length];
      if (payer === undefined) throw new Error('There is no wallet to pay');
      const payment = signPayment(payer, { address: sale.address, tag: sale.tag, amountDrops: AMOUNT_DROPS });
      hashes.push(payment.hash);
      this.signed += 1;
      return payment;
    });
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const inWords = (memory: Memory): string =>
  Object.entries(memory)
    .map(([name, bytes]) => `${name} ${megabytes(bytes)}`)
    .join(', ');

async function readMemory(ground: Environment): Promise<Memory> {
  const usages = await ground.fleet.look();
  return {
    app: usages.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    database: memoryOf(ground.databasePid),
    ledger: memoryOf(ground.ledger.process.pid ?? 0),
    receiver: memoryOf(ground.receiver.process.pid ?? 0),
    bench: process.memoryUsage().rss,
  };
}

function addArrivals(all: Arrivals, more: Arrivals): void {
  Object.assign(all.hashes, more.hashes);
  for (const arrival of more.arrivals) all.arrivals.push(arrival);
  all.refused += more.refused;
}

/** What is asked for while a sale is open, some of it about wallets that pay. */
const pathsAbout = ({ sale, payers }: Side): string[] =>
  payers
    .slice(0, 50)
    .flatMap(({ address }) => [
      `/sales/${sale.slug}`,
      `/api/projects/${sale.id}`,
      `/api/projects/${sale.id}/history`,
      `/api/investments?wallet_address=${address}`,
      `/wallets/${address}`,
      '/api/system/status',
    ]);

/** Follows the payments from tenth to tenth and says how it goes. */
class Course {
  readonly marks: Mark[] = [];
  readonly memories: Memory[] = [];
  readonly arrived: Arrivals = { hashes: {}, arrivals: [], refused: 0 };
  readonly #ground: Environment;
  readonly #options: MillionOptions;
  readonly #say: (line: string) => void;
  readonly #watch: ReturnType<typeof watchHighest>;
  readonly #paths: string[];
  /** The last one that has begun; none before the warm-up is over. */
  #part = -1;
  #line = { confirmed: 0, atMs: performance.now() };

  constructor(ground: Environment, read: Side, options: MillionOptions, say: (line: string) => void) {
    this.#ground = ground;
    this.#paths = pathsAbout(read);
    this.#options = options;
    this.#say = say;
    this.#watch = watchHighest(() => readMemory(ground));
  }

  async begin(): Promise<void> {
    await this.#ground.readers.order({ kind: 'read', paths: this.#paths, perSecond: this.#options.reads });
  }

  /** Of the events, those that came so far. */
  async received(): Promise<number> {
    return this.arrived.arrivals.length + (await this.#ground.receiver.order<number>({ kind: 'count' }));
  }

  async note(now: Reached): Promise<void> {
    const { payments } = this.#options;
    if (now.confirmed - this.#line.confirmed >= LINE_EVERY) await this.#sayLine(now);
    const part = Math.floor(((now.confirmed - WARM_UP) * PARTS) / (payments - WARM_UP));
    if (part <= this.#part) return;
    this.#part = part;
    await this.#mark(now);
  }

  async #sayLine(now: Reached): Promise<void> {
    const elapsedMs = performance.now() - this.#line.atMs;
    const forEach = elapsedMs / (now.confirmed - this.#line.confirmed);
    this.#line = { confirmed: now.confirmed, atMs: performance.now() };
    this.#say(
      `${whole(now.confirmed)} confirmed, ${whole(now.paidOut)} paid out, ${whole(await this.received())} received; ${((forEach * LINE_EVERY) / 1000).toFixed(1)} s for ${whole(LINE_EVERY)}; ${inWords(this.#watch.latest())}`,
    );
  }

  async #mark(now: Reached): Promise<void> {
    const { fleet, database, receiver } = this.#ground;
    const atMs = performance.now();
    const [statements, use] = [await readStatements(database), await databaseUse(database)];
    addArrivals(this.arrived, await receiver.order<Arrivals>({ kind: 'take' }));
    const reads = this.#ground.readers.order<Reads>({ kind: 'stop' });
    const begun = this.begin();
    // A reader that is gone is noticed when the reads are counted.
    for (const order of [reads, begun]) order.catch(() => undefined);
    const app = total(await fleet.look(true));
    this.marks.push({ ...now, atMs, statements, database: use, app, reads });
    this.memories.push(this.#watch.highest());
  }

  async parts(): Promise<Part[]> {
    const reads = await Promise.all(this.marks.map((mark) => mark.reads));
    return this.marks.slice(1).map((mark, index) => {
      const before = this.marks[index] as Mark;
      const { latenciesMs, failures } = reads[index + 1] as Reads;
      return {
        confirmed: mark.confirmed - before.confirmed,
        paidOut: mark.paidOut - before.paidOut,
        elapsedMs: mark.atMs - before.atMs,
        cpuMs: mark.app.cpuMs - before.app.cpuMs,
        heapBytes: mark.app.heapBytes ?? 0,
        databaseMs: mark.database.activeMs - before.database.activeMs,
        sizeBytes: mark.database.sizeBytes,
        memory: this.memories[index + 1] ?? {},
        readsP95: latenciesMs.length === 0 ? 0 : percentile(latenciesMs, 0.95),
        readFailures: failures,
      };
    });
  }

  statements(): StatementLine[] {
    const [zeroth, first] = this.marks;
    const [before, last] = this.marks.slice(-2);
    if (zeroth === undefined || first === undefined || before === undefined || last === undefined) return [];
    return slowest({ from: zeroth.statements, to: first.statements }, { from: before.statements, to: last.statements });
  }

  end(): void {
    this.#watch.end();
  }
}

/** A sale is verified as of the last ledger that is confirmed: waits until that is not before the last payout's. */
async function untilPayoutsConfirmed(
  { database }: Environment,
  stallSeconds: number,
  signal: AbortSignal,
): Promise<void> {
  for (const giveUpAtMs = performance.now() + stallSeconds * 1000; ; await pause(LOOK_EVERY_MS)) {
    signal.throwIfAborted();
    const { rows } = await database.db.execute<{ confirmed: boolean }>(sql`
      select (select min(confirmed_ledger) from deposit_accounts)
        >= (select coalesce(max(ledger_index), 0) from payouts where status = 'validated') as confirmed`);
    if (rows[0]?.confirmed === true) return;
    if (performance.now() > giveUpAtMs)
      throw new Error(`The ledgers of the last payouts were not confirmed in ${stallSeconds} s`);
  }
}

interface Times {
  confirmedMs: number;
  paidOutMs: number;
  receivedMs: number;
}

/** Pays as fast as the platform confirms, until all is confirmed, paid out and received. Throws when nothing moves any more. */
async function payAll(
  ground: Environment,
  clients: readonly Client[],
  payments: Payments,
  course: Course,
  options: MillionOptions,
  signal: AbortSignal,
): Promise<Times> {
  const at: { confirmed?: number; paidOut?: number; received?: number } = {};
  let seen = '';
  let movedAtMs = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const now = await reached(ground);
    await course.note(now);
    if (now.confirmed > payments.total || now.paidOut > options.payouts) {
      throw new Error(`More than there is: ${JSON.stringify(now)}`);
    }
    if (now.confirmed === payments.total) at.confirmed ??= performance.now();
    if (now.paidOut === options.payouts) at.paidOut ??= performance.now();
    const received = await course.received();
    if (received >= payments.total * options.webhooks) at.received ??= performance.now();
    const { confirmed, paidOut, received: last } = at;
    if (confirmed !== undefined && paidOut !== undefined && last !== undefined) {
      const startedAtMs = course.marks[0]?.atMs ?? 0;
      return {
        confirmedMs: confirmed - startedAtMs,
        paidOutMs: paidOut - startedAtMs,
        receivedMs: last - startedAtMs,
      };
    }
    const standing = `${now.confirmed} confirmed, ${now.paidOut} paid out, ${received} received, of ${payments.signed} paid`;
    if (standing !== seen) movedAtMs = performance.now();
    seen = standing;
    if (performance.now() - movedAtMs > options.stallSeconds * 1000) {
      throw new Error(`Nothing has moved for ${options.stallSeconds} s: ${standing}`);
    }
    const room = Math.min(options.window - (payments.signed - now.confirmed), SIGNED_AT_ONCE);
    if (room > 0 && payments.signed < payments.total) await submitAll(clients, payments.next(room));
    else await pause(LOOK_EVERY_MS);
  }
}

/** The whole run: two sales on the same accounts, one of which pays out at once. */
export async function playMillion(
  options: MillionOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Million> {
  say(`opening ${whole(options.wallets)} wallets …`);
  const ground = await openEnvironment({
    wallets: options.wallets,
    holders: options.payouts,
    payments: options.payouts,
    payouts: true,
    webhooks: options.webhooks,
    instances: 1,
    heartbeatSeconds: 4,
    follow: true,
    databaseSettings: DATABASE_SETTINGS,
    ledgerHeapMb: options.ledgerHeapMb,
  });
  try {
    await countStatements(ground.database);
    const others = options.payments - options.payouts;
    const sale = await ground.openSale({ name: 'Load of others', payments: others, payouts: options.waiting });
    const payments = new Payments(
      options.payments,
      { sale: ground.project, payers: ground.payers.slice(0, options.payouts), hashes: [] },
      { sale, payers: ground.payers.slice(options.payouts), hashes: [] },
    );
    await ground.ledger.order({ kind: 'begin', everyMs: options.ledgerMs });
    say(`paying ${whole(options.payments)} times …`);
    const course = new Course(ground, payments.others, options, say);
    await course.begin();
    let times: Times;
    try {
      times = await onConnections(ground.ledgerUrl, (clients) =>
        payAll(ground, clients, payments, course, options, signal),
      );
    } finally {
      course.end();
    }
    await ground.readers.order({ kind: 'stop' });
    addArrivals(course.arrived, await ground.receiver.order<Arrivals>({ kind: 'take' }));
    const { tables, indexes } = await readSizes(ground.database);
    say('looking for what was lost …');
    const onLedger = await ledgersOf(ground.client, ground.project.address);
    const lost: Lost[] = [];
    for (const side of [payments.holders, payments.others]) {
      const { webhooks } = options;
      const { arrived } = course;
      lost.push(
        await findLost(ground.database, { projectId: side.sale.id, paid: side.hashes, onLedger, webhooks, arrived }),
      );
    }
    await untilPayoutsConfirmed(ground, options.stallSeconds, signal);
    const verified: Verified[] = [];
    for (const side of [payments.holders, payments.others]) {
      say(`verifying ${side.sale.slug} …`);
      const asked = { baseUrl: ground.fleet.baseUrl, projectId: side.sale.id, ledgerUrl: ground.ledgerUrl, signal };
      verified.push(await verifyFromOutside(asked, say));
    }
    return {
      parts: await course.parts(),
      payments: options.payments - (course.marks[0]?.confirmed ?? 0),
      ...times,
      lost,
      verified,
      payoutsVerified: verified.reduce((sum, { report }) => sum + report.checked.payouts_validated, 0),
      tables,
      indexes,
      statements: course.statements(),
    };
  } finally {
    await ground.end();
  }
}
