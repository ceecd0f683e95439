import type { Entry, EntryOf, EntryType } from './entries.ts';

/** Something entries can be read from. What it returns must never be changed in place. */
export interface ReadView {
  /** Index of the ledger this view belongs to. */
  readonly ledgerIndex: number;
  /** Unchanged entry, or undefined when there is none. */
  get(index: string): Entry | undefined;
}

/** Reads an entry of a known type; an entry of another type under that key is treated as absent. */
export function read<T extends EntryType>(view: ReadView, type: T, index: string): EntryOf<T> | undefined {
  const entry = view.get(index);
  return entry?.LedgerEntryType === type ? (entry as EntryOf<T>) : undefined;
}

type Version = { readonly ledgerIndex: number; readonly entry: Entry | undefined };

/**
 * Every validated state. An entry keeps its versions, so that any past ledger can be read without copies of the
 * whole state; the newest version is the last.
 */
export class ValidatedState {
  private readonly versions = new Map<string, Version[]>();

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

  /** A fixed view of the ledger with that index. */
  view(ledgerIndex: number): ReadView {
    return { ledgerIndex, get: (index) => this.at(index, ledgerIndex) };
  }

  commit(changes: ReadonlyMap<string, Entry | undefined>, ledgerIndex: number): void {
    for (const [index, entry] of changes) {
      const history = this.versions.get(index);
      if (history) history.push({ ledgerIndex, entry });
      else if (entry) this.versions.set(index, [{ ledgerIndex, entry }]);
    }
  }
}

/** The ledger being built: what changed since its parent, over the parent's state. */
export class LedgerOverlay implements ReadView {
  readonly changes = new Map<string, Entry | undefined>();
  readonly ledgerIndex: number;
  /** XRP burned in this ledger. */
  burnedDrops = 0n;
  private readonly parent: ValidatedState;

  constructor(parent: ValidatedState, ledgerIndex: number) {
    this.parent = parent;
    this.ledgerIndex = ledgerIndex;
  }

  get(index: string): Entry | undefined {
    const changed = this.changes.get(index);
    return changed !== undefined || this.changes.has(index) ? changed : this.parent.latest(index);
  }
}
