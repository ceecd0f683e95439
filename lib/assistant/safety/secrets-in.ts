import { wordlist } from '@scure/bip39/wordlists/english.js';
import { decodeSeed } from 'ripple-address-codec';
import { containsSeed } from '#lib/base/plain-text.ts';

/** What whoever has it can take an account's money with. */
export type KeyKind = 'seed' | 'mnemonic' | 'secret_numbers' | 'private_key';

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}]/gu;

/** Seeds are told apart by their checksum where other characters were put between theirs. */
const SEED_LENGTHS = [28, 29, 30, 31];

function hidesSeed(text: string): boolean {
  const bare = text.replace(/[^0-9A-Za-z]/g, '');
  for (let start = bare.indexOf('s'); start !== -1; start = bare.indexOf('s', start + 1)) {
    if (SEED_LENGTHS.some((length) => isSeed(bare.slice(start, start + length)))) return true;
  }
  return false;
}

const BASE58_TEXT = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** Of the characters of a seed hardly any two are alike: the checksum of what repeats itself need not be computed. */
const FEWEST_CHARACTERS = 8;

function isSeed(text: string): boolean {
  if (!BASE58_TEXT.test(text) || new Set(text).size < FEWEST_CHARACTERS) return false;
  try {
    decodeSeed(text);
    return true;
  } catch {
    return false;
  }
}

const MNEMONIC_LENGTH = 12;
const BIP39 = new Set(wordlist);

/** Twelve words of BIP-39's list after each other: ordinary sentences hold words that the list has not. */
function holdsMnemonic(text: string): boolean {
  let run = 0;
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    run = BIP39.has(word) ? run + 1 : 0;
    if (run >= MNEMONIC_LENGTH) return true;
  }
  return false;
}

/** The old form of a seed: twelve words of one to four capitals (RFC 1751). */
const RFC_1751 = /(?:\b[A-Z]{1,4}\b[\s,]+){11}\b[A-Z]{1,4}\b/;

/** Wallets show a seed also as eight rows, A to H, of six digits. */
const SECRET_NUMBERS = /(?:\b[A-H]\s*[:.)=-]?\s*)?\b\d{6}\b(?:[\s,;|]+(?:[A-H]\s*[:.)=-]?\s*)?\d{6}\b){7}/;

/** A private key as XRP Ledger libraries write the secp256k1 one: no public key and no hash has this form. */
const PREFIXED_KEY = /(?<![0-9A-Za-z])00[0-9A-Fa-f]{64}(?![0-9A-Za-z])/;
/** 32 bytes are a transaction's hash as well, 16 bytes many things, and some are mistyped: the words beside them decide. */
const HEX = /(?<![0-9A-Za-z])(?:0x|ED|ed)?(?:[0-9A-Fa-f]{60,68}|[0-9A-Fa-f]{30,34})(?![0-9A-Za-z])/g;
const NAMES_KEY =
  /private|priv[\s_-]?key|secret|signing[\s_-]?key|master[\s_-]?key|entropy|\bseed|\bmy key\b|semilla|clave (?:privada|secreta)|schl[üu]ssel|geheim|cl[ée] (?:priv[ée]e|secr[èe]te)|chave (?:privada|secreta)|segredo|秘密鍵|シード/gi;
const NAMES_PUBLIC = /\bhash|transaction|\btx\b|\btxid|payment|\bledger\b|public[\s_-]?key|digest|terms|invoice/gi;
const BEFORE = 80;
const AFTER = 40;

const lastOf = (pattern: RegExp, text: string): number =>
  Math.max(-1, ...[...text.matchAll(pattern)].map(({ index }) => index));

function holdsHexKey(text: string): boolean {
  return [...text.matchAll(HEX)].some(({ 0: hex, index }) => {
    const before = text.slice(Math.max(0, index - BEFORE), index);
    const [key, open] = [lastOf(NAMES_KEY, before), lastOf(NAMES_PUBLIC, before)];
    if (key !== open) return key > open;
    const after = text.slice(index + hex.length, index + hex.length + AFTER);
    return after.search(NAMES_KEY) !== -1 && after.search(NAMES_PUBLIC) === -1;
  });
}

/** An Ed25519 seed by its beginning, and what is as long as a seed and mixed as one: one letter wrong, and the rest is known. */
const LIKE_SEED =
  /(?<![0-9A-Za-z_/+.-])(?:sEd[0-9A-Za-z]{15,45}|s(?=[0-9A-Za-z]*[a-z])(?=[0-9A-Za-z]*[A-Z])(?=(?:[A-Za-z]*\d){2})[0-9A-Za-z]{24,34})(?![0-9A-Za-z_])/;
/** A secret that is named as one, in any case and length, and one in a hundred seeds has no digit; addresses, hashes and names with parts are none. */
const SECRET_TEXT =
  /(?<![0-9A-Za-z_/+.-])(?![rX][1-9A-HJ-NP-Za-km-z]{24,}(?![0-9A-Za-z]))(?:(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[0-9A-Za-z]{16,59}|[A-Za-z]{24,59})(?![0-9A-Za-z_])/g;
/** Between the name of a secret and the secret. */
const IS =
  /(?:secret|seed|priv(?:ate)?[\s_-]?key|semilla|clave (?:privada|secreta)|schl[üu]ssel|cl[ée] (?:priv[ée]e|secr[èe]te)|chave (?:privada|secreta)|phrase|秘密鍵|シード)(?: (?:key|phrase|code|secreta|secr[èe]te))?\s*(?:is|es|ist|lautet|est|é|は|[:=])?[\s:="'`«“(]*$/i;

const looksLikeSeed = (text: string): boolean =>
  LIKE_SEED.test(text) ||
  [...text.matchAll(SECRET_TEXT)].some(({ index }) => {
    const before = text.slice(Math.max(0, index - BEFORE), index);
    return IS.test(before) && !/webhook|signing secret/i.test(before);
  });

/** The kind of signing key that a text holds, in any of the forms that wallets show; null when it holds none. */
export function keyIn(given: string): KeyKind | null {
  const text = given.normalize('NFKC').replace(INVISIBLE, '');
  if (containsSeed(text) || hidesSeed(text) || looksLikeSeed(text)) return 'seed';
  if (holdsMnemonic(text) || RFC_1751.test(text)) return 'mnemonic';
  if (SECRET_NUMBERS.test(text)) return 'secret_numbers';
  return PREFIXED_KEY.test(text) || holdsHexKey(text) ? 'private_key' : null;
}

/** Earlier messages that may hold the beginning of what this one ends. */
const PARTS_BEFORE = 2;

/**
 * The kind of key that a message completes, begun in the messages before it; null when it does not. Not for hexadecimal keys:
 * they fit into one message, and the words that tell them from a hash stand in other sentences.
 */
export function splitKeyIn(earlier: readonly string[], message: string): KeyKind | null {
  if (earlier.length === 0) return null;
  const kind = keyIn([...earlier.slice(-PARTS_BEFORE), message].join(' '));
  return kind === 'private_key' ? null : kind;
}
