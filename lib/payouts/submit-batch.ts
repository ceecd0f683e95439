import { awaitedLater } from '#lib/base/awaited-later.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { Signer } from '#lib/xrpl/signer.ts';
import { type RefusedPayout, recordAnswers, type SignedAttempt, signAttempts, submitAttempts } from './attempts.ts';
import type { Batch } from './batch.ts';
import { admit, queueForAllowance, spend } from './ceiling.ts';
import { postponeAll } from './change-status.ts';
import { type AlertEvent, unusableKey } from './events.ts';
import { loadHalted } from './load.ts';
import { checkRestoreGuard } from './restore-guard.ts';
import { settlePaid } from './settle.ts';
import { renewSignerLease, type Slice } from './slice.ts';
import type { Payout, PayoutCounts } from './types.ts';

/** Signs and persists what the hour's XRP allows. Null when none of it may be submitted by this slice. */
export async function signBatch(
  ctx: Ctx,
  slice: Slice,
  { server, ledgerTime }: Batch,
  signer: Signer,
  pairs: readonly { payout: Payout; ticket: number }[],
): Promise<{ attempts: SignedAttempt[]; xrpIsUsedUp: boolean } | null> {
  const { account, allowance, counts } = slice;
  // Reading took its time: a slice that has lost the lease meanwhile must not sign.
  if (!(await renewSignerLease(ctx, slice))) return null;
  const { admitted, tooLarge, xrpIsUsedUp } = admit(pairs, allowance);
  const { persisted, unsignable, waiting, refused } = await signAttempts(ctx, signer, server, admitted);
  await postponeAll(ctx.db, unsignable, 'held', 'unsignable', counts);
  await postponeUnsigned(ctx, account, { waiting, refused }, counts);
  const above = tooLarge.map(({ payout }) => payout);
  await postponeAll(ctx.db, above, 'held', 'above_hourly_ceiling', counts);
  if (xrpIsUsedUp) await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'xrp' }, counts);
  // What was signed before it may have taken its time.
  await slice.submitting;
  if (persisted.length === 0) return { attempts: persisted, xrpIsUsedUp };
  // Recorded before it is submitted, with nothing in between. It is kept back when another database has paid since the last check,
  // or an operator has halted the account.
  const hashes = persisted.map(({ txHash }) => txHash);
  const [guard, halted] = await Promise.all([checkRestoreGuard(ctx, account), loadHalted(ctx.db, hashes)]);
  if (guard.kind === 'behind') {
    ctx.log.error(
      { account, payouts: persisted.length },
      'signed transactions are not submitted: the database is behind',
    );
    return null;
  }
  return { attempts: persisted.filter(({ txHash }) => !halted.has(txHash)), xrpIsUsedUp };
}

/** Begins to submit what `signBatch` gave just now: nothing comes between its look at the restore guard and this. */
export function beginToSubmit(ctx: Ctx, slice: Slice, batch: Batch, attempts: readonly SignedAttempt[]): void {
  slice.submitting = submitAttempts(ctx, attempts).then((answers) => {
    for (const { attempt, isApplied } of answers) if (isApplied) slice.leaving.add(attempt.ticket);
    const recorded = recordAnswers(ctx, answers, batch.server.validatedIndex);
    slice.recording = Promise.all([slice.recording, recorded]).then(() => undefined);
    awaitedLater(slice.recording);
  });
  awaitedLater(slice.submitting);
  countSubmitted(slice, batch, attempts);
}

function countSubmitted(slice: Slice, { minorIds }: Batch, attempts: readonly SignedAttempt[]): void {
  const submitted = attempts.map(({ payout }) => payout);
  slice.counts.submitted += submitted.length;
  slice.inFlight.push(...submitted);
  spend(slice.allowance, submitted, submitted.filter(({ id }) => minorIds.has(id)).length);
}

/** Puts off what witnesses did not sign, with an alert a day. What they say is paid is settled by that payment. */
export async function postponeUnsigned(
  ctx: Ctx,
  account: string,
  { waiting, refused }: { waiting: readonly Payout[]; refused: readonly RefusedPayout[] },
  counts: PayoutCounts,
): Promise<void> {
  if (waiting.length === 0 && refused.length === 0) return;
  const settled = await settlePaid(ctx, account, refused, counts);
  const left = refused.map(({ payout }) => payout).filter(({ id }) => !settled.has(id));
  await postponeAll(ctx.db, waiting, 'ready', 'waiting_witnesses', counts);
  await postponeAll(ctx.db, left, 'ready', 'witness_refused', counts);
  const nowMs = ctx.clock.nowMs();
  await raise(ctx, [
    ...(waiting.length === 0 ? [] : [unusableKey({ account, reason: 'waiting_witnesses' }, nowMs)]),
    ...(left.length === 0 ? [] : [unusableKey({ account, reason: 'witness_refused' }, nowMs)]),
  ]);
}

const raise = async (ctx: Ctx, alerts: readonly AlertEvent[]): Promise<void> =>
  void (await ctx.db.transaction((tx) => appendEvents(tx, [...alerts])));
