import { sql } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { FeedPage } from '#lib/xrpl/types.ts';
import { lockAndLoad } from './load-state.ts';
import { type Recorded, recordEntries } from './record-entries.ts';

interface Recognised extends Recorded {
  /** False when another process had moved the cursor first; nothing was written. */
  advanced: boolean;
}

/**
 * Writes one page of the feed: payments, investments in `pending_confirmation`, moves seen, `investment.created`, and
 * the cursor, in one transaction and a constant number of statements. The cursor moves by compare-and-set under the
 * account's row lock, so two processes with the same page write it once.
 */
export async function recognise(
  ctx: Ctx,
  input: { account: string; afterLedger: number; page: FeedPage },
): Promise<Recognised> {
  const { page } = input;
  return ctx.db.transaction(async (tx) => {
    const loaded = await lockAndLoad(tx, input.account);
    if (loaded.account.cursorLedger !== input.afterLedger || loaded.account.halted) {
      return { advanced: false, payments: 0, moves: 0, events: 0 };
    }
    const recorded = await recordEntries(ctx, tx, loaded, page.entries, page.readThrough);
    await tx
      .update(depositAccounts)
      .set({ cursorLedger: page.readThrough, cursorHash: page.readThroughHash })
      .where(sql`${depositAccounts.address} = ${input.account}`);
    return { advanced: true, ...recorded };
  });
}
