import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, depositAccounts, investments, moves, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { bulkRows } from '#lib/platform/bulk.ts';
import type { Tx } from '#lib/platform/db.ts';
import { confirmationEvents } from './confirmation-events.ts';
import { lockAndLoad } from './load-state.ts';
import { owedPayouts } from './owed-payouts.ts';
import { loadPending } from './pending.ts';
import { investmentId } from './recognise.ts';
import { reduceAll } from './reduce.ts';
import type { Effect, ProjectState, SaleState } from './types.ts';

/** Entries decided in one transaction. */
const MAX_ENTRIES = 2_000;

export interface Confirmed {
  /** Everything up to here is decided. */
  confirmedLedger: number;
  confirmed: number;
  refused: number;
  tiersCompleted: number;
  deliveries: number;
  /** More recognised entries wait below the bound. */
  more: boolean;
}

type Invested = Effect & { type: 'invested' };
type Refused = Effect & { type: 'refused' };

/**
 * Decides recognised entries up to `throughLedger` in feed order: the reducer's effects become allocations, refusals,
 * payouts owed and events, in one transaction under the account's row lock and a constant number of statements.
 * `closedAtMs` is the close time of `throughLedger`, by which time alone may end a sale; null when no end is near.
 */
export async function confirm(
  ctx: Ctx,
  input: { account: string; throughLedger: number; closedAtMs: number | null },
): Promise<Confirmed> {
  return ctx.db.transaction(async (tx) => {
    const loaded = await lockAndLoad(tx, input.account);
    const { account } = loaded;
    const bound = Math.min(input.throughLedger, account.cursorLedger);
    const nothing = { confirmed: 0, refused: 0, tiersCompleted: 0, deliveries: 0, more: false };
    if (account.halted || bound <= account.confirmedLedger) {
      return { confirmedLedger: account.confirmedLedger, ...nothing };
    }
    const { entries, through } = await loadPending(tx, input.account, bound, MAX_ENTRIES);
    // The close time belongs to the last ledger asked for: it may end a sale only when everything up to it is in.
    const closing =
      through === input.throughLedger && input.closedAtMs !== null
        ? [{ kind: 'close', closedAtMs: input.closedAtMs } as const]
        : [];
    const { state, effects } = reduceAll(loaded.state, [...entries, ...closing]);
    const invested = effects.filter((effect) => effect.type === 'invested');
    const refused = effects.filter((effect) => effect.type === 'refused');

    await writePayments(tx, effects);
    await writeInvestments(tx, invested, refused);
    await writeAllocations(tx, invested);
    await writePayouts(tx, input.account, loaded.rows, effects);
    await writeProjects(tx, loaded.state, state);
    await writeMoves(tx, input.account, through, effects);
    const events = await confirmationEvents(tx, loaded.rows, state, effects);
    const deliveries = await appendEvents(tx, events);
    await tx
      .update(depositAccounts)
      .set({ confirmedLedger: through })
      .where(sql`${depositAccounts.address} = ${input.account}`);
    return {
      confirmedLedger: through,
      confirmed: invested.length,
      refused: refused.length,
      tiersCompleted: effects.filter((effect) => effect.type === 'tier_completed').length,
      deliveries,
      more: through < bound,
    };
  });
}

