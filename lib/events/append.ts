import { eq, type SQL, sql } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import { type Db, plannedOnce, type Tx } from '#lib/base/db.ts';
import { EVENT_CATALOGUE } from './catalogue.ts';
import { eventId, type NewEvent, serialiseEvent } from './envelope.ts';

/**
 * Writes events inside the transaction of the change itself (outbox); `fanOutEvents` makes their deliveries afterwards,
 * because how many webhooks there are must not decide how long a change holds its locks. One statement for any number of
 * events, each of which is made when it is its turn where the caller gives them one by one. An event that is there already is left alone and delivered no second time. Returns how many were written: when
 * any were, the caller wakes the dispatch once its transaction has committed.
 */
export async function appendEvents(tx: Tx, newEvents: Iterable<NewEvent>): Promise<number> {
  const statement = insertOf(newEvents);
  return statement === null ? 0 : ((await tx.execute(statement)).rowCount ?? 0);
}

/** Keeps no event but in the statement's text. Null for none. */
function insertOf(newEvents: Iterable<NewEvent>): SQL | null {
  const [ids, types, projectIds, bodies] = [[] as string[], [] as string[], [] as (string | null)[], [] as string[]];
  for (const event of newEvents) {
    const id = eventId(event.type, event.subject);
    // The bytes are fixed here for good: a body that breaks its own schema must never be written.
    EVENT_CATALOGUE[event.type].parse(event.data);
    ids.push(id);
    types.push(event.type);
    projectIds.push(event.projectId);
    bodies.push(serialiseEvent(event, id));
  }
  if (ids.length === 0) return null;
  // The transaction may have waited long for its locks: a webhook made meanwhile was made before the event.
  return sql`${plannedOnce}
    insert into ${events} (id, type, project_id, body, created_at)
    select id, type, project_id, body, statement_timestamp()
    from unnest(${textArray(ids)}, ${textArray(types)}, ${textArray(projectIds)}, ${textArray(bodies)})
      with ordinality as given(id, type, project_id, body, rank)
    order by rank
    on conflict (id) do nothing`;
}

/** Writes a test event, which is for one webhook alone and is not fanned out. Gives its sequence. */
export async function appendTestEvent(
  tx: Tx,
  event: Pick<typeof events.$inferInsert, 'id' | 'type' | 'body'>,
): Promise<(typeof events.$inferSelect)['sequence']> {
  const [written] = await tx
    .insert(events)
    .values({ ...event, isTest: true, fannedOut: true })
    .returning({ sequence: events.sequence });
  if (written === undefined) throw new Error('The insert of a test event returned no row');
  return written.sequence;
}

/**
 * Marks the events `e` of `claimed`, as `isClaimed` finds them, as given to the webhooks, unless the one row of `cut` says by its
 * `cut` that there are more than fit: then `through` is the last webhook that has its delivery. For the statement that writes the
 * deliveries, which must be one with this.
 */
export const markFannedOut = (isClaimed: SQL): SQL => sql`
  update ${events} e set fanned_out = not cut.cut, fanned_out_through = case when cut.cut then cut.through end
  from claimed, cut where ${isClaimed}
  returning 1`;

/** Empties the payloads of those events of `old` (`id`, `rank`) whose rank is below `below`. For the statement that prunes. */
export const emptyPayloads = (below: SQL): SQL => sql`
  update ${events} e set body = '', pruned_at = now() from old
  where e.id = old.id and old.rank < ${below}
  returning 1`;

/**
 * Empties the payload of one event before its time, and has it given to no further webhook. The lock is the strong one: no
 * delivery is added until the transaction ends. Gives null where there is none, and `gone` where the payload went before.
 */
export async function erasePayload(tx: Tx, id: string): Promise<{ type: string; erasedAt: Date } | 'gone' | null> {
  const [event] = await tx.select({ prunedAt: events.prunedAt }).from(events).where(eq(events.id, id)).for('update');
  if (event === undefined) return null;
  if (event.prunedAt !== null) return 'gone';
  const [erased] = await tx
    .update(events)
    .set({ body: '', prunedAt: sql`now()`, erasedAt: sql`now()`, fannedOut: true, fannedOutThrough: null })
    .where(eq(events.id, id))
    .returning({ type: events.type, erasedAt: events.erasedAt });
  if (erased?.erasedAt == null) throw new Error('An event that is locked is gone');
  return { type: erased.type, erasedAt: erased.erasedAt };
}

/** Events that one transaction lists. */
export const LISTED_AT_ONCE = 10_000;

/**
 * A draft's events wait for its launch: only administrators know of them before, and whoever comes to know of them later must find
 * them after what was read already. The drafts are read once a statement.
 */
const waitsToBeListed = sql`list_position is null and fanned_out and not is_test and pruned_at is null
  and (project_id is null or project_id <> all (array(select id from ${projects} where status = 'draft')))`;
/** A time as a place in the list of events. */
export const microseconds = (time: SQL): SQL => sql`floor(extract(epoch from ${time}) * 1000000)::bigint`;

/** True while an event that was fanned out waits for its place in the list. */
export const hasEventsToList: SQL = sql`exists (select from ${events} where ${waitsToBeListed})`;

/**
 * Gives events that were fanned out their place in the list of events (GET /api/events), in sequence order; returns how many, at
 * most LISTED_AT_ONCE. Transactions commit in another order than they take their sequence numbers, so a reader who followed
 * those would pass over what commits late. Places are given after the commit, by one transaction at a time, whose lock
 * outlasts its own commit: a reader who sees a place sees every place before it. A place is a time and not a count, so that
 * after a restore of the database new events still come after the cursors that clients have.
 */
export async function listFannedOut(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    // Another process that holds the lock may hang: deliveries must not wait for it.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('list of events', 0))
      where set_config('lock_timeout', '1s', true) is not null`);
    // A statement of its own: it sees what the holder before has listed.
    const result = await tx.execute(sql`
      with next as materialized (
        select id, created_at, row_number() over (order by sequence) as rank
        from (select id, sequence, created_at from ${events} where ${waitsToBeListed}
          order by sequence limit ${LISTED_AT_ONCE}) waiting
      ),
      -- Never before the event itself was written: that is how \`since\` finds where to begin.
      start as materialized (
        select greatest(${microseconds(sql`clock_timestamp()`)},
          (select ${microseconds(sql`max(created_at)`)} from next),
          (select max(list_position) from ${events})) as position
      )
      update ${events} e set list_position = start.position + next.rank from next, start
      where e.id = next.id and e.list_position is null and e.pruned_at is null`);
    return result.rowCount ?? 0;
  });
}
