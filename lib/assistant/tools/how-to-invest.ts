import { classicAddressToXAddress } from 'ripple-address-codec';
import { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag } from '#lib/ledger/account.ts';
import { env } from '#lib/platform/env.ts';
import { getProject } from '#lib/sale/projects/get-project.ts';
import { accountSources, ownSource, saleSource } from '../links.ts';
import { defineTool, projectInput } from './define.ts';
import { saleFacts } from './sale-facts.ts';

/** Whether the ledger itself refuses payments to the address without a tag; null while the ledger cannot be asked. */
async function refusesWithoutTag({ ledger, log }: Ctx, address: string): Promise<boolean | null> {
  try {
    const account = await ledger.account(address);
    return account !== null && hasAccountFlag(account, 'requireDestinationTag');
  } catch (err) {
    // Address and tag are worth more than this: they must be told also while no ledger server answers.
    log.warn({ err }, 'the deposit address could not be read');
    return null;
  }
}

export const howToInvestTool = defineTool({
  name: 'how_to_invest',
  description:
    'How to pay into a sale: the deposit address and the destination tag (both are needed), the same as one X-address, the smallest amount, and whether the sale takes payments now.',
  input: z.strictObject({ project_id: projectInput }),
  async run(ctx, { project_id }) {
    const project = await getProject(ctx, project_id);
    const { state, token_name, current_tier } = saleFacts(project, ctx.clock.nowMs());
    const refuses = await refusesWithoutTag(ctx, project.deposit_address);
    return {
      data: {
        project_id,
        name: project.name,
        state,
        takes_payments_now: state === 'live',
        deposit_address: project.deposit_address,
        destination_tag: project.destination_tag,
        x_address: classicAddressToXAddress(
          project.deposit_address,
          project.destination_tag,
          env().XRPL_NETWORK_ID !== 0,
        ),
        address_refuses_without_tag: refuses,
        token_name,
        token: project.token,
        current_tier,
        starts_at: project.starts_at,
        ends_at: project.ends_at,
        min_investment_xrp: project.min_investment_xrp,
        max_per_wallet_xrp: project.max_per_wallet_xrp,
        access: project.access,
      },
      sources: [
        saleSource(project),
        ownSource('The project with its address and tag', `/api/projects/${project_id}`),
        ...accountSources('The deposit address on the ledger', project.deposit_address),
      ],
    };
  },
});
export type PaymentGuide = Awaited<ReturnType<typeof howToInvestTool.run>>['data'];
