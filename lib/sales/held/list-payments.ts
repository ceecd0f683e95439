import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type PaymentRow, payments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { fieldError } from '#lib/base/errors.ts';
import { type Drops, formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { listPaymentsContract } from './contracts.ts';
import { loadPaymentResources } from './payment-resource.ts';

type Query = z.output<(typeof listPaymentsContract)['query']>;
type Answer = z.output<(typeof listPaymentsContract)['responses'][200]>;
type Sort = Query['sort'];

/**
 * Payments in ledger order, the oldest first: what waits longest for a person stands on top. Or by what is held of them,
 * the largest first, so that dust hides nothing. With the number of all that are held, by size.
 */
export async function listPayments(ctx: Ctx, input: Omit<Query, 'sort'> & { sort?: Sort }): Promise<Answer> {
  const { status, sort = 'oldest', reason, account, project_id: projectId } = input;
  const { min_amount_xrp: minDrops, max_amount_xrp: maxDrops } = input;
  if (status === 'all') {
    if (sort === 'amount') throw fieldError('sort', 'asks for status "held": only what is held is ordered by amount');
    if (minDrops !== undefined) throw fieldError('min_amount_xrp', 'asks for status "held"');
    if (maxDrops !== undefined) throw fieldError('max_amount_xrp', 'asks for status "held"');
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

const cursorOf = ({ heldDrops, ledgerIndex, transactionIndex }: PaymentRow, sort: Sort): string =>
  [...(sort === 'amount' ? [heldDrops] : []), ledgerIndex, transactionIndex].join('-');

function after(cursor: string, sort: Sort): SQL {
  const parts = cursor.split('-');
  if (parts.length !== (sort === 'amount' ? 3 : 2))
    throw fieldError('cursor', `is not a cursor of this list by ${sort}`);
  const [transactionIndex, ledgerIndex, drops] = parts.toReversed();
  return sort === 'amount'
    ? sql`(${payments.heldDrops}, ${payments.ledgerIndex}, ${payments.transactionIndex})
        < (${drops}::bigint, ${ledgerIndex}::bigint, ${transactionIndex}::integer)`
    : sql`(${payments.ledgerIndex}, ${payments.transactionIndex}) > (${ledgerIndex}::bigint, ${transactionIndex}::integer)`;
}

/** Lower bounds of the groups, in drops: dust that would not be refunded by itself is below 0.001 XRP. */
const GROUPS_FROM = [100_000_000n, 1_000_000n, 1_000n, 0n];

async function readGroups(db: Db, filter: HeldFilter): Promise<Answer['groups']> {
  const bounds = sql.join(
    GROUPS_FROM.map((from) => sql`${from.toString()}::bigint`),
    sql`, `,
  );
  const rows = await db
    .select({
      from: sql<string>`(select max(bound) from unnest(array[${bounds}]) as bound where bound <= ${payments.heldDrops})`.as(
        'lower_bound',
      ),
      payments: sql<number>`count(*)::int`.as('payments'),
      held: sql<string>`sum(${payments.heldDrops})::text`.as('held'),
    })
    .from(payments)
    .where(and(isHeld(), matches(filter)))
    .groupBy(sql`lower_bound`);
  const byBound = new Map(rows.map((row) => [BigInt(row.from), row]));
  return GROUPS_FROM.flatMap((from, index) => {
    const group = byBound.get(from);
    const below = GROUPS_FROM[index - 1];
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

/** Which held payments; what is left out does not narrow. */
interface HeldFilter {
  transactionHashes?: readonly string[] | undefined;
  reason?: string | undefined;
  account?: string | undefined;
  projectId?: string | undefined;
  minDrops?: Drops | undefined;
  maxDrops?: Drops | undefined;
}

/** A literal, so that the partial indexes fit. */
export const isHeld = (): SQL => sql`${payments.heldDrops} > 0`;

export const matches = (filter: HeldFilter): SQL | undefined =>
  and(
    filter.transactionHashes === undefined ? undefined : inArray(payments.txHash, [...filter.transactionHashes]),
    filter.reason === undefined ? undefined : eq(payments.reason, filter.reason),
    filter.account === undefined ? undefined : eq(payments.account, filter.account),
    filter.projectId === undefined ? undefined : eq(payments.projectId, filter.projectId),
    filter.minDrops === undefined ? undefined : sql`${payments.heldDrops} >= ${filter.minDrops.toString()}::bigint`,
    filter.maxDrops === undefined ? undefined : sql`${payments.heldDrops} <= ${filter.maxDrops.toString()}::bigint`,
  );

/** The largest first, among equals the newest: one walk of `payments_held_amount`. */
export const byAmount = [
  sql`${payments.heldDrops} desc`,
  sql`${payments.ledgerIndex} desc`,
  sql`${payments.transactionIndex} desc`,
] as const;
