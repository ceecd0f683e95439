import * as z from 'zod';

/** The wire form of an XRP amount: a decimal string with exactly six fractional digits. */
export const xrpAmount = z
  .string()
  .regex(/^\d{1,12}\.\d{6}$/)
  .meta({ description: 'XRP, a decimal string with exactly six fractional digits', example: '250.000000' });

/** The wire form of a token amount in answers. */
export const tokenAmount = z
  .string()
  .regex(/^\d{1,19}\.\d{6}$/)
  .meta({ description: 'Tokens, a decimal string with exactly six fractional digits', example: '2500.000000' });

export const priceText = z
  .string()
  .regex(/^\d+(\.\d{1,12})?$/)
  .meta({ description: 'XRP for one token, a decimal string', example: '0.10' });

/** The schema of every time in an answer or event. */
export const isoTime = z.iso.datetime().meta({ description: 'ISO 8601 UTC', example: '2026-11-21T12:00:00.000Z' });

const encoder = new TextEncoder();
// Nothing of a memo is left out, not even a byte order mark.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The UTF-8 bytes of a text as the ledger writes them: upper-case hexadecimal. */
export const hexOfText = (text: string): string =>
  Array.from(encoder.encode(text), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

/** The text whose UTF-8 bytes these are; what follows the last whole byte is left out. */
export function textOfHex(hex: string): string {
  const digits = /^(?:[0-9a-f]{2})*/i.exec(hex)?.[0] ?? '';
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return decoder.decode(bytes);
}
