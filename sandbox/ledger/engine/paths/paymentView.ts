import type { AccountRoot, Entry, EntryOf, EntryType } from '../../entries.ts';
import { accountIdHex, accountIndex } from '../../keylets.ts';
import { BookDirectories, lowerKey, type ReadView, type WriteView } from '../../state.ts';
import type { TransactionView } from '../view.ts';
import { least, minus, negated, plus, type Quantity, signOf, zeroLike } from './quantity.ts';

type Change = { entry: Entry | undefined; last: Entry };

/** What two accounts of a line sent each other within a payment, and what the low one had before. */
type Credits = { lowSent: Quantity; highSent: Quantity; readonly lowBefore: Quantity };

/** XRP stands between an account and nobody, whose key is lower than every other. */
const idOf = (address: string): string => (address === '' ? '' : accountIdHex(address));

function pairOf(a: string, b: string, currency: string): { key: string; aIsLow: boolean } {
  const [x, y] = [idOf(a), idOf(b)];
  return x < y ? { key: `${x}/${y}/${currency}`, aIsLow: true } : { key: `${y}/${x}/${currency}`, aIsLow: false };
}

/**
 * A ledger as a payment in progress changes it, over another view. What somebody receives within the payment cannot be
 * spent by it, and a reserve counts with the most objects the account owned meanwhile: else the order of the steps of a
 * payment would decide what it can do.
 */
export class PaymentView implements WriteView {
  readonly ledgerIndex: number;
  readonly parentCloseTime: number;
  private readonly parent: ReadView;
  private readonly changes = new Map<string, Change>();
  private readonly books = new BookDirectories();
  private readonly credits = new Map<string, Credits>();
  private readonly ownerCounts = new Map<string, number>();

  constructor(parent: ReadView) {
    this.parent = parent;
    this.ledgerIndex = parent.ledgerIndex;
    this.parentCloseTime = parent.parentCloseTime;
  }

  get(index: string): Entry | undefined {
    const change = this.changes.get(index);
    return change ? change.entry : this.parent.get(index);
  }

  nextBookDirectory(above: string): string | undefined {
    return lowerKey(this.books.above(above), this.parent.nextBookDirectory(above));
  }

  *bookDirectories(): Generator<string> {
    yield* this.books.firsts();
    yield* this.parent.bookDirectories();
  }

  edit<T extends EntryType>(type: T, index: string): EntryOf<T> | undefined {
    const change = this.changes.get(index);
    if (change) return change.entry?.LedgerEntryType === type ? (change.entry as EntryOf<T>) : undefined;
    const before = this.parent.get(index);
    if (before?.LedgerEntryType !== type) return undefined;
    const entry = { ...(before as EntryOf<T>) };
    this.changes.set(index, { entry, last: entry });
    return entry;
  }

  editAccount(address: string): AccountRoot | undefined {
    return this.edit('AccountRoot', accountIndex(address));
  }

  create(index: string, entry: Entry): void {
    this.put(index, entry);
  }

  erase(index: string): void {
    const change = this.changes.get(index);
    if (change) {
      change.entry = undefined;
      return;
    }
    const before = this.parent.get(index);
    if (before) this.changes.set(index, { entry: undefined, last: { ...before } });
  }

  /** Puts an entry in its place as a view over this one left it. */
  put(index: string, entry: Entry): void {
    this.changes.set(index, { entry, last: entry });
    this.books.note(index, entry);
  }

  /** Hands everything over to the view below. */
  applyTo(below: TransactionView | PaymentView): void {
    for (const [index, { entry, last }] of this.changes) {
      if (entry) below.put(index, entry);
      else if (below.get(index)) {
        below.put(index, last);
        below.erase(index);
      }
    }
    if (!(below instanceof PaymentView)) return;
    for (const [address, count] of this.ownerCounts) below.noteOwnerCount(address, count);
    for (const [key, { lowSent, highSent, lowBefore }] of this.credits) {
      const known = below.credits.get(key);
      if (known) {
        known.lowSent = plus(known.lowSent, lowSent);
        known.highSent = plus(known.highSent, highSent);
      } else below.credits.set(key, { lowSent, highSent, lowBefore });
    }
  }

  private noteOwnerCount(address: string, count: number): void {
    this.ownerCounts.set(address, Math.max(this.ownerCounts.get(address) ?? 0, count));
  }

  ownerCountChanged(address: string, before: number, after: number): void {
    this.noteOwnerCount(address, Math.max(before, after));
  }

  /** The owner count that a reserve is measured by. */
  countedOwned(address: string, now: number): number {
    const count = Math.max(now, this.ownerCounts.get(address) ?? 0);
    return this.parent instanceof PaymentView ? this.parent.countedOwned(address, count) : count;
  }

  /** Notes that one account sends another an amount, of which it has `before` (towards the other). */
  noteCredit(from: string, to: string, currency: string, amount: Quantity, before: Quantity): void {
    const { key, aIsLow } = pairOf(from, to, currency);
    const known = this.credits.get(key);
    if (known) {
      if (aIsLow) known.lowSent = plus(known.lowSent, amount);
      else known.highSent = plus(known.highSent, amount);
      return;
    }
    const none = zeroLike(amount);
    this.credits.set(
      key,
      aIsLow
        ? { lowSent: amount, highSent: none, lowBefore: before }
        : { lowSent: none, highSent: amount, lowBefore: negated(before) },
    );
  }

  /** What of a balance may be spent: not what came in within this payment. */
  spendable(holder: string, issuer: string, currency: string, balance: Quantity): Quantity {
    const { key, aIsLow } = pairOf(holder, issuer, currency);
    let sent = zeroLike(balance);
    let before = balance;
    let lowest = balance;
    for (let view: ReadView = this; view instanceof PaymentView; view = view.parent) {
      const credits = view.credits.get(key);
      if (!credits) continue;
      sent = plus(sent, aIsLow ? credits.lowSent : credits.highSent);
      before = aIsLow ? credits.lowBefore : negated(credits.lowBefore);
      lowest = least(lowest, before);
    }
    const spendable = least(least(balance, minus(before, sent)), lowest);
    return issuer === '' && signOf(spendable) < 0 ? zeroLike(balance) : spendable;
  }
}
