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
    // Whoever takes the next row gets its error; nobody may.
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
