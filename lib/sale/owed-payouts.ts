import type { projects } from '#drizzle/schema/sale.ts';
import { derivedId } from '#lib/platform/ids.ts';
import { investmentId } from './recognise.ts';
import type { Effect } from './types.ts';

type ProjectRow = typeof projects.$inferSelect;

export interface OwedPayout {
  id: string;
  kind: 'distribution' | 'refund';
  project_id: string | null;
  investment_id: string | null;
  payment_hash: string;
  account: string;
  destination: string;
  amount: bigint;
  due_at: Date;
}

/** What the effects owe: tokens from the project's distributor, refunds from the deposit account. Pure; ids derive from the payment. */
export function owedPayouts(
  depositAccount: string,
  rows: ReadonlyMap<string, ProjectRow>,
  effects: readonly Effect[],
): OwedPayout[] {
  return effects.flatMap((effect): OwedPayout[] => {
    if (effect.type !== 'invested' && effect.type !== 'refused') return [];
    const { payment } = effect;
    const common = {
      project_id: effect.projectId,
      investment_id: effect.projectId === null ? null : investmentId(payment.hash),
      payment_hash: payment.hash,
      destination: payment.sender,
      due_at: new Date(payment.closedAtMs),
    };
    const owed: OwedPayout[] = [];
    const project = effect.projectId === null ? undefined : rows.get(effect.projectId);
    if (effect.type === 'invested' && project !== undefined) {
      owed.push({
        ...common,
        id: derivedId('pay', 'distribution', payment.hash, '1'),
        kind: 'distribution',
        account: project.distributor,
        amount: effect.totalUnits,
      });
    }
    if (effect.refundedDrops > 0n) {
      owed.push({
        ...common,
        id: derivedId('pay', 'refund', payment.hash, '1'),
        kind: 'refund',
        account: depositAccount,
        amount: effect.refundedDrops,
      });
    }
    return owed;
  });
}
