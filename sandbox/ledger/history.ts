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

const ACCOUNT_FIELDS = ['Account', 'Authorize', 'Destination', 'Issuer', 'NFTokenMinter', 'Owner', 'RegularKey'];
const LIMIT_FIELDS = ['LowLimit', 'HighLimit'];

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
    for (const name of LIMIT_FIELDS) {
      const limit = fields[name];
      if (isObject(limit)) note(limit.issuer);
    }
    const issuance = fields.MPTokenIssuanceID;
    if (typeof issuance === 'string') note(addressOfId(issuance.slice(8)));
  }
  return accounts;
}

/** Everything that was validated, and where to find it. */
export class History {
  private readonly ledgers: ClosedLedger[] = [];
  private readonly ledgerIndexByHash = new Map<string, number>();
  private readonly transactions = new Map<string, ValidatedTransaction>();
  private readonly byAccount = new Map<string, ValidatedTransaction[]>();

  /** The first ledger that counts as held: genesis is readable but not part of the range. */
  readonly firstIndex = 2;

  add(ledger: ClosedLedger): void {
    this.ledgers.push(ledger);
    this.ledgerIndexByHash.set(ledger.header.hash, ledger.header.ledgerIndex);
    for (const entry of ledger.transactions) {
      this.transactions.set(entry.tx.hash, entry);
      for (const address of affectedAccounts(entry.meta)) {
        const list = this.byAccount.get(address);
        if (list) list.push(entry);
        else this.byAccount.set(address, [entry]);
      }
    }
  }

  /** The newest validated ledger. */
  get last(): ClosedLedger {
    const ledger = this.ledgers.at(-1);
    if (!ledger) throw new Error('no ledger was closed yet');
    return ledger;
  }

  get lastIndex(): number {
    return this.ledgers.length;
  }

  ledger(ledgerIndex: number): ClosedLedger | undefined {
    return ledgerIndex < 1 ? undefined : this.ledgers[ledgerIndex - 1];
  }

  ledgerByHash(hash: string): ClosedLedger | undefined {
    return this.ledger(this.ledgerIndexByHash.get(hash) ?? 0);
  }

  transaction(hash: string): ValidatedTransaction | undefined {
    return this.transactions.get(hash);
  }

  /** What touched an account, oldest first, by (ledger, TransactionIndex). */
  ofAccount(address: string): readonly ValidatedTransaction[] {
    return this.byAccount.get(address) ?? [];
  }

  completeLedgers(): string {
    return this.lastIndex > this.firstIndex ? `${this.firstIndex}-${this.lastIndex}` : String(this.firstIndex);
  }
}
