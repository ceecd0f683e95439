import { setTimeout as sleep } from 'node:timers/promises';
import { payoutPayment, ticketCreate } from '@tranche/rules/transactions.ts';
import { Command, InvalidArgumentError } from 'commander';
import { eq, max } from 'drizzle-orm';
import pg from 'pg';
import WebSocket from 'ws';
import { payouts } from '#drizzle/schema/payouts.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { CONCURRENT_SUBMITS, findPayer } from '#lib/payouts/attempts.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { MAX_IN_FLIGHT } from '#lib/payouts/types.ts';
import { type Figure, isMet, reportMetrics } from '../figures.ts';
import { cpuOfTreeMs } from '../webhooks/processor-time.ts';
import { startWitnesses } from './witnesses.ts';
import { type BenchSale, openWorld, PAYER_TOKENS, type World } from './world.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const options = new Command('npx tranche bench payouts')
  .description(
    'Pays distributions beside a bare submission of ready-made transactions, at the pace of a real ledger, under custody of three witnesses, and by a plain loop of submitAndWait',
  )
  .option('--payouts <n>', 'how many distributions', positive, 10_000)
  .option('--custody <n>', 'how many of them under custody, and beside it with one key', positive, 1_000)
  .option('--sample <n>', 'how many payments the plain loop makes', positive, 50)
  .option('--answer-ms <n>', 'how much later the ledger answers where it closes at its own pace', positive, 40)
  .parse()
  .opts<{ payouts: number; custody: number; sample: number; answerMs: number }>();

/** Tickets that an account may hold (docs/ledger-facts.md, 16). */
const STOCK = 250;
/** What each bare payment pays, as each distribution does. */
const BARE_TOKENS = 10n;
const TARGET_A_LEDGER = 195;
const TARGET_BESIDE_BARE = 0.5;
/** Under custody, beside one key. */
const TARGET_LATER = 1;
const TARGET_RATE = 0.7;
/** Between two closes of the XRP Ledger. */
const LEDGER_MS = 4_000;
const POLL_MS = 20;
/** A slice in production lives this long (SLICE_BUDGET_MS); then the next one goes on. */
const SLICE_MS = 20_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Counts every statement that goes to the database, and every request that goes to the ledger. */
const sent = { statements: 0, requests: 0 };
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  sent.statements += 1;
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function counted(this: WebSocket, ...given: unknown[]) {
  sent.requests += 1;
  (send as (...all: unknown[]) => void).apply(this, given);
} as typeof send;

interface Measured {
  payments: number;
  closes: number;
  elapsedMs: number;
}
interface Timed extends Measured {
  /** Processor time of this process, and of the ledger's. */
  ownMs: number;
  ledgerMs: number;
}
interface Paced extends Measured {
  /** A payout, its part of the tickets' fees included. */
  feeDrops: number;
}
const aSecond = ({ payments, elapsedMs }: Measured): number => (payments / elapsedMs) * 1000;
const aClose = ({ payments, closes }: Measured): number => payments / closes;
const shown = (name: string, measured: Measured): string =>
  `${name.padEnd(24)}${aClose(measured).toFixed(1)} a ledger, ${aSecond(measured).toFixed(1)} a second (${measured.payments} in ${measured.closes} closes, ${(measured.elapsedMs / 1000).toFixed(1)} s)`;

/** What it measured, with the time that it took and the processor time. */
async function timed(world: World, measured: () => Promise<Pick<Measured, 'payments' | 'closes'>>): Promise<Timed> {
  const usage = async () => {
    const { user, system } = process.cpuUsage();
    return { ownMs: (user + system) / 1000, ledgerMs: await cpuOfTreeMs(world.ledgerPid) };
  };
  const before = await usage();
  const startedAt = performance.now();
  const counts = await measured();
  const elapsedMs = performance.now() - startedAt;
  const { ownMs, ledgerMs } = await usage();
  return { ...counts, elapsedMs, ownMs: ownMs - before.ownMs, ledgerMs: ledgerMs - before.ledgerMs };
}

const together = (a: Timed, b: Timed): Timed => ({
  payments: a.payments + b.payments,
  closes: a.closes + b.closes,
  elapsedMs: a.elapsedMs + b.elapsedMs,
  ownMs: a.ownMs + b.ownMs,
  ledgerMs: a.ledgerMs + b.ledgerMs,
});
const processorTime = (name: string, { payments, ownMs, ledgerMs }: Timed): string =>
  `${name.padEnd(24)}${(ownMs / payments).toFixed(2)} ms of this process, ${(ledgerMs / payments).toFixed(2)} ms of the ledger`;

