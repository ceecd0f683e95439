const encoder = new TextEncoder();
// Nothing of a memo is left out, not even a byte order mark.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The UTF-8 bytes of a text as the ledger writes them: upper-case hexadecimal. */
export const hexOfText = (text: string): string =>
  Array.from(encoder.encode(text), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

/** The text whose UTF-8 bytes these are; whatever follows the last whole byte is left out. */
export function textOfHex(hex: string): string {
  const digits = /^(?:[0-9a-f]{2})*/i.exec(hex)?.[0] ?? '';
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return decoder.decode(bytes);
}
