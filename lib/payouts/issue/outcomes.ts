import type { StoredPayout } from '../load.ts';
import type { IssueOutcome } from './contracts.ts';
import type { Judged } from './judge-candidates.ts';

/** What became, or in a dry run would become, of one payout. */
export interface Issued {
  candidate: StoredPayout;
  outcome: IssueOutcome;
  /** Null for what is paid or on its way. */
  reason: string | null;
}

/** Payable, and the next runs of process-payments go on with it. */
const NEXT_RUN = 'next_run';
/** Not looked at, because the call's time was up. */
const TIME_RAN_OUT = 'time_ran_out';

const OUTCOME_AFTER = { wait: 'waiting', later: 'waiting', hold: 'held' } as const;

const untouchedOutcome = (candidate: StoredPayout): Issued => {
  const { stopped, status, reason } = candidate;
  if (stopped !== null) return { candidate, outcome: 'stopped', reason: stopped };
  return { candidate, outcome: status === 'held' ? 'held' : 'waiting', reason };
};

const unreachedOutcome = (candidate: StoredPayout): Issued => ({
  candidate,
  outcome: candidate.status === 'held' ? 'held' : 'queued',
  reason: TIME_RAN_OUT,
});

/** What a call would do with its candidates. Pure. */
export function foreseen(candidates: readonly StoredPayout[], judged: Judged): Issued[] {
  const byId = new Map(candidates.map((candidate) => [candidate.payout.id, candidate]));
  return [
    ...judged.payable.map((candidate): Issued => {
      return judged.beyondCeiling.has(candidate.payout.id)
        ? { candidate, outcome: 'waiting', reason: 'hourly_ceiling' }
        : { candidate, outcome: 'submitted', reason: null };
    }),
    ...judged.postponed.flatMap(({ payout, decision }): Issued[] => {
      const candidate = byId.get(payout.id);
      return candidate === undefined
        ? []
        : [
            {
              candidate,
              outcome: candidate.status === 'held' ? 'held' : OUTCOME_AFTER[decision.kind],
              reason: decision.reason,
            },
          ];
    }),
    ...judged.untouched.map(untouchedOutcome),
    ...judged.unreached.map(unreachedOutcome),
  ];
}

/** What the call has done: `before` foreseen, and how each payout stands after paying. Pure. */
export function happened(before: readonly Issued[], standing: ReadonlyMap<string, StoredPayout>): Issued[] {
  return before.map((expected) => {
    const now = standing.get(expected.candidate.payout.id);
    if (now === undefined) return expected;
    const { status, reason, stopped } = now;
    const became = (outcome: IssueOutcome, why: string | null): Issued => ({ candidate: now, outcome, reason: why });
    if (status === 'validated' || status === 'submitted' || status === 'cancelled') return became(status, reason);
    if (stopped !== null) return became('stopped', stopped);
    if (expected.outcome !== 'submitted') return expected;
    if (status === 'held') return became('held', reason);
    return reason === null ? became('queued', NEXT_RUN) : became('waiting', reason);
  });
}

/** Why a payout of an investment that was asked for was not tried at all. Pure. */
export function notTried(stored: StoredPayout): Issued {
  const { status, reason } = stored;
  const untried = (outcome: IssueOutcome, why: string): Issued => ({ candidate: stored, outcome, reason: why });
  if (status === 'validated') return untried('already_paid', 'validated');
  if (status === 'submitted') return untried('under_way', 'submitted');
  if (status === 'cancelled') return untried('cancelled', reason ?? 'cancelled');
  return untried('not_due', 'not_due');
}
