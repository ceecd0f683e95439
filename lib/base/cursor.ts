import type { IdPrefix } from '@tranche/rules/ids.ts';
import { z } from 'zod';
import { fieldError } from './errors.ts';

/** A whole number in a query, in plain digits: Number() takes `0x10`, `1e2` and an empty text too. */
export function wholeNumber({ min, max }: { min: number; max?: number }) {
  const error = `must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
    z
      .int({ error })
      .min(min, error)
      .max(max ?? Number.MAX_SAFE_INTEGER, error),
  );
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const CURSOR_FAULT = 'is not a cursor of this list';

/** A cursor that is base64url of what its list knows; nothing else looks into it. */
export const opaqueCursor = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/, CURSOR_FAULT)
    .meta({ description: 'Opaque; `next_cursor` of the page before' });

/** Query fields of every list: an opaque cursor and a page size. */
export const cursorQuery = {
  cursor: opaqueCursor(200).optional(),
  limit: wholeNumber({ min: 1, max: MAX_LIMIT }).default(DEFAULT_LIMIT).meta({ description: 'Page size' }),
};

const position = z.lazy(() => z.tuple([z.iso.datetime(), z.string().regex(/^[a-z]{1,8}_[0-9A-Za-z]{1,32}$/)]));

/** A place in a list ordered by (time, id). */
interface Position {
  at: Date;
  id: string;
}

/** A cursor of what a list knows of a place in it. */
export const writeCursor = (where: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(where)).toString('base64url');

/** Throws `invalid_request`, naming `field`, when the cursor is not one of this list. */
export function readCursor<T>(cursor: string, where: z.ZodType<T>, field = 'cursor'): T {
  try {
    return where.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw fieldError(field, CURSOR_FAULT, { cause });
  }
}

export const encodeCursor = (at: Date, id: string): string => writeCursor([at.toISOString(), id]);

/** Throws `invalid_request` when the cursor is not one of ours, or with `prefix` when it is of a list of other things. */
export function decodeCursor(cursor: string | undefined, prefix?: IdPrefix): Position | null {
  if (cursor === undefined) return null;
  const own = position.refine(([, id]) => prefix === undefined || id.startsWith(`${prefix}_`));
  const [at, id] = readCursor(cursor, own);
  return { at: new Date(at), id };
}

/** Cuts a list read with `limit + 1` rows to a page and its cursor. */
export function toPage<Row>(
  rows: Row[],
  limit: number,
  where: (row: Row) => Position,
): { rows: Row[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? where(last) : null;
  return { rows: page, next: next === null ? null : encodeCursor(next.at, next.id) };
}
