import { type SQL, sql } from 'drizzle-orm';
import { events, webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { isOutOfTime } from '#lib/base/out-of-time.ts';
import type { StartReplay } from './contracts.ts';
import { isOwed, withOriginal } from './owed.ts';
import { DISORDER_MINUTES } from './write-replays.ts';

/** Deliveries of one replay: more is asked for by mistake, and would take days. Nothing is counted beyond one more. */
export const MAX_TOTAL = 100_000;
/** What a count may take: each event of the time has to be looked up, also those that are not owed. */
const COUNT_SECONDS = 5;

export type Owed = {
  total: number;
  missed: number;
  pruned: number;
  /** The end of the range, milliseconds since the epoch: never later than now (database clock). */
  toMs: number;
  /** Every event of the range comes after this one, by sequence. */
  afterSequence: number;
};

/** Counts what a replay of a webhook would send; null when that takes too long. */
export async function countOwed(
  db: Db,
  webhookId: string,
  { from, to, selection, event_types: eventTypes }: StartReplay,
): Promise<Owed | null> {
  const owed = (
    pruned: boolean,
  ): SQL => sql`select o.id is null or (o.cancel_reason is not null and o.next_attempt = 1) as never_sent
    from asked r
    join ${webhooks} w on w.id = ${webhookId}
    join ${events} e on e.created_at >= r.from_time and e.created_at < r.to_time
      and (e.pruned_at is not null) = ${pruned}::boolean
    ${withOriginal}
    where ${isOwed}
    limit ${MAX_TOTAL + 1}::integer`;
  const statement = sql`
    with asked as (
      select ${from.toISOString()}::timestamptz as from_time,
        least(coalesce(${to?.toISOString() ?? null}::timestamptz, now()), now()) as to_time, ${selection}::text as selection,
        ${eventTypes === undefined ? sql`null::text[]` : textArray(eventTypes)} as event_types
    ),
    earliest as (
      select e.created_at as time from ${events} e, asked where e.created_at >= from_time order by e.created_at limit 1
    ),
    sendable as materialized (${owed(false)}),
    pruned as materialized (${owed(true)})
    select (select count(*) from sendable)::integer as total,
      (select count(*) from sendable where never_sent)::integer as missed,
      (select count(*) from pruned)::integer as pruned,
      (select floor(extract(epoch from to_time) * 1000) from asked)::float8 as "toMs",
      coalesce(
        (select min(e.sequence) - 1 from ${events} e, earliest
          where e.created_at >= time and e.created_at <= time + make_interval(mins => ${DISORDER_MINUTES}::integer)),
        (select max(sequence) from ${events}), 0)::float8 as "afterSequence"`;
  return db
    .transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '${COUNT_SECONDS}s'`));
      const result = await tx.execute<Owed>(statement);
      const [counted] = result.rows;
      if (counted === undefined) throw new Error('A count gave no row');
      return counted;
    })
    .catch((error) => {
      if (isOutOfTime(error)) return null;
      throw error;
    });
}
