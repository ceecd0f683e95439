import type { Ctx } from '#lib/ctx.ts';
import { canSignFor, signerFor } from '#lib/ledger/signer.ts';
import { renewLease } from '#lib/platform/lease.ts';
import { BATCH, MAX_IN_FLIGHT, SIGNER_LEASE_SECONDS } from './limits.ts';
import { loadDue } from './load.ts';
import { type Plan, planPayouts } from './plan.ts';
import { type Postponed, postpone } from './postpone.ts';
import { readFacts } from './read-facts.ts';
import { settleAttempts } from './settle.ts';
import { signAttempts } from './sign-attempts.ts';
import { submitAttempts } from './submit-attempts.ts';
import { freeTickets, requestTickets, settleTicketRequest, ticketsToRequest } from './tickets.ts';
import type { Payout, PayoutCounts, PayoutReason } from './types.ts';

export interface SignerLease {
  name: string;
  holder: string;
}

/** Settles what is open, then pays batch after batch while it makes progress. The caller holds the signer's lease. */
export async function payAccount(
  ctx: Ctx,
  account: string,
  lease: SignerLease,
  deadlineMs: number,
  counts: PayoutCounts,
): Promise<void> {
  const open = await settleAttempts(ctx, account, counts);
  const requested = await settleTicketRequest(ctx, account);
  const inFlight = open.map((attempt) => attempt.payout);
  while (ctx.clock.nowMs() < deadlineMs) {
    const paid = await payBatch(ctx, account, inFlight, requested, lease, counts);
    inFlight.push(...paid);
    if (paid.length < BATCH) return;
  }
}

/** One batch: check, sign, persist, submit. Returns what was submitted. */
async function payBatch(
  ctx: Ctx,
  account: string,
  inFlight: readonly Payout[],
  ticketsRequested: boolean,
  lease: SignerLease,
  counts: PayoutCounts,
): Promise<Payout[]> {
  const room = MAX_IN_FLIGHT - inFlight.length;
  if (room <= 0) return [];
  const server = await ctx.ledger.serverState();
  const due = await loadDue(ctx.db, account, new Date(server.validatedAtMs), Math.min(BATCH, room));
  if (due.length === 0) return [];
  if (!canSignFor(account)) return putOff(ctx, due, 'scheduled', 'signing_key_missing', counts);
  const signer = await signerFor(account);
  const payer = await ctx.ledger.account(account);
  if (payer === null) return putOff(ctx, due, 'ready', 'payer_missing', counts);

  const plan = planPayouts(await readFacts(ctx.ledger, payer, server, due), inFlight);
  await postpone(ctx.db, postponements(plan));
  count(plan, counts);

  const tickets = await freeTickets(ctx, account);
  const pairs = plan.payable.flatMap((payout, index) => {
    const ticket = tickets.free[index];
    return ticket === undefined ? [] : [{ payout, ticket }];
  });
  const without = plan.payable.slice(pairs.length);
  // Reading took its time: whoever lost the lease meanwhile must not sign.
  if (!(await renewLease(ctx.db, lease.name, lease.holder, SIGNER_LEASE_SECONDS))) return [];
  const { persisted, unsignable } = await signAttempts(ctx, signer, server, pairs);
  await putOff(ctx, unsignable, 'held', 'unsignable', counts);
  await submitAttempts(ctx, persisted);
  counts.submitted += persisted.length;
  if (without.length > 0 && !ticketsRequested) {
    // A full batch has more behind it: ask for the next one's tickets too.
    const wanted = plan.payable.length + (due.length === BATCH ? BATCH : 0);
    const wantedCount = ticketsToRequest({ wanted, free: tickets.free.length, held: tickets.held, payer, server });
    if (wantedCount > 0) await requestTickets(ctx, signer, server, wantedCount);
    else await putOff(ctx, without, 'ready', 'payer_underfunded', counts);
  }
  return persisted.map((attempt) => attempt.payout);
}

const STATUS_AFTER = { wait: 'waiting_holder', later: 'ready', hold: 'held' } as const;

const postponements = (plan: Plan): Postponed[] =>
  plan.postponed.map(({ payout, verdict }) => ({
    id: payout.id,
    status: STATUS_AFTER[verdict.kind],
    reason: verdict.reason,
  }));

function count(plan: Plan, counts: PayoutCounts): void {
  for (const { verdict } of plan.postponed) counts[verdict.kind === 'hold' ? 'held' : 'waiting'] += 1;
}

async function putOff(
  ctx: Ctx,
  due: readonly Payout[],
  status: Postponed['status'],
  reason: PayoutReason,
  counts: PayoutCounts,
): Promise<Payout[]> {
  await postpone(
    ctx.db,
    due.map(({ id }) => ({ id, status, reason })),
  );
  counts[status === 'held' ? 'held' : 'waiting'] += due.length;
  return [];
}
