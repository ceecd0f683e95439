import { type SQL, sql } from 'drizzle-orm';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';

const CONCURRENT_SUBMITS = 8;

/**
 * Submits signed transactions that are persisted already, and records what the server said. Nothing is decided here: an
 * answer is provisional, and a submission that failed is made again by the next slice (docs/ledger-facts.md, 15).
 * `validatedLedger` is the newest that is known. Returns how many the server answered.
 */
export async function submitAttempts(
  ctx: Ctx,
  attempts: readonly { txHash: string; txBlob: string }[],
  validatedLedger: number,
): Promise<number> {
  const answers: { tx_hash: string; engine_result: string }[] = [];
  let unreachable = false;
  await mapBounded(attempts, CONCURRENT_SUBMITS, async ({ txHash, txBlob }) => {
    if (unreachable) return;
    try {
      const { engineResult } = await ctx.ledger.submit(txBlob);
      answers.push({ tx_hash: txHash, engine_result: engineResult });
    } catch (cause) {
      // What is refused concerns this one transaction; without the ledger the rest need not be tried.
      unreachable ||= cause instanceof PlatformError && cause.code === 'ledger_unavailable';
      ctx.log.warn({ err: cause, transaction_hash: txHash }, 'payout not submitted yet');
    }
  });
  if (answers.length === 0) return 0;
  await ctx.db.execute(sql`
    update ${payoutAttempts} as a set engine_result = g.engine_result, submitted_ledger = ${validatedLedger}::bigint
    from ${bulkRows('g', { tx_hash: 'text', engine_result: 'text' }, answers)}
    where a.tx_hash = g.tx_hash and a.status = 'open'
      and a.tx_hash = any (${lockedAttempts(answers.map((answer) => answer.tx_hash))})`);
  return answers.length;
}

/** The hashes of these attempts, locked in their order: the one order for all who write several (lock-payouts.ts). */
export const lockedAttempts = (hashes: readonly string[]): SQL =>
  sql`array(select ${payoutAttempts.txHash} from ${payoutAttempts} where ${payoutAttempts.txHash} = any (${textArray(hashes)})
    order by ${payoutAttempts.txHash} for no key update)`;
