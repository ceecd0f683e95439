import { derivedId, investmentId } from '@tranche/rules/ids.ts';
import type { Effect } from '@tranche/rules/types.ts';
import { distributionParts } from '@tranche/rules/vesting.ts';
import type { ProjectRow } from '#drizzle/schema/sale.ts';
import type { TokenUnits } from '#lib/base/money.ts';
import type { NewLock, NewPayout } from '#lib/payouts/create-payouts.ts';

/** The parts of one investment's tokens, counted from `baseMs`. Pure; ids derive from the payment. */
export function newDistributions(
  project: Pick<ProjectRow, 'id' | 'distributor' | 'vesting'>,
  investment: { paymentHash: string; investor: string; totalUnits: TokenUnits },
  baseMs: number,
): NewPayout[] {
  return distributionParts(investment.totalUnits, project.vesting, baseMs).map(({ part, units, dueAtMs }) => ({
    id: derivedId('pay', 'distribution', investment.paymentHash, String(part)),
    kind: 'distribution',
    project_id: project.id,
    investment_id: investmentId(investment.paymentHash),
    payment_hash: investment.paymentHash,
    part,
    account: project.distributor,
    destination: investment.investor,
    amount: units,
    due_at: new Date(dueAtMs),
  }));
}

/** XRP that goes back to a payment's sender: part 1 is what the payment did not buy, part 2 what a cancelled sale refunds. */
export function newRefund(
  depositAccount: string,
  payment: { hash: string; sender: string; projectId: string | null; hasInvestment: boolean },
  refund: { part: number; drops: bigint; dueAtMs: number },
): NewPayout {
  return {
    id: derivedId('pay', 'refund', payment.hash, String(refund.part)),
    kind: 'refund',
    project_id: payment.projectId,
    investment_id: payment.hasInvestment ? investmentId(payment.hash) : null,
    payment_hash: payment.hash,
    part: refund.part,
    account: depositAccount,
    destination: payment.sender,
    amount: refund.drops,
    due_at: new Date(refund.dueAtMs),
  };
}

/**
 * What the effects owe at once: refunds from the deposit account, and tokens from the project's distributor, unless they
 * wait for the end of the sale (`plan-distributions.ts`). Pure.
 */
export function newPayouts(
  depositAccount: string,
  rows: ReadonlyMap<string, ProjectRow>,
  effects: readonly Effect[],
): NewPayout[] {
  return effects.flatMap((effect): NewPayout[] => {
    if (effect.type !== 'invested' && effect.type !== 'refused') return [];
    const { payment, projectId } = effect;
    const decidedAtMs = effect.type === 'invested' ? effect.decidedAtMs : payment.closedAtMs;
    const owed: NewPayout[] = [];
    const project = projectId === null ? undefined : rows.get(projectId);
    if (effect.type === 'invested' && project?.distribution === 'immediate') {
      const investment = { paymentHash: payment.hash, investor: payment.sender, totalUnits: effect.totalUnits };
      owed.push(...newDistributions(project, investment, decidedAtMs));
    }
    if (effect.refundedDrops > 0n) {
      owed.push(
        newRefund(
          depositAccount,
          { ...payment, projectId, hasInvestment: projectId !== null },
          { part: 1, drops: effect.refundedDrops, dueAtMs: decidedAtMs },
        ),
      );
    }
    return owed;
  });
}

/** The part of a sale's locks that holds what it did not sell. */
const UNSOLD_PART = 1;

/**
 * What the sales that end with these effects have to lock of their unsold tokens. Nothing for an end that is not before the
 * time, and nothing under custody, where no witness would sign it. Pure; the id derives from the sale.
 */
export function newLocks(rows: ReadonlyMap<string, ProjectRow>, effects: readonly Effect[]): NewLock[] {
  return effects.flatMap((effect): NewLock[] => {
    if (effect.type !== 'sale_ended' || effect.unsoldUnits === 0n) return [];
    const project = rows.get(effect.projectId);
    const lockedUntil = project?.unsoldUntil ?? null;
    if (project === undefined || lockedUntil === null || project.custody !== null) return [];
    if (effect.endedAtMs >= lockedUntil.getTime()) return [];
    return [
      {
        id: derivedId('pay', 'lock', project.id, String(UNSOLD_PART)),
        projectId: project.id,
        part: UNSOLD_PART,
        account: project.distributor,
        amount: effect.unsoldUnits,
        lockedUntil,
        dueAt: new Date(effect.endedAtMs),
      },
    ];
  });
}
