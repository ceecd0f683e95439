import { z } from 'zod';
import { accountAddress } from '#lib/ledger/address.ts';
import { isoTime } from '#lib/platform/clock.ts';
import { priceCodec, priceText, tokenAmount, xrpAmount, xrpCodec } from '#lib/platform/money.ts';
import { MOVES, PROJECT_STATUSES } from './types.ts';

const timeInput = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone' })
  .transform((text) => new Date(text))
  .refine((time) => time.getUTCFullYear() >= 2000 && time.getUTCFullYear() < 2200, 'must lie between 2000 and 2200');
/** Postgres holds no NUL, and no other control character belongs into a text that people read. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
const longText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\t\r])*$/u, 'must not contain control characters');
const ledgerAccount = z
  .string()
  .meta({ description: 'Ledger account address', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
export const projectId = z
  .string()
  .regex(/^proj_[0-9A-Za-z]{22}$/, 'must be a project id (proj_…)')
  .meta({ description: 'Project id', example: 'proj_5kQ2mB7xN0aYh3uVtR8wZc' });
const httpsUrl = z.url({ protocol: /^https$/, error: 'must be an https URL' }).max(500);

/** Ledger fact 23: three characters or 160-bit hex not starting 00, never XRP. */
const currencyCode = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|(?!00)[0-9A-Fa-f]{40})$/,
    'must be 3 characters, or 40 hex digits that do not begin with 00',
  )
  .refine((code) => code.toUpperCase() !== 'XRP', 'must not be XRP')
  .transform((code) => (code.length === 40 ? code.toUpperCase() : code))
  .meta({ description: 'Currency code of the token', example: 'DMO' });

const iouInput = z.strictObject({
  kind: z.literal('iou', { error: 'must be "iou"' }),
  currency: currencyCode,
  issuer: accountAddress,
  decimals: z.int().min(0).max(6).default(6),
});

const tierInput = z.strictObject({
  tier: z.int().min(1).optional().meta({ description: 'Number of the tier; when given, tiers must count from 1' }),
  price_per_token: priceCodec,
  total_tokens: z
    .string()
    .max(40)
    .meta({ description: 'Supply of the tier, a multiple of the token unit', example: '1000000.000000' }),
  access: z.enum(['open'], { error: 'must be "open"' }).default('open'),
  starts_at: z.null({ error: 'is not available yet: leave it out' }).optional(),
});

const vestingInput = z.strictObject({
  immediate_bps: z.literal(10_000),
  cliff_days: z.literal(0).default(0),
  period_days: z.literal(0).default(0),
  periods: z.literal(0).default(0),
});

/** What an operator gives; the project resource less what the server sets (design section 8). */
export const projectInput = z.strictObject({
  name: plainText(120).trim().min(1),
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens, at most 60')
    .optional(),
  description: longText(5_000).default(''),
  website: httpsUrl.nullish(),
  logo: httpsUrl.nullish(),
  token: iouInput,
  distributor: accountAddress,
  deposit_address: accountAddress,
  tiers: z.array(tierInput).min(1, 'must hold at least one tier').max(50),
  starts_at: timeInput.nullish(),
  ends_at: timeInput.nullish(),
  min_investment_xrp: xrpCodec.nullish(),
  soft_cap_xrp: z.null({ error: 'is not available yet: leave it out' }).optional(),
  max_per_wallet_xrp: z.null({ error: 'is not available yet: leave it out' }).optional(),
  access: z.enum(['open'], { error: 'must be "open"' }).default('open'),
  distribution: z.enum(['immediate'], { error: 'must be "immediate"' }).default('immediate'),
  vesting: vestingInput.optional(),
  treasury: accountAddress.nullish(),
  claim_days: z.int().min(1).max(3_650).default(90),
});
export type ProjectInput = z.output<typeof projectInput>;

const tokenOut = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('iou'), currency: z.string(), issuer: ledgerAccount, decimals: z.int() }),
  z.object({ kind: z.literal('mpt'), issuance_id: z.string(), decimals: z.int() }),
]);

export const projectResource = z
  .object({
    id: projectId,
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    website: z.string().nullable(),
    logo: z.string().nullable(),
    status: z.enum(PROJECT_STATUSES),
    token: tokenOut,
    distributor: ledgerAccount,
    deposit_address: ledgerAccount,
    destination_tag: z.int(),
    tiers: z.array(
      z.object({
        tier: z.int(),
        price_per_token: priceText,
        total_tokens: tokenAmount,
        sold_tokens: tokenAmount,
        access: z.enum(['open', 'allowlist']),
        starts_at: isoTime.nullable(),
        completed_at: isoTime.nullable(),
      }),
    ),
    starts_at: isoTime.nullable(),
    ends_at: isoTime.nullable(),
    soft_cap_xrp: xrpAmount.nullable(),
    min_investment_xrp: xrpAmount.nullable(),
    max_per_wallet_xrp: xrpAmount.nullable(),
    access: z.enum(['open', 'allowlist']),
    distribution: z.enum(['immediate', 'at_end']),
    vesting: z.object({ immediate_bps: z.int(), cliff_days: z.int(), period_days: z.int(), periods: z.int() }),
    treasury: ledgerAccount.nullable(),
    claim_days: z.int(),
    progress: z.object({
      tiers_completed: z.int(),
      total_tiers: z.int(),
      total_raised_xrp: xrpAmount,
      progress_percentage: z.number(),
      total_investors: z.int(),
    }),
    terms_hash: z.string().nullable(),
    pending_move: z.object({ move: z.enum(MOVES), transaction_hash: z.string() }).nullable(),
    created_at: isoTime,
    launched_at: isoTime.nullable(),
    ended_at: isoTime.nullable(),
  })
  .meta({ id: 'Project' });
export type ProjectResource = z.output<typeof projectResource>;

const onLedger = z.object({ transaction_hash: z.string().nullable(), ledger_index: z.int().nullable() });

/** Specification 2.1 with the quote, the final allocation, and what was paid out or back. */
export const investmentResource = z
  .object({
    id: z.string(),
    investment_id: z.string(),
    project_id: projectId,
    investor_account: ledgerAccount,
    amount_xrp: xrpAmount,
    status: z.enum(['pending_confirmation', 'confirmed', 'failed']),
    reason: z.string().nullable(),
    tier_info: z.object({ tier: z.int(), price_per_token: priceText, tokens_expected: tokenAmount }),
    confirmed_amount_xrp: xrpAmount.nullable(),
    final_tier_allocation: z.array(z.object({ tier: z.int(), amount_xrp: xrpAmount, tokens: tokenAmount })),
    total_tokens: tokenAmount.nullable(),
    tokens_to_distribute: tokenAmount.nullable(),
    rounding_xrp: xrpAmount.nullable(),
    transaction: z.object({
      hash: z.string(),
      ledger_index: z.int(),
      destination_tag: z.int().nullable(),
      confirmed_at: isoTime.nullable(),
    }),
    payouts: z.array(
      onLedger.extend({
        id: z.string(),
        part: z.int(),
        tokens: tokenAmount,
        status: z.string(),
        reason: z.string().nullable(),
        due_at: isoTime,
        validated_at: isoTime.nullable(),
      }),
    ),
    refunds: z.array(
      onLedger.extend({
        id: z.string(),
        amount_xrp: xrpAmount,
        status: z.string(),
        reason: z.string().nullable(),
        validated_at: isoTime.nullable(),
      }),
    ),
    created_at: isoTime,
  })
  .meta({ id: 'Investment' });
export type InvestmentResource = z.output<typeof investmentResource>;
