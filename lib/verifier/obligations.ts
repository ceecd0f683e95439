import {
  type Drops,
  formatDrops,
  formatUnits,
  parseDecimal,
  type TokenUnits,
  XRP_DECIMALS,
} from '@tranche/rules/amounts.ts';
import { type CancellationRefund, cancellationRefundFloor } from '@tranche/rules/cancellation-refund.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import { vestingLocks } from '@tranche/rules/locks.ts';
import type { ProjectState } from '@tranche/rules/types.ts';
import { distributionParts } from '@tranche/rules/vesting.ts';
import type { PublishedPayment, PublishedPayout } from './published.ts';
import type { ParsedTerms } from './terms.ts';

/** What of a published payout the rules fix. */
export type Obligation = Pick<
  PublishedPayout,
  'id' | 'kind' | 'part' | 'account' | 'destination' | 'destination_tag' | 'amount_xrp' | 'tokens' | 'due_at'
>;

/** What of a decided payment its obligations follow from. */
export type DecidedPayment = Pick<
  PublishedPayment,
  | 'transaction_hash'
  | 'sender'
  | 'source_tag'
  | 'decided_at'
  | 'invested_xrp'
  | 'refunded_xrp'
  | 'held_xrp'
  | 'total_tokens'
>;

export const dropsOf = (text: string): Drops => parseDecimal(text, XRP_DECIMALS) ?? 0n;
export const unitsOf = (text: string, { terms }: ParsedTerms): TokenUnits =>
  parseDecimal(text, terms.token.decimals) ?? 0n;

const MS_PER_DAY = 86_400_000;
/** The part of a sale's locks that holds what it did not sell. */
const UNSOLD_PART = 1;

const iso = (ms: number): string => new Date(ms).toISOString();

const owed = (
  payment: DecidedPayment,
  kind: 'distribution' | 'refund',
  part: number,
  rest: Pick<Obligation, 'account' | 'amount_xrp' | 'tokens' | 'due_at'>,
): Obligation => ({
  id: derivedId('pay', kind, payment.transaction_hash, String(part)),
  kind,
  part,
  destination: payment.sender,
  destination_tag: payment.source_tag,
  ...rest,
});

/** The tokens that a decided payment is owed (docs/verification.md, section 6): none before the end of a sale that waits for it. */
export function tokenObligations(payment: DecidedPayment, target: ParsedTerms, final: ProjectState): Obligation[] {
  const { terms } = target;
  const atEnd = terms.distribution === 'at_end';
  const units = unitsOf(payment.total_tokens, target);
  if (units === 0n || (atEnd && (final.status !== 'completed' || final.endedAtMs === null))) return [];
  const baseMs = atEnd ? (final.endedAtMs ?? 0) : Date.parse(payment.decided_at);
  return distributionParts(units, terms.vesting, baseMs).map((part) =>
    owed(payment, 'distribution', part.part, {
      account: terms.distributor,
      amount_xrp: null,
      tokens: formatUnits(part.units, terms.token.decimals),
      due_at: iso(part.dueAtMs),
    }),
  );
}

/** A lock that a sale's end makes its distributor owe: the payout, and what its escrow must keep to. */
export interface LockObligation {
  owed: Obligation;
  /** The promise of the terms that it keeps. */
  term: 'unsold_until' | 'vesting_locked';
  units: TokenUnits;
  receiver: string;
  until: string;
  endedAtMs: number;
}

/** Tokens of all investments by the UTC day on which they are due, as its beginning in milliseconds. */
export type DueOnDays = Map<number, TokenUnits>;

/** Adds what the tokens of one payment make due on each day. A sale has no more days than the years of its vesting hold. */
export function addDueTokens(dueOnDays: DueOnDays, owedTokens: readonly Obligation[], target: ParsedTerms): void {
  for (const { tokens, due_at: dueAt } of owedTokens) {
    const dueAtMs = Date.parse(dueAt);
    const day = dueAtMs - (dueAtMs % MS_PER_DAY);
    dueOnDays.set(day, (dueOnDays.get(day) ?? 0n) + unitsOf(tokens ?? '', target));
  }
}

/**
 * What a completed sale must put in escrow (docs/verification.md, section 12): what it has not sold, and of what vesting owes,
 * `dueOnDays`, a lock for each day. Empty when nothing is promised, or owed. Pure.
 */
export function lockObligations(
  target: ParsedTerms,
  final: ProjectState,
  dueOnDays: Readonly<DueOnDays>,
): LockObligation[] {
  const { projectId, terms } = target;
  const { unsold_until: unsoldUntil, vesting_locked: isVestingLocked, distributor, token } = terms;
  const { status, endedAtMs } = final;
  if (status !== 'completed' || endedAtMs === null) return [];
  const lock = (term: LockObligation['term'], part: number, units: TokenUnits, until: string): LockObligation => ({
    term,
    units,
    receiver: distributor,
    until,
    endedAtMs,
    owed: {
      id: derivedId('pay', 'lock', projectId, String(part)),
      kind: 'lock',
      part,
      account: distributor,
      destination: distributor,
      destination_tag: null,
      amount_xrp: null,
      tokens: formatUnits(units, token.decimals),
      due_at: iso(endedAtMs),
    },
  });
  const unsoldUnits = final.tiers.reduce((sum, { totalUnits, soldUnits }) => sum + totalUnits - soldUnits, 0n);
  const isUnsoldOwed = unsoldUntil !== null && endedAtMs < Date.parse(unsoldUntil) && unsoldUnits > 0n;
  const due = [...dueOnDays].map(([dueAtMs, units]) => ({ dueAtMs, units }));
  return [
    ...(isUnsoldOwed ? [lock('unsold_until', UNSOLD_PART, unsoldUnits, unsoldUntil)] : []),
    ...(isVestingLocked ? vestingLocks(due, endedAtMs) : []).map(({ part, units, untilMs }) =>
      lock('vesting_locked', part, units, iso(untilMs)),
    ),
  ];
}

/** What the payment itself did not buy; null when that is nothing, or too little. */
export const changeObligation = (payment: DecidedPayment, { terms }: ParsedTerms): Obligation | null =>
  dropsOf(payment.refunded_xrp) === 0n
    ? null
    : owed(payment, 'refund', 1, {
        account: terms.deposit_address,
        amount_xrp: payment.refunded_xrp,
        tokens: null,
        due_at: payment.decided_at,
      });

/** What a cancelled sale refunds of an investment of which `distributedUnits` are not cancelled. */
export function cancellationObligation(
  payment: DecidedPayment,
  target: ParsedTerms,
  final: ProjectState,
  distributedUnits: TokenUnits,
): { owed: Obligation | null } & Pick<CancellationRefund, 'heldDrops'> {
  const investedDrops = dropsOf(payment.invested_xrp);
  const totalUnits = unitsOf(payment.total_tokens, target);
  const back = cancellationRefundFloor({ investedDrops, totalUnits, distributedUnits }, target.terms.refund_min_xrp);
  if (back.refundedDrops === 0n) return { owed: null, heldDrops: back.heldDrops };
  const refund = owed(payment, 'refund', 2, {
    account: target.terms.deposit_address,
    amount_xrp: formatDrops(back.refundedDrops),
    tokens: null,
    due_at: iso(final.endedAtMs ?? 0),
  });
  return { owed: refund, heldDrops: 0n };
}