const countPaid = ({ database }: World): Promise<number> =>
  database.db.$count(payouts, eq(payouts.status, 'validated'));

/** Slices of production, a ledger closed after each, until everything owed is validated. */
async function payOut(world: World, sale: BenchSale, count: number): Promise<Timed> {
  await sale.sell(count);
  const before = await countPaid(world);
  sent.statements = 0;
  sent.requests = 0;
  const measured = await timed(world, async () => {
    let closes = 0;
    for (;;) {
      const { remaining } = await runPayouts(world.ctx, { deadlineMs: Date.now() + SLICE_MS });
      if (!remaining) return { payments: count, closes };
      await world.accept();
      closes += 1;
    }
  });
  const paid = (await countPaid(world)) - before;
  if (paid !== count) throw new Error(`${paid} of ${count} distributions were validated`);
  return measured;
}

/**
 * As many payments, signed before the clock starts, over the platform's own connection: two hundred with tickets a ledger, and
 * the tickets of the next two hundred. Nothing is checked, written down or looked up.
 */
async function submitBare(world: World, count: number): Promise<Timed> {
  const { ctx, accept, client, holders, openPayer, token, signFor } = world;
  const wallet = await openPayer();
  signFor(wallet);
  const payer = await findPayer(ctx, wallet.address);
  if (typeof payer === 'string') throw new Error(`The bare payer cannot sign: ${payer}`);
  const { currency, issuer } = token('0');
  const { sequence } = payer.payer;
  const envelope = { feeDrops: 12n, lastLedgerSequence: (await client.getLedgerIndex()) + 10_000 };
  const ledgers = Math.ceil(count / MAX_IN_FLIGHT);
  // A TicketCreate takes its own sequence, and one for each ticket: those of one ledger are the first of the one before.
  const stride = MAX_IN_FLIGHT + 1;
  const create = (index: number) =>
    ticketCreate(wallet.address, MAX_IN_FLIGHT, { ...envelope, sequence: sequence + index * stride });
  const pay = (index: number) =>
    payoutPayment(
      {
        account: wallet.address,
        destination: holders[index % holders.length]?.address ?? '',
        destinationTag: null,
        amount: BARE_TOKENS * 1_000_000n,
        asset: { kind: 'iou', currency, issuer, decimals: 6 },
      },
      { ...envelope, ticket: sequence + Math.floor(index / MAX_IN_FLIGHT) * stride + 1 + (index % MAX_IN_FLIGHT) },
    );
  const transactions = [
    create(0),
    ...Array.from({ length: ledgers }, (_, ledger) => [
      ...Array.from({ length: Math.min(MAX_IN_FLIGHT, count - ledger * MAX_IN_FLIGHT) }, (_, index) =>
        pay(ledger * MAX_IN_FLIGHT + index),
      ),
      create(ledger + 1),
    ]).flat(),
  ];
  const outcomes = await payer.signer.sign(transactions.map((transaction) => ({ transaction, candidate: null })));
  const blobs = outcomes.map((outcome) => {
    if (outcome.kind !== 'signed') throw new Error(`A bare transaction is ${outcome.kind}`);
    return outcome.blob;
  });
  const submit = async (some: readonly string[]): Promise<void> => {
    await mapBounded(some, CONCURRENT_SUBMITS, async (blob) => {
      const { engineResult } = await ctx.ledger.submit(blob);
      if (engineResult !== 'tesSUCCESS') throw new Error(`A bare transaction got ${engineResult}`);
    });
  };
  await submit(blobs.splice(0, 1));
  await accept();
  const measured = await timed(world, async () => {
    for (let ledger = 0; ledger < ledgers; ledger++) {
      await submit(blobs.splice(0, Math.min(stride, blobs.length) - 1));
      await submit(blobs.splice(0, 1));
      await accept();
    }
    return { payments: count, closes: ledgers };
  });
  const { result } = await client.request({ command: 'account_info', account: wallet.address });
  const held = (result.account_data as { TicketCount?: number }).TicketCount ?? 0;
  if (held !== MAX_IN_FLIGHT + (ledgers * MAX_IN_FLIGHT - count)) throw new Error(`${held} tickets are left`);
  const line = await ctx.ledger.trustLine(wallet.address, issuer, currency);
  const left = PAYER_TOKENS - BARE_TOKENS * BigInt(count);
  if (line?.balance !== String(left)) throw new Error(`The bare payer has ${line?.balance} tokens left, not ${left}`);
  return measured;
}

