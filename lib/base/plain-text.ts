import { z } from 'zod';

/** Base58 as the XRP Ledger writes it: no 0, O, I, l. */
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** An XRP Ledger seed in its usual text forms, secp256k1 (`s…`) and Ed25519 (`sEd…`). */
const SEED_FORM = new RegExp(`^\\s*s(?:Ed)?${BASE58}{24,31}\\s*$`);

/** True for text that as a whole may be somebody's secret seed. Such text must not be stored, logged, echoed or sent on. */
export const looksLikeSeed = (text: string): boolean => SEED_FORM.test(text);

export const SEED_WARNING =
  'looks like a secret seed. Never paste a seed anywhere: consider it known to others and move the funds. An address starts with r';

/**
 * A seed anywhere in a text: either form (`s…`, `sEd…`) as a word of its own, or the Ed25519 form even inside a word,
 * where its three fixed letters and length make an accident improbable.
 */
const SEED_ANYWHERE = new RegExp(
  `(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2}))s${BASE58}{24,31}(?![0-9A-Za-z])|sEd${BASE58}{28}`,
);

/** True for text that may hold somebody's secret seed. Such text must not be stored, logged, echoed or sent on. */
export const containsSeed = (text: string): boolean => SEED_ANYWHERE.test(text);

/** The same for every text and name inside a JSON value. Without recursion, because clients choose the depth. */
export function holdsSeed(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string' && containsSeed(next)) return true;
    if (typeof next === 'object' && next !== null) {
      for (const [name, part] of Object.entries(next)) rest.push(name, part);
    }
  }
  return false;
}

export const CONTROL_FAULT = 'must not contain control characters';
// Published in the document, and not every tool knows \p{Cc}.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the pattern is about
const NO_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** The character that no request may hold (parse-request.ts), as the pattern of a text that may hold every other one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this one is what the pattern is about
export const NO_ZERO = /^[^\x00]*$/;
export const ZERO_FAULT = 'must not contain the character U+0000';

/** Postgres holds no NUL, and no other control character belongs into a text that people read. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(NO_CONTROL_CHARACTERS, CONTROL_FAULT)
    .refine((text) => text.isWellFormed(), CONTROL_FAULT)
    .refine((text) => !containsSeed(text), SEED_WARNING);
