import { z } from 'zod';
import { BASE_LEVEL } from '#lib/base/level-list.ts';
import { ADDRESS_PATTERN, parseAccountAddress } from '#lib/xrpl/address.ts';
import { GIVEN_PLATFORM_ID, PLATFORM_ID_PATTERN, parsePlatformId } from './platform-id-form.ts';

const EXAMPLE_ID = 'PID-7K3M-X9WP';

export const platformId = z
  .string()
  .regex(PLATFORM_ID_PATTERN)
  .meta({ description: 'Platform ID of the wallet; its last character is a check', example: EXAMPLE_ID });

export const walletAddress = z
  .string()
  .meta({ description: 'Ledger account address, in its classic form', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });

/** Of the platform token, exact: the ledger has amounts with more than six decimals. */
export const exactBalance = z
  .string()
  .regex(/^\d{1,97}\.\d{6,112}$/)
  .meta({ description: 'Platform tokens, exact, with six fractional digits or more', example: '2500.000000' });

export const level = z.string().meta({
  description: `Level that the balance of the last snapshot gives: \`${BASE_LEVEL}\`, or one of PLATFORM_ID_LEVELS; null when the wallet is not eligible`,
  example: 'silver',
});

export const displayName = z.string().nullable().meta({ description: 'Set by a proof of the wallet', example: 'Ada' });

export const ledgerIndex = z
  .int()
  .meta({ description: 'Ledger of the last snapshot of the holders; null without one', example: 90_210_000 });

/** A wallet in any form that people paste, or its Platform ID in either case. */
export const walletOrPlatformId = z
  .string()
  .max(100)
  .transform((text, ctx) => {
    const platformIdGiven = parsePlatformId(text);
    if (platformIdGiven !== null) return platformIdGiven;
    const parsed = parseAccountAddress(text);
    if ('address' in parsed) return parsed.address;
    const message = /^pid-?/i.test(text)
      ? 'is not a Platform ID: a character is wrong, or two have changed places'
      : parsed.fault;
    // The input stays out of the issue: it may be a secret.
    ctx.issues.push({ code: 'custom', input: undefined, message });
    return z.NEVER;
  })
  .meta({
    description: 'Ledger account address (r…), or the Platform ID',
    example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    anyOf: [ADDRESS_PATTERN, GIVEN_PLATFORM_ID.source].map((pattern) => ({ type: 'string', pattern })),
  });