/** At the pace of a real ledger, which closes whatever the platform does: each slice begins with a new ledger. */
async function payAtPace(world: World, sale: BenchSale, count: number): Promise<Paced> {
  const { ctx, database, client, accept } = world;
  await sale.sell(count);
  const before = await countPaid(world);
  const balance = await client.getXrpBalance(sale.distributor.address);
  const first = await client.getLedgerIndex();
  await world.delayAnswers(options.answerMs);
  const startedAt = performance.now();
  let closing = Promise.resolve();
  const timer = setInterval(() => {
    closing = closing.then(accept);
  }, LEDGER_MS);
  try {
    for (let seen = first; ; ) {
      const { remaining } = await runPayouts(ctx, { deadlineMs: Date.now() + SLICE_MS });
      if (!remaining) break;
      while ((await client.getLedgerIndex()) === seen) await sleep(POLL_MS);
      seen = await client.getLedgerIndex();
    }
  } finally {
    clearInterval(timer);
    await closing;
    await world.delayAnswers(0);
  }
  const paid = (await countPaid(world)) - before;
  if (paid !== count) throw new Error(`${paid} of ${count} distributions were validated`);
  const [{ last } = { last: null }] = await database.db.select({ last: max(payouts.ledgerIndex) }).from(payouts);
  const spent = balance - (await client.getXrpBalance(sale.distributor.address));
  return {
    payments: paid,
    closes: (last ?? 0) - first,
    elapsedMs: performance.now() - startedAt,
    feeDrops: (spent * 1_000_000) / paid,
  };
}

/** What somebody writes who has only xrpl.js: one payment after the other, each waited for. */
async function payPlainly({ client, holders, token, accept, openPayer }: World, paceMs: number): Promise<Measured> {
  const wallet = await openPayer();
  let closes = 0;
  let closing = Promise.resolve();
  const timer = setInterval(() => {
    closes += 1;
    closing = closing.then(accept);
  }, paceMs);
  const startedAt = performance.now();
  for (let paid = 0; paid < options.sample; paid++) {
    const Destination = holders[paid % holders.length]?.address ?? '';
    const { result } = await client.submitAndWait(
      { TransactionType: 'Payment', Account: wallet.address, Destination, Amount: token('1') },
      { wallet },
    );
    const { meta } = result;
    if (typeof meta !== 'object' || meta.TransactionResult !== 'tesSUCCESS') throw new Error('A plain payment failed');
  }
  const elapsedMs = performance.now() - startedAt;
  clearInterval(timer);
  await closing;
  return { payments: options.sample, closes, elapsedMs };
}

/** As many tickets as an account may hold. */
async function stockUp({ client, send }: World, { distributor }: BenchSale): Promise<void> {
  const { result } = await client.request({
    command: 'account_info',
    account: distributor.address,
    ledger_index: 'validated',
  });
  const held = (result.account_data as { TicketCount?: number }).TicketCount ?? 0;
  const TicketCount = STOCK - held;
  await send(distributor, { TransactionType: 'TicketCreate', Account: distributor.address, TicketCount });
}

