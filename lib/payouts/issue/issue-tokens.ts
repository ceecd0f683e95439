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
import type { IssueOutcome, issueTokensContract } from './contracts.ts';
import { ISSUE_OUTCOMES } from './contracts.ts';
import { type Judged, judgeCandidates } from './judge-candidates.ts';
import { loadUntried, loadWithoutPayout } from './load-untried.ts';
import { foreseen, happened, type Issued, notTried } from './outcomes.ts';
import { assertScope, countScope, loadCandidates, type ScopeCounts } from './scope.ts';

type Input = z.output<(typeof issueTokensContract)['body']>;
export type IssuedTokens = Omit<z.output<(typeof issueTokensContract)['responses'][200]>, 'continued'>;
type Refusal = IssuedTokens['refusals'][number];

/** Of the call's time, what judging may take; paying gets the rest. */
const JUDGING_SHARE = 0.5;

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
  const judged = await judgeCandidates(ctx, candidates, server, startedAtMs + budgetMs * JUDGING_SHARE);
  const untried = await refusalsOfUntried(ctx, input.investment_ids, ledgerTime);
  let issued = foreseen(candidates, judged);
  if (!input.dry_run) {
    await letGo(ctx, input, judged, outcomesOf(issued, counted, untried));
    await pay(ctx, issued, startedAtMs + budgetMs);
    issued = happened(issued, await standingOf(ctx, candidates));
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
async function letGo(ctx: Ctx, input: Input, judged: Judged, expected: Record<IssueOutcome, number>): Promise<void> {
  await postponePlanned(ctx.db, { payable: [], postponed: judged.postponed }, noCounts());
  await ctx.db.transaction(async (tx) => {
    await markReady(tx, judged.payable);
    await checkAgain(tx, { payoutIds: judged.unreached.map(({ payout }) => payout.id) }, false);
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

async function standingOf(ctx: Ctx, candidates: readonly StoredPayout[]): Promise<Map<string, StoredPayout>> {
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
