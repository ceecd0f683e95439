import { and, asc, type SQL, sql } from 'drizzle-orm';
import { payments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { type Drops, formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { PaymentRow } from '../feed/load-state.ts';
import type { PaymentResource } from './contracts.ts';
import { byAmount, type HeldFilter, isHeld, matches } from './held-filter.ts';
import { loadPaymentResources } from './payment-resource.ts';

interface ListRequest {
  cursor?: string | undefined;
  limit: number;
  status: 'held' | 'all';
  sort?: 'oldest' | 'amount' | undefined;
  reason?: string | undefined;
  account?: string | undefined;
  project_id?: string | undefined;
  min_amount_xrp?: Drops | undefined;
  max_amount_xrp?: Drops | undefined;
}

/** Held payments of one size, from `from_xrp` to below `below_xrp`. */
interface HeldGroup {
  from_xrp: string;
  below_xrp: string | null;
  payments: number;
  held_xrp: string;
}

/**
 * Payments in ledger order, the oldest first: what waits longest for a person stands on top. Or by what is held of them,
 * the largest first, so that dust hides nothing. With the number of all that are held, by size.
 */
export async function listPayments(
  ctx: Ctx,
  input: ListRequest,
): Promise<{ payments: PaymentResource[]; next_cursor: string | null; groups: HeldGroup[] }> {
  const { status, sort = 'oldest', reason, account, project_id: projectId } = input;
  const { min_amount_xrp: minDrops, max_amount_xrp: maxDrops } = input;
  if (status === 'all') {
    if (sort === 'amount') throw refused('sort', 'asks for status "held": only what is held is ordered by amount');
    if (minDrops !== undefined) throw refused('min_amount_xrp', 'asks for status "held"');
    if (maxDrops !== undefined) throw refused('max_amount_xrp', 'asks for status "held"');
  }
  const filter = { reason, account, projectId };
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(
      and(
        status === 'held' ? isHeld() : undefined,
        matches({ ...filter, minDrops, maxDrops }),
        input.cursor === undefined ? undefined : after(input.cursor, sort),
      ),
    )
    .orderBy(...(sort === 'amount' ? byAmount : [asc(payments.ledgerIndex), asc(payments.transactionIndex)]))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? page.at(-1) : undefined;
  return {
    payments: await loadPaymentResources(ctx.db, page, ctx.clock.nowMs()),
    next_cursor: last === undefined ? null : cursorOf(last, sort),
    groups: status === 'held' ? await readGroups(ctx.db, filter) : [],
  };
}

const refused = (field: string, message: string): PlatformError =>
  new PlatformError('invalid_request', `${field}: ${message}`, {
    errors: [{ field: `${field}`, message }],
  });

const cursorOf = ({ heldDrops, ledgerIndex, transactionIndex }: PaymentRow, sort: 'oldest' | 'amount'): string =>
  [...(sort === 'amount' ? [heldDrops] : []), ledgerIndex, transactionIndex].join('-');

function after(cursor: string, sort: 'oldest' | 'amount'): SQL {
  const parts = cursor.split('-');
  if (parts.length !== (sort === 'amount' ? 3 : 2)) throw refused('cursor', `is not a cursor of this list by ${sort}`);
  const [transactionIndex, ledgerIndex, drops] = parts.toReversed();
  return sort === 'amount'
    ? sql`(${payments.heldDrops}, ${payments.ledgerIndex}, ${payments.transactionIndex})
        < (${drops}::bigint, ${ledgerIndex}::bigint, ${transactionIndex}::integer)`
    : sql`(${payments.ledgerIndex}, ${payments.transactionIndex}) > (${ledgerIndex}::bigint, ${transactionIndex}::integer)`;
}

/** Lower bounds of the groups, in drops: dust that would not be refunded by itself is below 0.001 XRP. */
const GROUPS_FROM = [100_000_000n, 1_000_000n, 1_000n, 0n];

async function readGroups(db: Db, filter: HeldFilter): Promise<HeldGroup[]> {
  const bounds = sql.join(
    GROUPS_FROM.map((from) => sql`${from.toString()}::bigint`),
    sql`, `,
  );
  const { rows } = await db
    .select({
      from: sql<string>`(select max(bound) from unnest(array[${bounds}]) as bound where bound <= ${payments.heldDrops})`.as(
        'lower_bound',
      ),
      payments: sql<number>`count(*)::int`.as('payments'),
      held: sql<string>`sum(${payments.heldDrops})::text`.as('held'),
    })
    .from(payments)
    .where(and(isHeld(), matches(filter)))
    .groupBy(sql`lower_bound`)
    .then((found) => ({ rows: found }));
  const byBound = new Map(rows.map((row) => [BigInt(row.from), row]));
  return GROUPS_FROM.flatMap((from, place) => {
    const group = byBound.get(from);
    const below = GROUPS_FROM[place - 1];
    if (group === undefined) return [];
    return [
      {
        from_xrp: formatDrops(from),
        below_xrp: below === undefined ? null : formatDrops(below),
        payments: group.payments,
        held_xrp: formatDrops(BigInt(group.held)),
      },
    ];
  });
}
