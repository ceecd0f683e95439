import { and, eq, inArray, sql } from 'drizzle-orm';
import { type PayoutRow, payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { escrowId } from '#lib/xrpl/escrow-id.ts';
import { checkUnderfunded } from './change-status.ts';
import type { Plan } from './check.ts';
import { PAYABLE_STATUSES } from './load.ts';
import type { Decision, Payout, PayoutCounts } from './types.ts';

type Found =
  | Exclude<Decision, { kind: 'pay' }>
  /** It stands: this names it. */
  | { kind: 'pay'; escrowSequence: number }
  /** Somebody has ended it: the tokens are back. */
  | { kind: 'gone'; ledgerIndex: number; closedAtMs: number }
  /** It was never made: the tokens have not left the account. */
  | { kind: 'never_made' };

/**
 * Finds the escrows that the unlocks of a plan are to end. Anybody may have been first after its time: one that is gone settles its unlock
 * without a transaction. One that was never made cancels it. What cannot be read postpones the unlocks, and keeps nobody from
 * being paid; a plan without an unlock costs nothing. Adds to `counts`.
 */
export async function findEscrows(ctx: Ctx, plan: Plan, counts: PayoutCounts): Promise<Plan> {
  if (!plan.payable.some(({ kind }) => kind === 'unlock')) return plan;
  const found: Plan = { payable: [], postponed: [...plan.postponed] };
  for (const payout of plan.payable) {
    if (payout.kind !== 'unlock') {
      found.payable.push(payout);
      continue;
    }
    try {
      const escrow = await findEscrow(ctx, payout);
      if (escrow.kind === 'pay') found.payable.push({ ...payout, escrowSequence: escrow.escrowSequence });
      else if (escrow.kind === 'gone') await settle(ctx, payout, escrow, counts);
      else if (escrow.kind === 'never_made') await cancel(ctx, payout);
      else found.postponed.push({ payout, decision: escrow });
    } catch (fault) {
      found.postponed.push({ payout, decision: { kind: 'later', reason: 'facts_unreadable' }, fault });
    }
  }
  return found;
}

type BookedEscrow = Pick<PayoutRow, 'escrowSequence' | 'escrowFinishAfter'>;

/** Statuses of a lock for which nothing is on the ledger, or on its way there. */
const NOT_UNDER_WAY: ReadonlySet<string> = new Set([...PAYABLE_STATUSES, 'held', 'cancelled']);

/** The lock that an unlock ends. */
const lockOf = ({ id, projectId, part }: Payout) => {
  if (projectId === null) throw new Error(`The unlock ${id} is of no sale`);
  return and(eq(payouts.kind, 'lock'), eq(payouts.projectId, projectId), eq(payouts.part, part));
};

async function findEscrow(ctx: Ctx, payout: Payout): Promise<Found> {
  const [lock] = await ctx.db
    .select({
      status: payouts.status,
      txHash: payouts.txHash,
      ledgerIndex: payouts.ledgerIndex,
      ticket: payoutAttempts.ticket,
      escrowSequence: payouts.escrowSequence,
      escrowFinishAfter: payouts.escrowFinishAfter,
    })
    .from(payouts)
    .leftJoin(payoutAttempts, eq(payoutAttempts.txHash, payouts.txHash))
    .where(lockOf(payout));
  if (lock === undefined) throw new Error(`The unlock ${payout.id} has no lock`);
  const { validatedIndex, validatedAtMs } = await ctx.ledger.serverState();
  // The next ledger compares with the time at which this one has closed.
  const isPast = (atMs: number | null | undefined): boolean => atMs != null && validatedAtMs > atMs;
  if (!isPast(payout.lockedUntil?.getTime())) return { kind: 'later', reason: 'escrow_not_due' };
  // No later ledger takes an escrow that ends before it.
  if (NOT_UNDER_WAY.has(lock.status)) return { kind: 'never_made' };
  if (lock.status !== 'validated' || lock.txHash === null || lock.ledgerIndex === null) {
    return { kind: 'later', reason: 'lock_undecided' };
  }
  const made =
    bookedEscrow(lock) ??
    (lock.ticket === null
      ? await readMadeByHand(ctx, payout, lock.txHash, lock.ledgerIndex)
      : { sequence: lock.ticket, finishAfterMs: payout.lockedUntil?.getTime() ?? null });
  // A ledger from before the lock has no escrow yet.
  if (!isPast(made.finishAfterMs) || validatedIndex < lock.ledgerIndex)
    return { kind: 'later', reason: 'escrow_not_due' };
  const id = escrowId(payout.account, made.sequence);
  if (await ctx.ledger.escrowStands(id, validatedIndex)) return { kind: 'pay', escrowSequence: made.sequence };
  const elsewhere = await ctx.ledger.escrowStandsEverywhere(id, validatedIndex);
  if (elsewhere.includes(true)) throw new Error(`Ledger servers disagree whether the escrow ${id} stands`);
  return { kind: 'gone', ledgerIndex: validatedIndex, closedAtMs: validatedAtMs };
}

/** The escrow of a lock that an operator has settled: it may end later than it had to. Null for one that the platform has made. */
function bookedEscrow({ escrowSequence, escrowFinishAfter }: BookedEscrow) {
  if (escrowSequence === null || escrowFinishAfter === null) return null;
  return { sequence: escrowSequence, finishAfterMs: escrowFinishAfter.getTime() };
}

/** The same of one that was settled before its escrow was booked: a server must still hold the ledger that created it. */
async function readMadeByHand(ctx: Ctx, { id }: Payout, hash: string, ledgerIndex: number) {
  const escrow = await ctx.ledger.createdEscrow(hash, ledgerIndex);
  if (escrow === null) throw new Error(`No ledger server shows the escrow that the unlock ${id} ends`);
  return escrow;
}

async function settle(
  ctx: Ctx,
  payout: Payout,
  { ledgerIndex, closedAtMs }: Extract<Found, { kind: 'gone' }>,
  counts: PayoutCounts,
): Promise<void> {
  const settled = await ctx.db
    .update(payouts)
    .set({ status: 'validated', reason: null, txHash: null, ledgerIndex, validatedAt: new Date(closedAtMs) })
    .where(and(eq(payouts.id, payout.id), inArray(payouts.status, [...PAYABLE_STATUSES])))
    .returning({ id: payouts.id });
  if (settled.length === 0) return;
  ctx.log.info({ payout_id: payout.id, ledger_index: ledgerIndex }, 'an escrow was ended by somebody else');
  counts.settled += 1;
  counts.validated += 1;
  await checkUnderfunded(ctx.db, payout.account);
}

async function cancel(ctx: Ctx, payout: Payout): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // An operator may settle the lock in this moment, and reopens what is cancelled (reopenUnlock): the lock's row is locked first by both.
    const [lock] = await tx.select({ status: payouts.status }).from(payouts).where(lockOf(payout)).for('no key update');
    if (lock === undefined || !NOT_UNDER_WAY.has(lock.status)) return;
    await tx
      .update(payouts)
      .set({ status: 'cancelled', reason: 'lock_not_made' })
      .where(and(eq(payouts.id, payout.id), inArray(payouts.status, [...PAYABLE_STATUSES])));
  });
}

/** Owes the end of an escrow after all: its lock, whose row the caller has locked, is found to have been made. */
export async function reopenUnlock(tx: Tx, lock: Payout): Promise<void> {
  if (lock.projectId === null) return;
  await tx
    .update(payouts)
    .set({ status: 'scheduled', reason: null, nextCheckAt: sql`now()` })
    .where(
      and(
        eq(payouts.kind, 'unlock'),
        eq(payouts.projectId, lock.projectId),
        eq(payouts.part, lock.part),
        eq(payouts.status, 'cancelled'),
      ),
    );
}