const { payouts: wanted, custody: some } = options;
const world = await openWorld(Math.max(wanted, some));
const witnesses = await startWitnesses(world.ledgerUrl);
try {
  // Half of it before and half of it after the platform: neither finds the other's warm process, nor a quieter machine.
  // In whole ledgers: the last tickets are asked for where all those before are used up.
  const half = Math.ceil(wanted / 2 / MAX_IN_FLIGHT) * MAX_IN_FLIGHT;
  const bareBefore = await submitBare(world, half);
  const sale = await world.openSale(null);
  await stockUp(world, sale);
  const stocked = await payOut(world, sale, wanted);
  const counted = { ...sent };
  say(shown('closed on demand', stocked));
  const bare = together(bareBefore, await submitBare(world, half));
  say(shown('bare submission', bare));
  say(processorTime('processor, a payout', stocked));
  say(processorTime('processor, a bare one', bare));
  const besideBare = aSecond(stocked) / aSecond(bare);
  say(`beside it a second      ${besideBare.toFixed(2)}`);
  const paced = await payAtPace(world, await world.openSale(null), wanted);
  say(shown('real pace', paced));
  const oneKeySale = await world.openSale(null);
  await stockUp(world, oneKeySale);
  const oneKey = await payAtPace(world, oneKeySale, some);
  say(shown('one key, real pace', oneKey));
  const custody = await payAtPace(world, await world.openSale(witnesses), some);
  say(shown('custody, real pace', custody));
  const later = custody.closes - oneKey.closes;
  const rate = aSecond(custody) / aSecond(oneKey);
  say(`custody: ledgers later  ${later}`);
  say(`custody: ratio a second ${rate.toFixed(2)}`);
  say(
    `fee of a payout         ${oneKey.feeDrops.toFixed(1)} drops with one key, ${custody.feeDrops.toFixed(1)} under custody`,
  );
  const plain = await payPlainly(world, stocked.elapsedMs / stocked.closes);
  say(shown('plain submitAndWait', plain));
  say(`ratio a ledger          ${(aClose(stocked) / aClose(plain)).toFixed(0)} times as many`);
  say(`ratio a second          ${(aSecond(stocked) / aSecond(plain)).toFixed(0)} times as many`);
  say(`statements a payout     ${(counted.statements / wanted).toFixed(2)}`);
  say(`requests a payout       ${(counted.requests / wanted).toFixed(2)}`);
  const isLong = wanted >= 10_000;
  const isCompared = some >= 1_000;
  const withOneKey = 'one key, 250 tickets, a ledger each 4 s';
  const comparedWith = 'a plain loop of submitAndWait on the same ledger';
  const ready = `a bare submission of ${2 * half} ready-made transactions over the same connection`;
  const figures: Figure[] = [
    {
      what: `payouts a second, ${wanted} owed, ledgers closed on demand`,
      value: besideBare,
      unit: 'times',
      comparedWith: ready,
      ...(isLong ? { target: { atLeast: TARGET_BESIDE_BARE } } : {}),
    },
    {
      what: `payouts a ledger, ${wanted} owed, a ledger each 4 s, each answer ${options.answerMs} ms later`,
      value: aClose(paced),
      unit: 'a ledger',
      ...(isLong ? { target: { atLeast: TARGET_A_LEDGER } } : {}),
    },
    { what: `payouts a second, ledgers closed on demand`, value: aSecond(stocked), unit: 'a second' },
    { what: 'payouts a ledger', value: aClose(stocked) / aClose(plain), unit: 'times', comparedWith },
    { what: 'payouts a second', value: aSecond(stocked) / aSecond(plain), unit: 'times', comparedWith },
    {
      what: `ledgers later under custody, ${some} owed`,
      value: later,
      unit: 'closes',
      comparedWith: withOneKey,
      ...(isCompared ? { target: { atMost: TARGET_LATER } } : {}),
    },
    {
      what: 'payouts a second under custody',
      value: rate,
      unit: 'times',
      comparedWith: withOneKey,
      ...(isCompared ? { target: { atLeast: TARGET_RATE } } : {}),
    },
    { what: 'fee under custody', value: custody.feeDrops, unit: 'drops a payout' },
    { what: 'fee with one key', value: oneKey.feeDrops, unit: 'drops a payout' },
    { what: 'processor time of the platform', value: stocked.ownMs / wanted, unit: 'ms a payout' },
    { what: 'processor time of the ledger', value: stocked.ledgerMs / wanted, unit: 'ms a payout' },
    { what: 'processor time of the ledger, bare', value: bare.ledgerMs / bare.payments, unit: 'ms a payment' },
    { what: 'statements', value: counted.statements / wanted, unit: 'a payout' },
    { what: 'ledger requests', value: counted.requests / wanted, unit: 'a payout' },
  ];
  const missed = figures.filter((figure) => isMet(figure) === false).map(({ what }) => what);
  say(`targets                 ${missed.length === 0 ? 'reached' : `MISSED: ${missed.join('; ')}`}`);
  if (missed.length > 0) process.exitCode = 1;
  reportMetrics('payouts', figures);
} finally {
  await witnesses.end();
  await world.end();
}
