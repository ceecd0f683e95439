import { isValidClassicAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import { type Amount, amountsIn, withoutAmounts } from './amounts.ts';

/** What a message names: everything exact, nothing corrected. */
export interface Entities {
  /** Classic addresses, X-addresses turned into theirs. */
  wallets: string[];
  /** Something like an address whose checksum does not fit. */
  brokenAddress: boolean;
  /** Transaction hashes in upper case. */
  hashes: string[];
  /** Something like a hash of the wrong length. */
  brokenHash: boolean;
  amounts: Amount[];
  tier: number | 'next' | 'last' | null;
  projectIds: string[];
  /** The message with all of it replaced by words for their kinds. */
  rest: string;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const CLASSIC = new RegExp(`(?<![0-9A-Za-z])r${BASE58}{20,40}(?![0-9A-Za-z])`, 'g');
const EXTENDED = new RegExp(`(?<![0-9A-Za-z])[XT]${BASE58}{40,60}(?![0-9A-Za-z])`, 'g');
const HEX = /(?<![0-9A-Za-z_])[0-9A-Fa-f]{50,80}(?![0-9A-Za-z])/g;
const HASH_LENGTH = 64;
const PROJECT_ID = /proj_[0-9A-Za-z]{22}(?![0-9A-Za-z])/g;
const OTHER_ID = /\b(?:inv|evt|wh|del|key|pay)_[0-9A-Za-z]{22}(?![0-9A-Za-z])/g;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const CARDINALS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const STAGE = '(?:tier|stage|phase|round|level)s?';
const TIER = new RegExp(
  String.raw`\b${STAGE}\s*(?:no\.?|number|#)?\s*(\d{1,2}|${CARDINALS.join('|')})\b|\b(\d{1,2})(?:st|nd|rd|th)\s+${STAGE}|\b(${ORDINALS.join('|')}|next|last|final|following)\s+${STAGE}`,
  'i',
);

function classicOf(extended: string): string | null {
  try {
    return xAddressToClassicAddress(extended).classicAddress;
  } catch {
    return null;
  }
}

function tierIn(text: string): Entities['tier'] {
  const found = TIER.exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
    ?.toLowerCase();
  if (found === undefined) return null;
  if (found === 'next' || found === 'following') return 'next';
  if (found === 'last' || found === 'final') return 'last';
  if (/^\d+$/.test(found)) return Number(found);
  return Math.max(ORDINALS.indexOf(found), CARDINALS.indexOf(found)) + 1;
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];

/** Takes a message apart. Pure. */
export function entitiesIn(message: string): Entities {
  const classic = message.match(CLASSIC) ?? [];
  const extended = (message.match(EXTENDED) ?? []).map(classicOf);
  const hex = message.match(HEX) ?? [];
  const wallets = [...classic.filter(isValidClassicAddress), ...extended.filter((address) => address !== null)];
  const words = message
    .replace(PROJECT_ID, ' ')
    .replace(OTHER_ID, ' ')
    .replace(HEX, ' xhash ')
    .replace(CLASSIC, ' xwallet ')
    .replace(EXTENDED, ' xwallet ');
  const tier = tierIn(words);
  const untiered = tier === null ? words : words.replace(TIER, ' xtier ');
  return {
    wallets: unique(wallets),
    brokenAddress: wallets.length < classic.length + extended.length,
    hashes: unique(hex.filter((text) => text.length === HASH_LENGTH).map((text) => text.toUpperCase())),
    brokenHash: hex.some((text) => text.length !== HASH_LENGTH),
    amounts: amountsIn(untiered),
    tier,
    projectIds: unique(message.match(PROJECT_ID) ?? []),
    rest: withoutAmounts(untiered),
  };
}
