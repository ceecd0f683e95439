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

/** Why somebody does what others will ask about. */
export const auditReason = plainText(500)
  .trim()
  .min(3)
  .meta({ description: 'Why; stands in the audit log', example: 'asked for by the owner, ticket 4711' });

/** What turns the direction of a line or takes no room in it; variation selectors only choose between two forms of a sign. */
const DECEPTIVE = /[\p{Bidi_Control}\p{Zl}\p{Zp}[\p{Default_Ignorable_Code_Point}--[\u{FE00}-\u{FE0F}]]]/v;
/** The blank Braille pattern counts as a symbol. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/** A name that people tell others apart by: two that look alike must not differ by what is invisible. */
export const visibleName = (maxLength: number) =>
  plainText(maxLength)
    .trim()
    .min(1)
    .refine((text) => !DECEPTIVE.test(text), 'must not contain characters that are invisible or turn the text around')
    .refine((text) => text === '' || VISIBLE.test(text), 'must contain a visible character');
