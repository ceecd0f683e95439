import { encodeObject } from './binary/encode.ts';
import type { Entry, EntryOf, EntryType } from './entries.ts';
import { sha512HalfHex } from './hashing.ts';
import { HashTree } from './hashTree.ts';
import { accountIdHex } from './keylets.ts';

/** First position in an ascending list whose text is above `start`. */
export function positionAbove(sorted: readonly string[], start: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ledger keys under names that are read in ascending order; sorting waits until somebody reads. */
export class SortedIndex {
  private readonly keys = new Map<string, string>();
  private sorted: readonly string[] | undefined;

  set(name: string, key: string): void {
    if (!this.keys.has(name)) this.sorted = undefined;
    this.keys.set(name, key);
  }

  delete(name: string): void {
    if (this.keys.delete(name)) this.sorted = undefined;
  }

  /** Names and keys above a name, in order. */
  *above(start: string): Generator<{ name: string; key: string }> {
    this.sorted ??= [...this.keys.keys()].sort();
    const { sorted } = this;
    for (let at = positionAbove(sorted, start); at < sorted.length; at++) {
      const name = sorted[at] ?? '';
      const key = this.keys.get(name);
      if (key !== undefined) yield { name, key };
    }
  }
}

/** Keys in ascending order, kept sorted as they come and go. */
class SortedKeys {
  private readonly keys: string[] = [];

  add(key: string): void {
    const at = positionAbove(this.keys, key);
    if (this.keys[at - 1] !== key) this.keys.splice(at, 0, key);
  }

  delete(key: string): void {
    const at = positionAbove(this.keys, key) - 1;
    if (this.keys[at] === key) this.keys.splice(at, 1);
  }

  above(start: string): string | undefined {
    return this.keys[positionAbove(this.keys, start)];
  }

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }
}

/** The digits of a book directory's key that name the book; the other 16 are the price. */
const BOOK_DIGITS = 48;

function isBookDirectory(index: string, entry: Entry | undefined): boolean {
  return entry?.LedgerEntryType === 'DirectoryNode' && entry.ExchangeRate !== undefined && entry.RootIndex === index;
}

/** The directories of every order book, by book. */
export class BookDirectories {
  private readonly byBook = new Map<string, SortedKeys>();

  add(directory: string): void {
    const book = directory.slice(0, BOOK_DIGITS);
    const keys = this.byBook.get(book) ?? new SortedKeys();
    keys.add(directory);
    this.byBook.set(book, keys);
  }

  delete(directory: string): void {
    const book = directory.slice(0, BOOK_DIGITS);
    const keys = this.byBook.get(book);
    keys?.delete(directory);
    if (keys?.isEmpty) this.byBook.delete(book);
  }

  /** Takes up the directory when the entry under that key is one. */
  note(index: string, entry: Entry | undefined): void {
    if (isBookDirectory(index, entry)) this.add(index);
  }

  /** The first directory of each book. */
  *firsts(): Generator<string> {
    for (const keys of this.byBook.values()) {
      const first = keys.above('');
      if (first !== undefined) yield first;
    }
  }

  above(directory: string): string | undefined {
    return this.byBook.size === 0 ? undefined : this.byBook.get(directory.slice(0, BOOK_DIGITS))?.above(directory);
  }
}

