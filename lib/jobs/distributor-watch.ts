import type { Ctx } from '#lib/ctx.ts';
import { loadDistributors, recordTransfers, settleUnknownTransfers } from '#lib/payouts/unknown-transfers.ts';
import { readAgreedFeed } from '#lib/sales/feed/agreed-feed.ts';
import { defineJob } from './engine.ts';

/** Entries of one reading; more are read by the next run. */
const MAX_PAGE_ENTRIES = 1_000;

export interface Watched {
  /** Distributors whose history could not be read. */
  failures: string[];
}

/**
 * Searches the history of every distributor, from where the last run stopped, for what the platform did not sign: one
 * reading of `account_tx` each, of the first one in any case. One account's fault does not stop the others.
 */
export async function watchDistributors(ctx: Ctx, deadlineMs: number): Promise<Watched> {
  const server = await ctx.ledger.serverState();
  const failures: string[] = [];
  let looked = 0;
  for (const distributor of await loadDistributors(ctx, server)) {
    if (looked > 0 && ctx.clock.nowMs() >= deadlineMs) break;
    looked += 1;
    if (distributor.cursorLedger >= server.validatedIndex) continue;
    try {
      const page = await readAgreedFeed(ctx, {
        account: distributor.address,
        afterLedger: distributor.cursorLedger,
        afterHash: distributor.cursorHash,
        throughLedger: server.validatedIndex,
        maxEntries: MAX_PAGE_ENTRIES,
      });
      if (page.readThrough > distributor.cursorLedger) await recordTransfers(ctx, distributor, page);
    } catch (error) {
      ctx.log.error({ err: error, account: distributor.address }, 'the history of a distributor could not be read');
      failures.push(distributor.address);
    }
  }
  if (looked > 0) await settleUnknownTransfers(ctx);
  return { failures };
}

/** Watches for transactions of distributors that the platform did not sign. */
export const distributorWatch = defineJob({
  name: 'distributor-watch',
  schedule: 'every slice',
  budgetMs: 1_000,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const { failures } = await watchDistributors(ctx, deadlineMs);
    return { faults: failures.map((account) => `distributor-watch ${account}`) };
  },
});
