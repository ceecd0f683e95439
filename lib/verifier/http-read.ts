import { turns } from '@tranche/rules/turns.ts';
import type { z } from 'zod';
import { ReadError } from './errors.ts';
import { blockReader, blocksOf } from './row-blocks.ts';

const ATTEMPTS = 5;
/** What takes longer is asked for again. */
const LONGEST_ANSWER_MS = 60_000;
/** Rows of the first answer: few, so that nothing waits long for its beginning. */
const FIRST_ROWS = 2_000;
/** Rows of any further answer: many, for a platform counts the answers that it gives to one caller. */
const PAGE_ROWS = 10_000;
/** Rows that are there at a time, of an answer that is. */
const ROWS_AT_ONCE = 500;
/** The next answer is asked for when no more rows than this are left. */
const ASK_AHEAD_ROWS = 4_000;
/** A platform writes two such answers at a time and sends whoever asks for a third away for seconds. */
const OPEN_ANSWERS = 2;
/** How long a platform that asks for patience (`Retry-After`) gets it, in all, for one answer. */
const LONGEST_PATIENCE_MS = 300_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const unusable = (url: URL, detail: string, cause?: unknown) =>
  new ReadError('service_unavailable', `${url.pathname}: ${detail}`, { cause });

/** Refusals that the same question would meet again. */
class Refused extends ReadError {}

/** The platform is there, and says when to come back. */
class Busy extends ReadError {
  readonly waitMs: number;

  constructor(url: URL, response: Response) {
    super('rate_limited', `${url.pathname}: the platform answers ${response.status} again and again`);
    this.waitMs = 1_000 * Number(response.headers.get('retry-after'));
  }
}

async function open(url: URL): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
  if (response.ok) return response;
  if (/^\d{1,4}$/.test(response.headers.get('retry-after') ?? '')) throw new Busy(url, response);
  const text = (await response.text()).slice(0, 500);
  const mayPass = response.status === 429 || response.status >= 500;
  if (mayPass) throw unusable(url, `the platform answers ${response.status}: ${text}`);
  throw new Refused('service_unavailable', `${url.pathname}: the platform answers ${response.status}: ${text}`);
}

async function patiently<T>(url: URL, work: () => Promise<T>): Promise<T> {
  let patienceMs = LONGEST_PATIENCE_MS;
  for (let attempt = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (error instanceof Busy && error.waitMs <= patienceMs) {
        patienceMs -= Math.max(error.waitMs, 1_000);
        await pause(error.waitMs);
        continue;
      }
      attempt += 1;
      if (attempt >= ATTEMPTS) {
        throw error instanceof ReadError ? error : unusable(url, 'the platform could not be reached', error);
      }
      await pause(250 * 2 ** attempt);
    }
  }
}

/** One JSON answer, parsed by its schema; tried a few times. Throws `service_unavailable`. */
export async function readJson<T>(schema: z.ZodType<T>, url: URL): Promise<T> {
  const json = await patiently(url, async () => (await open(url)).json());
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw unusable(url, 'the answer has another form than its contract', parsed.error);
  return parsed.data;
}

/** An answer as one text; one that breaks off is asked for again. Throws `service_unavailable`. */
export const readText = (url: URL): Promise<string> => patiently(url, async () => (await open(url)).text());

const inTurn = turns(OPEN_ANSWERS);

/**
 * Rows of a JSON Lines export, a bounded answer at a time, each asked for while the end of the one before it is looked
 * at: no connection is kept waiting for the ledger. An answer stays text until its rows are looked at. Throws
 * `service_unavailable`, also for a row of another form.
 */
export async function* httpLines<Row>(
  schema: z.ZodType<Row>,
  at: (cursor: string | null) => URL,
  cursorOf: (row: Row) => string,
  first: string | null,
): AsyncGenerator<Row[]> {
  const read = blockReader(schema);
  const ask = async (cursor: string | null, limit: number): Promise<Answer> => {
    const url = at(cursor);
    url.searchParams.set('limit', String(limit));
    const text = await inTurn(() => readText(url));
    const { ends, lines } = blocksOf(text, ROWS_AT_ONCE);
    return { url, text, ends, lines, isFull: lines >= limit };
  };
  for (let coming: Promise<Answer> | null = ask(first, FIRST_ROWS); coming !== null; ) {
    const { url, text, ends, lines, isFull }: Answer = await coming;
    const rowsOf = (block: string): Row[] => inForm(url, () => read(block));
    coming = null;
    for (const [block, end] of ends.entries()) {
      if (isFull && coming === null && block * ROWS_AT_ONCE + ASK_AHEAD_ROWS >= lines) {
        coming = ask(cursorOf(rowsOf(lastLine(text))[0] as Row), PAGE_ROWS);
        // Whoever takes the next rows gets its error; nobody may.
        coming.catch(() => undefined);
      }
      yield rowsOf(text.slice(ends[block - 1] ?? 0, end));
    }
  }
}

/** What was answered, and where its blocks of rows end. */
interface Answer {
  url: URL;
  text: string;
  ends: number[];
  lines: number;
  /** There may be more behind it. */
  isFull: boolean;
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n', text.length - 2) + 1);

function inForm<T>(url: URL, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unusable(url, 'a row has another form than its contract', error);
  }
}
