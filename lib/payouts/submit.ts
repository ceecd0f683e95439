import { type SQL, sql } from 'drizzle-orm';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { provesAbsence } from '#lib/xrpl/history.ts';
import type { LookUp } from '#lib/xrpl/types.ts';

const CONCURRENT_SUBMITS = 8;

/**
 * Submits signed transactions that are persisted already, and records what the server said. Nothing is decided here: an
 * answer is provisional, and a submission that failed is made again by the next slice (docs/ledger-facts.md, 15).
 * `validatedLedger` is the newest that is known.
 */
export async function submitAttempts(
  ctx: Ctx,
  attempts: readonly { txHash: string; txBlob: string }[],
  validatedLedger: number,
): Promise<void> {
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
  if (answers.length === 0) return;
  await ctx.db.execute(sql`
    update ${payoutAttempts} as a set engine_result = g.engine_result, submitted_ledger = ${validatedLedger}::bigint
    from ${bulkRows('g', { tx_hash: 'text', engine_result: 'text' }, answers)}
    where a.tx_hash = g.tx_hash and a.status = 'open'
      and a.tx_hash = any (${lockedAttempts(answers.map((answer) => answer.tx_hash))})`);
}

/** The hashes of these attempts, locked in their order: the one order for all who write several (change-status.ts). */
export const lockedAttempts = (hashes: readonly string[]): SQL =>
  sql`array(select ${payoutAttempts.txHash} from ${payoutAttempts} where ${payoutAttempts.txHash} = any (${textArray(hashes)})
    order by ${payoutAttempts.txHash} for no key update)`;

/** A transaction that was persisted before it was submitted. */
interface Submitted {
  txHash: string;
  firstLedger: number;
  lastLedgerSequence: number;
}

/** True when a server that has gone past the transaction's last ledger did not find it. */
export const isPastLastLedger = ({ lastLedgerSequence }: Submitted, lookUp: LookUp | undefined): boolean =>
  lookUp?.state === 'not_validated' && lookUp.history.validatedIndex >= lastLedgerSequence;

/**
 * True when the transaction may be submitted now, or again: a server that has answered its submission since the newest
 * validated ledger has it, and would say the same while the ledger stands still.
 */
export const isSubmittable = (
  { lastLedgerSequence, submittedLedger }: Pick<Submitted, 'lastLedgerSequence'> & { submittedLedger: number | null },
  validatedLedger: number,
): boolean => validatedLedger < lastLedgerSequence && (submittedLedger === null || submittedLedger < validatedLedger);

/**
 * Looks all of them up on one server, in the order given. What should be final by now and was not found is asked of every
 * server: a validated answer of any of them is a fact, whatever the others lack, and so is an absence that the history of
 * any of them proves. A validated answer goes before a proof of absence.
 */
export async function lookUpSubmitted(ctx: Ctx, submitted: readonly Submitted[]): Promise<LookUp[]> {
  const lookUps = await ctx.ledger.lookUpAll(submitted.map(({ txHash }) => txHash));
  const overdue = submitted.filter((each, index) => isPastLastLedger(each, lookUps[index]));
  if (overdue.length === 0) return lookUps;
  const everywhere = await ctx.ledger.lookUpEverywhere(overdue.map(({ txHash }) => txHash));
  const decisive = new Map<string, LookUp>();
  for (const [index, { txHash, firstLedger, lastLedgerSequence }] of overdue.entries()) {
    const answers = everywhere.flatMap((server) => server[index] ?? []);
    const answer =
      answers.find(({ state }) => state === 'validated') ??
      answers.find(
        (each) => each.state === 'not_validated' && provesAbsence(each.history, firstLedger, lastLedgerSequence),
      );
    if (answer !== undefined) decisive.set(txHash, answer);
  }
  return lookUps.map((lookUp, index) => decisive.get(submitted[index]?.txHash ?? '') ?? lookUp);
}