/** The lower of two keys, either of which may be missing. */
export function lowerKey(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

/** Something entries can be read from. What it returns must never be changed in place. */
export interface ReadView {
  /** Index of the ledger this view belongs to. */
  readonly ledgerIndex: number;
  /** When its parent closed, in seconds since the ledger epoch: the clock by which things expire in it. */
  readonly parentCloseTime: number;
  /** Unchanged entry, or undefined when there is none. */
  get(index: string): Entry | undefined;
  /**
   * Key of the next directory of an order book above a key that begins with the book's 48 digits. What stands there in
   * this view may be gone already; then ask for the one above it.
   */
  nextBookDirectory(above: string): string | undefined;
  /** A directory of every order book there may be; some come more than once. */
  bookDirectories(): Iterable<string>;
}

/** Something entries can be read from and written to. */
export interface WriteView extends ReadView {
  /** A copy of the entry that may be changed at its top level (nested values must be replaced, not changed). */
  edit<T extends EntryType>(type: T, index: string): EntryOf<T> | undefined;
  editAccount(address: string): EntryOf<'AccountRoot'> | undefined;
  create(index: string, entry: Entry): void;
  /** Removes an entry; its last contents stay for the metadata. */
  erase(index: string): void;
  /** Told of every change of an account's owner count, by views that keep account of it. */
  ownerCountChanged?(address: string, before: number, after: number): void;
}

/** Reads an entry of a known type; an entry of another type under that key is treated as absent. */
export function read<T extends EntryType>(view: ReadView, type: T, index: string): EntryOf<T> | undefined {
  const entry = view.get(index);
  return entry?.LedgerEntryType === type ? (entry as EntryOf<T>) : undefined;
}

type Version = { readonly ledgerIndex: number; readonly entry: Entry | undefined };

/**
 * Every validated state that is still held. An entry keeps its versions, so that any held ledger can be read without
 * copies of the whole state; the newest version is the last.
 */
export class ValidatedState {
  private readonly versions = new Map<string, Version[]>();
  private readonly changedIn = new Map<number, readonly string[]>();
  private readonly tree = new HashTree();
  private readonly index = new SortedIndex();
  private readonly tokensOfIssuance = new Map<string, SortedIndex>();
  /** Directories of the newest state, and of any state that is held. */
  private readonly liveBooks = new BookDirectories();
  private readonly heldBooks = new BookDirectories();

  latest(index: string): Entry | undefined {
    return this.versions.get(index)?.at(-1)?.entry;
  }

  /** The entry as it stood in a past ledger. */
  at(index: string, ledgerIndex: number): Entry | undefined {
    const history = this.versions.get(index);
    if (!history) return undefined;
    let low = 0;
    let high = history.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((history[middle]?.ledgerIndex ?? 0) <= ledgerIndex) low = middle + 1;
      else high = middle;
    }
    return history[low - 1]?.entry;
  }

  /** A fixed view of a validated ledger. */
  view({ ledgerIndex, parentCloseTime }: Pick<ReadView, 'ledgerIndex' | 'parentCloseTime'>): ReadView {
    return {
      ledgerIndex,
      parentCloseTime,
      get: (index) => this.at(index, ledgerIndex),
      nextBookDirectory: (above) => this.heldBooks.above(above),
      bookDirectories: () => this.heldBooks.firsts(),
    };
  }

  /** Of the newest state. */
  nextBookDirectory(above: string): string | undefined {
    return this.liveBooks.above(above);
  }

  /** Of the newest state. */
  bookDirectories(): Iterable<string> {
    return this.liveBooks.firsts();
  }

  /** Keys of everything held in any version that are above a key, in ascending order. */
  *keysAbove(start: string): Generator<string> {
    for (const { key } of this.index.above(start)) yield key;
  }

  /**
   * The MPTokens of an issuance, in any held version, whose holder's account ID is above another, in that order: the
   * ledger itself has no directory of them.
   */
  *tokensAbove(mptIssuanceId: string, accountId: string): Generator<{ name: string; key: string }> {
    yield* this.tokensOfIssuance.get(mptIssuanceId)?.above(accountId) ?? [];
  }

  private recordNew(index: string, entry: Entry): void {
    this.index.set(index, index);
    this.heldBooks.note(index, entry);
    if (entry.LedgerEntryType !== 'MPToken') return;
    const tokens = this.tokensOfIssuance.get(entry.MPTokenIssuanceID) ?? new SortedIndex();
    tokens.set(accountIdHex(entry.Account), index);
    this.tokensOfIssuance.set(entry.MPTokenIssuanceID, tokens);
  }

  /** Hash of the newest state: the `account_hash` of its ledger. */
  get rootHash(): string {
    return this.tree.rootHash;
  }

  /** Takes a ledger's changes over. Ledgers come in ascending order. */
  commit(changes: ReadonlyMap<string, Entry | undefined>, ledgerIndex: number): void {
    this.changedIn.set(ledgerIndex, [...changes.keys()]);
    for (const [index, entry] of changes) {
      const history = this.versions.get(index);
      this.noteLiveBook(index, history?.at(-1)?.entry, entry);
      if (history) history.push({ ledgerIndex, entry });
      else if (entry) {
        this.versions.set(index, [{ ledgerIndex, entry }]);
        this.recordNew(index, entry);
      }
      this.hashLeaf(index, entry);
    }
  }

  private noteLiveBook(index: string, before: Entry | undefined, after: Entry | undefined): void {
    if (after) this.liveBooks.note(index, after);
    else if (isBookDirectory(index, before)) this.liveBooks.delete(index);
  }

  private hashLeaf(index: string, entry: Entry | undefined): void {
    if (entry) this.tree.set(index, sha512HalfHex('4D4C4E00', encodeObject(entry), index));
    else this.tree.delete(index);
  }

  /** Everything in a ledger, by key. */
  *entriesAt(ledgerIndex: number): Generator<[index: string, entry: Entry]> {
    for (const index of this.keysAbove('')) {
      const entry = this.at(index, ledgerIndex);
      if (entry) yield [index, entry];
    }
  }

  /** What a ledger changed: each key with the entry as that ledger left it. */
  *changesOf(ledgerIndex: number): Generator<[index: string, entry: Entry | undefined]> {
    for (const index of this.changedIn.get(ledgerIndex) ?? []) yield [index, this.at(index, ledgerIndex)];
  }

  /** Returns to the state of an earlier ledger that is still held, as if none had followed. */
  rewind(ledgerIndex: number): void {
    for (const [later, changed] of this.changedIn) {
      if (later <= ledgerIndex) continue;
      this.changedIn.delete(later);
      for (const index of changed) {
        const history = this.versions.get(index);
        const kept = history?.filter((version) => version.ledgerIndex <= ledgerIndex) ?? [];
        // Several of the ledgers may have changed the entry: the first of them did it all.
        if (!history || kept.length === history.length) continue;
        this.noteLiveBook(index, history.at(-1)?.entry, kept.at(-1)?.entry);
        if (kept.length > 0) this.versions.set(index, kept);
        else this.recordGone(index, history);
        this.hashLeaf(index, kept.at(-1)?.entry);
      }
    }
  }

  private recordGone(index: string, history: readonly Version[]): void {
    this.versions.delete(index);
    this.index.delete(index);
    this.heldBooks.delete(index);
    for (const { entry } of history) {
      if (entry?.LedgerEntryType !== 'MPToken') continue;
      this.tokensOfIssuance.get(entry.MPTokenIssuanceID)?.delete(accountIdHex(entry.Account));
    }
  }

  /** Forgets the versions that only ledgers up to that one can show; call it for each ledger in turn. */
  forget(ledgerIndex: number): void {
    const first = ledgerIndex + 1;
    for (const index of this.changedIn.get(first) ?? []) {
      const history = this.versions.get(index);
      if (!history) continue;
      const stale = history.findIndex((version) => version.ledgerIndex >= first);
      if (stale > 0) history.splice(0, stale);
      if (history.length === 1 && history[0]?.entry === undefined) {
        this.versions.delete(index);
        this.index.delete(index);
        this.heldBooks.delete(index);
      }
    }
    this.changedIn.delete(ledgerIndex);
  }
}

