import type { Lock } from '@tranche/rules/locks.ts';
import { and, eq, ne } from 'drizzle-orm';
import { type ProjectRow, projects, type TierRow } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatUnits } from '#lib/base/money.ts';
import { issuerOfIssuance } from '#lib/xrpl/token.ts';
import type { ProjectInput, TokenInput } from './project-input.ts';
import { tokenOf } from './project-resource.ts';

/** The account that issues a token. */
export const issuerOf = (token: TokenInput): string =>
  token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuance_id);

export const NO_VESTING = { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 };

/** The issuer stands in its column for both kinds: its payments are operating funds, and the terms name it. */
const tokenColumns = (token: TokenInput) => ({
  tokenKind: token.kind,
  currency: token.kind === 'iou' ? token.currency : null,
  issuanceId: token.kind === 'mpt' ? token.issuance_id : null,
  issuer: issuerOf(token),
  decimals: token.decimals,
});

/** The columns that an operator's fields fill, with the locks as they were found; the slug is left to the caller. */
export const projectColumns = (input: ProjectInput, locks: Lock[]) =>
  ({
    name: input.name,
    description: input.description,
    website: input.website ?? null,
    logo: input.logo ?? null,
    links: input.links,
    team: input.team,
    documents: input.documents,
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
    locks,
    unsoldUntil: input.unsold_until ?? null,
    vestingLocked: input.vesting_locked,
  }) satisfies Partial<typeof projects.$inferInsert>;

/** A stored project in the form in which an operator gives one. */
export const inputOf = (row: ProjectRow, tierRows: readonly TierRow[]): ProjectInput => ({
  name: row.name,
  slug: row.slug,
  description: row.description,
  website: row.website,
  logo: row.logo,
  links: row.links,
  team: row.team,
  documents: row.documents,
  token: tokenOf(row),
  distributor: row.distributor,
  deposit_address: row.depositAddress,
  tiers: tierRows.map((tier) => ({
    tier: tier.tier,
    price_per_token: tier.price,
    total_tokens: formatUnits(tier.totalUnits, row.decimals),
    access: tier.access,
    credential: tier.credential,
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
  locks: row.locks.map(({ until, escrows, ...lock }) => ({
    ...lock,
    until: new Date(until),
    escrows: escrows.map(({ transaction_hash: hash }) => hash),
  })),
  unsold_until: row.unsoldUntil,
  vesting_locked: row.vestingLocked,
});

/** A slug for a project that was given none; its id makes it its own. */
export function slugFor(name: string, id: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
  return `${words || 'sale'}-${id.slice(-6).toLowerCase()}`;
}

export const slugTaken = (): PlatformError =>
  new PlatformError('conflict', 'This slug is in use. Choose another.', {
    errors: [{ field: 'slug', message: 'is in use' }],
  });

/** Throws `conflict` when another project than `id` has the slug. */
export async function assertSlugFree(tx: Tx, slug: string, id: string): Promise<void> {
  const [taken] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.slug, slug), ne(projects.id, id)));
  if (taken !== undefined) throw slugTaken();
}
