import type { AccountRoot, Entry, EntryOf, EntryType } from '../entries.ts';
import { accountIndex } from '../keylets.ts';
import { BookDirectories, type LedgerOverlay, lowerKey, type ReadView, read, type WriteView } from '../state.ts';

/** What one transaction did to one entry. */
export type EntryChange = { readonly before: Entry | undefined; after: Entry | undefined; last: Entry | undefined };

/**
 * The journal of one transaction over the ledger being built: entries are copied when first touched, and nothing
 * reaches the ledger until `commit`.
 */
export class TransactionView implements WriteView {
  readonly base: LedgerOverlay;
  readonly ledgerIndex: number;
  readonly parentCloseTime: number;
  readonly changes = new Map<string, EntryChange>();
  private readonly books = new BookDirectories();

  constructor(base: LedgerOverlay) {
    this.base = base;
    this.ledgerIndex = base.ledgerIndex;
    this.parentCloseTime = base.parentCloseTime;
  }

  get(index: string): Entry | undefined {
    const change = this.changes.get(index);
    return change ? change.after : this.base.get(index);
  }

  /** A copy of the entry that may be changed at its top level (nested values must be replaced, not changed). */
  edit<T extends EntryType>(type: T, index: string): EntryOf<T> | undefined {
    const change = this.changes.get(index);
    if (change) return change.after?.LedgerEntryType === type ? (change.after as EntryOf<T>) : undefined;
    const before = read(this.base, type, index);
    if (!before) return undefined;
    const after = { ...before };
    this.changes.set(index, { before, after, last: after });
    return after;
  }

  editAccount(address: string): AccountRoot | undefined {
    return this.edit('AccountRoot', accountIndex(address));
  }

  create(index: string, entry: Entry): void {
    this.books.note(index, entry);
    const change = this.changes.get(index);
    if (change) {
      change.after = entry;
      change.last = entry;
    } else this.changes.set(index, { before: undefined, after: entry, last: entry });
  }

  /** Removes an entry; its last contents stay for the metadata. */
  erase(index: string): void {
    const change = this.changes.get(index);
    if (change) {
      if (change.before) change.after = undefined;
      else this.changes.delete(index);
      return;
    }
    const before = this.base.get(index);
    if (before) this.changes.set(index, { before, after: undefined, last: { ...before } });
  }

  /** Puts an entry as another view left it in its place, whatever stood there. */
  put(index: string, entry: Entry): void {
    this.books.note(index, entry);
    const change = this.changes.get(index);
    if (change?.after) {
      // Others may hold the entry that they edited, so it is changed in place.
      const kept = change.after as Record<string, unknown>;
      for (const name of Object.keys(kept)) if (!(name in entry)) delete kept[name];
      Object.assign(kept, entry);
    } else if (change) {
      change.after = entry;
      change.last = entry;
    } else this.changes.set(index, { before: this.base.get(index), after: entry, last: entry });
  }

  nextBookDirectory(above: string): string | undefined {
    return lowerKey(this.books.above(above), this.base.nextBookDirectory(above));
  }

  *bookDirectories(): Generator<string> {
    yield* this.books.firsts();
    yield* this.base.bookDirectories();
  }

  /** Forgets everything the transaction did so far. */
  reset(): void {
    this.changes.clear();
  }

  commit(): void {
    for (const [index, change] of this.changes) this.base.set(index, change.after);
  }
}

/** The account in any view. */
export function account(view: ReadView, address: string): AccountRoot | undefined {
  return read(view, 'AccountRoot', accountIndex(address));
}
