import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { deriveAddress } from 'ripple-keypairs';
import type { Client } from 'xrpl';
import { encodeObject } from 'xrpl-sandbox/binary/encode.ts';
import { transactionHash } from 'xrpl-sandbox/hashing.ts';
import { NETWORK_ID } from '../spawn-ledger.ts';

/** Transactions of one request: the ledger server takes 2 MB. */
const REQUEST_TRANSACTIONS = 4_000;
const PER_LEDGER = 2_000;
/** What the ledger signs is marked by it (`STX`). */
const SIGNING_PREFIX = '53545800';
const FEE_DROPS = '10';

/** An investor, with the sequence of the next transaction. */
export interface Payer {
  address: string;
  publicKey: string;
  key: KeyObject;
  sequence: number;
}

export interface SignedPayment {
  hash: string;
  blob: string;
}

function newPayer(): Payer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = `ED${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex').toUpperCase()}`;
  return { address: deriveAddress(hex), publicKey: hex, key: privateKey, sequence: 0 };
}

/** Writes transactions as validated ones, unsigned: what is only there to set the stage. Gives the ledger of each. */
async function write(client: Client, transactions: readonly object[]): Promise<number[]> {
  const ledgers: number[] = [];
  for (let next = 0; next < transactions.length; next += REQUEST_TRANSACTIONS) {
    const answer: { result: { transactions: { ledger_index: number }[] } } = await client.request({
      command: 'sandbox_write_transactions',
      transactions: transactions.slice(next, next + REQUEST_TRANSACTIONS),
      per_ledger: PER_LEDGER,
    } as never);
    ledgers.push(...answer.result.transactions.map((each) => each.ledger_index));
  }
  return ledgers;
}

/** So many wallets with XRP, the first `holders` of which have a trust line for the token. */
export async function openWallets(
  client: Client,
  count: number,
  holders: number,
  genesis: { address: string; publicKey: string },
  token: { currency: string; issuer: string },
): Promise<Payer[]> {
  const payers = Array.from({ length: count }, newPayer);
  const fundings = payers.map(({ address }) => ({
    TransactionType: 'Payment',
    Account: genesis.address,
    SigningPubKey: genesis.publicKey,
    Destination: address,
    Amount: '1000000000',
  }));
  const createdIn = await write(client, fundings);
  const lines = payers.slice(0, holders).map(({ address, publicKey }) => ({
    TransactionType: 'TrustSet',
    Account: address,
    SigningPubKey: publicKey,
    LimitAmount: { ...token, value: '1000000000' },
  }));
  await write(client, lines);
  // An account begins with the index of the ledger that made it, and its trust line was one transaction.
  for (const [index, payer] of payers.entries()) payer.sequence = (createdIn[index] ?? 0) + (index < holders ? 1 : 0);
  return payers;
}

/** Signs a payment as a wallet does. */
export function signPayment(payer: Payer, to: { address: string; tag: number; amountDrops: string }): SignedPayment {
  const fields = {
    TransactionType: 'Payment',
    Account: payer.address,
    Amount: to.amountDrops,
    Destination: to.address,
    DestinationTag: to.tag,
    Fee: FEE_DROPS,
    NetworkID: NETWORK_ID,
    Sequence: payer.sequence,
    SigningPubKey: payer.publicKey,
  };
  payer.sequence += 1;
  const message = Buffer.from(`${SIGNING_PREFIX}${encodeObject(fields)}`, 'hex');
  const TxnSignature = sign(null, message, payer.key).toString('hex').toUpperCase();
  const blob = encodeObject({ ...fields, TxnSignature });
  return { hash: transactionHash(blob), blob };
}