async function writePayments(tx: Tx, effects: readonly Effect[]): Promise<void> {
  const rows = effects.flatMap((effect) => {
    if (effect.type === 'invested') {
      return {
        tx_hash: effect.payment.hash,
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
        outcome: 'held',
        reason: effect.reason,
        invested: 0n,
        refunded: 0n,
        held: effect.payment.receivedDrops,
      };
    }
    return [];
  });
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${payments} as p
    set outcome = d.outcome, reason = d.reason, invested_drops = d.invested, refunded_drops = d.refunded,
      held_drops = d.held
    from ${bulkRows(
      'd',
      { tx_hash: 'text', outcome: 'text', reason: 'text', invested: 'bigint', refunded: 'bigint', held: 'bigint' },
      rows,
    )}
    where p.tx_hash = d.tx_hash and p.outcome = 'pending'`);
}

async function writeInvestments(tx: Tx, invested: readonly Invested[], refused: readonly Refused[]): Promise<void> {
  const rows = [
    ...invested.map((effect) => ({
      id: investmentId(effect.payment.hash),
      status: 'confirmed',
      confirmed_drops: effect.investedDrops,
      total_units: effect.totalUnits,
      rounding_drops: effect.roundingDrops,
      reason: null as string | null,
      confirmed_at: new Date(effect.payment.closedAtMs) as Date | null,
    })),
    ...refused
      .filter((effect) => effect.projectId !== null)
      .map((effect) => ({
        id: investmentId(effect.payment.hash),
        status: 'failed',
        confirmed_drops: 0n,
        total_units: 0n,
        rounding_drops: 0n,
        reason: effect.reason as string | null,
        confirmed_at: null,
      })),
  ];
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${investments} as i
    set status = d.status, confirmed_drops = d.confirmed_drops, total_units = d.total_units,
      units_to_distribute = d.total_units, rounding_drops = d.rounding_drops, reason = d.reason,
      confirmed_at = d.confirmed_at
    from ${bulkRows(
      'd',
      {
        id: 'text',
        status: 'text',
        confirmed_drops: 'bigint',
        total_units: 'bigint',
        rounding_drops: 'bigint',
        reason: 'text',
        confirmed_at: 'timestamptz',
      },
      rows,
    )}
    where i.id = d.id and i.status = 'pending_confirmation'`);
}

async function writeAllocations(tx: Tx, invested: readonly Invested[]): Promise<void> {
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

async function writePayouts(
  tx: Tx,
  account: string,
  rows: Parameters<typeof owedPayouts>[1],
  effects: readonly Effect[],
): Promise<void> {
  const owed = owedPayouts(account, rows, effects);
  if (owed.length === 0) return;
  // DestinationTag of a payout is the payment's SourceTag (design section 4): read from the payment's own row.
  await tx.execute(sql`
    insert into ${payouts} (id, kind, project_id, investment_id, payment_hash, part, account, destination,
      destination_tag, amount, due_at)
    select g.id, g.kind, g.project_id, g.investment_id, g.payment_hash, 1, g.account, g.destination, p.source_tag,
      g.amount, g.due_at
    from ${bulkRows(
      'g',
      {
        id: 'text',
        kind: 'text',
        project_id: 'text',
        investment_id: 'text',
        payment_hash: 'text',
        account: 'text',
        destination: 'text',
        amount: 'bigint',
        due_at: 'timestamptz',
      },
      owed,
    )}
    join ${payments} p on p.tx_hash = g.payment_hash`);
}

/** Writes only what the reducer changed: project status and sums, tiers sold. */
async function writeProjects(tx: Tx, before: SaleState, after: SaleState): Promise<void> {
  const changed = [...after.projects.values()].filter(
    (project) => before.projects.get(project.destinationTag) !== project,
  );
  if (changed.length === 0) return;
  const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  await tx.execute(sql`
    update ${projects} as p
    set status = d.status, raised_drops = d.raised_drops, launched_at = d.launched_at, ended_at = d.ended_at
    from ${bulkRows(
      'd',
      { id: 'text', status: 'text', raised_drops: 'bigint', launched_at: 'timestamptz', ended_at: 'timestamptz' },
      changed.map((project) => ({
        id: project.id,
        status: project.status,
        raised_drops: project.raisedDrops,
        launched_at: toDate(project.launchedAtMs),
        ended_at: toDate(project.endedAtMs),
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
 * read whole past their LastLedgerSequence without them (ledger fact 12).
 */
async function writeMoves(tx: Tx, account: string, through: number, effects: readonly Effect[]): Promise<void> {
  const rows = effects.flatMap((effect) => {
    if (effect.type === 'launched' || effect.type === 'moved') {
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
