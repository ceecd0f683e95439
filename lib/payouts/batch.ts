import type { SQL } from 'drizzle-orm';
import { awaitedLater } from '#lib/base/awaited-later.ts';
import type { Drops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { isFeeAbove } from '#lib/xrpl/server-state.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { findPayer, type Payer } from './attempts.ts';
import { queueForAllowance } from './ceiling.ts';
import { postponeAll, postponePlanned } from './change-status.ts';
import { type CheckedPayout, logFaults, type Plan, planPayouts, readFacts } from './check.ts';
import { type DueRead, type EarlyBatch, readDue } from './early-reads.ts';
import { type AlertEvent, databaseBehind, isUnusableKey, unusableKey } from './events.ts';
import { keepOwedTokens } from './keep-owed-tokens.ts';
import { freeDrops, whenPaid } from './release/amounts.ts';
import { readAccountCommitments, withBalance } from './release/read-amounts.ts';
import { checkRestoreGuard } from './restore-guard.ts';
import type { Slice } from './slice.ts';
import type { Payout, PayoutReason } from './types.ts';
import { findEscrows } from './unlock-escrows.ts';

/** Payouts that are checked, signed and submitted together. */
export interface Batch {
  /** In the order in which they are paid. */
  due: Payout[];
  /** Of them, the minor ones (ceiling.ts). */
  minorIds: ReadonlySet<string>;
  /** Minor payouts go before all others here, because those would use up what is kept for them. */
  minorFirst: boolean;
  /** Minor payouts were left out: the hour has no more room for them. */
  minorLeftOut: boolean;
  /** There may be more due payouts behind these. */
  isFull: boolean;
  server: ServerState;
  ledgerTime: Date;
}

/**
 * The next due payouts of an account, at most `most` and as many as its hourly ceiling allows; what does not fit into
 * the hour is queued, and what is worth less than its fee postponed. Null when there is nothing to look at.
 */
export async function selectBatch(
  ctx: Ctx,
  slice: Slice,
  most: number,
  from: { early: DueRead } | { among: SQL } | null = null,
): Promise<Batch | null> {
  if (most <= 0) return null;
  const { account, allowance, signatures, counts } = slice;
  const read = from !== null && 'early' in from ? from.early : await readNow(ctx, slice, most, from?.among);
  if (read === null || read.loaded.length === 0) return null;
  const { server, ledgerTime, limit, minorFirst, loaded } = read;
  const minor = loaded.filter((payout) => payout.isMinor).slice(0, Math.max(0, allowance.minorPayouts));
  const minorIds = new Set(minor.map(({ id }) => id));
  const admitted = loaded.filter((payout) => !payout.isMinor || minorIds.has(payout.id));
  const minorLeftOut = admitted.length < loaded.length;
  // Those that still fit are paid first: what is queued now would be queued with them.
  if (minorLeftOut && minorIds.size === 0) {
    await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'minor' }, counts);
  }
  // The floor (release/read-amounts.ts) has no more for a payment's fee than the payment is worth: dust must not use up others' XRP.
  const belowFee = admitted.filter(
    ({ asset, amount }) => asset.kind === 'xrp' && isFeeAbove(amount, server, signatures),
  );
  await postponeAll(ctx.db, belowFee, 'ready', 'fee_above_amount', counts);
  return {
    due: admitted.filter((payout) => !belowFee.includes(payout)),
    minorIds,
    minorFirst: minorFirst > 0,
    minorLeftOut,
    isFull: loaded.length === limit,
    server,
    ledgerTime,
  };
}

/** Null where the hour allows none: then all that is due is queued. */
async function readNow(
  ctx: Ctx,
  { account, allowance, counts }: Slice,
  most: number,
  among: SQL | undefined,
): Promise<DueRead | null> {
  const server = await ctx.ledger.serverState();
  if (allowance.payouts > 0) return readDue(ctx, account, allowance, most, server, among);
  const ledgerTime = new Date(server.validatedAtMs);
  await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'all' }, counts);
  return null;
}

