import { isValidClassicAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { containsSeed, looksLikeSeed, SEED_WARNING } from '#lib/base/plain-text.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** A classic address or an X-address by its form, for the document: a checksum is nothing that a pattern can tell. */
export const ADDRESS_PATTERN = `^(?:r${BASE58}{24,34}|[XT]${BASE58}{46})$`;
/** What a classic address looks like; only the checksum says whether it is one. */
const ADDRESS_FORM = /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/;

type Parsed = { address: string } | { fault: string };

function parseXAddress(text: string): Parsed {
  try {
    const { classicAddress, tag, test } = xAddressToClassicAddress(text);
    if (test !== (env().XRPL_NETWORK_ID !== 0)) return { fault: 'is an X-address of another network' };
    if (tag !== false)
      return { fault: 'is an X-address with a destination tag; give the account itself, starting with r' };
    return { address: classicAddress };
  } catch {
    return { fault: 'is not a valid X-address: a character is wrong or missing. Copy it again from the wallet' };
  }
}

/** Reads an account in any form that people paste. The fault is a text for the client and never quotes the value. */
export function parseAccountAddress(text: string): Parsed {
  if (looksLikeSeed(text)) return { fault: SEED_WARNING };
  if (/^[XT][1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text)) return parseXAddress(text);
  if (isValidClassicAddress(text)) return { address: text };
  // An address may hold the three letters of a seed by chance: only what is none is searched for one.
  if (containsSeed(text)) return { fault: SEED_WARNING };
  return {
    fault: ADDRESS_FORM.test(text)
      ? 'is not a valid XRP Ledger account address: its checksum does not fit, so a character is wrong or missing. Copy it again from the wallet'
      : 'is not an XRP Ledger account address: one starts with r and has 25 to 35 letters and digits. Copy it from the wallet',
  };
}

/**
 * An account given by a client: a classic address with the right checksum, or an X-address of this network without a
 * tag, which is turned into its classic form. A pasted seed is refused with a warning.
 */
export const accountAddress = z
  .string()
  .max(100)
  .transform((text, ctx) => {
    const parsed = parseAccountAddress(text);
    if ('address' in parsed) return parsed.address;
    // The input stays out of the issue: it may be a secret.
    ctx.issues.push({ code: 'custom', input: undefined, message: parsed.fault });
    return z.NEVER;
  })
  .meta({
    description: 'Ledger account address (r…), or its X-address without a tag; the checksum must fit',
    example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    pattern: ADDRESS_PATTERN,
  });
