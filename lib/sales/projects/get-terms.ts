import canonicalize from 'canonicalize';
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { actions, type ProjectRow, type TierRow } from '#drizzle/schema/sale.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { termsContract } from '../contracts.ts';
import { operatingAccountsOf } from '../feed/load-state.ts';
import { findProject, findTiers, projectResourceOf } from './project-resource.ts';

/** Everything that decides who gets what, as canonical JSON (RFC 8785) and its SHA-256: what the launch action anchors. */
export function termsOf(row: ProjectRow, tierRows: readonly TierRow[]): { terms: string; termsHash: string } {
  const resource = projectResourceOf(row, tierRows, 0, null);
  const terms = canonicalize({
    // A reader who knows nothing of credentials must not decide without them.
    v: tierRows.some((tier) => tier.credential !== null) ? 2 : 1,
    project: row.id,
    name: row.name,
    token: resource.token,
    distributor: row.distributor,
    deposit_address: row.depositAddress,
    destination_tag: row.destinationTag,
    tiers: tierRows.map((tier) => ({
      tier: tier.tier,
      price_per_token: formatPrice(tier.price),
      total_tokens: formatUnits(tier.totalUnits, row.decimals),
      access: tier.access,
      starts_at: tier.startsAt?.toISOString() ?? null,
      ...(tier.credential === null ? {} : { credential: tier.credential }),
    })),
    starts_at: resource.starts_at,
    ends_at: resource.ends_at,
    soft_cap_xrp: resource.soft_cap_xrp,
    min_investment_xrp: resource.min_investment_xrp,
    max_per_wallet_xrp: resource.max_per_wallet_xrp,
    access: row.access,
    distribution: row.distribution,
    vesting: row.vesting,
    treasury: row.treasury,
    claim_days: row.claimDays,
    refund_min_xrp: formatDrops(row.refundMinDrops),
    operating_accounts: operatingAccountsOf(row),
    ...(row.custody === null ? {} : { custody: row.custody }),
    ...(row.locks.length === 0 ? {} : { locks: row.locks }),
    ...(row.unsoldUntil === null ? {} : { unsold_until: row.unsoldUntil.toISOString() }),
    ...(row.vestingLocked ? { vesting_locked: true } : {}),
  });
  if (terms === undefined) throw new Error('The terms cannot be written as canonical JSON');
  return { terms, termsHash: sha256Hex(terms) };
}

type TermsResource = z.output<(typeof termsContract)['responses'][200]>;

/**
 * The terms as canonical JSON with their SHA-256, and the launch that anchors them on the ledger. Before a launch they
 * are what a launch now would anchor. Throws `project_not_found`.
 */
export async function getTerms(ctx: Ctx, id: string): Promise<TermsResource> {
  const row = await findProject(ctx.db, id);
  const [launch] = await ctx.db
    .select({ txHash: actions.txHash, ledgerIndex: actions.ledgerIndex })
    .from(actions)
    .where(and(eq(actions.projectId, id), eq(actions.action, 'launch'), eq(actions.status, 'applied')));
  const published =
    launch !== undefined && row.terms !== null && row.termsHash !== null
      ? { terms: row.terms, termsHash: row.termsHash }
      : termsOf(row, await findTiers(ctx.db, id));
  return {
    project_id: id,
    canonical: published.terms,
    sha256: published.termsHash,
    anchor:
      launch === undefined || launch.ledgerIndex === null
        ? null
        : { transaction_hash: launch.txHash, ledger_index: launch.ledgerIndex },
  };
}
