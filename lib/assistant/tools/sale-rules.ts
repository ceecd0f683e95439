import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { readAccount } from '#lib/sales/verification/read-account.ts';
import { ownSource, saleSource, transactionSources } from '../links.ts';
import { defineTool, projectInput } from './define.ts';
import { saleFacts } from './sale-facts.ts';

const canonicalTerms = z.object({ refund_min_xrp: z.string() });

/** The rules of a sale with what its terms alone say. */
export async function readRules(ctx: Ctx, projectId: string) {
  const [project, terms] = await Promise.all([getProject(ctx, projectId), getTerms(ctx, projectId)]);
  const account = await readAccount(ctx.db, project.deposit_address);
  const { state, tiers, token_name } = saleFacts(project, ctx.clock.nowMs());
  return {
    project_id: project.id,
    name: project.name,
    slug: project.slug,
    state,
    token_name,
    starts_at: project.starts_at,
    ends_at: project.ends_at,
    ended_at: project.ended_at,
    end_reason: project.end_reason,
    min_investment_xrp: project.min_investment_xrp,
    max_per_wallet_xrp: project.max_per_wallet_xrp,
    smallest_refund_xrp: canonicalTerms.parse(JSON.parse(terms.canonical)).refund_min_xrp,
    smallest_refund_without_sale_xrp: account.refund_min_xrp,
    soft_cap_xrp: project.soft_cap_xrp,
    access: project.access,
    tiers_with_list: tiers
      .filter((tier) => project.access === 'allowlist' || tier.access === 'allowlist')
      .map((tier) => tier.tier),
    list_in_force: project.list_hash,
    credentials_of_tiers: tiers.flatMap(({ tier, credential }) =>
      credential === null ? [] : [{ tier, ...credential }],
    ),
    distribution: project.distribution,
    vesting: project.vesting,
    claim_days: project.claim_days,
    treasury: project.treasury,
    terms_sha256: terms.sha256,
    terms_anchor: terms.anchor,
    confirmations: env().CONFIRMATIONS,
  };
}

export const saleRulesTool = defineTool({
  name: 'sale_rules',
  description:
    'The rules of a sale: smallest and largest investment, smallest refund, soft cap, allowlist, required credentials, dates, when tokens are paid out, vesting, treasury, hash of the terms.',
  input: z.strictObject({ project_id: projectInput }),
  async run(ctx, { project_id }) {
    const data = await readRules(ctx, project_id);
    return {
      data,
      sources: [
        saleSource(data),
        ownSource('The terms of the sale', `/api/projects/${project_id}/terms`),
        ...transactionSources(data.terms_anchor?.transaction_hash ?? null),
      ],
    };
  },
});
export type RulesFound = Awaited<ReturnType<typeof readRules>>;
