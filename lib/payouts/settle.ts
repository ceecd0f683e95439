import { sql } from 'drizzle-orm';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { LookUp } from '#lib/ledger/types.ts';
import { bulkRows } from '#lib/platform/bulk.ts';
import type { Tx } from '#lib/platform/db.ts';
import { type AttemptOutcome, decideAttempt } from './decide-attempt.ts';
import { loadOpenAttempts } from './load.ts';
import { nextCheckAt, payoutsAsP } from './next-check.ts';
import { payoutEvent } from './report.ts';
import { submitAttempts } from './submit-attempts.ts';
import type { OpenAttempt, PayoutCounts } from './types.ts';

interface Decided {
  attempt: OpenAttempt;
  outcome: Exclude<AttemptOutcome, { kind: 'pending' }>;
}

/** Ledgers past LastLedgerSequence after which an outcome that no server can prove is worth a warning. */
const UNPROVEN_AFTER_LEDGERS = 50;
/** One attempt may get lost on its way, and the next one too; then a person should look. */
const EXPIRIES_UNTIL_ALARM = 3;

/**
 * Looks up every open attempt of an account and writes what became final, with its event, in one transaction. Submits
 * again what may still succeed. Returns the attempts that stay open. Adds to `counts`.
 */
export async function settleAttempts(ctx: Ctx, account: string, counts: PayoutCounts): Promise<OpenAttempt[]> {
  const attempts = await loadOpenAttempts(ctx.db, account);
  const lookUps = await lookUpAttempts(ctx, attempts);
  const unused = await unusedTickets(ctx, account, attempts, lookUps);
  const decided: Decided[] = [];
  const open: OpenAttempt[] = [];
  const again: OpenAttempt[] = [];
  for (const [index, attempt] of attempts.entries()) {
    const lookUp = lookUps[index];
    if (lookUp === undefined) continue;
    const outcome = decideAttempt(attempt, lookUp, unused(attempt));
    if (outcome.kind !== 'pending') {
      decided.push({ attempt, outcome });
      continue;
    }
    open.push(attempt);
    if (outcome.resubmit && !attempt.stopped) again.push(attempt);
    const validated = lookUp.state === 'not_validated' ? lookUp.history.validatedIndex : 0;
    if (validated > attempt.lastLedgerSequence + UNPROVEN_AFTER_LEDGERS) {
      ctx.log.error({ transaction_hash: attempt.txHash }, 'no server holds the history that decides this payout');
    }
  }
  const written = decided.length === 0 ? [] : await ctx.db.transaction((tx) => writeOutcomes(tx, decided));
  for (const { attempt, outcome } of written) {
    if (outcome.kind === 'expired' && attempt.expiries + 1 >= EXPIRIES_UNTIL_ALARM) {
      const { txHash, engineResult, expiries, payout } = attempt;
      ctx.log.error(
        { payout_id: payout.id, transaction_hash: txHash, engine_result: engineResult, expired: expiries + 1 },
        'a payout expires again and again',
      );
    }
    counts.settled += 1;
    counts[outcome.kind] += 1;
  }
  await submitAttempts(ctx, again);
  return open;
}

/** True when the attempt was not found by a server that has gone past its last ledger. */
const isOverdue = ({ lastLedgerSequence }: OpenAttempt, lookUp: LookUp | undefined): boolean =>
  lookUp?.state === 'not_validated' && lookUp.history.validatedIndex >= lastLedgerSequence;

/**
 * Looks all attempts up on one server. What should be final by now and was not found is asked of every server: a
 * validated answer of any of them is a fact, whatever the others lack.
 */
async function lookUpAttempts(ctx: Ctx, attempts: readonly OpenAttempt[]): Promise<LookUp[]> {
  const lookUps = await ctx.ledger.lookUpAll(attempts.map((attempt) => attempt.txHash));
  const overdue = attempts.filter((attempt, index) => isOverdue(attempt, lookUps[index])).map(({ txHash }) => txHash);
  if (overdue.length === 0) return lookUps;
  const found = new Map<string, LookUp>();
  for (const answers of await ctx.ledger.lookUpEverywhere(overdue)) {
    for (const [index, hash] of overdue.entries()) {
      const answer = answers[index];
      if (answer?.state === 'validated') found.set(hash, answer);
    }
  }
  return lookUps.map((lookUp, index) => found.get(attempts[index]?.txHash ?? '') ?? lookUp);
}

/** Which attempts' tickets stood unused in one validated ledger not before their LastLedgerSequence. Read only when it matters. */
async function unusedTickets(
  ctx: Ctx,
  account: string,
  attempts: readonly OpenAttempt[],
  lookUps: readonly LookUp[],
): Promise<(attempt: OpenAttempt) => boolean> {
  const overdue = attempts.some((attempt, index) => isOverdue(attempt, lookUps[index]));
  const shown = overdue ? await ctx.ledger.ticketsAt(account) : null;
  const standing = new Set(shown?.tickets);
  return ({ ticket, lastLedgerSequence }) =>
    shown !== null && shown.ledgerIndex >= lastLedgerSequence && standing.has(ticket);
}

async function writeOutcomes(tx: Tx, decided: readonly Decided[]): Promise<Decided[]> {
  // Only who closes an attempt goes on: a slice that runs beside this one finds it closed.
  const closed = await tx.execute<{ tx_hash: string }>(sql`
    update ${payoutAttempts} as a
    set status = g.status, engine_result = coalesce(g.result, a.engine_result), ledger_index = g.ledger_index
    from ${bulkRows(
      'g',
      { tx_hash: 'text', status: 'text', result: 'text', ledger_index: 'bigint' },
      decided.map(({ attempt, outcome }) => ({
        tx_hash: attempt.txHash,
        status: outcome.kind,
        result: outcome.kind === 'expired' ? null : outcome.kind === 'failed' ? outcome.result : 'tesSUCCESS',
        ledger_index: outcome.kind === 'expired' ? null : outcome.ledgerIndex,
      })),
    )}
    where a.tx_hash = g.tx_hash and a.status = 'open'
    returning a.tx_hash`);
  const hashes = new Set(closed.rows.map((row) => row.tx_hash));
  const written = decided.filter(({ attempt }) => hashes.has(attempt.txHash));
  await writePayouts(tx, written);
  await appendEvents(
    tx,
    written.flatMap(({ attempt, outcome }) => {
      if (outcome.kind !== 'validated') return [];
      return payoutEvent(attempt.payout, { hash: attempt.txHash, ...outcome }) ?? [];
    }),
  );
  return written;
}

async function writePayouts(tx: Tx, decided: readonly Decided[]): Promise<void> {
  if (decided.length === 0) return;
  await tx.execute(sql`
    update ${payoutsAsP}
    set status = g.status, reason = g.reason, tx_hash = g.tx_hash, ledger_index = g.ledger_index,
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
              tx_hash: attempt.txHash,
              ledger_index: outcome.ledgerIndex,
              validated_at: new Date(outcome.closedAtMs),
            }
          : { ...outcome.next, tx_hash: null, ledger_index: null, validated_at: null }),
      })),
    )}
    where p.id = g.id and p.status <> 'validated'`);
}
