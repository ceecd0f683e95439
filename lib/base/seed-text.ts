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
