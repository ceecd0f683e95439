import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { plannedOnce, type Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import {
  isPastLastLedger,
  isSubmittable,
  lockedAttempts,
  lookUpSubmitted,
  paysExactly,
  type RefusedPayout,
  recordAnswers,
  submitAttempts,
} from './attempts.ts';
import { checkUnderfunded, holdPayoutsTo, lockedPayouts, nextCheckAt, payoutsAsP } from './change-status.ts';
import { countAttempts } from './count-attempts.ts';
import { type AttemptOutcome, decideAttempt } from './decide-attempt.ts';
import { keyUsedOutside, payoutEvent } from './events.ts';
import { loadOpenAttempts, PAYABLE_STATUSES } from './load.ts';
import { learnPurpose } from './lost-tickets.ts';
import { purposeIdOf } from './purposes.ts';
import { checkRestoreGuard } from './restore-guard.ts';
import { readTicketStatuses } from './tickets.ts';
import { type OpenAttempt, PAID_ELSEWHERE, type PayoutCounts } from './types.ts';

/** An attempt, what its look-up means for it, and how far the ledger of who was asked last had come. */
interface Decided<Outcome = AttemptOutcome> {
  attempt: OpenAttempt;
  outcome: Outcome;
  validatedIndex: number;
}

type FinalOutcome = Exclude<AttemptOutcome, { kind: 'pending' }>;
type PendingOutcome = Extract<AttemptOutcome, { kind: 'pending' }>;

const isFinal = (decided: Decided): decided is Decided<FinalOutcome> => decided.outcome.kind !== 'pending';
const isPending = (decided: Decided): decided is Decided<PendingOutcome> => decided.outcome.kind === 'pending';

/** Ledgers past LastLedgerSequence after which an outcome that no server can prove is worth a warning. */
const UNPROVEN_AFTER_LEDGERS = 50;
/** One attempt may get lost on its way, and the next one too; then a person should look. */
const EXPIRIES_UNTIL_ALARM = 3;

/** What became of the attempts that were open. */
export interface Settled {
  /** Those that stay open. */
  open: OpenAttempt[];
  /** Writing down what became final. */
  written: Promise<void>;
  /**
   * All that became final are tokens that have been paid: nothing of what is due next depends on it, unlike on what failed, or
   * on XRP that an account owes no more.
   */
  changesNothingElse: boolean;
  /** The newest ledger that has decided any of them; 0 where none has. What was read of an earlier one does not show it. */
  decidedIn: number;
}

/**
 * Looks up every open attempt of an account and writes what became final, with its event, in one transaction. Submits
 * again what may still succeed, once a validated ledger. Adds to `counts`. Where it changes nothing else, `written` may still
 * be pending: the slice waits for it before it ends.
 */
export async function settleAttempts(ctx: Ctx, account: string, counts: PayoutCounts): Promise<Settled> {
  const decided = await decideOpenAttempts(ctx, account);
  const final = decided.filter(isFinal);
  const written = final.length === 0 ? Promise.resolve() : writeFinal(ctx, account, final, counts);
  // Who waits for it is told; until then a failure must not end the process.
  written.catch(() => undefined);
  const changesNothingElse = final.every(hasPaidTokens);
  if (!changesNothingElse) await written;
  const pending = decided.filter(isPending);
  await resubmit(ctx, account, pending);
  const decidedIn = Math.max(0, ...final.map(({ outcome }) => (outcome.kind === 'expired' ? 0 : outcome.ledgerIndex)));
  return { open: pending.map(({ attempt }) => attempt), written, changesNothingElse, decidedIn };
}

const hasPaidTokens = ({ attempt, outcome }: Decided<FinalOutcome>): boolean =>
  outcome.kind === 'validated' && attempt.payout.kind === 'distribution';

async function writeFinal(
  ctx: Ctx,
  account: string,
  final: readonly Decided<FinalOutcome>[],
  counts: PayoutCounts,
): Promise<void> {
  const nowMs = ctx.clock.nowMs();
  let hasTokensBack = false;
  for (const { attempt, outcome } of await ctx.db.transaction((tx) => writeOutcomes(tx, account, final, nowMs))) {
    if (outcome.kind === 'expired') logExpiry(ctx, attempt, outcome.usedBy?.hash ?? null);
    counts.settled += 1;
    counts[outcome.kind] += 1;
    hasTokensBack ||= outcome.kind === 'validated' && attempt.payout.kind === 'unlock';
  }
  if (hasTokensBack) await checkUnderfunded(ctx.db, account);
}

async function decideOpenAttempts(ctx: Ctx, account: string): Promise<Decided[]> {
  const attempts = await loadOpenAttempts(ctx.db, account);
  const lookUps = await lookUpSubmitted(ctx, account, attempts);
  const pastLastLedger = attempts.filter((attempt, index) => isPastLastLedger(attempt, lookUps[index]));
  const ticketStatusOf = await readTicketStatuses(ctx, account, pastLastLedger);
  return attempts.flatMap((attempt, index) => {
    const lookUp = lookUps[index];
    if (lookUp === undefined) return [];
    const outcome = decideAttempt(attempt, lookUp, ticketStatusOf(attempt));
    const validatedIndex = lookUp.state === 'not_validated' ? lookUp.history.validatedIndex : 0;
    if (outcome.kind === 'pending' && validatedIndex > attempt.lastLedgerSequence + UNPROVEN_AFTER_LEDGERS) {
      ctx.log.error({ transaction_hash: attempt.txHash }, 'no server holds the history that decides this payout');
    }
    return [{ attempt, outcome, validatedIndex }];
  });
}

/**
 * Submits again what may still succeed. Nothing while the database does not know what was paid since: another one may have
 * paid the same. And where Redis cannot say so, only what was submitted before: what was not may have been kept back for
 * just that reason. The rest expires and is signed anew.
 */
async function resubmit(ctx: Ctx, account: string, pending: readonly Decided<PendingOutcome>[]): Promise<void> {
  const again = pending
    .filter(({ attempt, outcome, validatedIndex }) => {
      return outcome.resubmit && !attempt.stopped && isSubmittable(attempt, validatedIndex);
    })
    .map(({ attempt }) => attempt);
  if (again.length === 0) return;
  const guard = await checkRestoreGuard(ctx, account);
  if (guard.kind === 'behind') return;
  const allowed = guard.kind === 'up_to_date' ? again : again.filter(({ engineResult }) => engineResult !== null);
  const validatedIndex = Math.max(...pending.map((each) => each.validatedIndex));
  await recordAnswers(ctx, await submitAttempts(ctx, allowed), validatedIndex);
}

function logExpiry(ctx: Ctx, { txHash, engineResult, expiries, payout }: OpenAttempt, usedBy: string | null): void {
  const about = { payout_id: payout.id, transaction_hash: txHash, engine_result: engineResult };
  if (usedBy !== null) {
    ctx.log.error(
      { ...about, used_by: usedBy },
      'a transaction that was signed outside the platform has used up the ticket of a payout',
    );
  }
  if (expiries + 1 >= EXPIRIES_UNTIL_ALARM) {
    ctx.log.error({ ...about, expired: expiries + 1 }, 'a payout expires again and again');
  }
}

async function writeOutcomes(
  tx: Tx,
  account: string,
  decided: readonly Decided<FinalOutcome>[],
  nowMs: number,
): Promise<Decided<FinalOutcome>[]> {
  // Only who closes an attempt goes on: a slice that runs beside this one finds it closed.
  const closed = await tx.execute<{ tx_hash: string }>(sql`${plannedOnce}
    update ${payoutAttempts} as a
    set status = g.status, engine_result = coalesce(g.result, a.engine_result), ledger_index = g.ledger_index
    from ${bulkRows(
      'g',
      { tx_hash: 'text', status: 'text', result: 'text', ledger_index: 'bigint' },
      decided.map(({ attempt, outcome }) => ({
        tx_hash: attempt.txHash,
        ...attemptColumns(attempt, outcome),
      })),
    )}
    where a.tx_hash = g.tx_hash and a.status = 'open'
      and a.tx_hash = any (${lockedAttempts(decided.map(({ attempt }) => attempt.txHash))})
    returning a.tx_hash`);
  const hashes = new Set(closed.rows.map((row) => row.tx_hash));
  const written = decided.filter(({ attempt }) => hashes.has(attempt.txHash));
  await writePayouts(tx, written);
  for (const { attempt, outcome } of written) {
    if (outcome.kind === 'expired') await holdPayoutsTo(tx, attempt.payout.account, outcome.usedBy?.paid ?? []);
  }
  await appendEvents(
    tx,
    written.flatMap(({ attempt, outcome }) => {
      if (outcome.kind === 'validated') {
        return payoutEvent(attempt.payout, outcome) ?? [];
      }
      if (outcome.kind === 'failed' || outcome.usedBy === null) return [];
      return keyUsedOutside({ account: attempt.payout.account, usedBy: outcome.usedBy.hash }, nowMs);
    }),
  );
  await countAttempts(tx, account, written.map(counted));
  return written;
}

/** An attempt as it is counted: one whose payment came with other signatures has paid too. */
const counted = ({ attempt: { payout }, outcome }: Decided<FinalOutcome>) => ({
  kind: payout.kind,
  outcome: outcome.kind,
  reason: outcome.kind === 'failed' ? outcome.result : outcome.kind === 'expired' ? outcome.next.reason : null,
});

/** Of the same payment with other signatures the attempt itself can no longer succeed. */
function attemptColumns({ txHash }: OpenAttempt, outcome: FinalOutcome) {
  if (outcome.kind === 'expired' || (outcome.kind === 'validated' && outcome.hash !== txHash)) {
    return { status: 'expired', result: null, ledger_index: null };
  }
  const result = outcome.kind === 'failed' ? outcome.result : 'tesSUCCESS';
  return { status: outcome.kind, result, ledger_index: outcome.ledgerIndex };
}

/**
 * Settles payouts that are paid, as witnesses or the account's history say, each only by a validated payment that pays
 * exactly it with a ticket that was created for it, and that is no other payout's: releases of a sale have one purpose.
 * Returns the ids of those that it settled. Adds to `counts`.
 */
export async function settlePaid(
  ctx: Ctx,
  account: string,
  refused: readonly RefusedPayout[],
  counts: PayoutCounts,
): Promise<Set<string>> {
  const settled = new Set<string>();
  for (const { payout, paidBy } of refused) {
    for (const hash of paidBy) {
      const paid = await ctx.ledger.validatedPayment(hash);
      if (paid === null || paid.account !== account || paid.ticket === null || !paysExactly(payout, paid)) continue;
      const { ticket, ledgerIndex, closedAtMs } = paid;
      await learnPurpose(ctx, account, ticket);
      const isSettled = await ctx.db.transaction(async (tx) => {
        const rows = await tx.execute(sql`
          update ${payoutsAsP} set status = 'validated', reason = null, tx_hash = ${hash}, ledger_index = ${ledgerIndex}::bigint,
            validated_at = ${new Date(closedAtMs).toISOString()}::timestamptz
          where p.id = ${payout.id} and p.status = any (${textArray(PAYABLE_STATUSES)})
            and exists (select from ${ticketAssignments} as t
              join ${ticketRequests} as r on r.tx_hash = t.request_hash and r.status = 'validated'
              where t.account = ${account} and t.ticket = ${ticket}::bigint and t.purpose = ${purposeIdOf(payout)})
            and not exists (select from ${payoutAttempts} as a where a.tx_hash = ${hash} and a.payout_id <> p.id)
            and not exists (select from ${payouts} as other where other.tx_hash = ${hash} and other.status = 'validated')
          returning p.id`);
        if (rows.rows.length === 0) return false;
        const event = payoutEvent(payout, { hash, ledgerIndex, closedAtMs });
        if (event !== null) await appendEvents(tx, [event]);
        return true;
      });
      if (!isSettled) continue;
      settled.add(payout.id);
      counts.settled += 1;
      counts.validated += 1;
      break;
    }
  }
  return settled;
}

/** Marked while it was submitted (holdPayoutsTo in change-status.ts). */
const isPaidElsewhere = sql`p.reason is not distinct from ${PAID_ELSEWHERE}`;

async function writePayouts(tx: Tx, decided: readonly Decided<FinalOutcome>[]): Promise<void> {
  if (decided.length === 0) return;
  await tx.execute(sql`${plannedOnce}
    update ${payoutsAsP}
    set status = case when g.status <> 'validated' and ${isPaidElsewhere} then 'held' else g.status end,
      reason = case when g.status <> 'validated' and ${isPaidElsewhere} then p.reason else g.reason end, tx_hash = g.tx_hash, ledger_index = g.ledger_index,
      validated_at = g.validated_at,
      next_check_at = case when g.reason is null then now() else ${nextCheckAt()} end
    from ${bulkRows(
      'g',
      {
        id: 'text',
        status: 'text',
        reason: 'text',
        tx_hash: 'text',
        ledger_index: 'bigint',
        validated_at: 'timestamptz',
      },
      decided.map(({ attempt, outcome }) => ({
        id: attempt.payout.id,
        ...(outcome.kind === 'validated'
          ? {
              status: 'validated',
              reason: null,
              tx_hash: outcome.hash,
              ledger_index: outcome.ledgerIndex,
              validated_at: new Date(outcome.closedAtMs),
            }
          : { ...outcome.next, tx_hash: null, ledger_index: null, validated_at: null }),
      })),
    )}
    where p.id = g.id and p.status <> 'validated'
      and p.id = any (${lockedPayouts(sql`${payouts.id} = any (${textArray(decided.map(({ attempt }) => attempt.payout.id))})`)})`);
}
