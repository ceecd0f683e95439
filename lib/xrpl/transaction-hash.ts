import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A transaction hash given by a client, in either case; upper case from here on. */
export const transactionHash = z
  .string()
  .regex(/^[0-9A-Fa-f]{64}$/, 'must be 64 hex characters')
  .transform((hash) => hash.toUpperCase())
  .meta({
    description: 'Transaction hash',
    example: 'E08D6E9754025BA2534A78707605E0601F03ACE063687A0CA1BDDACFCD1698C7',
  });

/** What the ledger calls a signed transaction: SHA-512, half of it, of the prefix "TXN" and its bytes (hexadecimal). */
export const hashOfBlob = (blob: string): string =>
  createHash('sha512')
    .update(Buffer.from(`54584E00${blob}`, 'hex'))
    .digest('hex')
    .slice(0, 64)
    .toUpperCase();
