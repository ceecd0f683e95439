import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { eq, max } from 'drizzle-orm';
import pg from 'pg';
import WebSocket from 'ws';
import { payouts } from '#drizzle/schema/payouts.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { reportMetrics } from '../figures.ts';
import { startWitnesses } from './witnesses.ts';
import { type BenchSale, openWorld, type World } from './world.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const { payouts: wanted, sample } = new Command('npx tranche bench payouts')
  .description(
    'Pays distributions with one key, under custody of three witnesses, and by a plain loop of submitAndWait',
  )
  .option('--payouts <n>', 'how many distributions', positive, 1_000)
  .option('--sample <n>', 'how many payments the plain loop makes', positive, 50)
  .parse()
  .opts<{ payouts: number; sample: number }>();

/** Tickets that an account in full use holds (docs/ledger-facts.md, 16). */
const STOCK = 250;
const TARGET_CLOSES = 8;
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
interface Paced extends Measured {
  /** A payout, its part of the tickets' fees included. */
  feeDrops: number;
}
const aSecond = ({ payments, elapsedMs }: Measured): number => (payments / elapsedMs) * 1000;
const aClose = ({ payments, closes }: Measured): number => payments / closes;
const shown = (name: string, measured: Measured): string =>
  `${name.padEnd(24)}${aClose(measured).toFixed(1)} a ledger, ${aSecond(measured).toFixed(1)} a second (${measured.payments} in ${measured.closes} closes, ${(measured.elapsedMs / 1000).toFixed(1)} s)`;

/** Slices of production, a ledger closed after each, until everything owed is validated. */
async function payOut({ ctx, database, accept }: World, sale: BenchSale): Promise<Measured> {
  await sale.sell(wanted);
  const before = await database.db.$count(payouts, eq(payouts.status, 'validated'));
  sent.statements = 0;
  sent.requests = 0;
  const startedAt = performance.now();
  let closes = 0;
  for (;;) {
    const { remaining } = await runPayouts(ctx, { deadlineMs: Date.now() + SLICE_MS });
    if (!remaining) break;
    await accept();
    closes += 1;
  }
  const elapsedMs = performance.now() - startedAt;
  const paid = (await database.db.$count(payouts, eq(payouts.status, 'validated'))) - before;
  if (paid !== wanted) throw new Error(`${paid} of ${wanted} distributions were validated`);
  return { payments: paid, closes, elapsedMs };
}

/** The same at the pace of a real ledger, which closes whatever the platform does: each slice begins with a new ledger. */
async function payAtPace({ ctx, database, client, accept }: World, sale: BenchSale): Promise<Paced> {
  await sale.sell(wanted);
  const before = await database.db.$count(payouts, eq(payouts.status, 'validated'));
  const balance = await client.getXrpBalance(sale.distributor.address);
  const first = await client.getLedgerIndex();
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
  }
  const paid = (await database.db.$count(payouts, eq(payouts.status, 'validated'))) - before;
  if (paid !== wanted) throw new Error(`${paid} of ${wanted} distributions were validated`);
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
async function payPlainly(
  { client, holders, token, accept }: World,
  { distributor }: BenchSale,
  paceMs: number,
): Promise<Measured> {
  let closes = 0;
  let closing = Promise.resolve();
  const timer = setInterval(() => {
    closes += 1;
    closing = closing.then(accept);
  }, paceMs);
  const startedAt = performance.now();
  for (let paid = 0; paid < sample; paid++) {
    const { result } = await client.submitAndWait(
      {
        TransactionType: 'Payment',
        Account: distributor.address,
        Destination: holders[paid % holders.length]?.address ?? '',
        Amount: token('1'),
      },
      { wallet: distributor },
    );
    const { meta } = result;
    if (typeof meta !== 'object' || meta.TransactionResult !== 'tesSUCCESS') throw new Error('A plain payment failed');
  }
  const elapsedMs = performance.now() - startedAt;
  clearInterval(timer);
  await closing;
  return { payments: sample, closes, elapsedMs };
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

const world = await openWorld();
const witnesses = await startWitnesses(world.ledgerUrl);
try {
  const sale = await world.openSale(null);
  const cold = await payOut(world, sale);
  say(shown('without a ticket', cold));
  await stockUp(world, sale);
  const stocked = await payOut(world, sale);
  const counted = { ...sent };
  say(shown(`with ${STOCK} tickets`, stocked));
  await stockUp(world, sale);
  const oneKey = await payAtPace(world, sale);
  say(shown('one key, real pace', oneKey));
  const custody = await payAtPace(world, await world.openSale(witnesses));
  say(shown('custody, real pace', custody));
  const later = custody.closes - oneKey.closes;
  const rate = aSecond(custody) / aSecond(oneKey);
  say(`custody: ledgers later  ${later}`);
  say(`custody: ratio a second ${rate.toFixed(2)}`);
  say(
    `fee of a payout         ${oneKey.feeDrops.toFixed(1)} drops with one key, ${custody.feeDrops.toFixed(1)} under custody`,
  );
  const plain = await payPlainly(world, sale, stocked.elapsedMs / stocked.closes);
  say(shown('plain submitAndWait', plain));
  say(`ratio a ledger          ${(aClose(stocked) / aClose(plain)).toFixed(0)} times as many`);
  say(`ratio a second          ${(aSecond(stocked) / aSecond(plain)).toFixed(0)} times as many`);
  say(`statements a payout     ${(counted.statements / wanted).toFixed(2)}`);
  say(`requests a payout       ${(counted.requests / wanted).toFixed(2)}`);
  if (wanted === 1_000) {
    const isReached = stocked.closes <= TARGET_CLOSES && later <= TARGET_LATER && rate >= TARGET_RATE;
    say(
      `target                  ${TARGET_CLOSES} closes, under custody ${TARGET_LATER} more and ${TARGET_RATE} of the rate: ${isReached ? 'reached' : 'MISSED'}`,
    );
    if (!isReached) process.exitCode = 1;
  }
  const withOneKey = 'one key, 250 tickets, a ledger each 4 s';
  const comparedWith = 'a plain loop of submitAndWait on the same ledger';
  reportMetrics('payouts', [
    {
      what: `ledgers for ${wanted} payouts with ${STOCK} tickets`,
      value: stocked.closes,
      unit: 'closes',
      ...(wanted === 1_000 ? { target: { atMost: TARGET_CLOSES } } : {}),
    },
    { what: 'payouts a ledger', value: aClose(stocked) / aClose(plain), unit: 'times', comparedWith },
    { what: 'payouts a second', value: aSecond(stocked) / aSecond(plain), unit: 'times', comparedWith },
    {
      what: 'ledgers later under custody',
      value: later,
      unit: 'closes',
      comparedWith: withOneKey,
      ...(wanted === 1_000 ? { target: { atMost: TARGET_LATER } } : {}),
    },
    {
      what: 'payouts a second under custody',
      value: rate,
      unit: 'times',
      comparedWith: withOneKey,
      ...(wanted === 1_000 ? { target: { atLeast: TARGET_RATE } } : {}),
    },
    { what: 'fee under custody', value: custody.feeDrops, unit: 'drops a payout' },
    { what: 'fee with one key', value: oneKey.feeDrops, unit: 'drops a payout' },
    { what: 'statements', value: counted.statements / wanted, unit: 'a payout' },
    { what: 'ledger requests', value: counted.requests / wanted, unit: 'a payout' },
  ]);
} finally {
  await witnesses.end();
  await world.end();
}
