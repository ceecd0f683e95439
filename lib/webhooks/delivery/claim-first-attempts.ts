import { type SQL, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Ctx } from '#lib/ctx.ts';
import { claimPicked, type DueAttempt, hasBody, hostKey } from './claim.ts';

/** Webhooks that one look takes in: how many more have something waiting must not decide what it costs. */
const PAGE = 128;
/** Of the untried, tenants that have none under way have so many places more: others may hold all the rest. */
const FIRSTS_BEYOND = 8;

/** What may still start of one kind: by name where the slice knows it, else `ofUnknown`. */
export interface Left {
  ofUnknown: number;
  known: ReadonlyMap<string, number>;
}

/** What a slice has under way, so that a claim fills it up without going over. */
export interface Room {
  /** Attempts that may still start. */
  capacity: number;
  webhooks: Left;
  hosts: Left;
  /** Of all webhooks together whose receivers have failed since they last took something, and of those that never took anything. */
  failing: number;
  untried: number;
  /** Of one tenant: at receivers that fail or are untried, and at all those that did not answer quickly last. */
  weakOfTenant: Left;
  notQuickOfTenant: Left;
  /** At receivers of all tenants that did not answer quickly last; beyond it each tenant has its first one. */
  notQuick: number;
  /** Webhooks whose receivers answered this slice quickly last, and those that took something from it. */
  quick: ReadonlySet<string>;
  succeeded: ReadonlySet<string>;
  /** Webhooks are visited in id order from after this one, so that none is always served first. */
  afterWebhookId: string;
}

const isWaiting = sql`(d.status = 'pending' and d.leased_until is null and d.due_at <= now())`;
/** What is counted only needs to wait: looking up events as well leads the planner through a whole backlog. */
const isClaimable = sql`(${isWaiting} and ${hasBody})`;

const known = (left: Left): SQL =>
  bulkRows(
    'known',
    { name: 'text', count: 'integer' },
    [...left.known].map(([name, count]) => ({ name, count })),
  );

/** The next claimable first attempts of one webhook, in the events' order. */
const firstOf = (kind: SQL): SQL => sql`select d.id from ${deliveries} d
  where d.webhook_id = allowed.id and ${isClaimable} and ${kind}
  order by d.event_sequence limit allowed.count for no key update skip locked`;

/**
 * Claims due first attempts, in the events' order within a webhook, a few a webhook and a few a host, by turns of the tenants,
 * skipping what others hold. It steps through the webhooks that have something waiting, so one webhook's backlog hides nobody else's.
 * What a replay has written comes after all that is live: its events are older, and must not hold up new ones.
 * `nextAfter` is where to go on, empty after the last webhook.
 */
export async function claimFirstAttempts(ctx: Ctx, room: Room): Promise<{ claimed: DueAttempt[]; nextAfter: string }> {
  const picked = sql`waiting as (
      (select webhook_id, 1 as place from ${deliveries} where status = 'pending' and webhook_id > ${room.afterWebhookId}
        order by webhook_id limit 1)
      union all
      select (select d.webhook_id from ${deliveries} d where d.status = 'pending' and d.webhook_id > waiting.webhook_id
        order by d.webhook_id limit 1), place + 1
      from waiting where waiting.webhook_id is not null and place < ${PAGE}::integer
    ),
    wishes as (
      select w.id, w.tenant_id, ${hostKey} as host, w.id = any (${textArray([...room.quick])}) as quick, claimable.count,
        case when w.failing_since is not null then 'failing'
          when w.first_success_at is null and w.id <> all (${textArray([...room.succeeded])}) then 'untried' end as weakness
      from waiting
      join ${webhooks} w on w.id = waiting.webhook_id and w.active and w.deleted_at is null
      left join ${known(room.webhooks)} on known.name = w.id
      cross join lateral (
        select count(*) from (
          select from ${deliveries} d where d.webhook_id = w.id and ${isWaiting} order by d.event_sequence
          limit coalesce(known.count, ${room.webhooks.ofUnknown}::integer)
        ) d
      ) claimable
    ),
    -- One row a wish. Every tenant's first comes before any tenant's second, however many webhooks it has, and within a
    -- tenant every webhook's. Chance decides among equals: whoever came first by id would keep the others at its host from
    -- ever being served.
    turns as (
      select wishes.*, row_number() over (partition by tenant_id order by nth, random()) as turn
      from wishes cross join generate_series(1, wishes.count) nth
    ),
    at_host as (select turns.*, row_number() over (partition by host order by turn, random()) as place from turns),
    among_weak as (
      select at_host.*, row_number() over (partition by tenant_id, weakness is not null order by turn) as weak_place
      from at_host left join ${known(room.hosts)} on known.name = at_host.host
      where at_host.place <= coalesce(known.count, ${room.hosts.ofUnknown}::integer)
    ),
    of_tenant as (
      select among_weak.*, row_number() over (partition by tenant_id, quick order by turn) as tenant_place,
        weak_place = 1
          and coalesce(known.count, ${room.weakOfTenant.ofUnknown}::integer) = ${room.weakOfTenant.ofUnknown}::integer
          as first_weak
      from among_weak left join ${known(room.weakOfTenant)} on known.name = tenant_id
      where weakness is null or weak_place <= coalesce(known.count, ${room.weakOfTenant.ofUnknown}::integer)
    ),
    of_weakness as (
      select id, quick, weakness, first_weak, turn, row_number() over (partition by weakness order by turn, random()) as weakness_place,
        quick or (tenant_place = 1
          and coalesce(known.count, ${room.notQuickOfTenant.ofUnknown}::integer) = ${room.notQuickOfTenant.ofUnknown}::integer)
          as has_place
      from of_tenant left join ${known(room.notQuickOfTenant)} on known.name = tenant_id
      where quick or tenant_place <= coalesce(known.count, ${room.notQuickOfTenant.ofUnknown}::integer)
    ),
    among_not_quick as (
      select id, turn, has_place,
        row_number() over (partition by quick order by not has_place, turn, random()) as not_quick_place
      from of_weakness
      where weakness is null
        or weakness_place <= case weakness when 'failing' then ${room.failing}::integer else ${room.untried}::integer end
          + case when first_weak and weakness = 'untried' then ${FIRSTS_BEYOND}::integer else 0 end
    ),
    among_all as (
      select id, row_number() over (order by turn, random()) as place from among_not_quick
      where has_place or not_quick_place <= ${room.notQuick}::integer
    ),
    allowed as (select id, count(*) as count from among_all where place <= ${room.capacity}::integer group by id order by id),
    picked as (
      select next.id from allowed
      cross join lateral (
        select id from (
          select id from (${firstOf(sql`d.replay_id is null`)}) live
          union all select id from (${firstOf(sql`d.replay_id is not null`)}) replayed
        ) live_first
        limit allowed.count
      ) next
    )`;
  const lastOfPage = sql`(select max(webhook_id) from waiting having count(webhook_id) = ${PAGE}::integer)`;
  const { claimed, through } = await claimPicked(ctx.db, picked, lastOfPage);
  return { claimed, nextAfter: through ?? '' };
}
