import type { InvestmentResource, ProjectResource } from '#lib/sales/schemas.ts';
import { sumOf } from '../../_data/exact-amounts.ts';
import type { SaleState } from '../../_data/sale-state.ts';

type Dated = Pick<ProjectResource, 'distribution' | 'ended_at' | 'ends_at'>;

/** What the parts are counted from: a time, where it is known or taken as today, and in words. Pure. */
export function countedFrom({ distribution, ended_at, ends_at }: Dated, state: SaleState['key'], nowMs: number) {
  const isOver = state === 'ended' || state === 'cancelled';
  if (distribution === 'immediate') {
    return isOver
      ? { baseMs: null, lead: 'Counted from each payment.' }
      : { baseMs: nowMs, lead: 'Counted from each payment; the dates are of one made today.' };
  }
  if (ended_at !== null) return { baseMs: Date.parse(ended_at), lead: 'Counted from the end of the sale.' };
  if (ends_at === null) return { baseMs: null, lead: 'Counted from the end of the sale.' };
  return { baseMs: Date.parse(ends_at), lead: 'Counted from the end of the sale; an earlier end moves the dates.' };
}

export interface OwnPart {
  dueAt: string;
  tokens: string;
  state: 'arrived' | 'due' | 'waits';
}

const DAY = 'yyyy-mm-dd'.length;

/** What is sent to a wallet when, over all its investments: parts that are due on the same day are one. Pure. */
export function ownParts(investments: readonly Pick<InvestmentResource, 'payouts'>[], nowMs: number): OwnPart[] {
  const byDay = Map.groupBy(
    investments.flatMap(({ payouts }) => payouts).filter(({ status }) => status !== 'cancelled'),
    ({ due_at }) => due_at.slice(0, DAY),
  );
  return [...byDay.values()]
    .map((payouts) => {
      const dueAt = payouts.map(({ due_at }) => due_at).reduce((first, at) => (at < first ? at : first));
      const hasArrived = payouts.every(({ status }) => status === 'validated');
      const state = hasArrived ? 'arrived' : Date.parse(dueAt) > nowMs ? 'due' : 'waits';
      return { dueAt, tokens: sumOf(payouts.map(({ tokens }) => tokens)), state } as const;
    })
    .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
}
