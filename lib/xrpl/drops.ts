import { z } from 'zod';
import type { Drops } from '#lib/base/money.ts';

const DIGITS = /^\d+$/;
const digits = z.string().regex(DIGITS);

/** A field of drops as the ledger writes it. Throws ZodError for anything else: the schema is asked only then, for its words. */
export function readDrops<Name extends string>(fields: Readonly<Partial<Record<Name, unknown>>>, name: Name): Drops {
  const value: unknown = fields[name];
  if (typeof value === 'string' && DIGITS.test(value)) return BigInt(value);
  return BigInt(z.object({ [name]: digits }).parse(fields)[name] ?? '');
}
