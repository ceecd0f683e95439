import { quickTest } from '@tranche/rules/quick-test.ts';
import { turns } from '@tranche/rules/turns.ts';
import * as z from 'zod';
import { ReadError } from './errors.ts';
import {
  allocationRow,
  depositAccount,
  exceptionResource,
  listResource,
  projectResource,
  publishedPayment,
  publishedPayout,
  termsResource,
} from './published.ts';
import { allocationCursor, paidCursor, paymentCursor, payoutCursor } from './rows.ts';
import type { PublishedSource } from './types.ts';

const PAGE = 200;

const next = { next_cursor: z.string().nullable() };
const verificationAnswer = z.object({ deposit_account: depositAccount });
const projectsPage = z.object({ projects: z.array(projectResource), ...next });
const listsPage = z.object({ lists: z.array(listResource), ...next });
const exceptionsPage = z.object({ exceptions: z.array(exceptionResource), ...next });

/** What a platform publishes, read over HTTP from anywhere. Every answer is parsed by its contract. */
export function httpSource(baseUrl: string): PublishedSource {
  const url = (path: string, query: Record<string, string | number | null> = {}): URL => {
    const target = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query)) if (value !== null) target.searchParams.set(name, String(value));
    return target;
  };
  const ofProject = (id: string, what: string, query: Record<string, string | number | null> = {}): URL =>
    url(`/api/projects/${id}${what}`, query);

  async function all<Page extends { next_cursor: string | null }, Row>(
    schema: z.ZodType<Page>,
    at: (cursor: string | null) => URL,
    rowsOf: (page: Page) => readonly Row[],
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await readJson(schema, at(cursor));
      for (const row of rowsOf(page)) rows.push(row);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return rows;
  }

  return {
    depositAccount: async (id) => (await readJson(verificationAnswer, ofProject(id, '/verification'))).deposit_account,
    project: (id) => readJson(projectResource, ofProject(id, '')),
    projects: () =>
      all(
        projectsPage,
        (cursor) => url('/api/projects', { limit: PAGE, cursor }),
        (page) => page.projects,
      ),
    terms: (id) => readJson(termsResource, ofProject(id, '/terms')),
    lists: (id) =>
      all(
        listsPage,
        (cursor) => ofProject(id, '/lists', { limit: PAGE, cursor }),
        (page) => page.lists,
      ),
    async *listText(id, listId) {
      yield await readText(ofProject(id, `/lists/${listId}`));
    },
    exceptions: (id) =>
      all(
        exceptionsPage,
        (cursor) => ofProject(id, '/exceptions', { limit: PAGE, cursor }),
        (page) => page.exceptions,
      ),
    payments: (id, asOf, first) =>
      httpLines(
        publishedPayment,
        (cursor) => ofProject(id, '/payments', { format: 'jsonl', as_of: asOf, cursor }),
        paymentCursor,
        first,
      ),
    allocations: (id, asOf, first) =>
      httpLines(
        allocationRow,
        (cursor) => ofProject(id, '/allocations', { format: 'jsonl', as_of: asOf, cursor }),
        allocationCursor,
        first,
      ),
    payouts: (id, asOf, first) =>
      httpLines(
        publishedPayout,
        (cursor) => ofProject(id, '/payouts', { format: 'jsonl', as_of: asOf, cursor }),
        payoutCursor,
        first,
      ),
    paid: (id, asOf, account, first) =>
      httpLines(
        publishedPayout,
        (cursor) => ofProject(id, '/payouts', { format: 'jsonl', order: 'ledger', as_of: asOf, account, cursor }),
        paidCursor,
        first,
      ),
  };
}

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
/** A platform writes two such answers at a time and refuses a third for seconds. */
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
async function readJson<T>(schema: z.ZodType<T>, url: URL): Promise<T> {
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
        // Its error is thrown where the next rows are taken, if they are.
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

/** Where every `size` lines of a text of lines end, and how many lines there are. Pure. */
function blocksOf(text: string, size: number): { ends: number[]; lines: number } {
  const ends: number[] = [];
  let lines = 0;
  let end = 0;
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', end)) {
    end = next + 1;
    lines += 1;
    if (lines % size === 0) ends.push(end);
  }
  if (end < text.length) lines += 1;
  if (lines % size !== 0) ends.push(text.length);
  return { ends, lines };
}

/**
 * Reads lines of JSON, all of them at once: that costs half of what one after the other does. Throws SyntaxError or ZodError
 * for a line that is not one row.
 */
function blockReader<Row>(schema: z.ZodType<Row>): (block: string) => Row[] {
  const all = z.array(schema);
  const isRow = quickTest(schema, { otherFields: 'refused' });
  return (block) => {
    const lines = block.endsWith('\n') ? block.slice(0, -1) : block;
    const array = lines.replaceAll('}\n{', '},{');
    const given: unknown[] = JSON.parse(`[${array}]`);
    const rows = given.every(isRow) ? given : all.parse(given);
    const isWhole = !array.includes('\n') && rows.length === blocksOf(lines, Number.POSITIVE_INFINITY).lines;
    if (!isWhole) throw new SyntaxError('A line is not one row');
    return rows;
  };
}
