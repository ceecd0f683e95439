import { sql } from 'drizzle-orm';
import { moves, projects, tiers } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Effect, ProjectState, SaleState } from '#lib/rules/types.ts';

/** Writes only what the reducer changed: project status and sums, tiers sold. */
export async function writeProjects(tx: Tx, before: SaleState, after: SaleState): Promise<void> {
  const changed = [...after.projects.values()].filter(
    (project) => before.projects.get(project.destinationTag) !== project,
  );
  if (changed.length === 0) return;
  const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  await tx.execute(sql`
    update ${projects} as p
    set status = d.status, raised_drops = d.raised_drops, launched_at = d.launched_at, ended_at = d.ended_at,
      end_reason = d.end_reason, list_hash = d.list_hash
    from ${bulkRows(
      'd',
      {
        id: 'text',
        status: 'text',
        raised_drops: 'bigint',
        launched_at: 'timestamptz',
        ended_at: 'timestamptz',
        end_reason: 'text',
        list_hash: 'text',
      },
      changed.map((project) => ({
        id: project.id,
        status: project.status,
        raised_drops: project.raisedDrops,
        launched_at: toDate(project.launchedAtMs),
        ended_at: toDate(project.endedAtMs),
        end_reason: project.endReason,
        list_hash: project.listHash,
      })),
    )}
    where p.id = d.id`);
  await tx.execute(sql`
    update ${tiers} as t
    set sold_units = d.sold_units, value_drops = d.value_drops, opened_at = d.opened_at, completed_at = d.completed_at
    from ${bulkRows(
      'd',
      {
        project_id: 'text',
        tier: 'integer',
        sold_units: 'bigint',
        value_drops: 'bigint',
        opened_at: 'timestamptz',
        completed_at: 'timestamptz',
      },
      changed.flatMap((project: ProjectState) =>
        project.tiers.map((tier) => ({
          project_id: project.id,
          tier: tier.tier,
          sold_units: tier.soldUnits,
          value_drops: tier.valueDrops,
          opened_at: toDate(tier.openedAtMs),
          completed_at: toDate(tier.completedAtMs),
        })),
      ),
    )}
    where t.project_id = d.project_id and t.tier = d.tier`);
}

/**
 * Closes moves: those the reducer decided, and our own submissions that can no longer appear, because the feed has been
 * read whole past their LastLedgerSequence without them (docs/ledger-facts.md, 12).
 */
export async function writeMoves(tx: Tx, account: string, through: number, effects: readonly Effect[]): Promise<void> {
  const rows = effects.flatMap((effect) => {
    if (effect.type === 'launched' || effect.type === 'moved' || effect.type === 'cancelled') {
      return { tx_hash: effect.move.hash, status: 'applied', detail: null as string | null };
    }
    if (effect.type === 'move_without_effect') {
      return { tx_hash: effect.move.hash, status: 'ineffective', detail: effect.detail };
    }
    return [];
  });
  await tx.execute(sql`
    update ${moves} as m
    set status = coalesce(d.status, 'expired'), detail = d.detail
    from ${moves} as own
    left join ${bulkRows('d', { tx_hash: 'text', status: 'text', detail: 'text' }, rows)} on d.tx_hash = own.tx_hash
    where m.tx_hash = own.tx_hash and own.account = ${account}
      and (d.tx_hash is not null or (own.status = 'submitted' and own.last_ledger_sequence <= ${through}))`);
}
