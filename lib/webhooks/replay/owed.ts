import { type SQL, sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import { isWanted } from '#lib/webhooks/wanted.ts';

/** Whether delivery `d` keeps its event from being sent again: it has not ended, or it succeeded and only failures are asked for. */
const stands = (d: SQL): SQL =>
  sql`(${d}.status in ('pending', 'retrying') or ${d}.leased_until is not null
    or (r.selection = 'failed' and ${d}.status = 'success'))`;

/**
 * Joins the delivery `o` that event `e` brought webhook `w`; none when the webhook was not there yet, or its log was not kept. One
 * look into an index for each event, whatever the planner knows of the table.
 */
export const withOriginal = sql`left join lateral (
    select d.id, d.status, d.leased_until, d.next_attempt, d.cancel_reason from ${deliveries} d
    where d.event_id = e.id and d.webhook_id = w.id and d.resend_of is null limit 1
  ) o on true`;

/**
 * Whether replay `r` would send event `e` to webhook `w` once more, were its payload there: an event of its time and types that
 * the webhook wants now and that is not on its way already. With `failed` nothing of it was ever delivered since the webhook is
 * there, whether attempts failed or none were made; with `all` it may have been, and may be older than the webhook. An event
 * that waits to be fanned out comes by itself, unless it is older. What was sent again is looked for by its event: a planner
 * that knows too little of the table would go through all deliveries of the webhook, for each event.
 */
export const isOwed = sql`((e.fanned_out or e.created_at < w.created_at) and not e.is_test
  and e.created_at >= r.from_time and e.created_at < r.to_time
  and ${isWanted} and (r.event_types is null or e.type = any (r.event_types))
  and (o.id is not null or r.selection = 'all' or e.created_at >= w.created_at)
  and (o.id is null or not ${stands(sql`o`)})
  and not exists (
    select from (select * from ${deliveries} where event_id = e.id and resend_of is not null offset 0) x
    where x.webhook_id = w.id and ${stands(sql`x`)}))`;
