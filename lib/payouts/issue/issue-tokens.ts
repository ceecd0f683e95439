import { inArray } from 'drizzle-orm';
import type { z } from 'zod';
import { payouts } from '#drizzle/schema/payouts.ts';
import { appendAudit } from '#lib/audit.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { checkAgain, markReady, postponePlanned } from '../change-status.ts';
import { loadStored, type StoredPayout } from '../load.ts';
import { runPayouts } from '../run-payouts.ts';
import { noCounts } from '../types.ts';
import {
  assertScope,
  type CheckedCandidates,
  checkCandidates,
  countScope,
  loadCandidates,
  loadUntried,
  loadWithoutPayout,
  type ScopeCounts,
} from './candidates.ts';
import { ISSUE_OUTCOMES, type IssueOutcome, type issueTokensContract } from './contracts.ts';

type Input = z.output<(typeof issueTokensContract)['body']>;
type IssuedTokens = Omit<z.output<(typeof issueTokensContract)['responses'][200]>, 'continued'>;
type Refusal = IssuedTokens['refusals'][number];

/** Of the call's time, what checking may take; paying gets the rest. */
const CHECKING_SHARE = 0.5;

/**
 * Tries the due distributions of a sale, or of some investments, now: those that wait, and those held for a cause that is
 * over. What is paid or on its way is never paid again: the same payments go out in the same way as by themselves, under
 * the same ceiling, and a halt or a cancellation stands. Audited before it acts, and again with what came of it; a dry
 * run writes nothing. Throws `project_not_found`, `investment_not_found`, and PlatformError `ledger_unavailable` before
 * anything is written.
 */
export async function issueTokens(ctx: Ctx, input: Input): Promise<IssuedTokens> {
  const startedAtMs = ctx.clock.nowMs();
  const budgetMs = env().SLICE_BUDGET_MS;
  await assertScope(ctx.db, input);
  const server = await ctx.ledger.serverState();
  const ledgerTime = new Date(server.validatedAtMs);
  const counted = await countScope(ctx.db, input, ledgerTime);
  const candidates = await loadCandidates(ctx.db, input, ledgerTime, input.limit);
  const checked = await checkCandidates(ctx, candidates, server, startedAtMs + budgetMs * CHECKING_SHARE);
  const untried = await refusalsOfUntried(ctx, input.investment_ids, ledgerTime);
  let issued = expectedOutcomes(candidates, checked);
  if (!input.dry_run) {
    await writeChecked(ctx, input, checked, outcomesOf(issued, counted, untried));
    await pay(ctx, issued, startedAtMs + budgetMs);
    issued = actualOutcomes(issued, await loadCurrent(ctx, candidates));
    await audit(ctx.db, ctx, input, 'tokens.issue_result', outcomesOf(issued, counted, untried));
  }
  return {
    dry_run: input.dry_run,
    selected: candidates.length,
    beyond_limit: Math.max(0, counted.due - candidates.length),
    outcomes: outcomesOf(issued, counted, untried),
    refusals: [...issued.flatMap(toRefusal), ...untried],
    duration_ms: ctx.clock.nowMs() - startedAtMs,
  };
}

/** Frees what is payable, and writes why the rest is not; what was held stays held unless it is payable. */
async function writeChecked(
  ctx: Ctx,
  input: Input,
  checked: CheckedCandidates,
  expected: Record<IssueOutcome, number>,
): Promise<void> {
  await postponePlanned(ctx.db, { payable: [], postponed: checked.postponed }, noCounts());
  await ctx.db.transaction(async (tx) => {
    await markReady(tx, checked.payable);
    await checkAgain(tx, { payoutIds: checked.unreached.map(({ payout }) => payout.id) }, false);
    await audit(tx, ctx, input, 'tokens.issue', expected);
  });
}

/** One slice of paying from every account concerned. Without the ledger what is ready goes out by the next run. */
async function pay(ctx: Ctx, issued: readonly Issued[], deadlineMs: number): Promise<void> {
  const accounts = new Set(
    issued.filter(({ outcome }) => outcome === 'submitted').map(({ candidate }) => candidate.payout.account),
  );
  for (const account of accounts) {
    try {
      await runPayouts(ctx, { account, deadlineMs });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      ctx.log.warn({ err: error, account }, 'issued tokens are left to the next run');
    }
  }
}

