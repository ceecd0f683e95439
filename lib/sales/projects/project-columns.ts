import type { projects } from '#drizzle/schema/sale.ts';
import { formatUnits } from '#lib/base/money.ts';
import type { ProjectInput } from '../schemas.ts';
import { issuerOf } from './issuer-of.ts';
import type { ProjectRow, TierRow } from './project-resource.ts';
import type { TokenInput } from './token-input.ts';

const NO_VESTING = { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 };

/** The issuer stands in its column for both kinds: its payments are operating funds, and the terms name it. */
const tokenColumns = (token: TokenInput) => ({
  tokenKind: token.kind,
  currency: token.kind === 'iou' ? token.currency : null,
  issuanceId: token.kind === 'mpt' ? token.issuance_id : null,
  issuer: issuerOf(token),
  decimals: token.decimals,
});

/** The columns that an operator's fields fill; the slug is left to the caller. */
export const projectColumns = (input: ProjectInput) =>
  ({
    name: input.name,
    description: input.description,
    website: input.website ?? null,
    logo: input.logo ?? null,
    ...tokenColumns(input.token),
    distributor: input.distributor,
    depositAddress: input.deposit_address,
    startsAt: input.starts_at ?? null,
    endsAt: input.ends_at ?? null,
    softCapDrops: input.soft_cap_xrp ?? null,
    minInvestmentDrops: input.min_investment_xrp ?? null,
    maxPerWalletDrops: input.max_per_wallet_xrp ?? null,
    access: input.access,
    distribution: input.distribution,
    vesting: input.vesting ?? NO_VESTING,
    treasury: input.treasury ?? null,
    claimDays: input.claim_days,
  }) satisfies Partial<typeof projects.$inferInsert>;

function tokenOf(row: ProjectRow): TokenInput {
  if (row.tokenKind === 'mpt' && row.issuanceId !== null) {
    return { kind: 'mpt', issuance_id: row.issuanceId, decimals: row.decimals };
  }
  if (row.tokenKind === 'iou' && row.currency !== null && row.issuer !== null) {
    return { kind: 'iou', currency: row.currency, issuer: row.issuer, decimals: row.decimals };
  }
  throw new Error(`Project ${row.id} has no token`);
}

/** A stored project in the form in which an operator gives one. */
export const inputOf = (row: ProjectRow, tierRows: readonly TierRow[]): ProjectInput => ({
  name: row.name,
  slug: row.slug,
  description: row.description,
  website: row.website,
  logo: row.logo,
  token: tokenOf(row),
  distributor: row.distributor,
  deposit_address: row.depositAddress,
  tiers: tierRows.map((tier) => ({
    tier: tier.tier,
    price_per_token: tier.price,
    total_tokens: formatUnits(tier.totalUnits, row.decimals),
    access: tier.access,
    starts_at: tier.startsAt,
  })),
  starts_at: row.startsAt,
  ends_at: row.endsAt,
  soft_cap_xrp: row.softCapDrops,
  min_investment_xrp: row.minInvestmentDrops,
  max_per_wallet_xrp: row.maxPerWalletDrops,
  access: row.access,
  distribution: row.distribution,
  vesting: row.vesting,
  treasury: row.treasury,
  claim_days: row.claimDays,
});
