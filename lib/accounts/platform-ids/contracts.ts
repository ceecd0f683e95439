import { listResource } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { proof } from '#lib/accounts/api-keys/proof.ts';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { BASE_LEVEL, LEVEL_NAME } from '#lib/base/level-list.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { positiveXrpCodec } from '#lib/base/money-codecs.ts';
import { visibleName } from '#lib/base/visible-name.ts';
import { projectId } from '#lib/sales/schemas.ts';
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
    // One pattern: generators take alternatives of texts for objects.
    pattern: `${ADDRESS_PATTERN}|${GIVEN_PLATFORM_ID.source}`,
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
  summary: 'Get whether a wallet has a Platform ID or can have one; if not, why, and what to do',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: PRESENT,
  params: z.strictObject({ wallet_address: accountAddress }),
  responses: {
    200: z.lazy(() =>
      z.object({
        wallet_address: walletAddress,
        has_platform_id: z.boolean().meta({ description: 'Given once, it stays, whatever becomes of the balance' }),
        platform_id: platformId.nullable(),
        eligible: z.boolean().meta({ description: 'By the last snapshot of the holders of the platform token' }),
        reason: z.enum(INELIGIBLE_REASONS).nullable().meta({ description: 'Why it is not eligible' }),
        explanation: z.string().nullable().meta({ description: 'The same in a sentence' }),
        next_step: z
          .string()
          .nullable()
          .meta({ description: 'The next step towards a Platform ID; null when there is one' }),
        required_balance: exactBalance.nullable().meta({ description: 'What to hold; null: any amount above zero' }),
        balance: exactBalance.nullable().meta({ description: 'What the wallet held; null when no snapshot counts it' }),
        level: level.nullable(),
        ledger_index: ledgerIndex.nullable(),
        synced_at: syncedAt.nullable(),
      }),
    ),
  },
});
export type PlatformIdStatus = z.output<(typeof getPlatformIdStatusContract)['responses'][200]>;

export const getPlatformIdProfileContract = defineContract({
  id: 'getPlatformIdProfile',
  method: 'GET',
  path: '/api/platform-id/profile/{wallet_address}',
  tag: 'platform-id',
  summary: 'Get the profile of a wallet with a Platform ID: level, holdings, badges, investments',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: PRESENT,
  params: z.strictObject({ wallet_address: walletOrPlatformId }),
  responses: {
    200: z.lazy(() =>
      z.object({
        wallet_address: walletAddress,
        platform_id: platformId,
        display_name: displayName,
        level: level.nullable(),
        holdings: exactBalance
          .nullable()
          .meta({ description: 'What the wallet holds; null when no snapshot counts it' }),
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
    ),
  },
  errors: ['platform_id_not_found'],
});
export type PlatformIdProfile = z.output<(typeof getPlatformIdProfileContract)['responses'][200]>;

export const generateBody = z
  .strictObject({
    wallet_address: accountAddress,
    display_name: visibleName(64)
      .optional()
      .meta({ description: 'Name to be shown by; asks for a `proof` of the wallet', example: 'Ada' }),
    proof: proof.optional().meta({
      description: 'Of a challenge for `set_display_name` (POST /api/api-keys/challenge); goes with `display_name`',
    }),
  })
  .refine((body) => body.display_name === undefined || body.proof !== undefined, {
    path: ['proof'],
    error: 'is required with `display_name`: sign a challenge for `set_display_name` (POST /api/api-keys/challenge)',
  })
  .refine((body) => body.proof === undefined || body.display_name !== undefined, {
    path: ['display_name'],
    error: 'is required with `proof`; without a name no proof is needed',
  })
  .meta({
    override: ({ jsonSchema }) => {
      jsonSchema.dependentRequired = { display_name: ['proof'], proof: ['display_name'] };
    },
  });

const generated = z.lazy(() =>
  z.object({
    platform_id: platformId,
    wallet_address: walletAddress,
    display_name: displayName,
    level: level.nullable(),
    created_at: isoTime,
  }),
);
export type GeneratedPlatformId = z.output<typeof generated>;

export const generatePlatformIdContract = defineContract({
  id: 'generatePlatformId',
  method: 'POST',
  path: '/api/platform-id/generate',
  tag: 'platform-id',
  summary: 'Create a wallet’s Platform ID (201) or get the one that it has (200); set its display name with a proof',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: generateBody,
  responses: { 200: generated, 201: generated },
  errors: ['not_eligible', 'invalid_proof', 'ledger_unavailable', 'service_unavailable'],
});

const madeList = z.lazy(() =>
  z.object({
    dry_run: z.boolean(),
    wallets: z.int().meta({ description: 'Wallets that qualify', example: 1_200 }),
    min_level: z.string().meta({ example: 'silver' }),
    required_balance: exactBalance.meta({ description: 'What each of them held at least; 0 is any amount above zero' }),
    ledger_index: z.int().meta({ description: 'Ledger of the snapshot', example: 90_210_000 }),
    synced_at: isoTime,
    list: listResource.nullable().meta({ description: 'The draft with these wallets; null in a dry run' }),
  }),
);
export type CreatedList = z.output<typeof madeList>;

export const createListFromPlatformIdsContract = defineContract({
  id: 'createAllowlistFromPlatformIds',
  method: 'POST',
  path: '/api/admin/projects/{id}/lists/from-platform-ids',
  tag: 'admin',
  summary: 'Create a new version of a project’s allowlist from the wallets whose Platform ID has a level',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({ id: projectId }),
  body: z.strictObject({
    min_level: z.string().regex(LEVEL_NAME, 'must be the name of a level').meta({
      description: 'The lowest level that is admitted: `holder`, or one of PLATFORM_ID_LEVELS',
      example: 'silver',
    }),
    cap_xrp: positiveXrpCodec
      .nullish()
      .meta({ description: 'What each wallet may invest in listed tiers; null or left out: no limit of its own' }),
    ledger_index: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Make it of this snapshot only, as a dry run showed it', example: 90_210_000 }),
    dry_run: z.boolean().default(false).meta({ description: 'Only count' }),
    reason: auditReason,
  }),
  responses: { 200: madeList, 201: madeList },
  errors: ['project_not_found', 'transition_not_allowed', 'conflict', 'limit_reached'],
});

export const createOwnListFromPlatformIdsContract = defineContract({
  ...createListFromPlatformIdsContract,
  id: 'createOwnAllowlistFromPlatformIds',
  path: '/api/owner/projects/{id}/lists/from-platform-ids',
  tag: 'owners',
  access: [{ kind: 'member', role: 'editor' }],
  rateLimit: 'write',
});
