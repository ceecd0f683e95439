import { type CreatedEscrow, FIRST_VESTING_PART } from '@tranche/rules/locks.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { ValidatedPayment } from '#lib/xrpl/types.ts';
import { deliversExactly, locksExactly } from '../attempts.ts';
import { checkAgain } from '../change-status.ts';
import { payoutEvent } from '../events.ts';
import { loadStored, PAYABLE_STATUSES, type StoredPayout } from '../load.ts';
import { checkRestoreGuard } from '../restore-guard.ts';
import type { Payout, PayoutReason } from '../types.ts';
import { reopenUnlock } from '../unlock-escrows.ts';
import type { Action, PayoutResource } from './contracts.ts';
import { assertPossible, getPayout, payoutNotFound } from './read-payouts.ts';

const DO: Record<Exclude<Action, 'settle'>, (tx: Tx, id: string) => Promise<unknown>> = {
  retry: (tx, id) => checkAgain(tx, { payoutIds: [id] }, false),
  hold: holdPayout,
  release: (tx, id) => checkAgain(tx, { payoutIds: [id] }, true),
};

/**
 * An operator retries, holds or releases one payout, or settles it by a transaction that has paid it. The row's lock is the
 * one under which a payment of it is persisted: what is held here is not signed afterwards, and what was signed before
 * cannot be held. Throws `not_found`, `conflict`
 * with what is possible instead, `invalid_request`; `ledger_unavailable` when it cannot be settled now.
 */
export async function actOnPayout(
  ctx: Ctx,
  input: { id: string; action: Action; reason: string; transaction_hash?: string | undefined },
): Promise<PayoutResource> {
  const { id, action, reason, transaction_hash } = input;
  assertHashFits(action, transaction_hash);
  // Asked before the row is locked: the ledger may take its time.
  const settlement = transaction_hash === undefined ? null : await readSettlement(ctx, id, transaction_hash);
  const done = await ctx.db.transaction(async (tx) => {
    const [before] = await tx
      .select({
        kind: payouts.kind,
        status: payouts.status,
        reason: payouts.reason,
        isDue: sql<boolean>`${payouts.dueAt} <= now()`,
      })
      .from(payouts)
      .where(eq(payouts.id, id))
      .for('update');
    if (before === undefined) throw payoutNotFound();
    assertPossible(action, before);
    if (settlement !== null) await writeSettlement(tx, settlement);
    else if (action !== 'settle') await DO[action](tx, id);
    const after = await getPayout(tx, id);
    await appendAudit(tx, ctx, {
      action: `payout.${action}`,
      subject: id,
      projectId: after.project_id ?? undefined,
      reason,
      before: { status: before.status, reason: before.reason },
      after: {
        status: after.status,
        reason: after.reason,
        next_check_at: after.next_check_at,
        ...(settlement === null ? {} : { transaction_hash }),
      },
    });
    return after;
  });
  if (settlement !== null) await recordSettlement(ctx, settlement.payout.account);
  return done;
}

/** A record that cannot be written now is made good by the next check: the settlement stands. */
async function recordSettlement(ctx: Ctx, account: string): Promise<void> {
  try {
    await checkRestoreGuard(ctx, account);
  } catch (err) {
    ctx.log.warn({ err, account }, 'the restore guard could not record a settlement');
  }
}

/** Throws `invalid_request`: settling needs the transaction, and nothing else takes one. */
function assertHashFits(action: Action, transactionHash: string | undefined): void {
  if ((action === 'settle') === (transactionHash !== undefined)) return;
  throw fieldError(
    'transaction_hash',
    action === 'settle' ? 'give the hash of the transaction that has paid it' : 'leave it out: it is for settle only',
  );
}

const OPERATOR_HOLD: PayoutReason = 'operator_hold';

/** Keeps a payout that is not submitted from being paid until an operator releases it. */
async function holdPayout(tx: Tx, id: string): Promise<void> {
  await tx
    .update(payouts)
    .set({ status: 'held', reason: OPERATOR_HOLD })
    .where(and(eq(payouts.id, id), inArray(payouts.status, [...PAYABLE_STATUSES])));
}

/** A payout with the transaction, signed by anyone, that has paid it on the ledger. */
interface Settlement {
  payout: Payout;
  sent: Pick<ValidatedPayment, 'hash' | 'ledgerIndex' | 'closedAtMs'>;
  /** Of a lock: what its unlock will need to know, when no server may hold this ledger any more. */
  escrow?: { escrowSequence: number; escrowFinishAfter: Date };
}

/**
 * Reads the transaction that is said to have paid a held payout. Throws `not_found`; `conflict` when the payout is not
 * held, or the ledger shows no such payment, naming what differs; `ledger_unavailable`.
 */
async function readSettlement(ctx: Ctx, id: string, transactionHash: string): Promise<Settlement> {
  const [stored] = await loadStored(ctx.db, eq(payouts.id, id), [], 1);
  if (stored === undefined) throw payoutNotFound();
  assertPossible('settle', { kind: stored.payout.kind, status: stored.status, isDue: true });
  if (stored.payout.kind === 'lock') return readLockSettlement(ctx, stored, transactionHash);
  const sent = await ctx.ledger.validatedPayment(transactionHash);
  if (sent === null) {
    throw conflict(`No ledger server shows ${transactionHash} as a validated and successful Payment.`);
  }
  const differs = difference(stored.payout, sent);
  if (differs !== null) throw conflict(`${transactionHash} has not paid this payout: ${differs}.`);
  return { payout: stored.payout, sent };
}