/** Who pays and signs. Null when there is nothing to pay, or nothing can be paid from the account: then all of it is postponed. */
export async function findPayerOf(
  ctx: Ctx,
  { account, counts }: Slice,
  { due }: Batch,
  early: EarlyBatch | null = null,
): Promise<Payer | null> {
  const postpone = async (status: 'scheduled' | 'ready', reason: PayoutReason, alert: AlertEvent | null) => {
    await postponeAll(ctx.db, due, status, reason, counts);
    if (alert !== null) await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
    return null;
  };
  if (due.length === 0) return null;
  const payer = early?.payer ?? (await findPayer(ctx, account));
  if (payer === 'signing_key_missing') return postpone('scheduled', payer, null);
  if (typeof payer === 'string') {
    return postpone(
      'ready',
      payer,
      isUnusableKey(payer) ? unusableKey({ account, reason: payer }, ctx.clock.nowMs()) : null,
    );
  }
  const guard = await (early?.guard ?? checkRestoreGuard(ctx, account));
  if (guard.kind !== 'behind') return payer;
  return postpone('ready', 'database_behind', databaseBehind(guard.unknown, ctx.clock.nowMs()));
}

/** Which payouts would arrive, in their order; the others are postponed with the reason. */
export async function checkBatch(ctx: Ctx, slice: Slice, batch: Batch, payer: Payer): Promise<Payout[]> {
  const payable = await planPart(ctx, slice, await beginToRead(ctx, batch, payer, batch.due));
  noteMinorFirst(slice, batch, payable);
  return payable;
}

/** Begins to read what the ledger shows about some of a batch. */
export function beginToRead(
  ctx: Ctx,
  { server }: Batch,
  { payer }: Payer,
  due: readonly Payout[],
): Promise<CheckedPayout[]> {
  return awaitedLater(readFacts(ctx.ledger, payer, server, due));
}

/** Of what was read, the payouts that would arrive, in their order; the others are postponed with the reason. */
export async function planPart(
  ctx: Ctx,
  { account, inFlight, counts }: Slice,
  checked: readonly CheckedPayout[],
): Promise<Payout[]> {
  const kept = await keepOwedTokens(ctx, await keepFloor(ctx, account, planPayouts(checked, inFlight)));
  const plan = await findEscrows(ctx, kept, counts);
  logFaults(ctx, plan);
  await postponePlanned(ctx.db, plan, counts);
  return plan.payable;
}

/** None of the minor payouts that went first can be paid: it is the others' turn. */
export function noteMinorFirst({ allowance }: Slice, batch: Batch, payable: readonly Payout[]): void {
  if (batch.minorFirst && !payable.some(({ id }) => batch.minorIds.has(id))) allowance.reservedForMinor = 0;
}

/**
 * Postpones the releases of a plan that the deposit account cannot spare any more: what it owes is asked again before XRP
 * leaves for the treasury. A plan without a release costs nothing. What cannot be read postpones the releases, and keeps
 * no refund from being paid.
 */
export async function keepFloor(ctx: Ctx, account: string, plan: Plan): Promise<Plan> {
  const releases = plan.payable.filter(({ kind }) => kind === 'release');
  if (releases.length === 0) return plan;
  const kept: Plan = {
    payable: plan.payable.filter(({ kind }) => kind !== 'release'),
    postponed: [...plan.postponed],
  };
  let left: Drops;
  try {
    left = await readFree(ctx, account);
  } catch (fault) {
    const decision = { kind: 'later', reason: 'facts_unreadable' } as const;
    kept.postponed.push(...releases.map((payout) => ({ payout, decision, fault })));
    return kept;
  }
  for (const payout of releases) {
    if (payout.amount <= left) {
      left -= payout.amount;
      kept.payable.push(payout);
    } else kept.postponed.push({ payout, decision: { kind: 'later', reason: 'release_below_floor' } });
  }
  return kept;
}

const readFree = (ctx: Ctx, account: string): Promise<Drops> =>
  withBalance(ctx, account, async (onLedger, ledgerIndex) => {
    const commitments = await readAccountCommitments(ctx.db, account, onLedger.server);
    return commitments.ledgerIndex === ledgerIndex ? freeDrops(commitments, onLedger, whenPaid(commitments)) : null;
  });
