import { sql } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { EVENT_CATALOGUE } from './catalogue.ts';
import { eventId, type NewEvent, serialiseEvent } from './envelope.ts';

/**
 * Writes events inside the transaction of the change itself (outbox); `fanOutEvents` makes their deliveries afterwards,
 * because how many webhooks there are must not decide how long a change holds its locks. One statement for any number of
 * events. An event that is there already is left alone and delivered no second time. Returns how many were written: when
 * any were, the caller wakes the dispatch once its transaction has committed.
 */
export async function appendEvents(tx: Tx, newEvents: readonly NewEvent[]): Promise<number> {
  if (newEvents.length === 0) return 0;
  const rows = newEvents.map((event) => {
    const id = eventId(event.type, event.subject);
    // The bytes are fixed here for good: a body that breaks its own schema must never be written.
    EVENT_CATALOGUE[event.type].parse(event.data);
    return { id, type: event.type, projectId: event.projectId, body: serialiseEvent(event, id) };
  });
  // The transaction may have waited long for its locks: a webhook made meanwhile was made before the event.
  const result = await tx.execute(sql`
    insert into ${events} (id, type, project_id, body, created_at)
    select id, type, project_id, body, statement_timestamp()
    from unnest(${textArray(rows.map((row) => row.id))}, ${textArray(rows.map((row) => row.type))},
      ${textArray(rows.map((row) => row.projectId))}, ${textArray(rows.map((row) => row.body))})
      with ordinality as given(id, type, project_id, body, place)
    order by place
    on conflict (id) do nothing`);
  return result.rowCount ?? 0;
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
