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
