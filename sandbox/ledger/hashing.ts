import { hash } from 'node:crypto';

/** First half of SHA-512 over bytes, upper-case hex: the hash of every XRP Ledger object. */
export function sha512Half(bytes: Uint8Array): string {
  return hash('sha512', bytes, 'hex').slice(0, 64).toUpperCase();
}

/** sha512Half over concatenated hex strings. */
export function sha512HalfHex(...hexParts: readonly string[]): string {
  return sha512Half(Buffer.from(hexParts.join(''), 'hex'));
}

/** An unsigned number as fixed-width upper-case hex. */
export function uintHex(value: number | bigint, byteCount: number): string {
  return value
    .toString(16)
    .toUpperCase()
    .padStart(byteCount * 2, '0');
}

/** The identifying hash of a signed transaction ('TXN\0' prefix). */
export function transactionHash(blobHex: string): string {
  return sha512HalfHex('54584E00', blobHex);
}
