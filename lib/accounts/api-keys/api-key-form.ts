import { crc32 } from 'node:zlib';
import { type RandomBytes, randomBase62 } from '#lib/base/ids.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
/** 62^6 is above 2^32, so six digits hold any CRC-32. */
const CHECKSUM_DIGITS = 6;
/** `tr_live_` and the first six random digits: 26 unknown ones remain, about 154 bits. */
const PREFIX_LENGTH = 14;
const FORM = /^tr_(?:live|test)_[0-9A-Za-z]{38}$/;

/** CRC-32 of everything before it, the mode included: a key of the other mode is not a mistyped key of this one. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new key, `tr_<mode>_<32 base62><6 base62 CRC-32>`. Shown once; only its SHA-256 is stored. */
export function newApiKey(mode: 'live' | 'test', random: RandomBytes): string {
  const unchecked = `tr_${mode}_${randomBase62(random, RANDOM_DIGITS)}`;
  return unchecked + checksumOf(unchecked);
}

/** True when the text has the form and checksum of a key; tells a typing fault apart without a query. */
export const isApiKeyForm = (text: string): boolean =>
  FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);

/** The part of a key that may be shown again: enough to recognise it, too little to guess the rest. */
export const visiblePrefix = (apiKey: string): string => apiKey.slice(0, PREFIX_LENGTH);
