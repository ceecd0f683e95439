import type { Ctx } from '#lib/ctx.ts';
import { provesAbsence } from '#lib/xrpl/history.ts';
import type { LookUp } from '#lib/xrpl/types.ts';

/** A transaction that was persisted before it was submitted. */
export interface Submitted {
  txHash: string;
  firstLedger: number;
  lastLedgerSequence: number;
}

/** True when the transaction was not found by a server that has gone past its last ledger. */
export const isOverdue = ({ lastLedgerSequence }: Submitted, lookUp: LookUp | undefined): boolean =>
  lookUp?.state === 'not_validated' && lookUp.history.validatedIndex >= lastLedgerSequence;

/**
 * True when the transaction may be handed in now, or again: a server that has answered its submission since the newest
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
  const overdue = submitted.filter((each, index) => isOverdue(each, lookUps[index]));
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