async function loadCurrent(ctx: Ctx, candidates: readonly StoredPayout[]): Promise<Map<string, StoredPayout>> {
  const ids = candidates.map(({ payout }) => payout.id);
  const stored = await loadStored(ctx.db, inArray(payouts.id, ids), [], ids.length);
  return new Map(stored.map((now) => [now.payout.id, now]));
}

async function refusalsOfUntried(ctx: Ctx, ids: string[] | undefined, ledgerTime: Date): Promise<Refusal[]> {
  if (ids === undefined) return [];
  const [untried, without] = await Promise.all([loadUntried(ctx.db, ids, ledgerTime), loadWithoutPayout(ctx.db, ids)]);
  return [
    ...untried.flatMap((stored) => toRefusal(notTried(stored))),
    ...without.map(({ investmentId, ...why }) => ({
      investment_id: investmentId,
      payout_id: null,
      part: null,
      due_at: null,
      ...why,
    })),
  ];
}

function toRefusal({ candidate: { payout, dueAt }, outcome, reason }: Issued): Refusal[] {
  if (outcome === 'submitted' || outcome === 'validated') return [];
  const { id, part, investmentId } = payout;
  if (investmentId === null) throw new Error(`Distribution ${id} belongs to no investment`);
  return [
    { investment_id: investmentId, payout_id: id, part, due_at: toIso(dueAt), outcome, reason: reason ?? outcome },
  ];
}

/** Counts of the whole scope; `untried` matters only for investments that are owed nothing. */
function outcomesOf(
  issued: readonly Issued[],
  counted: ScopeCounts,
  untried: readonly Refusal[],
): Record<IssueOutcome, number> {
  const outcomes = Object.fromEntries(ISSUE_OUTCOMES.map((outcome) => [outcome, 0])) as Record<IssueOutcome, number>;
  outcomes.already_paid = counted.alreadyPaid;
  outcomes.under_way = counted.underWay;
  outcomes.cancelled = counted.cancelled;
  outcomes.not_due = counted.notDue;
  outcomes.nothing_owed = untried.filter(({ outcome }) => outcome === 'nothing_owed').length;
  for (const { outcome } of issued) outcomes[outcome] += 1;
  return outcomes;
}

const audit = (
  tx: Tx,
  ctx: Ctx,
  input: Input,
  action: 'tokens.issue' | 'tokens.issue_result',
  outcomes: Record<IssueOutcome, number>,
): Promise<void> =>
  appendAudit(tx, ctx, {
    action,
    subject: input.project_id ?? 'investments',
    reason: input.reason,
    before: {
      project_id: input.project_id ?? null,
      investment_ids: input.investment_ids ?? null,
      limit: input.limit,
    },
    after: { outcomes },
  });

/** What became, or in a dry run would become, of one payout. */
interface Issued {
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
function expectedOutcomes(candidates: readonly StoredPayout[], checked: CheckedCandidates): Issued[] {
  const byId = new Map(candidates.map((candidate) => [candidate.payout.id, candidate]));
  return [
    ...checked.payable.map((candidate): Issued => {
      return checked.beyondCeiling.has(candidate.payout.id)
        ? { candidate, outcome: 'waiting', reason: 'hourly_ceiling' }
        : { candidate, outcome: 'submitted', reason: null };
    }),
    ...checked.postponed.flatMap(({ payout, decision }): Issued[] => {
      const candidate = byId.get(payout.id);
      if (candidate === undefined) return [];
      const outcome = candidate.status === 'held' ? 'held' : OUTCOME_AFTER[decision.kind];
      return [{ candidate, outcome, reason: decision.reason }];
    }),
    ...checked.untouched.map(untouchedOutcome),
    ...checked.unreached.map(unreachedOutcome),
  ];
}

/** What the call has done: `before` as expected, and how each payout stands after paying. Pure. */
function actualOutcomes(before: readonly Issued[], current: ReadonlyMap<string, StoredPayout>): Issued[] {
  return before.map((expected) => {
    const now = current.get(expected.candidate.payout.id);
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
function notTried(stored: StoredPayout): Issued {
  const { status, reason } = stored;
  const untried = (outcome: IssueOutcome, why: string): Issued => ({ candidate: stored, outcome, reason: why });
  if (status === 'validated') return untried('already_paid', 'validated');
  if (status === 'submitted') return untried('under_way', 'submitted');
  if (status === 'cancelled') return untried('cancelled', reason ?? 'cancelled');
  return untried('not_due', 'not_due');
}
