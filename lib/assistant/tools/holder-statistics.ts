import { z } from 'zod';
import { getStats } from '#lib/accounts/holders/get-stats.ts';
import { listHolders } from '#lib/accounts/holders/list-holders.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ownSource } from '../links.ts';
import { defineTool, projectInput } from './define.ts';

const LARGEST_SHOWN = 5;

async function readSnapshot(ctx: Ctx, question: { project_id?: string | undefined }) {
  try {
    const [statistics, { holders }] = await Promise.all([
      getStats(ctx, question),
      listHolders(ctx, { ...question, limit: LARGEST_SHOWN }),
    ]);
    return { synced: true as const, ...statistics, largest: holders };
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'not_found') return { synced: false as const };
    throw error;
  }
}

export const holderStatisticsTool = defineTool({
  name: 'holder_statistics',
  description:
    "Who holds a sale's token by the last snapshot of the ledger: number of holders, supply, shares of the top 10 and 100, Gini coefficient, median, the largest accounts.",
  input: z.strictObject({ project_id: projectInput.optional() }),
  async run(ctx, { project_id }) {
    const query = project_id === undefined ? '' : `?project_id=${project_id}`;
    return {
      data: await readSnapshot(ctx, { project_id }),
      sources: [
        ownSource('Holders', `/holders${query}`),
        ownSource('Holder statistics', `/api/cron/holder-stats${query}`),
      ],
    };
  },
});
