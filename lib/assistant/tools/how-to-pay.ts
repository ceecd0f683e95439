import { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import { accountSources, saleSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';
import { payTargetOf } from './pay-gate.ts';
import { saleFacts } from './sale-facts.ts';

/** Whether the ledger itself refuses payments to the address without a tag; null while the ledger cannot be asked. */
async function refusesWithoutTag({ ledger, log }: Ctx, address: string): Promise<boolean | null> {
  try {
    const account = await ledger.account(address);
    return account !== null && hasAccountFlag(account, 'requireDestinationTag');
  } catch (err) {
    log.warn({ err }, 'the deposit address could not be read');
    return null;
  }
}

export const howToPayTool = defineTool({
  name: 'how_to_pay',
  description:
    'Whether a payment into a sale would buy something now and, only then, the deposit address and destination tag (both are needed) and the same as one X-address. Give the wallet when it is known. While `target` is null, nobody may be told to pay: say why instead.',
  input: z.strictObject({ project_id: projectInput, wallet_address: walletInput.optional() }),
  async run(ctx, { project_id, wallet_address }) {
    const project = await getProject(ctx, project_id);
    const [gate, refuses] = [
      await payTargetOf(ctx, project, wallet_address),
      await refusesWithoutTag(ctx, project.deposit_address),
    ];
    const { state, token_name, current_tier } = saleFacts(project, ctx.clock.nowMs());
    return {
      data: {
        project_id,
        name: project.name,
        state,
        target: gate.target,
        closed_because: gate.reason,
        opens_at: gate.opens_at,
        /** The first tier that is not full. */
        next_tier:
          current_tier === null ? null : { tier: current_tier.tier, price_per_token: current_tier.price_per_token },
        address_refuses_without_tag: refuses,
        token_name,
        token: project.token,
        starts_at: project.starts_at,
        ends_at: project.ends_at,
        min_investment_xrp: project.min_investment_xrp,
        max_per_wallet_xrp: project.max_per_wallet_xrp,
        access: project.access,
      },
      sources: [
        saleSource(project),
        ...(gate.target === null ? [] : accountSources('The deposit address on the ledger', project.deposit_address)),
      ],
    };
  },
});
export type PaymentGuide = Awaited<ReturnType<typeof howToPayTool.run>>['data'];
