import { hash, randomBytes } from 'node:crypto';
import { deriveAddress } from 'ripple-keypairs';
import { encodeObject } from './binary/encode.ts';
import type { Chain } from './chain.ts';
import { account } from './engine/view.ts';
import { GENESIS_ADDRESS } from './genesis.ts';
import { transactionHash } from './hashing.ts';
import { FIRST_NETWORK_WITH_FIELD, reserveDrops } from './rules.ts';
import type { Transaction, TransactionFields } from './transaction.ts';

/** What `writePayments` is to write. */
export type PaymentBatch = {
  /** How many payments. */
  readonly count: number;
  /** An address in the ledger, or one that the first payment creates. */
  readonly destination: string;
  readonly destinationTag?: number | undefined;
  /** Drops of each payment. */
  readonly amountDrops: bigint;
  /** How many accounts pay in turn; they are made for the purpose and funded by the genesis account. */
  readonly senders?: number | undefined;
  readonly perLedger?: number | undefined;
};
export type WrittenPayments = {
  readonly count: number;
  readonly firstLedgerIndex: number;
  readonly lastLedgerIndex: number;
  readonly senders: readonly string[];
};

const DEFAULT_SENDERS = 100;
const DEFAULT_PER_LEDGER = 1000;

type Payer = { readonly address: string; readonly publicKey: string; sequence: number };

function newPayer(): Payer {
  const publicKey = `ED${randomBytes(32).toString('hex').toUpperCase()}`;
  return { address: deriveAddress(publicKey), publicKey, sequence: 0 };
}

/** 64 bytes that look like a signature and are one of nothing. */
const pretendedSignature = (of: string): string => hash('sha512', of, 'hex').toUpperCase();

function transactionOf(chain: Chain, payer: Payer, fields: Partial<TransactionFields>): Transaction {
  const { networkId, baseFeeDrops } = chain.rules;
  const complete: TransactionFields = {
    TransactionType: 'Payment',
    Account: payer.address,
    Fee: String(baseFeeDrops),
    Sequence: payer.sequence,
    SigningPubKey: payer.publicKey,
    TxnSignature: pretendedSignature(`${payer.publicKey}${payer.sequence}`),
    ...(networkId >= FIRST_NETWORK_WITH_FIELD ? { NetworkID: networkId } : {}),
    ...fields,
  };
  payer.sequence += 1;
  const blob = encodeObject(complete);
  return { blob, hash: transactionHash(blob), fields: complete };
}

/** Gives every payer what it will pay, its fees and its reserve, out of the genesis account. */
function fundPayers(chain: Chain, payers: readonly Payer[], spendDrops: bigint): void {
  const root = account(chain.open, GENESIS_ADDRESS);
  if (!root) throw new Error('the genesis account is gone');
  const genesis: Payer = {
    address: GENESIS_ADDRESS,
    publicKey: '0330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD020',
    sequence: root.Sequence,
  };
  const amount = String(reserveDrops(chain.rules, 0) + spendDrops);
  const fundings = payers.map(({ address }) => transactionOf(chain, genesis, { Amount: amount, Destination: address }));
  const { header, transactions } = chain.close(fundings);
  if (transactions.some(({ meta }) => meta.TransactionResult !== 'tesSUCCESS')) {
    throw new RangeError('the genesis account cannot fund that much');
  }
  for (const payer of payers) payer.sequence = header.ledgerIndex;
}

/**
 * Writes payments that are validated at once, for load tests: the engine applies them as it does any other, so they
 * stand in every history, stream and balance, but their signatures are not made and not verified. What is in the open
 * ledger is closed first. Throws RangeError when the genesis account cannot pay.
 */
export function writePayments(chain: Chain, batch: PaymentBatch): WrittenPayments {
  const perLedger = batch.perLedger ?? DEFAULT_PER_LEDGER;
  const payers = Array.from({ length: Math.min(batch.senders ?? DEFAULT_SENDERS, batch.count) }, newPayer);
  if (chain.openTransactions.size > 0) chain.close();
  const each = BigInt(Math.ceil(batch.count / payers.length));
  fundPayers(chain, payers, each * (batch.amountDrops + chain.rules.baseFeeDrops));
  const firstLedgerIndex = chain.history.lastIndex + 1;
  const fields = {
    Amount: String(batch.amountDrops),
    Destination: batch.destination,
    ...(batch.destinationTag === undefined ? {} : { DestinationTag: batch.destinationTag }),
  };
  for (let written = 0; written < batch.count; ) {
    const size = Math.min(perLedger, batch.count - written);
    const transactions: Transaction[] = [];
    for (let i = 0; i < size; i++) {
      const payer = payers[(written + i) % payers.length];
      if (payer) transactions.push(transactionOf(chain, payer, fields));
    }
    chain.close(transactions);
    written += size;
  }
  return {
    count: batch.count,
    firstLedgerIndex,
    lastLedgerIndex: chain.history.lastIndex,
    senders: payers.map(({ address }) => address),
  };
}

/** A transaction to write: its fields, without what the ledger knows (sequence, fee) and without a signature. */
export type UnsignedFields = Pick<TransactionFields, 'TransactionType' | 'Account' | 'SigningPubKey'> &
  Partial<TransactionFields>;
export type WrittenTransaction = { readonly hash: string; readonly ledgerIndex: number };

/**
 * Writes any transactions in the same way, `perLedger` a ledger, and says where each stands, in their order. An account that
 * a batch creates must not act before the next ledger. Throws RangeError when one of them does not succeed.
 */
export function writeTransactions(
  chain: Chain,
  wanted: readonly UnsignedFields[],
  perLedger: number,
): WrittenTransaction[] {
  if (chain.openTransactions.size > 0) chain.close();
  const written: WrittenTransaction[] = [];
  for (let from = 0; from < wanted.length; from += perLedger) {
    const payers = new Map<string, Payer>();
    const transactions = wanted.slice(from, from + perLedger).map(({ Account: address, ...fields }) => {
      const sequence = account(chain.open, address)?.Sequence ?? 0;
      const payer = payers.get(address) ?? { address, publicKey: fields.SigningPubKey, sequence };
      payers.set(address, payer);
      return transactionOf(chain, payer, fields);
    });
    const { header, transactions: done } = chain.close(transactions);
    const failed = done.find(({ meta }) => meta.TransactionResult !== 'tesSUCCESS');
    if (failed !== undefined || done.length !== transactions.length) {
      throw new RangeError(`${failed?.tx.hash ?? 'a transaction'}: ${failed?.meta.TransactionResult ?? 'not applied'}`);
    }
    for (const { hash: txHash } of transactions) written.push({ hash: txHash, ledgerIndex: header.ledgerIndex });
  }
  return written;
}
