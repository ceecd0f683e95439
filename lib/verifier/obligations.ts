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

/** The lock of what a completed sale has not sold (docs/verification.md, section 12); null when nothing is owed. Pure. */
export function lockObligation({ projectId, terms }: ParsedTerms, final: ProjectState): Obligation | null {
  const { unsold_until: until, distributor } = terms;
  const { status, endedAtMs } = final;
  if (until === null || status !== 'completed' || endedAtMs === null || endedAtMs >= Date.parse(until)) return null;
  const units = final.tiers.reduce((sum, { totalUnits, soldUnits }) => sum + totalUnits - soldUnits, 0n);
  if (units === 0n) return null;
  return {
    id: derivedId('pay', 'lock', projectId, '1'),
    kind: 'lock',
    part: 1,
    account: distributor,
    destination: distributor,
    destination_tag: null,
    amount_xrp: null,
    tokens: formatUnits(units, terms.token.decimals),
    due_at: iso(endedAtMs),
  };
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
