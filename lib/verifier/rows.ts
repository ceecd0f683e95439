import { sha256Hex } from '@tranche/rules/sha256.ts';
import type { Progress } from './progress.ts';
import type { PublishedAllocation, PublishedPayment, PublishedPayout } from './published.ts';
import type { PublishedSource } from './types.ts';

/**
 * Rows that come in pages, looked at one at a time; the next page is asked for while one is looked at. `cursor` names the
 * last one taken, or what its reader has put there: a later reading goes on after it.
 */
export class Rows<Row> {
  cursor: string | null;
  readonly #open: () => AsyncIterator<readonly Row[]>;
  readonly #cursorOf: (row: Row) => string;
  readonly #onTake: (row: Row) => void;
  #pages: AsyncIterator<readonly Row[]> | null = null;
  #coming: Promise<IteratorResult<readonly Row[]>> | null = null;
  #page: readonly Row[] = [];
  #next = 0;
  #ended = false;

  constructor(
    open: (cursor: string | null) => AsyncIterable<readonly Row[]>,
    cursor: string | null,
    cursorOf: (row: Row) => string,
    onTake: (row: Row) => void = () => undefined,
  ) {
    this.cursor = cursor;
    this.#open = () => open(cursor)[Symbol.asyncIterator]();
    this.#cursorOf = cursorOf;
    this.#onTake = onTake;
  }

  /** Asks for the first page now: who looks at it later finds it there. */
  begin(): void {
    if (this.#pages === null) this.#ask();
  }

  /** The next row, not taken yet, if it is there already: one that is there is not waited for. */
  get here(): Row | null {
    return this.#page[this.#next] ?? null;
  }

  /** The next row, not taken yet; null at the end. */
  async peek(): Promise<Row | null> {
    while (this.#next >= this.#page.length && !this.#ended) {
      const { done, value } = await (this.#coming ?? this.#ask());
      this.#ended = done === true;
      this.#page = done === true ? [] : value;
      this.#next = 0;
      if (!this.#ended) this.#ask();
    }
    return this.#page[this.#next] ?? null;
  }

  #ask(): Promise<IteratorResult<readonly Row[]>> {
    this.#pages ??= this.#open();
    this.#coming = this.#pages.next();
    // Its error is thrown where the next row is taken, if it is.
    this.#coming.catch(() => undefined);
    return this.#coming;
  }

  /** The row that was peeked at is done with. */
  take(): void {
    const row = this.#page[this.#next];
    if (row === undefined) throw new Error('No row was looked at');
    this.#next += 1;
    this.cursor = this.#cursorOf(row);
    this.#onTake(row);
  }

  async close(): Promise<void> {
    await this.#coming?.catch(() => undefined);
    await this.#pages?.return?.();
  }
}

/** Cursors as the streams take them, made of a row. */
export const paymentCursor = (row: PublishedPayment) => `${row.ledger_index}-${row.transaction_index}`;
export const allocationCursor = (row: PublishedAllocation) =>
  `${row.ledger_index}-${row.transaction_index}-${row.tier}`;
export const payoutCursor = (row: PublishedPayout) =>
  row.kind === 'lock' || row.kind === 'release'
    ? `${row.kind}-${row.id}`
    : `${row.decided_ledger_index}-${row.decided_transaction_index}-${row.kind}-${row.part}`;
export const paidCursor = (row: PublishedPayout) => `${row.ledger_index}-${row.transaction_hash}`;

const LAST_HASH = 'F'.repeat(64);
const LAST_PART = 999_999;

/**
 * Where a later reading goes on after whole ledgers, or after all payouts of a payment: what was recorded meanwhile of what
 * has been compared stands before it.
 */
export const afterLedger = (ledger: number) => `${ledger}-${LAST_HASH}`;
export const afterPayment = (row: PublishedPayment) => `${paymentCursor(row)}-refund-${LAST_PART}`;

/** The rows of a sale from where the verification stands; of payments that are taken, `onPayment` is told. */
export const openRows = (
  source: PublishedSource,
  projectId: string,
  progress: Progress,
  onPayment: (row: PublishedPayment) => void,
) => ({
  payments: () =>
    new Rows(
      (cursor) => source.payments(projectId, progress.asOf, cursor),
      progress.cursors.payments,
      paymentCursor,
      onPayment,
    ),
  allocations: () =>
    new Rows(
      (cursor) => source.allocations(projectId, progress.asOf, cursor),
      progress.cursors.allocations,
      allocationCursor,
    ),
  payouts: () =>
    new Rows((cursor) => source.payouts(projectId, progress.asOf, cursor), progress.cursors.payouts, payoutCursor),
  paid: (account: string, after: string | null) =>
    new Rows((cursor) => source.paid(projectId, progress.asOf, account, cursor), after, paidCursor),
});

const MODULUS = 2n ** 256n;

/** A digest of rows in their order, which goes on row by row. */
export const hashChained = (before: string, row: object): string => sha256Hex(before + JSON.stringify(row));

/**
 * A digest of rows in any order. Its key must be unknown to who publishes the rows: whoever may choose a field of some
 * thousand rows finds others with the same sum of plain hashes in minutes.
 */
export const added = (before: bigint, key: string, row: object): bigint =>
  (before + BigInt(`0x${sha256Hex(key + JSON.stringify(row))}`)) % MODULUS;
