import { z } from 'zod';
import { formatDrops } from '#lib/base/money.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { holderSetup, readHolderReadiness } from '#lib/sales/projects/holder-readiness.ts';
import { ownSource, saleSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';
import { saleFacts } from './sale-facts.ts';

export const tokenSetupTool = defineTool({
  name: 'token_setup',
  description:
    'How a wallet makes itself ready to receive the tokens of a sale (trust line, or MPT authorisation): the exact transaction, the XRP it sets aside, and, with a wallet, whether it is ready.',
  input: z.strictObject({ project_id: projectInput, wallet_address: walletInput.optional() }),
  async run(ctx, { project_id, wallet_address }) {
    const project = await getProject(ctx, project_id);
    const facts = saleFacts(project, ctx.clock.nowMs());
    const [server, holder] = await Promise.all([
      ctx.ledger.serverState(),
      wallet_address === undefined ? null : readHolderReadiness(ctx, project.token, wallet_address),
    ]);
    return {
      data: {
        project_id,
        name: project.name,
        token: project.token,
        token_name: facts.token_name,
        transaction: {
          Account: wallet_address ?? '<your wallet, r…>',
          ...holderSetup(project.token, facts.total_tokens),
        },
        owner_reserve_xrp: formatDrops(server.reserveIncrementDrops),
        claim_days: project.claim_days,
        wallet: holder,
      },
      sources: [
        saleSource(project),
        ownSource('The token of the sale, and what its issuer can do', `/api/projects/${project_id}/token`),
      ],
    };
  },
});
export type TokenSetup = Awaited<ReturnType<typeof tokenSetupTool.run>>['data'];
