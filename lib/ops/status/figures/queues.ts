import { type SQL, sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import { OPEN_PAYOUT_STATES, type SystemMetrics } from './schema.ts';

/** Beyond this a queue is long, and how long is no news: counting must not cost more the longer it gets. */
const COUNTED_UP_TO = 10_000;

const ageSeconds = (time: SQL): SQL => sql`greatest(extract(epoch from now() - ${time})::float8, 0)`;
const counted = (rows: SQL): SQL => sql`(select count(*) from (${rows} limit ${COUNTED_UP_TO}::integer) as found)`;

/** Expressions that come to JSON of these types. Each walks an index, and no further than the count goes. */
export interface QueueFigures {
  deliveries: SystemMetrics['deliveries'];
  payouts: SystemMetrics['payouts'];
  held_payments: SystemMetrics['held_payments'];
}

export const deliveryQueues: SQL = sql`json_build_object(
  'waiting', ${counted(sql`select from ${deliveries} where status = 'pending'`)},
  'waiting_oldest_seconds', (select ${ageSeconds(sql`due_at`)} from ${deliveries}
    where status in ('pending', 'retrying') and due_at <= now() and status = 'pending' order by due_at limit 1),
  'retries_due', ${counted(sql`select from ${deliveries} where status = 'retrying' and due_at <= now()`)},
  'retries_due_oldest_seconds', (select ${ageSeconds(sql`due_at`)} from ${deliveries}
    where status = 'retrying' and due_at <= now() order by due_at limit 1))`;

/** One row a state, in their order; the partial index on (status, due_at) holds what is open only. */
const IS_OPEN = sql`p.status not in ('validated', 'cancelled')`;
export const payoutStates: SQL = sql`(select json_agg(json_build_object(
    'status', state.name,
    'count', ${counted(sql`select from ${payouts} p where ${IS_OPEN} and p.status = state.name`)},
    'oldest_seconds', (select ${ageSeconds(sql`p.due_at`)} from ${payouts} p
      where ${IS_OPEN} and p.status = state.name order by p.due_at limit 1)) order by state.place)
  from unnest(${textArray(OPEN_PAYOUT_STATES)}) with ordinality as state(name, place))`;

export const heldPayments: SQL = sql`json_build_object(
  'count', ${counted(sql`select from ${payments} where held_drops > 0`)},
  'oldest_seconds', (select ${ageSeconds(sql`closed_at`)} from ${payments}
    where held_drops > 0 order by ledger_index, transaction_index limit 1))`;
