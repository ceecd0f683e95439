import { randomBytes } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { deriveAddress } from 'ripple-keypairs';
import { Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { formatLedgerValue } from '#lib/base/money.ts';
import { confirmation } from '#lib/jobs/confirmation.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { intake } from '#lib/jobs/intake.ts';
import type { World } from '../intake/world.ts';

const CURRENCY = 'DMO';
const DECIMALS = 6;
const PER_LEDGER = 200;
/** Payments that one payer makes. */
const PAYMENTS_EACH = 10;
/** Transactions of one request: the ledger server takes 2 MB. */
const REQUEST_TRANSACTIONS = 4_000;

interface Key {
  address: string;
  publicKey: string;
}
interface Written {
  hash: string;
  ledger_index: number;
}

async function write(world: World, from: Key, transactions: readonly object[]): Promise<Written[]>;
async function write(world: World, from: null, transactions: readonly object[]): Promise<Written[]>;
async function write({ client }: World, from: Key | null, transactions: readonly object[]): Promise<Written[]> {
  const signer = from === null ? {} : { Account: from.address, SigningPubKey: from.publicKey };
  const written: Written[] = [];
  for (let next = 0; next < transactions.length; next += REQUEST_TRANSACTIONS) {
    const batch = transactions.slice(next, next + REQUEST_TRANSACTIONS).map((each) => ({ ...signer, ...each }));
    const answer: { result: { transactions: Written[] } } = await client.request({
      command: 'sandbox_write_transactions',
      transactions: batch,
      per_ledger: PER_LEDGER,
    } as never);
    for (const each of answer.result.transactions) written.push(each);
  }
  return written;
}

/** Reads and confirms every ledger that is closed. */
export async function readAll({ ctx, accept }: World): Promise<void> {
  await accept(2);
  for (let more = true; more; ) {
    const results = await runJobs(ctx, { jobs: [intake, confirmation] });
    for (const { done } of [results.orThrow(intake), results.orThrow(confirmation)].filter((each) => each !== null)) {
      for (const { error } of done.failures) throw error;
    }
    ({ more } = results);
  }
}

/**
 * `count` more payments of 1 XRP to the sale, by new wallets that hold its token, each confirmed by the platform and paid out
 * by a payment of the distributor. What is signed on a real ledger is written here; all else is as it would be.
 */
export async function sell(world: World, count: number): Promise<void> {
  const { deposit, destinationTag, distributor } = world;
  const payers = Array.from({ length: Math.ceil(count / PAYMENTS_EACH) }, (): Key => {
    const publicKey = `ED${randomBytes(32).toString('hex').toUpperCase()}`;
    return { address: deriveAddress(publicKey), publicKey };
  });
  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const payment = (to: string, amount: object | string) => ({
    TransactionType: 'Payment',
    Destination: to,
    Amount: amount,
  });
  const token = (value: string) => ({ currency: CURRENCY, issuer: distributor.address, value });
  await write(
    world,
    genesis,
    payers.map(({ address }) => payment(address, '1000000000')),
  );
  const signedBy = ({ address, publicKey }: Key) => ({ Account: address, SigningPubKey: publicKey });
  await write(
    world,
    null,
    payers.map((payer) => ({ TransactionType: 'TrustSet', ...signedBy(payer), LimitAmount: token('1000000000') })),
  );
  const paid = Array.from({ length: count }, (_, index) => ({
    ...payment(deposit, '1000000'),
    DestinationTag: destinationTag,
    ...signedBy(payers[index % payers.length] as Key),
  }));
  await write(world, null, paid);
  await readAll(world);
  await payOut(world, (to, units) => payment(to, token(formatLedgerValue(units, DECIMALS))));
  await readAll(world);
}

/** Pays everything that is owed, and books it as the platform does once it is validated. */
async function payOut(world: World, distribution: (to: string, units: bigint) => object): Promise<void> {
  const { db } = world.database;
  const owed = await db
    .select({ id: payouts.id, destination: payouts.destination, amount: payouts.amount })
    .from(payouts)
    .where(eq(payouts.status, 'scheduled'))
    .orderBy(asc(payouts.dueAt), asc(payouts.id));
  const written = await write(
    world,
    world.distributor,
    owed.map(({ destination, amount }) => distribution(destination, amount)),
  );
  const paid = owed.map(({ id }, index) => ({ id, ...(written[index] as Written) }));
  await db.execute(sql`
    update ${payouts} as o set status = 'validated', tx_hash = w.hash, ledger_index = w.ledger_index, validated_at = now()
    from ${bulkRows('w', { id: 'text', hash: 'text', ledger_index: 'bigint' }, paid)} where o.id = w.id`);
  await db.execute(sql`analyze`);
}
