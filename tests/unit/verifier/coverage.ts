import { isDeepStrictEqual } from 'node:util';
import { ACTIONS, PROJECT_STATUSES, REFUSAL_REASONS } from '@tranche/rules/types.ts';
import type { Decision } from '@tranche/verifier/reduce-steps.ts';
import type { Outcome, Row } from './outcome.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { bySecondImplementation } from './second-opinion.ts';

const EXCEPTION_KINDS = ['assign', 'refund', 'late_discovery', 'late_action'];

/** What must happen often enough in the random sales, or their agreement says little. */
export const HAPPENINGS = [
  ...REFUSAL_REASONS.map((reason) => `refused: ${reason}`),
  ...['change', 'sold_out', 'above_wallet_cap', 'not_admitted', 'between_tiers'].map((reason) => `partly: ${reason}`),
  ...['operating_funds', 'refund_bounced', 'late_discovery'].map((reason) => `held: ${reason}`),
  'too small to be refunded by the sale',
  'too small to be refunded by the account',
  'change kept',
  'two tiers at once',
  'sold by a credential',
  'refused for want of a credential',
  ...PROJECT_STATUSES.map((status) => `status: ${status}`),
  ...['sold_out', 'ended', 'end_date', 'soft_cap_missed', 'cancelled'].map((reason) => `end: ${reason}`),
  ...ACTIONS.map((action) => `moved: ${action}`),
  ...ACTIONS.map((action) => `moved without effect: ${action}`),
  ...EXCEPTION_KINDS.map((kind) => `decided by an exception: ${kind}`),
  'assign of what was late',
  'tokens in several parts',
  'tokens at the end',
  'refunded whole',
  'refunded in part',
  'too little to give back',
  'ended with its soft cap just reached',
  'closed as the sale starts',
  'closed as a later tier starts',
  'closed as the sale ends',
  ...[0, 1, 2, 3, 4, 5, 6].map((decimals) => `decimals: ${decimals}`),
];

/** What happened in a sale, by name. */
export function* happenings(sale: DrawnSale, outcome: Outcome, decisions: readonly Decision[]): Generator<string> {
  const late = new Set(decisions.flatMap((each) => (each.type === 'late' ? [each.payment.hash] : [])));
  for (const decision of decisions) {
    yield* ofDecision(decision, late);
    yield* ofCredentials(sale, decision);
  }
  yield* ofTimes(sale);
  yield* ofExceptions(sale, outcome);
  for (const [index, { status, endReason, raised, payments, payouts, unwinding }] of outcome.sales.entries()) {
    yield `status: ${status}`;
    if (endReason !== null) yield `end: ${endReason}`;
    if (endReason !== null && sale.projects[index]?.row.softCapDrops === raised)
      yield 'ended with its soft cap just reached';
    yield `decimals: ${sale.projects[index]?.row.decimals}`;
    if (payouts.some(({ kind, part }) => kind === 'distribution' && part !== 1)) yield 'tokens in several parts';
    const atEnd = sale.projects[index]?.row.distribution === 'at_end';
    if (atEnd && payouts.some(({ kind }) => kind === 'distribution')) yield 'tokens at the end';
    yield* ofCancellation(unwinding, new Map(payments.map((row) => [row.transaction_hash, row.invested_xrp])));
  }
}

function* ofDecision(decision: Decision, late: ReadonlySet<string>): Generator<string> {
  switch (decision.type) {
    case 'refused':
      yield `refused: ${decision.reason}`;
      if (decision.heldDrops > 0n) {
        yield `too small to be refunded by the ${decision.projectId === null ? 'account' : 'sale'}`;
      }
      break;
    case 'invested':
      if (decision.refundReason !== null) yield `partly: ${decision.refundReason}`;
      if (decision.roundingDrops > 0n) yield 'change kept';
      if (decision.parts.length > 1) yield 'two tiers at once';
      if (decision.assignedBy !== null && late.has(decision.payment.hash)) yield 'assign of what was late';
      break;
    case 'held':
      yield `held: ${decision.reason}`;
      break;
    case 'late':
      yield 'held: late_discovery';
      break;
    case 'launched':
    case 'cancelled':
    case 'action_applied':
      yield `moved: ${decision.action.action}`;
      break;
    case 'action_without_effect':
      yield `moved without effect: ${decision.action.action}`;
  }
}

function* ofCredentials({ projects }: DrawnSale, decision: Decision): Generator<string> {
  if (decision.type !== 'invested' && decision.type !== 'refused') return;
  const project = projects.find(({ row }) => row.id === decision.projectId);
  const requiring = project?.tiers.filter(({ credential }) => credential !== null) ?? [];
  if (decision.type === 'invested') {
    const bought = new Set(decision.parts.map(({ tier }) => tier));
    if (requiring.some(({ tier }) => bought.has(tier))) yield 'sold by a credential';
    return;
  }
  const isListed = project?.row.access === 'allowlist' || project?.tiers.some(({ access }) => access === 'allowlist');
  if (decision.reason === 'not_admitted' && !isListed) yield 'refused for want of a credential';
}

function* ofTimes({ projects, history }: DrawnSale): Generator<string> {
  const closings = new Set(history.map(({ close_time }) => (close_time + 946_684_800) * 1_000));
  const closedAt = (time: Date | null) => time !== null && closings.has(time.getTime());
  for (const { row, tiers } of projects) {
    if (closedAt(row.startsAt)) yield 'closed as the sale starts';
    if (tiers.slice(1).some((tier) => closedAt(tier.startsAt))) yield 'closed as a later tier starts';
    if (closedAt(row.endsAt)) yield 'closed as the sale ends';
  }
}

/** Kinds of exceptions without which everything would have come otherwise. */
function* ofExceptions(sale: DrawnSale, outcome: Outcome): Generator<string> {
  // Under custody the late ones do not count.
  const kinds = sale.projects[0]?.row.custody ? ['assign', 'refund'] : EXCEPTION_KINDS;
  for (const kind of kinds) {
    const without = sale.exceptions.filter((each) => each.kind !== kind);
    if (without.length === sale.exceptions.length) continue;
    const otherwise = bySecondImplementation({ ...sale, exceptions: without });
    if (!isDeepStrictEqual(otherwise, outcome)) yield `decided by an exception: ${kind}`;
  }
}

function* ofCancellation(
  unwinding: Outcome['sales'][number]['unwinding'],
  invested: ReadonlyMap<unknown, Row[string] | undefined>,
) {
  for (const { payment, back } of unwinding) {
    if (back === null) yield 'too little to give back';
    else yield back.amount_xrp === invested.get(payment) ? 'refunded whole' : 'refunded in part';
  }
}