/**
 * The same for a lock: the transaction must have created an escrow that locks exactly what is owed, and not before it was owed.
 * An older one proves another lock of the terms. One that has an unlock must be such that the platform can end it.
 */
async function readLockSettlement(
  ctx: Ctx,
  { payout, dueAt }: StoredPayout,
  transactionHash: string,
): Promise<Settlement> {
  const escrow = await ctx.ledger.createdEscrow(transactionHash, null);
  if (escrow === null) {
    throw conflict(`No ledger server shows ${transactionHash} as a validated and successful EscrowCreate.`);
  }
  const { sequence, finishAfterMs } = escrow;
  if (finishAfterMs === null || !locksExactly(payout, escrow)) {
    throw conflict(
      `${transactionHash} has not made this lock: its escrow must be of ${payout.account} to itself, hold exactly what is owed, and have a FinishAfter not before ${payout.lockedUntil?.toISOString()}.`,
    );
  }
  const obstacle = payout.part >= FIRST_VESTING_PART ? endObstacle(escrow) : null;
  if (obstacle !== null) {
    throw conflict(
      `${transactionHash} locks these tokens, but the platform could not give them back when they are due: its escrow has ${obstacle}. Give ${payout.account} as many tokens again and release the payout, which makes the lock anew, or settle it with an escrow that has neither Condition nor CancelAfter.`,
    );
  }
  const closedAtMs = await ctx.ledger.closedAtMs(escrow.ledgerIndex);
  if (closedAtMs < dueAt.getTime()) {
    throw conflict(`${transactionHash} is older than what it is to lock.`);
  }
  return {
    payout,
    sent: { hash: transactionHash, ledgerIndex: escrow.ledgerIndex, closedAtMs },
    escrow: { escrowSequence: sequence, escrowFinishAfter: new Date(finishAfterMs) },
  };
}

/** What could keep the unlock of a lock from ending its escrow on its day; null when nothing does. Pure. */
function endObstacle({ hasCondition, cancelAfterMs }: CreatedEscrow): string | null {
  if (hasCondition) return 'a Condition, and nobody can finish it without the fulfilment';
  if (cancelAfterMs === null) return null;
  return `a CancelAfter, and from ${new Date(cancelAfterMs).toISOString()} on nobody can finish it`;
}

/** What keeps a payment from being the one that pays this payout; null when nothing does. Pure. */
function difference(payout: Payout, sent: ValidatedPayment): string | null {
  if (sent.account !== payout.account) return `it was sent by ${sent.account}, and ${payout.account} pays it`;
  if (sent.destination !== payout.destination) return `it went to ${sent.destination}, not to ${payout.destination}`;
  if (sent.destinationTag !== payout.destinationTag) {
    return `its destination tag is ${sent.destinationTag ?? 'missing'}, and that of the payout ${payout.destinationTag ?? 'none'}`;
  }
  if (deliversExactly(payout, sent.delivered)) return null;
  return `it delivered ${JSON.stringify(sent.delivered)}, which is not exactly what is owed`;
}

/**
 * Books a held payout, locked by the caller, as paid by that transaction. One transaction pays one payout: throws
 * `conflict` when it is another one's, or older than the payment that the payout is for.
 */
async function writeSettlement(tx: Tx, { payout, sent, escrow }: Settlement): Promise<void> {
  // Two operators with the same hash and two payouts have no row in common.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${sent.hash}, 0))`);
  const { rows } = await tx.execute<{ payout_id: string }>(sql`
    select id as payout_id from ${payouts} where tx_hash = ${sent.hash} and id <> ${payout.id}
    union select payout_id from ${payoutAttempts} where tx_hash = ${sent.hash} and payout_id <> ${payout.id} limit 1`);
  const [other] = rows;
  if (other !== undefined) throw conflict(`${sent.hash} is the transaction of another payout, ${other.payout_id}.`);
  const [paidFor] = await tx
    .select({ ledgerIndex: payments.ledgerIndex })
    .from(payouts)
    .innerJoin(payments, eq(payments.txHash, payouts.paymentHash))
    .where(eq(payouts.id, payout.id));
  if (paidFor !== undefined && sent.ledgerIndex < paidFor.ledgerIndex) {
    throw conflict(`${sent.hash} is older than the payment that this payout is for.`);
  }
  await tx
    .update(payouts)
    .set({
      status: 'validated',
      reason: null,
      txHash: sent.hash,
      ledgerIndex: sent.ledgerIndex,
      validatedAt: new Date(sent.closedAtMs),
      ...escrow,
    })
    .where(eq(payouts.id, payout.id));
  if (payout.kind === 'lock') await reopenUnlock(tx, payout);
  const event = payoutEvent(payout, sent);
  if (event !== null) await appendEvents(tx, [event]);
}

const conflict = (detail: string): PlatformError => new PlatformError('conflict', detail);
