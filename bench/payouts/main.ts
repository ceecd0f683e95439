import { Command, InvalidArgumentError } from 'commander';
import { eq } from 'drizzle-orm';
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
  .description('Pays distributions with tickets, and compares with a plain loop of submitAndWait on the same ledger')
  .option('--payouts <n>', 'how many distributions', positive, 1_000)
  .option('--sample <n>', 'how many payments the plain loop makes', positive, 50)
  .parse()
  .opts<{ payouts: number; sample: number }>();

/** Tickets that an account in full use holds (docs/ledger-facts.md, 16). */
const STOCK = 250;
const TARGET_CLOSES = 8;
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

const world = await openWorld();
const witnesses = await startWitnesses(world.ledgerUrl);
try {
  const witnessed = await payOut(world, await world.openSale(witnesses));
  say(shown('under custody', witnessed));
  const sale = await world.openSale(null);
  const cold = await payOut(world, sale);
  say(shown('without a ticket', cold));
  const { result } = await world.client.request({
    command: 'account_info',
    account: sale.distributor.address,
    ledger_index: 'validated',
  });
  const held = (result.account_data as { TicketCount?: number }).TicketCount ?? 0;
  await world.send(sale.distributor, {
    TransactionType: 'TicketCreate',
    Account: sale.distributor.address,
    TicketCount: STOCK - held,
  });
  const stocked = await payOut(world, sale);
  const counted = { ...sent };
  say(shown(`with ${STOCK} tickets`, stocked));
  const plain = await payPlainly(world, sale, stocked.elapsedMs / stocked.closes);
  say(shown('plain submitAndWait', plain));
  say(`ratio a ledger          ${(aClose(stocked) / aClose(plain)).toFixed(0)} times as many`);
  say(`ratio a second          ${(aSecond(stocked) / aSecond(plain)).toFixed(0)} times as many`);
  say(`statements a payout     ${(counted.statements / wanted).toFixed(2)}`);
  say(`requests a payout       ${(counted.requests / wanted).toFixed(2)}`);
  if (wanted === 1_000)
    say(`target                  ${TARGET_CLOSES} closes: ${stocked.closes <= TARGET_CLOSES ? 'reached' : 'MISSED'}`);
  if (wanted === 1_000 && stocked.closes > TARGET_CLOSES) process.exitCode = 1;
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
    { what: 'statements', value: counted.statements / wanted, unit: 'a payout' },
    { what: 'ledger requests', value: counted.requests / wanted, unit: 'a payout' },
  ]);
} finally {
  await witnesses.end();
  await world.end();
}
