import { renewLease } from '#lib/base/lease.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { isFeeAbove } from '#lib/xrpl/fees.ts';
import { type AlertEvent, databaseBehind, isUnusableKey, unusableKey } from './alerts.ts';
import { planPayouts, readFacts } from './check.ts';
import { findPayer } from './find-payer.ts';
import { type Allowance, admit, isMinor, queueForAllowance, readAllowance, spend } from './hourly-ceiling.ts';
import { lookAtNotes } from './last-signed.ts';
import { BATCH, MAX_IN_FLIGHT, SIGNER_LEASE_SECONDS, SPARE_TICKETS } from './limits.ts';
import { countDue, loadDue, owedDrops } from './load.ts';
import { reportOverdue } from './overdue.ts';
import { postponePlanned, putOff } from './postpone.ts';
import { keepFloor } from './release/keep-floor.ts';
import { settleAttempts } from './settle.ts';
import { signAttempts } from './sign-attempts.ts';
import { submitAttempts } from './submit-attempts.ts';
import { affordsTicket, freeTickets, requestTickets, settleTicketRequest, ticketsToRequest } from './tickets.ts';
import type { Payout, PayoutCounts, PayoutReason } from './types.ts';

export interface SignerLease {
  name: string;
  holder: string;
}

/** Settles what is open, then pays batch after batch, at least one, while it makes progress. The caller holds the signer's lease. */
export async function payAccount(
  ctx: Ctx,
  account: string,
  lease: SignerLease,
  deadlineMs: number,
  counts: PayoutCounts,
): Promise<void> {
  const open = await settleAttempts(ctx, account, counts);
  let requested = await settleTicketRequest(ctx, account);
  const inFlight = open.map((attempt) => attempt.payout);
  // What has just expired no longer counts.
  const allowance = await readAllowance(ctx, account);
  const waitingBefore = counts.waiting;
  let more: boolean;
  do {
    const batch = await payBatch(ctx, account, { inFlight, allowance, ticketsRequested: requested }, lease, counts);
    inFlight.push(...batch.paid);
    spend(allowance, batch.paid, batch.minorPaid);
    requested = batch.ticketsRequested;
    more = batch.more;
  } while (more && ctx.clock.nowMs() < deadlineMs);
  if (counts.waiting > waitingBefore) await reportOverdue(ctx, account);
}

/** How far the slice has come with its account. */
interface Progress {
  inFlight: readonly Payout[];
  allowance: Allowance;
  /** A TicketCreate is under way. */
  ticketsRequested: boolean;
}

interface Batch {
  /** Persisted and handed to the ledger. */
  paid: Payout[];
  /** How many of them were minor (hourly-ceiling.ts). */
  minorPaid: number;
  /** There may be more to do at once: the batch was full and all of it was dealt with. */
  more: boolean;
  /** A TicketCreate is under way. */
  ticketsRequested: boolean;
}

