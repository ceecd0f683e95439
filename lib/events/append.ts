import { sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/platform/bulk.ts';
import type { Tx } from '#lib/platform/db.ts';
import { EVENT_CATALOGUE } from './catalogue.ts';
import { eventId, type NewEvent, serialiseEvent } from './envelope.ts';

/**
 * Writes events and one delivery a subscribed webhook, inside the transaction of the change itself (outbox).
 * One statement for any number of events. An event that is there already is left alone and delivered no second time.
 * Returns how many deliveries wait for their first attempt.
 */
export async function appendEvents(tx: Tx, newEvents: readonly NewEvent[]): Promise<number> {
  if (newEvents.length === 0) return 0;
  const rows = newEvents.map((event) => {
    const id = eventId(event.type, event.subject);
    // The bytes are fixed here for good: a body that breaks its own schema must never be written.
    EVENT_CATALOGUE[event.type].parse(event.data);
    return { id, type: event.type, projectId: event.projectId, body: serialiseEvent(event, id) };
  });
  const result = await tx.execute(sql`
    with written as (
      insert into ${events} (id, type, project_id, body)
      select id, type, project_id, body
      from unnest(${textArray(rows.map((row) => row.id))}, ${textArray(rows.map((row) => row.type))},
        ${textArray(rows.map((row) => row.projectId))}, ${textArray(rows.map((row) => row.body))})
        with ordinality as given(id, type, project_id, body, place)
      order by place
      on conflict (id) do nothing
      returning id, sequence, type, project_id
    )
    insert into ${deliveries} (id, event_id, webhook_id)
    select 'del_' || substr(encode(sha256((e.id || ':' || w.id)::bytea), 'hex'), 1, 22), e.id, w.id
    from written e join ${webhooks} w
      on w.active and w.deleted_at is null and e.type = any (w.events)
      and (w.project_id is null or w.project_id = e.project_id)
    order by e.sequence
    on conflict (event_id, webhook_id) do nothing`);
  return result.rowCount ?? 0;
}
