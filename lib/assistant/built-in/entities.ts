import { isValidClassicAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import { type Amount, amountsIn } from './amounts.ts';

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
  projectIds: string[];
  /** The message without all of it and without numbers: its words. */
  words: string;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const CLASSIC = new RegExp(`(?<![0-9A-Za-z])r${BASE58}{20,40}(?![0-9A-Za-z])`, 'g');
const EXTENDED = new RegExp(`(?<![0-9A-Za-z])[XT]${BASE58}{40,60}(?![0-9A-Za-z])`, 'g');
const HEX = /(?<![0-9A-Za-z_])[0-9A-Fa-f]{50,80}(?![0-9A-Za-z])/g;
const HASH_LENGTH = 64;
/** A few characters of a hash, as an explorer shortens it. */
const HEX_PART = /(?<![0-9A-Za-z_#.-])(?=[0-9A-F]*\d)(?=[0-9A-F]*[A-F])[0-9A-F]{6,49}(?![0-9A-Za-z_-])/;
const PROJECT_ID = /proj_[0-9A-Za-z]{22}(?![0-9A-Za-z])/g;
const OTHER_ID = /\b(?:inv|evt|wh|del|key|pay)_[0-9A-Za-z]{22}(?![0-9A-Za-z])/g;
function classicOf(extended: string): string | null {
  try {
    return xAddressToClassicAddress(extended).classicAddress;
  } catch {
    return null;
  }
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];

/** Takes a message apart. Pure. */
export function entitiesIn(message: string): Entities {
  const classic = message.match(CLASSIC) ?? [];
  const extended = (message.match(EXTENDED) ?? []).map(classicOf);
  const hex = message.match(HEX) ?? [];
  const wallets = [...classic.filter(isValidClassicAddress), ...extended.filter((address) => address !== null)];
  const rest = message
    .replace(PROJECT_ID, ' ')
    .replace(OTHER_ID, ' ')
    .replace(HEX, ' ')
    .replace(CLASSIC, ' ')
    .replace(EXTENDED, ' ');
  return {
    wallets: unique(wallets),
    brokenAddress: wallets.length < classic.length + extended.length,
    hashes: unique(hex.filter((text) => text.length === HASH_LENGTH).map((text) => text.toUpperCase())),
    brokenHash: hex.some((text) => text.length !== HASH_LENGTH) || HEX_PART.test(rest),
    amounts: amountsIn(rest),
    projectIds: unique(message.match(PROJECT_ID) ?? []),
    words: rest.replace(
      /(?<![\p{L}\d_])\d[\d.,'’]*(?:[km]\b)?(?:\s*(?:min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|sec(?:ond)?s?)\b)?/giu,
      ' ',
    ),
  };
}
