import type { Metadata } from './engine/metadata.ts';
import { sha512HalfHex, uintHex } from './hashing.ts';
import { isObject, type Json } from './json.ts';
import { addressOfId } from './keylets.ts';
import type { Transaction } from './transaction.ts';

/** Seconds between the Unix epoch and the ledger's (2000-01-01). */
export const RIPPLE_EPOCH_OFFSET = 946_684_800;
export const CLOSE_TIME_RESOLUTION = 10;

export type LedgerHeader = {
  readonly ledgerIndex: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly accountHash: string;
  readonly transactionHash: string;
  readonly totalDrops: bigint;
  /** Seconds since the ledger epoch. */
  readonly closeTime: number;
  readonly parentCloseTime: number;
};

export type ValidatedTransaction = {
  readonly tx: Transaction;
  readonly meta: Metadata;
  readonly ledger: LedgerHeader;
};

/** A validated ledger; its transactions are in TransactionIndex order. */
export type ClosedLedger = { readonly header: LedgerHeader; readonly transactions: readonly ValidatedTransaction[] };

/** The serialized header, as `ledger` shows it in binary form. */
export function headerBlob(header: Omit<LedgerHeader, 'hash'>): string {
  return [
    uintHex(header.ledgerIndex, 4),
    uintHex(header.totalDrops, 8),
    header.parentHash,
    header.transactionHash,
    header.accountHash,
    uintHex(header.parentCloseTime, 4),
    uintHex(header.closeTime, 4),
    uintHex(CLOSE_TIME_RESOLUTION, 1),
    '00',
  ].join('');
}

/** Completes a header with its hash ('LWR\0' prefix). */
export function sealHeader(header: Omit<LedgerHeader, 'hash'>): LedgerHeader {
  return { ...header, hash: sha512HalfHex('4C575200', headerBlob(header)) };
}

const ACCOUNT_FIELDS = [
  'Account',
  'Authorize',
  'Destination',
  'Issuer',
  'NFTokenMinter',
  'Owner',
  'RegularKey',
  'Subject',
];
/** Amounts whose issuer has the transaction in its history, too. */
const ISSUER_FIELDS = ['LowLimit', 'HighLimit', 'TakerPays', 'TakerGets'];

/** The accounts a transaction affected, by what its metadata says: they have it in their history. */
export function affectedAccounts(meta: Metadata): Set<string> {
  const accounts = new Set<string>();
  const note = (value: Json | undefined): void => {
    if (typeof value === 'string') accounts.add(value);
  };
  for (const wrapped of meta.AffectedNodes) {
    const [node] = Object.values(wrapped);
    if (!isObject(node)) continue;
    const fields = node.NewFields ?? node.FinalFields;
    if (!isObject(fields)) continue;
    for (const name of ACCOUNT_FIELDS) note(fields[name]);
    for (const name of ISSUER_FIELDS) {
      const amount = fields[name];
      if (isObject(amount)) note(amount.issuer);
    }
    const issuance = fields.MPTokenIssuanceID;
    if (typeof issuance === 'string') note(addressOfId(issuance.slice(8)));
  }
  return accounts;
}

/** An account's transactions, oldest first; the first `stale` of them belong to ledgers no longer held. */
type AccountHistory = { entries: ValidatedTransaction[]; stale: number };

/** Stale entries are cut off in batches, since every cut moves the rest. */
const STALE_BATCH = 512;

/** Everything validated that is still held, and where to find it. */
export class History {
  private readonly ledgers = new Map<number, ClosedLedger>();
  private readonly ledgerIndexByHash = new Map<string, number>();
  private readonly transactions = new Map<string, ValidatedTransaction>();
  private readonly byAccount = new Map<string, AccountHistory>();
  private newest: ClosedLedger | undefined;
  private oldest = 2;

  add(ledger: ClosedLedger): void {
    this.newest = ledger;
    this.ledgers.set(ledger.header.ledgerIndex, ledger);
    this.ledgerIndexByHash.set(ledger.header.hash, ledger.header.ledgerIndex);
    for (const entry of ledger.transactions) {
      this.transactions.set(entry.tx.hash, entry);
      for (const address of affectedAccounts(entry.meta)) {
        const history = this.byAccount.get(address);
        if (history) history.entries.push(entry);
        else this.byAccount.set(address, { entries: [entry], stale: 0 });
      }
    }
  }

  /** Forgets one ledger, the oldest that is held. */
  forget(ledgerIndex: number): void {
    const ledger = this.ledgers.get(ledgerIndex);
    this.oldest = Math.max(this.oldest, ledgerIndex + 1);
    if (!ledger) return;
    this.ledgers.delete(ledgerIndex);
    this.ledgerIndexByHash.delete(ledger.header.hash);
    for (const { tx, meta } of ledger.transactions) {
      this.transactions.delete(tx.hash);
      for (const address of affectedAccounts(meta)) this.age(address);
    }
  }

  private age(address: string): void {
    const history = this.byAccount.get(address);
    if (!history) return;
    history.stale += 1;
    if (history.stale === history.entries.length) this.byAccount.delete(address);
    else if (history.stale >= STALE_BATCH && history.stale * 2 >= history.entries.length) {
      history.entries = history.entries.slice(history.stale);
      history.stale = 0;
    }
  }

  /** Forgets every ledger after one that is held. */
  rewind(ledgerIndex: number): void {
    for (let index = this.lastIndex; index > ledgerIndex; index--) {
      const ledger = this.ledgers.get(index);
      if (!ledger) continue;
      this.ledgers.delete(index);
      this.ledgerIndexByHash.delete(ledger.header.hash);
      for (const { tx, meta } of ledger.transactions) {
        this.transactions.delete(tx.hash);
        for (const address of affectedAccounts(meta)) {
          const history = this.byAccount.get(address);
          history?.entries.pop();
          if (history?.entries.length === history?.stale) this.byAccount.delete(address);
        }
      }
    }
    this.newest = this.ledgers.get(ledgerIndex);
  }

  /** The first ledger that counts as held: genesis is readable but not part of the range. */
  get firstIndex(): number {
    return this.oldest;
  }

  /** The newest validated ledger. */
  get last(): ClosedLedger {
    if (!this.newest) throw new Error('no ledger was closed yet');
    return this.newest;
  }

  get lastIndex(): number {
    return this.newest?.header.ledgerIndex ?? 0;
  }

  ledger(ledgerIndex: number): ClosedLedger | undefined {
    return this.ledgers.get(ledgerIndex);
  }

  ledgerByHash(hash: string): ClosedLedger | undefined {
    return this.ledgers.get(this.ledgerIndexByHash.get(hash) ?? 0);
  }

  transaction(hash: string): ValidatedTransaction | undefined {
    return this.transactions.get(hash);
  }

  /** What touched an account, oldest first, by (ledger, TransactionIndex); it may begin with ledgers not held. */
  ofAccount(address: string): readonly ValidatedTransaction[] {
    return this.byAccount.get(address)?.entries ?? [];
  }
}
