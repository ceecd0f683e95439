import { z } from 'zod';
import { costCeil, formatDrops, parseDecimal, parsePrice, parseUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type QuoteResource, quoteAmount } from '#lib/sales/investments/quote.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { ownSource, saleSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';
import { saleFacts } from './sale-facts.ts';

/** Each answer of the quote shows what payments that wait for confirmation have taken; a few rounds reach the sum. */
const MOST_ROUNDS = 4;

export type CostFound = { project_id: string; tokens: string } & (
  | { problem: null; amount_xrp: string; quote: QuoteResource }
  | { problem: 'no_multiple_of_unit' | 'not_enough_left' | 'moving_too_fast'; amount_xrp: null; quote: null }
);

/** Drops that `units` cost when they are bought tier by tier from `sold` on; null when fewer are left. Pure. */
function costFrom(project: ProjectResource, units: bigint, aheadUnits: bigint): bigint | null {
  const { decimals } = project.token;
  let rest = units;
  let ahead = aheadUnits;
  let drops = 0n;
  for (const tier of saleFacts(project, 0).tiers) {
    const left = parseUnits(tier.left_tokens, decimals) ?? 0n;
    const taken = ahead < left ? ahead : left;
    ahead -= taken;
    const bought = rest < left - taken ? rest : left - taken;
    rest -= bought;
    drops += costCeil(bought, parsePrice(tier.price_per_token) ?? 0n, decimals);
  }
  return rest > 0n ? null : drops;
}

async function readCost(
  ctx: Ctx,
  project: ProjectResource,
  tokens: string,
  wallet: string | undefined,
): Promise<CostFound> {
  const { decimals } = project.token;
  const about = { project_id: project.id, tokens };
  const none = { ...about, amount_xrp: null, quote: null };
  const wanted = parseUnits(tokens, decimals);
  if (wanted === null) return { ...none, problem: 'no_multiple_of_unit' };
  let ahead = 0n;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const drops = costFrom(project, wanted, ahead);
    if (drops === null) return { ...none, problem: 'not_enough_left' };
    const quote = await quoteAmount(ctx, { id: project.id, amount_xrp: drops, wallet_address: wallet });
    const missing = wanted - (parseUnits(quote.total_tokens, decimals) ?? 0n);
    if (missing <= 0n || !quote.accepted) return { ...about, amount_xrp: formatDrops(drops), quote, problem: null };
    ahead += missing;
  }
  return { ...none, problem: 'moving_too_fast' };
}

export const costOfTokensTool = defineTool({
  name: 'cost_of_tokens',
  description: 'How much XRP a number of tokens of a sale costs now: the amount, and the quote for that amount.',
  input: z.strictObject({
    project_id: projectInput,
    tokens: z
      .string()
      .refine((text) => (parseDecimal(text, 6) ?? 0n) > 0n, 'must be a positive decimal of up to 6 fractional digits'),
    wallet_address: walletInput.optional(),
  }),
  async run(ctx, { project_id, tokens, wallet_address }) {
    const project = await getProject(ctx, project_id);
    const data = await readCost(ctx, project, tokens, wallet_address);
    return {
      data,
      sources: [saleSource(project), ownSource('The project with its tiers', `/api/projects/${project_id}`)],
    };
  },
});
