import { sql } from 'drizzle-orm';
import { allocations, investments, payments, tiers } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Effect } from '#lib/rules/types.ts';
import { immediateUnitsFloor } from '#lib/rules/vesting.ts';
import { investmentId } from '../investment-id.ts';
import type { LoadedAccount } from './load-state.ts';

type Rows = LoadedAccount['rows'];
type Invested = Effect & { type: 'invested' };
export type Refused = Effect & { type: 'refused' };

export interface Confirming {
  /** Close time of the ledger that confirms what was decided in this one. */
  confirmedAt: (ledgerIndex: number) => Date;
}

/** The ledger that decided an investment: the payment's own, or that of the move that assigned it. */
export const decidingLedger = ({ payment, assignedBy }: Invested): number => (assignedBy ?? payment).ledgerIndex;

/** Writes what became of each payment: received = invested + refunded + held. */
export async function writePayments(tx: Tx, effects: readonly Effect[]): Promise<void> {
  const decided = effects.flatMap((effect) => {
    if (effect.type === 'invested') {
      return {
        tx_hash: effect.payment.hash,
        project_id: effect.projectId as string | null,
        outcome: effect.refundedDrops > 0n ? 'partial' : 'invested',
        reason: effect.refundReason,
        invested: effect.investedDrops,
        refunded: effect.refundedDrops,
        held: 0n,
      };
    }
    if (effect.type === 'refused') {
      return {
        tx_hash: effect.payment.hash,
        project_id: null,
        outcome: effect.refundedDrops > 0n ? 'refunded' : 'held',
        reason: effect.reason as string,
        invested: 0n,
        refunded: effect.refundedDrops,
        held: effect.heldDrops,
      };
    }
    if (effect.type === 'held') {
      return {
        tx_hash: effect.payment.hash,
        project_id: null,
        outcome: 'held',
        reason: effect.reason,
        invested: 0n,
        refunded: 0n,
        held: effect.payment.receivedDrops,
      };
    }
    return [];
  });
  // A payment that was held and then assigned in one run is what it became last.
  const rows = [...new Map(decided.map((row) => [row.tx_hash, row])).values()];
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${payments} as p
    set project_id = coalesce(d.project_id, p.project_id), outcome = d.outcome, reason = d.reason, invested_drops = d.invested, refunded_drops = d.refunded,
      held_drops = d.held
    from ${bulkRows(
      'd',
      {
        tx_hash: 'text',
        project_id: 'text',
        outcome: 'text',
        reason: 'text',
        invested: 'bigint',
        refunded: 'bigint',
        held: 'bigint',
      },
      rows,
    )}
    where p.tx_hash = d.tx_hash and p.outcome in ('pending', 'held')`);
}

/** Settles investments; one that a move assigns is made here, because its payment was no investment before. */
export async function writeInvestments(
  tx: Tx,
  rowsOf: Rows,
  { invested, refused, confirmedAt }: { invested: readonly Invested[]; refused: readonly Refused[] } & Confirming,
): Promise<void> {
  await insertAssigned(
    tx,
    invested.filter((effect) => effect.assignedBy !== null),
  );

  const rows = [
    ...invested.map((effect) => ({
      id: investmentId(effect.payment.hash),
      status: 'confirmed',
      confirmed_drops: effect.investedDrops,
      total_units: effect.totalUnits,
      units_to_distribute: immediateUnits(rowsOf, effect),
      payouts_planned: rowsOf.get(effect.projectId)?.distribution === 'immediate',
      rounding_drops: effect.roundingDrops,
      reason: null as string | null,
      confirmed_at: confirmedAt(decidingLedger(effect)) as Date | null,
      decided_at: new Date(effect.decidedAtMs) as Date | null,
    })),
    ...refused
      .filter((effect) => effect.projectId !== null)
      .map((effect) => ({
        id: investmentId(effect.payment.hash),
        status: 'failed',
        confirmed_drops: 0n,
        total_units: 0n,
        units_to_distribute: 0n,
        payouts_planned: true,
        rounding_drops: 0n,
        reason: effect.reason as string | null,
        confirmed_at: null,
        decided_at: null,
      })),
  ];
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${investments} as i
    set status = d.status, confirmed_drops = d.confirmed_drops, total_units = d.total_units,
      units_to_distribute = d.units_to_distribute, payouts_planned = d.payouts_planned, rounding_drops = d.rounding_drops, reason = d.reason,
      confirmed_at = d.confirmed_at, decided_at = d.decided_at
    from ${bulkRows(
      'd',
      {
        id: 'text',
        status: 'text',
        confirmed_drops: 'bigint',
        total_units: 'bigint',
        units_to_distribute: 'bigint',
        payouts_planned: 'boolean',
        rounding_drops: 'bigint',
        reason: 'text',
        confirmed_at: 'timestamptz',
        decided_at: 'timestamptz',
      },
      rows,
    )}
    where i.id = d.id and i.status = 'pending_confirmation'`);
}

/** One row a tier that an investment bought in. */
export async function writeAllocations(tx: Tx, invested: readonly Invested[]): Promise<void> {
  const rows = invested.flatMap((effect) =>
    effect.parts.map((part) => ({
      investment_id: investmentId(effect.payment.hash),
      project_id: effect.projectId,
      tier: part.tier,
      investor_account: effect.payment.sender,
      amount_drops: part.drops,
      units: part.units,
    })),
  );
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into ${allocations} (investment_id, project_id, tier, investor_account, amount_drops, units)
    select investment_id, project_id, tier, investor_account, amount_drops, units
    from ${bulkRows(
      'given',
      {
        investment_id: 'text',
        project_id: 'text',
        tier: 'integer',
        investor_account: 'text',
        amount_drops: 'bigint',
        units: 'bigint',
      },
      rows,
    )}`);
}

function immediateUnits(rowsOf: Rows, effect: Invested): bigint {
  const project = rowsOf.get(effect.projectId);
  return project === undefined ? effect.totalUnits : immediateUnitsFloor(effect.totalUnits, project.vesting);
}

async function insertAssigned(tx: Tx, assigned: readonly Invested[]): Promise<void> {
  if (assigned.length === 0) return;
  await tx.execute(sql`
    insert into ${investments} (id, tx_hash, project_id, investor_account, amount_drops, quote_tier, quote_price,
      quote_units, paid_at)
    select g.id, g.tx_hash, g.project_id, p.sender, p.received_drops, t.tier, t.price, g.quote_units, p.closed_at
    from ${bulkRows(
      'g',
      { id: 'text', tx_hash: 'text', project_id: 'text', tier: 'integer', quote_units: 'bigint' },
      assigned.map((effect) => ({
        id: investmentId(effect.payment.hash),
        tx_hash: effect.payment.hash,
        project_id: effect.projectId,
        tier: effect.parts[0]?.tier ?? 1,
        quote_units: effect.totalUnits,
      })),
    )}
    join ${payments} p on p.tx_hash = g.tx_hash
    join ${tiers} t on t.project_id = g.project_id and t.tier = g.tier`);
}
