import { sql } from 'drizzle-orm';
import { events, webhooks } from '#drizzle/schema/events.ts';
import { TENANT_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { textArray } from '#lib/platform/bulk.ts';

/** Whether webhook `w` is of the tenant whom event `e` concerns; for anybody else the event does not exist. */
const isOfItsTenant = sql`(e.type <> all (${textArray(TENANT_EVENT_TYPES)}) or w.tenant_id = (
  select o.tenant_id from ${events} b join ${webhooks} o on o.id = nullif(b.body, '')::jsonb #>> '{data,webhook_id}'
  where b.id = e.id))`;

/**
 * Whether webhook `w` may have and wants event `e`: it subscribes to the type and, where it names a project, the event is
 * about that one. An event of no project (`system.…`) passes every project filter.
 */
export const isWanted = sql`(e.type = any (w.events)
  and (w.project_id is null or e.project_id is null or e.project_id = w.project_id) and ${isOfItsTenant})`;