/** What a ledger being built stands on: the last validated state, or another ledger being built. */
export interface LedgerBase {
  latest(index: string): Entry | undefined;
  nextBookDirectory(above: string): string | undefined;
  bookDirectories(): Iterable<string>;
}

/** The ledger being built: what changed since its parent, over the parent's state. */
export class LedgerOverlay implements ReadView, LedgerBase {
  readonly changes = new Map<string, Entry | undefined>();
  readonly ledgerIndex: number;
  readonly parentCloseTime: number;
  /** XRP burned in this ledger. */
  burnedDrops = 0n;
  private readonly parent: LedgerBase;
  private readonly books = new BookDirectories();

  constructor(parent: LedgerBase, { ledgerIndex, parentCloseTime }: Pick<ReadView, 'ledgerIndex' | 'parentCloseTime'>) {
    this.parent = parent;
    this.ledgerIndex = ledgerIndex;
    this.parentCloseTime = parentCloseTime;
  }

  get(index: string): Entry | undefined {
    const changed = this.changes.get(index);
    return changed !== undefined || this.changes.has(index) ? changed : this.parent.latest(index);
  }

  latest(index: string): Entry | undefined {
    return this.get(index);
  }

  nextBookDirectory(above: string): string | undefined {
    return lowerKey(this.books.above(above), this.parent.nextBookDirectory(above));
  }

  *bookDirectories(): Generator<string> {
    yield* this.books.firsts();
    yield* this.parent.bookDirectories();
  }

  /** Writes an entry, or removes it when there is none. */
  set(index: string, entry: Entry | undefined): void {
    this.changes.set(index, entry);
    this.books.note(index, entry);
  }

  /** Takes over what was tried in a ledger built on this one. */
  absorb(trial: LedgerOverlay): void {
    for (const [index, entry] of trial.changes) this.set(index, entry);
    this.burnedDrops += trial.burnedDrops;
  }
}