/** One batch: check, sign, persist, submit. */
async function payBatch(
  ctx: Ctx,
  account: string,
  { inFlight, allowance, ticketsRequested }: Progress,
  lease: SignerLease,
  counts: PayoutCounts,
): Promise<Batch> {
  const nothing: Batch = { paid: [], minorPaid: 0, more: false, ticketsRequested };
  const inFlightRoom = MAX_IN_FLIGHT - inFlight.length;
  if (inFlightRoom <= 0) return nothing;
  const server = await ctx.ledger.serverState();
  const ledgerTime = new Date(server.validatedAtMs);
  if (allowance.payouts <= 0) {
    await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'all' }, counts);
    return nothing;
  }
  const limit = Math.min(BATCH, inFlightRoom, allowance.payouts);
  // Where the others of this batch could use up what is minor payouts' own, those go first.
  const minorFirst = allowance.payouts - limit < allowance.ownOfMinor ? Math.min(limit, allowance.ownOfMinor) : 0;
  const loaded = await loadDue(ctx.db, account, ledgerTime, limit, isMinor(allowance.frequent), minorFirst);
  if (loaded.length === 0) return nothing;
  const full = loaded.length === limit;
  const admissible = new Set(loaded.filter((payout) => payout.isMinor).slice(0, Math.max(0, allowance.minorPayouts)));
  const inTurn = loaded.filter((payout) => !payout.isMinor || admissible.has(payout));
  const leftOut = loaded.length - inTurn.length;
  // Those that still fit are paid first: what is queued now would be queued with them.
  if (leftOut > 0 && admissible.size === 0) {
    await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'minor' }, counts);
  }
  // The floor (release/read-account.ts) has no more for a payment's fee than the payment is worth: dust must not use up others' XRP.
  const dear = inTurn.filter(({ asset, amount }) => asset.kind === 'xrp' && isFeeAbove(amount, server));
  await putOff(ctx.db, dear, 'ready', 'fee_above_amount', counts);
  const due = inTurn.filter((payout) => !dear.includes(payout));
  if (due.length === 0) return { ...nothing, more: full };
  const minorIds = new Set([...admissible].map(({ id }) => id));
  /** Nothing can be paid from the account; the alert is for who can mend it. */
  const putOffAll = async (status: 'scheduled' | 'ready', reason: PayoutReason, alert: AlertEvent | null) => {
    await putOff(ctx.db, due, status, reason, counts);
    if (alert !== null) await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
    return { ...nothing, more: full };
  };
  const found = await findPayer(ctx, account);
  if (typeof found === 'string') {
    const alert = isUnusableKey(found) ? unusableKey({ account, reason: found }, ctx.clock.nowMs()) : null;
    return putOffAll(found === 'signing_key_missing' ? 'scheduled' : 'ready', found, alert);
  }
  const look = await lookAtNotes(ctx, account);
  if (look.kind === 'behind') {
    return putOffAll('ready', 'database_behind', databaseBehind(look.unknown, ctx.clock.nowMs()));
  }
  const { payer, signer } = found;

  const facts = await readFacts(ctx.ledger, payer, server, due);
  const plan = await keepFloor(ctx, account, planPayouts(facts, inFlight));
  // None of those that went first can be paid: it is the others' turn.
  if (minorFirst > 0 && !plan.payable.some(({ id }) => minorIds.has(id))) allowance.ownOfMinor = 0;
  for (const { payout, fault } of plan.postponed) {
    if (fault !== undefined)
      ctx.log.error({ err: fault, payout_id: payout.id }, 'the ledger’s answer about a payout is odd');
  }
  await postponePlanned(ctx.db, plan, counts);

  const tickets = await freeTickets(ctx, account);
  const pairs = plan.payable.flatMap((payout, index) => {
    const ticket = tickets.free[index];
    return ticket === undefined ? [] : [{ payout, ticket }];
  });
  const without = plan.payable.slice(pairs.length);
  // Reading took its time: whoever lost the lease meanwhile must not sign.
  if (!(await renewLease(ctx.db, lease.name, lease.holder, SIGNER_LEASE_SECONDS))) return nothing;
  const { admitted, tooLarge, xrpIsUsedUp } = admit(pairs, allowance);
  const { persisted, unsignable } = await signAttempts(ctx, signer, server, admitted);
  // Noted before it is handed in. What another database has paid since the last look is news to this one: then it stays here.
  if (persisted.length > 0 && (await lookAtNotes(ctx, account)).kind === 'behind') {
    ctx.log.error({ account, payouts: persisted.length }, 'what was signed is not handed in: the database is behind');
    return nothing;
  }
  await putOff(ctx.db, unsignable, 'held', 'unsignable', counts);
  const above = tooLarge.map(({ payout }) => payout);
  await putOff(ctx.db, above, 'held', 'above_hourly_ceiling', counts);
  if (xrpIsUsedUp) await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'xrp' }, counts);
  await submitAttempts(ctx, persisted, server.validatedIndex);
  counts.submitted += persisted.length;
  // A full batch has more behind it: tickets for all that may be under way at once are asked for in one ledger.
  const behind = full ? await countDue(ctx.db, account, ledgerTime, MAX_IN_FLIGHT) : without.length;
  const wanted = pairs.length + behind + SPARE_TICKETS;
  const stock = { free: tickets.free.length, held: tickets.held };
  const needsTickets = plan.payable.length > 0 && !ticketsRequested;
  const payable = plan.payable.length;
  const ticketCount = needsTickets
    ? ticketsToRequest({ wanted, ...stock, payable, owedDrops: await owedDrops(ctx.db, account), payer, server })
    : 0;
  if (ticketCount > 0) {
    // Submitting took its time too: a sequence is only for who still holds the lease.
    if (!(await renewLease(ctx.db, lease.name, lease.holder, SIGNER_LEASE_SECONDS))) return nothing;
    await requestTickets(ctx, signer, server, ticketCount);
  } else if (without.length > 0 && !affordsTicket(payer, server)) {
    await putOff(ctx.db, without, 'ready', 'payer_underfunded', counts);
  }
  return {
    paid: persisted.map((attempt) => attempt.payout),
    minorPaid: persisted.filter(({ payout }) => minorIds.has(payout.id)).length,
    more: (full || leftOut > 0) && without.length === 0,
    ticketsRequested: ticketsRequested || ticketCount > 0,
  };
}
