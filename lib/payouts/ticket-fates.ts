import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { TicketUse } from '#lib/xrpl/types.ts';
import { ticketDisputed } from './alerts.ts';
import type { OpenAttempt, TicketFate } from './types.ts';

/** A ticket may have been used before its attempt was signed: the server that listed it may have been so far behind. */
const MAX_LAG_LEDGERS = 256;

const UNKNOWN: TicketFate = { kind: 'unknown' };

/**
 * What became of the tickets of attempts that are overdue and were found nowhere: still standing in one validated ledger
 * not before their LastLedgerSequence, or used up by another transaction, which no server contradicts. Asks nothing when
 * no attempt is overdue.
 */
export async function readTicketFates(
  ctx: Ctx,
  account: string,
  overdue: readonly OpenAttempt[],
): Promise<(attempt: OpenAttempt) => TicketFate> {
  const shown = overdue.length === 0 ? null : await ctx.ledger.ticketsAt(account);
  if (shown === null) return () => UNKNOWN;
  const standing = new Set(shown.tickets);
  const covered = overdue.filter(({ lastLedgerSequence }) => shown.ledgerIndex >= lastLedgerSequence);
  const gone = covered.filter(({ ticket }) => !standing.has(ticket));
  const usesOf = Map.groupBy(await readUses(ctx, account, gone), (use) => use.ticket);
  const fates = new Map<OpenAttempt, TicketFate>();
  for (const attempt of covered) {
    const uses = usesOf.get(attempt.ticket) ?? [];
    fates.set(attempt, standing.has(attempt.ticket) ? { kind: 'unused' } : await judgeUses(ctx, attempt, uses));
  }
  return (attempt) => fates.get(attempt) ?? UNKNOWN;
}

/** Who cannot tell leaves the attempt open, and keeps no other attempt from being settled. */
async function readUses(ctx: Ctx, account: string, gone: readonly OpenAttempt[]): Promise<TicketUse[]> {
  if (gone.length === 0) return [];
  const tickets = gone.map(({ ticket, firstLedger, lastLedgerSequence }) => ({
    ticket,
    fromLedger: Math.max(1, firstLedger - MAX_LAG_LEDGERS),
    throughLedger: lastLedgerSequence,
  }));
  try {
    return await ctx.ledger.ticketUses({ account, tickets });
  } catch (err) {
    ctx.log.warn({ err, account }, 'it cannot be read who used up tickets of this account');
    return [];
  }
}

/** A ticket is used once: whoever names another transaction, or the attempt's own, contradicts a use by somebody else. */
async function judgeUses(ctx: Ctx, attempt: OpenAttempt, uses: readonly TicketUse[]): Promise<TicketFate> {
  const [use] = uses;
  if (use === undefined) return UNKNOWN;
  const { txHash, ticket, payout } = attempt;
  const usedBy = [...new Set(uses.map(({ hash }) => hash))];
  if (usedBy.length === 1 && use.hash !== txHash) return { kind: 'used_elsewhere', use };
  ctx.log.error(
    { payout_id: payout.id, transaction_hash: txHash, ticket, used_by: usedBy },
    'ledger servers contradict each other about the ticket of a payout: it stays open',
  );
  if (usedBy.length > 1) {
    const ledgerIndex = Math.min(...uses.map((each) => each.ledgerIndex));
    const alert = ticketDisputed({ account: payout.account, ticket, ledgerIndex, usedBy }, ctx.clock.nowMs());
    await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
  }
  return UNKNOWN;
}
