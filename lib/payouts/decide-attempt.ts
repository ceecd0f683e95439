import { provesAbsence } from '#lib/xrpl/transactions.ts';
import type { LookUp, TicketUse } from '#lib/xrpl/types.ts';
import { type OpenAttempt, PAID_ELSEWHERE, type Payout, type TicketStatus } from './types.ts';

/** Where a payout goes after an attempt that did not pay it. */
interface NextStep {
  status: 'ready' | 'waiting_holder' | 'held';
  reason: string | null;
}

export type AttemptOutcome =
  /** `hash` is that of the attempt, or of the same payment with other signatures. */
  | { kind: 'validated'; hash: string; ledgerIndex: number; closedAtMs: number }
  | { kind: 'failed'; result: string; ledgerIndex: number; next: NextStep }
  /** `usedBy` is the other transaction that used up its ticket; null when the ticket stands. */
  | { kind: 'expired'; next: NextStep; usedBy: TicketUse | null }
  | { kind: 'pending'; resubmit: boolean };

/** After this many attempts that cost a fee and a ticket each, a person must look. */
const MAX_FAILURES = 5;
/** An applied transaction is usually in one of the next ledgers; later it may have been lost on its way. */
const RESUBMIT_AFTER_LEDGERS = 4;

/**
 * The destination's side must change: no line, no room, no authorisation, a tag or deposit authorisation missing
 * (docs/ledger-facts.md, 21).
 */
const HOLDER_RESULTS = new Set([
  'tecDST_TAG_NEEDED',
  'tecFROZEN',
  'tecLOCKED',
  'tecNO_AUTH',
  'tecNO_DST',
  'tecNO_DST_INSUF_XRP',
  'tecNO_LINE',
  'tecNO_PERMISSION',
  'tecOBJECT_NOT_FOUND',
  'tecPATH_DRY',
  'tecPATH_PARTIAL',
]);
/** The paying account lacks XRP or tokens for now. */
const PAYER_RESULTS = new Set([
  'tecINSUFF_FEE',
  'tecINSUFFICIENT_FUNDS',
  'tecINSUFFICIENT_RESERVE',
  'tecUNFUNDED_PAYMENT',
]);

/** Its escrow is gone, or cannot end yet: the next look at it tells which (unlock-escrows.ts). */
const UNLOCK_RESULTS = new Set(['tecNO_TARGET', 'tecNO_PERMISSION']);

/**
 * A distribution waits for its holder, and XRP is the operator's. The holder of a lock or unlock is the payer itself: the next look at the
 * ledger tells what it waits for (`escrowFault`, `unlockFault`), without a fee.
 */
const STATUS_AFTER_HOLDER: Record<Payout['kind'], NextStep['status']> = {
  distribution: 'waiting_holder',
  refund: 'held',
  release: 'held',
  lock: 'ready',
  unlock: 'ready',
};

/** A transaction that no server will ever take: signing it again changes nothing (docs/ledger-facts.md, 15). */
const isMalformed = (engineResult: string | null): boolean =>
  engineResult !== null && /^(tem|invalid)/.test(engineResult);

/** It came too late: a slow machine's fault and no refusal, so the next one need not wait. */
const TOO_LATE = 'tefMAX_LEDGER';
/** Why the server did not take it, for the operator; null when it took or queued it and lost it, or never answered. */
const refusal = (engineResult: string | null): string | null =>
  engineResult !== null && engineResult !== TOO_LATE && /^te(?:[fl]|r(?!QUEUED$))/.test(engineResult)
    ? engineResult
    : null;

function afterFailure(attempt: OpenAttempt, result: string): NextStep {
  if (attempt.failures + 1 >= MAX_FAILURES) return { status: 'held', reason: result };
  if (PAYER_RESULTS.has(result)) return { status: 'ready', reason: result };
  if (attempt.payout.kind === 'unlock' && UNLOCK_RESULTS.has(result)) return { status: 'ready', reason: result };
  // Its issuer allows no escrow.
  if (attempt.payout.kind === 'lock' && result === 'tecNO_PERMISSION') return { status: 'held', reason: result };
  if (!HOLDER_RESULTS.has(result)) return { status: 'held', reason: result };
  return { status: STATUS_AFTER_HOLDER[attempt.payout.kind], reason: result };
}

function afterExpiry({ engineResult, payout }: OpenAttempt, ticket: TicketStatus): NextStep {
  // The operator who signed that may have meant to pay this payout by hand. An escrow ends once, whoever ends it.
  const mayBePaid =
    ticket.kind === 'used_outside' && (ticket.use.unclear || ticket.use.paid.includes(payout.destination));
  if (mayBePaid && payout.kind !== 'unlock') {
    return { status: 'held', reason: PAID_ELSEWHERE };
  }
  return isMalformed(engineResult)
    ? { status: 'held', reason: engineResult }
    : { status: 'ready', reason: refusal(engineResult) };
}

/**
 * What a look-up means for an attempt (docs/ledger-facts.md, 12 to 15, 29). Only a validated result or a proof of
 * absence ends it; what a submission answered never does. Absence is proved twice: by the history of who looked it up,
 * and by its ticket, which stands unused or was used up by another transaction. One connection may lead to several
 * machines, and then the history is not that of who looked.
 */
export function decideAttempt(attempt: OpenAttempt, lookUp: LookUp, ticket: TicketStatus): AttemptOutcome {
  if (lookUp.state === 'validated') {
    const { ledgerIndex, closedAtMs, result } = lookUp;
    if (result === 'tesSUCCESS') return { kind: 'validated', hash: attempt.txHash, ledgerIndex, closedAtMs };
    return { kind: 'failed', result, ledgerIndex, next: afterFailure(attempt, result) };
  }
  if (ticket.kind === 'paid_by_other') {
    const { hash, ledgerIndex } = ticket.use;
    return { kind: 'validated', hash, ledgerIndex, closedAtMs: ticket.closedAtMs };
  }
  const { history } = lookUp;
  if (ticket.kind !== 'unknown' && provesAbsence(history, attempt.firstLedger, attempt.lastLedgerSequence)) {
    const usedBy = ticket.kind === 'used_outside' ? ticket.use : null;
    return { kind: 'expired', next: afterExpiry(attempt, ticket), usedBy };
  }
  const stillPossible = history.validatedIndex < attempt.lastLedgerSequence;
  const unanswered = attempt.engineResult === null;
  const overdue = history.validatedIndex - attempt.firstLedger >= RESUBMIT_AFTER_LEDGERS;
  return {
    kind: 'pending',
    resubmit: stillPossible && !isMalformed(attempt.engineResult) && (unanswered || overdue),
  };
}
