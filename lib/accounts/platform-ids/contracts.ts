import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { BASE_LEVEL } from '#lib/base/level-list.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { ADDRESS_PATTERN, accountAddress, parseAccountAddress } from '#lib/xrpl/address.ts';
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

/** A wallet that was given a Platform ID a moment ago has one on every instance and in every cache: nothing older is answered. */
const PRESENT = 'public, no-cache';

/** Why a wallet is not eligible for a Platform ID. */
export const INELIGIBLE_REASONS = [
  'no_platform_token',
  'no_snapshot',
  'excluded_account',
  'no_balance',
  'balance_too_low',
] as const;
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number];

/** Every badge there is; docs/platform-id.md says what each stands for. */
export const BADGES = [
  'early_investor',
  'investor',
  'multi_project_investor',
  'top_100_holder',
  'one_year_member',
] as const;

const syncedAt = isoTime.meta({ description: 'When that snapshot was whole; null without one' });

export const getPlatformIdStatusContract = defineContract({
  id: 'getPlatformIdStatus',
  method: 'GET',
  path: '/api/platform-id/status/{wallet_address}',
  tag: 'platform-id',
  summary: 'Whether a wallet has a Platform ID or may have one; if not, why, and what to do',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: PRESENT,
  params: z.strictObject({ wallet_address: accountAddress }),
  responses: {
    200: z.object({
      wallet_address: walletAddress,
      has_platform_id: z.boolean().meta({ description: 'Given once, it stays, whatever becomes of the balance' }),
      platform_id: platformId.nullable(),
      eligible: z.boolean().meta({ description: 'By the last snapshot of the holders of the platform token' }),
      reason: z.enum(INELIGIBLE_REASONS).nullable().meta({ description: 'Why it is not eligible' }),
      explanation: z.string().nullable().meta({ description: 'The same in a sentence' }),
      what_to_do: z.string().nullable().meta({ description: 'What leads to a Platform ID; null when there is one' }),
      required_balance: exactBalance.nullable().meta({ description: 'What to hold; null: any amount above zero' }),
      balance: exactBalance.nullable().meta({ description: 'What the wallet held; null when no snapshot counts it' }),
      level: level.nullable(),
      ledger_index: ledgerIndex.nullable(),
      synced_at: syncedAt.nullable(),
    }),
  },
});
export type PlatformIdStatus = z.output<(typeof getPlatformIdStatusContract)['responses'][200]>;

export const getPlatformIdProfileContract = defineContract({
  id: 'getPlatformIdProfile',
  method: 'GET',
  path: '/api/platform-id/profile/{wallet_address}',
  tag: 'platform-id',
  summary: 'Profile of a wallet that has a Platform ID: level, holdings, badges, investments',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: PRESENT,
  params: z.strictObject({ wallet_address: walletOrPlatformId }),
  responses: {
    200: z.object({
      wallet_address: walletAddress,
      platform_id: platformId,
      display_name: displayName,
      level: level.nullable(),
      holdings: exactBalance.nullable().meta({ description: 'What the wallet holds; null when no snapshot counts it' }),
      share: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .meta({ description: 'Part of what all holders have, 0 to 1, to six decimals', example: 0.002_5 }),
      rank: z.int().nullable().meta({ description: '1 for the largest holder; null for a wallet without tokens' }),
      badges: z
        .array(z.object({ name: z.enum(BADGES), earned_at: isoTime }))
        .meta({ description: 'From facts only: docs/platform-id.md says which' }),
      investments: z
        .object({
          count: z.int().meta({ description: 'Confirmed investments', example: 3 }),
          projects: z.int().meta({ description: 'Projects that they are in', example: 2 }),
          total_xrp: xrpAmount.meta({ description: 'XRP allocated by them' }),
          first_at: isoTime.nullable(),
          last_at: isoTime.nullable(),
        })
        .meta({ description: 'Over all projects; times are close times of the payments’ ledgers' }),
      ledger_index: ledgerIndex.nullable(),
      synced_at: syncedAt.nullable(),
      created_at: isoTime.meta({ description: 'When the Platform ID was given' }),
    }),
  },
  errors: ['platform_id_not_found'],
});
export type PlatformIdProfile = z.output<(typeof getPlatformIdProfileContract)['responses'][200]>;
