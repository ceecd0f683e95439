import { z } from 'zod';

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
