import { sql } from 'drizzle-orm';
import { events, webhooks } from '#drizzle/schema/events.ts';
import { actions, projects } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import { TENANT_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { DELIVERY_FAILED } from '#lib/webhooks/delivery/failed-deliveries.ts';
import { ADMINISTRATORS_TENANT } from '#lib/webhooks/registry/acting-tenant.ts';

/**
 * Whether webhook `w` is of the tenant whom event `e` concerns; for anybody else the event does not exist. A webhook that did
 * not take a delivery is not told so by one more.
 */
const isOfItsTenant = sql`(e.type <> all (${textArray(TENANT_EVENT_TYPES)}) or exists (
  select from ${events} b join ${webhooks} o on o.id = nullif(b.body, '')::jsonb #>> '{data,webhook_id}'
  where b.id = e.id and o.tenant_id = w.tenant_id and (e.type <> ${DELIVERY_FAILED} or o.id is distinct from w.id)))`;

/**
 * Whether the project of event `e` may be known to webhook `w`: a draft is known to administrators alone until it is
 * launched, also when somebody pays to its tag. The drafts are read once a statement.
 */
const isOfAKnownProject = sql`(e.project_id is null or w.tenant_id = ${ADMINISTRATORS_TENANT}
  or e.project_id <> all (array(select id from ${projects} where status = 'draft')))`;

/**
 * Whether event `e` waits for its project's launch to be decided: what was paid right after the launch is recognised while
 * the project is still a draft, and whether its tenants may know of it is not known yet. Not a comparison: where there are few
 * projects, the planner would take none of their events to pass it, and go through all that wait for each slice.
 */
export const waitsForLaunch = sql`coalesce(e.project_id = any (array(
  select m.project_id from ${actions} m join ${projects} p on p.id = m.project_id
  where p.status = 'draft' and m.action = 'launch' and m.status in ('submitted', 'seen'))), false)`;

const XRP_IN_DROPS = 1_000_000;
const amount = sql`coalesce(d.data ->> 'amount_xrp', d.data ->> 'confirmed_amount_xrp')`;

/** Whether event `e` fulfils the conditions of webhook `w`. What has no amount, or no status, is not asked for it. */
const fulfilsConditions = sql`((w.min_amount_drops is null and w.statuses is null) or (
  select (w.statuses is null or d.data ->> 'status' is null or d.data ->> 'status' = any (w.statuses))
    and (w.min_amount_drops is null or ${amount} is null or ${amount}::numeric * ${XRP_IN_DROPS}::integer >= w.min_amount_drops)
  from (select nullif(b.body, '')::jsonb -> 'data' as data from ${events} b where b.id = e.id) d))`;

/**
 * Whether webhook `w` may have and wants event `e`: it subscribes to the type, the event fulfils its
 * conditions and, where it names a project, is about that one. An event of no project (`system.…`) passes every project filter.
 */
export const isSubscribed = sql`(e.type = any (w.events)
  and (w.project_id is null or e.project_id is null or e.project_id = w.project_id) and ${isOfAKnownProject} and ${isOfItsTenant}
  and ${fulfilsConditions})`;
