import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events, webhooks } from '#drizzle/schema/events.ts';
import { arrayText, bulkRows, bulkRowsOf, bulkValues, textArray } from '#lib/base/bulk.ts';
import { type Db, plannedOnce, type Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { fixedStatement, type Given } from '#lib/base/fixed-statement.ts';
import { newIds } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSealedSecret, sealedSecretInForce } from '#lib/webhooks/secret.ts';
import { type EndedDelivery, isReported, reportFailed } from './failed-deliveries.ts';
import { wakeDispatch } from './wake.ts';

/** An attempt that is ours to make until its lease ends. */
export type Claimed = {
  deliveryId: string;
  attempt: number;
  /** Until when, as the database writes it: no other claim of the delivery has the same, so it is the fencing token. */
  leasedUntil: string;
  webhookId: string;
  url: string;
  sealedSecret: string;
  /** Signs beside the other while a rotation is under way. */
  nextSealedSecret: string | null;
  sealedHeaders: string | null;
  eventId: string;
  body: string;
  isTest: boolean;
};

/** A claimed attempt as a slice counts it. */
export type DueAttempt = Claimed & {
  tenantId: string;
  /** What it shares with other webhooks that lead to the same receiver. */
  host: string;
  /** Its receiver has failed since it last took something. */
  failing: boolean;
  /** Its receiver has never taken an event at this URL. */
  untried: boolean;
};

/** Only the sandbox has receivers on the loopback: there a port is what elsewhere is a host. */
export const hostKey = sql`case
  when w.host = 'localhost' or (starts_with(w.host, '127.') and translate(w.host, '0123456789.', '') = '')
  then split_part(split_part(w.url, '/', 3), '?', 1) else w.host end`;

/** True while the event still has its body: once it was pruned there is nothing to send. */
export const hasBody = sql`exists (select from ${events} e where e.id = d.event_id and e.pruned_at is null)`;

/** Beyond the exchange itself, an attempt may wait this long to be recorded. */
const LEASE_MARGIN_MS = 20_000;

/** How long a claim holds, in seconds: longer than an attempt can take. */
export const leaseSeconds = (): number => (env().WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS) / 1000;

/** When a claim runs out that is made now for so many seconds. */
export const leaseEnd = (seconds: Given): SQL => sql`now() + make_interval(secs => ${seconds}::float8)`;

/** When the attempt of the delivery `d` that is in flight was claimed. */
const claimedAt = (): SQL => sql`d.leased_until - make_interval(secs => ${leaseSeconds()}::float8)`;

/** Beyond its time-out a claimed attempt has so long to end and to be recorded. */
const BEYOND_TIMEOUT_MS = 2_000;

/**
 * True while the attempt of the claimed delivery `d` can still be in flight. A worker that has held a claim for longer has died
 * over it: what it took of the limits is not kept until the claim runs out.
 */
export const isInFlight = (): SQL => {
  const longestS = (env().WEBHOOK_TIMEOUT_MS + BEYOND_TIMEOUT_MS) / 1000;
  return sql`${claimedAt()} > now() - make_interval(secs => ${longestS}::float8)`;
};

/** What an attempt needs to know of its claimed delivery `d`. */
export const columnsOfDelivery = sql`d.id as "deliveryId", d.next_attempt as attempt, d.leased_until::text as "leasedUntil"`;

/** And of the webhook `w` and the event `e` of that. */
const OF_WEBHOOK = {
  webhookId: sql`w.id`,
  url: sql`w.url`,
  host: hostKey,
  failing: sql`w.failing_since is not null`,
  untried: sql`w.first_success_at is null`,
  tenantId: sql`w.tenant_id`,
  sealedSecret: sealedSecretInForce('w'),
  nextSealedSecret: nextSealedSecret('w'),
  sealedHeaders: sql`w.sealed_headers`,
} satisfies Partial<Record<keyof DueAttempt, SQL>>;
const OF_EVENT = { eventId: sql`e.id`, body: sql`e.body`, isTest: sql`e.is_test` } satisfies Partial<
  Record<keyof DueAttempt, SQL>
>;
export type DueWebhook = Pick<DueAttempt, keyof typeof OF_WEBHOOK>;
export type DueEvent = Pick<DueAttempt, keyof typeof OF_EVENT>;

const named = (columns: Record<string, SQL>): SQL =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
    sql`, `,
  );
export const columnsOfWebhook: SQL = named(OF_WEBHOOK);
export const columnsOfEvent: SQL = named(OF_EVENT);
export const columnsOfTarget: SQL = sql`${columnsOfWebhook}, ${columnsOfEvent}`;
/** Their names, where they were selected before. */
export const namesOfTarget: SQL = sql.join(
  Object.keys({ ...OF_WEBHOOK, ...OF_EVENT }).map((name) => sql`${sql.identifier(name)}`),
  sql`, `,
);

const claimedColumns = (): SQL => sql`${columnsOfDelivery}, ${columnsOfTarget}`;

/** What a claim sees beside the attempts that it takes. */
type Seen = {
  /** The last webhook of a full page. */
  through: string | null;
  /** Something waits for a rate limit alone. */
  paced: boolean;
  /** Something waits for which there was no room. */
  left: boolean;
  /** Webhooks at quick receivers for which something waits. */
  backlog: string[];
};

const SEES_NOTHING = sql`null::text as through, false as paced, false as left, '{}'::text[] as backlog`;

/**
 * Claims the deliveries of `picked`, in one statement, and gives them in the order in which they are to be
 * begun. Of a webhook with a rate limit they use that up: the caller holds its row.
 */
export async function claimPicked(db: Db, picked: SQL): Promise<DueAttempt[]> {
  const { rows } = await db.execute<ClaimedRow>(claiming(picked, leaseSeconds()));
  return claimedOf(rows);
}

type ClaimedRow = (DueAttempt | { deliveryId: null }) & Seen;

const claimedOf = (rows: readonly ClaimedRow[]): DueAttempt[] => rows.filter((row) => row.deliveryId !== null);

/** `seen` selects from the same common tables. */
const claiming = (picked: SQL, seconds: Given, seen: SQL = SEES_NOTHING): SQL => sql`${plannedOnce}
    with recursive ${picked},
    claimed as (
      update ${deliveries} d set leased_until = ${leaseEnd(seconds)} from ${webhooks} w, ${events} e
      where d.id = any (array(select id from picked)) and w.id = d.webhook_id and e.id = d.event_id
      returning ${claimedColumns()}, d.replay_id, d.event_sequence
    ),
    paced as (
      update ${webhooks} w
      set paced_until = greatest(w.paced_until, now()) + make_interval(secs => taken.count::float8 / w.rate_limit)
      from (select "webhookId" as id, count(*) from claimed group by 1) taken
      where w.id = taken.id and w.rate_limit is not null
    )
    select seen.*, claimed.* from (select ${seen}) seen left join claimed on true
    order by replay_id is not null, event_sequence`;

/** Webhooks that one look takes in: how many more have something waiting must not decide what it costs. */
const PAGE = 128;
/** Tenants that have no untried one in flight may have so many more of these: others may hold all the rest. */
const FIRSTS_BEYOND = 8;

/** How many attempts may still be claimed: by name where the slice knows it, else `ofUnknown`. */
export interface RoomByName {
  ofUnknown: number;
  known: ReadonlyMap<string, number>;
}

/** What the attempt limiter of a slice leaves to be claimed. */
export interface Room {
  /** In all. */
  capacity: number;
  webhooks: RoomByName;
  hosts: RoomByName;
  /** Of all webhooks together whose receivers have failed since they last took something, and of those that never took anything. */
  failing: number;
  untried: number;
  /** Of one tenant: at receivers that fail or are untried, and at all those that did not answer quickly last. */
  weakOfTenant: RoomByName;
  notQuickOfTenant: RoomByName;
  /** At receivers of all tenants that did not answer quickly last; beyond it each tenant has its first one. */
  notQuick: number;
  /** Webhooks whose receivers answered this slice quickly last, and those that took something from it. */
  quick: ReadonlySet<string>;
  succeeded: ReadonlySet<string>;
  /** Webhooks are visited in id order from after this one, so that none is always served first. */
  afterWebhookId: string;
}

/** Of a rate limit, what may begin at once, in seconds' worth of it: a slice looks again within less. At least one. */
const BURST_SECONDS = 0.5;

/** Attempts of the webhook `w` that its rate limit lets begin now. */
export const allowance = sql`floor(w.rate_limit
  * (greatest(${BURST_SECONDS}::numeric, 1.0 / w.rate_limit) - greatest(0, extract(epoch from w.paced_until - now()))))`;

/**
 * Asked of the index by webhook, in the events' order. Without the expression the planner may take the index by due time instead,
 * expect next to nothing there, and read and sort the backlog of all webhooks for each claim.
 */
export const isWaiting = sql`(d.status = 'pending' and d.leased_until is null and coalesce(d.due_at, 'infinity') <= now())`;
/**
 * Asked of one delivery after the other: as a join with the events the planner would make it, it may gather and sort the whole
 * backlog of a webhook for each claim. What is only counted is not asked for its event at all.
 */
const isClaimable = sql`(${isWaiting} and (select e.pruned_at is null from ${events} e where e.id = d.event_id))`;

const KNOWN = { name: 'text', count: 'integer' } as const;
/** What is known by name as the arrays of its columns, and the rows that they make. */
export const knownValues = (left: RoomByName) =>
  bulkValues(
    KNOWN,
    [...left.known].map(([name, count]) => ({ name, count })),
  );
export const knownRows = (arrays: Readonly<Record<keyof typeof KNOWN, string | Placeholder>>): SQL =>
  bulkRowsOf('known', KNOWN, arrays);

export const known = (left: RoomByName): SQL => knownRows(knownValues(left));

/** Of each webhook in `allowed` its next first attempts, live ones before those of a replay. */
const pickNext = (): SQL => sql`
  select next.id, allowed.id as webhook_id from allowed
  cross join lateral (
    select id from (
      select id from (${firstOf(sql`d.replay_id is null`)}) live
      union all select id from (${firstOf(sql`d.replay_id is not null`)}) replayed
    ) live_first
    limit allowed.count
  ) next`;

/**
 * Claims so many first attempts of each of these webhooks, as far as they wait. Its caller has seen to everybody's share, so this
 * looks at no other webhook; one that fails or has a rate limit has none.
 */
export async function claimBacklog(db: Db, counts: ReadonlyMap<string, number>): Promise<DueAttempt[]> {
  const { name: webhookIds, count } = knownValues({ ofUnknown: 0, known: counts });
  return claimedOf(await claimOfThese<ClaimedRow>(db, { webhookIds, counts: count, seconds: leaseSeconds() }));
}

const claimOfThese = fixedStatement<{ webhookIds: string; counts: string; seconds: number }>(
  ({ webhookIds, counts, seconds }) =>
    claiming(
      sql`allowed as (
      select w.id, known.count from ${knownRows({ name: webhookIds, count: counts })}
      join ${webhooks} w on w.id = known.name and w.active and w.deleted_at is null and w.rate_limit is null
        and w.failing_since is null
    ),
    picked as (${pickNext()})`,
      seconds,
    ),
);

/** The next claimable first attempts of one webhook, in the events' order. */
const firstOf = (kind: SQL): SQL => sql`select d.id from ${deliveries} d
  where d.webhook_id = allowed.id and ${isClaimable} and ${kind}
  order by d.event_sequence limit allowed.count for no key update skip locked`;

/**
 * Claims due first attempts, in the events' order within a webhook, a few a webhook and a few a host, by turns of the tenants,
 * skipping what others hold. It steps through the webhooks that have something waiting, so one webhook's backlog hides no other's.
 * What a replay has written comes after all that is live: its events are older, and must not hold up new ones.
 * `nextAfter` is where to go on, empty after the last webhook; `paced` tells that something waits for a rate limit alone, `left`
 * that something waits for which there was no room, and `backlog` for which quick receivers something waits.
 */
export async function claimFirstAttempts(
  ctx: Ctx,
  room: Room,
): Promise<Pick<Seen, 'paced' | 'left' | 'backlog'> & { claimed: DueAttempt[]; nextAfter: string }> {
  const rows = await claimInRoom<ClaimedRow>(ctx.db, valuesOf(room));
  const { through = null, paced = false, left = false, backlog = [] } = rows[0] ?? {};
  return { claimed: claimedOf(rows), paced, left, backlog, nextAfter: through ?? '' };
}

function valuesOf(room: Room) {
  const [ofWebhook, ofHost] = [knownValues(room.webhooks), knownValues(room.hosts)];
  const [weak, notQuick] = [knownValues(room.weakOfTenant), knownValues(room.notQuickOfTenant)];
  return {
    capacity: room.capacity,
    webhooks: ofWebhook.name,
    webhookCounts: ofWebhook.count,
    unknownWebhook: room.webhooks.ofUnknown,
    hosts: ofHost.name,
    hostCounts: ofHost.count,
    unknownHost: room.hosts.ofUnknown,
    failing: room.failing,
    untried: room.untried,
    weakTenants: weak.name,
    weakTenantCounts: weak.count,
    unknownWeakTenant: room.weakOfTenant.ofUnknown,
    notQuick: room.notQuick,
    notQuickTenants: notQuick.name,
    notQuickTenantCounts: notQuick.count,
    unknownNotQuickTenant: room.notQuickOfTenant.ofUnknown,
    quick: arrayText([...room.quick]),
    succeeded: arrayText([...room.succeeded]),
    afterWebhookId: room.afterWebhookId,
    seconds: leaseSeconds(),
  };
}

const lastOfPage = sql`(select max(webhook_id) from waiting having count(webhook_id) = ${PAGE}::integer)`;
const isPaced = sql`exists (
    select from waiting
    join ${webhooks} w on w.id = waiting.webhook_id and w.active and w.deleted_at is null and w.rate_limit is not null
    left join limited on limited.id = w.id
    where coalesce(limited.allowance, 0) = 0)`;

const claimInRoom = fixedStatement<ReturnType<typeof valuesOf>>((given) =>
  claiming(
    sql`waiting as (
        (select webhook_id, 1 as rank from ${deliveries} where status = 'pending' and webhook_id > ${given.afterWebhookId}
          order by webhook_id limit 1)
        union all
        select (select d.webhook_id from ${deliveries} d where d.status = 'pending' and d.webhook_id > waiting.webhook_id
          order by d.webhook_id limit 1), rank + 1
        from waiting where waiting.webhook_id is not null and rank < ${PAGE}::integer
      ),
      -- Their rows are held, so that two slices do not give the same out twice. Who finds one held takes nothing this time.
      limited as materialized (
        select w.id, greatest(0, ${allowance})::integer as allowance from waiting
        join ${webhooks} w on w.id = waiting.webhook_id and w.active and w.deleted_at is null and w.rate_limit is not null
        for no key update of w skip locked
      ),
      wishes as (
        select w.id, w.tenant_id, ${hostKey} as host, w.id = any (${given.quick}::text[]) as quick,
          w.rate_limit is null as unlimited,
          least(claimable.count, own.most) as count, claimable.count as waits,
          case when w.failing_since is not null then 'failing'
            when w.first_success_at is null and w.id <> all (${given.succeeded}::text[]) then 'untried' end as weakness
        from waiting
        join ${webhooks} w on w.id = waiting.webhook_id and w.active and w.deleted_at is null
        left join ${knownRows({ name: given.webhooks, count: given.webhookCounts })} on known.name = w.id
        left join limited on limited.id = w.id
        cross join lateral (
          select least(coalesce(known.count, ${given.unknownWebhook}::integer),
            case when w.rate_limit is not null then coalesce(limited.allowance, 0) end) as most
        ) own
        cross join lateral (
          select count(*) from (
            select from ${deliveries} d where d.webhook_id = w.id and ${isWaiting} order by d.event_sequence
            limit own.most + case when w.rate_limit is not null and coalesce(limited.allowance, 0) = 0 then 0 else 1 end
          ) d
        ) claimable
      ),
      -- One row a wish. Every tenant's first comes before any tenant's second, however many webhooks it has, and within a
      -- tenant every webhook's. Chance decides among equals: the first by id would keep the others at its host from
      -- ever being served.
      turns as (
        select wishes.*, row_number() over (partition by tenant_id order by nth, random()) as turn
        from wishes cross join generate_series(1, wishes.count) nth
      ),
      at_host as (select turns.*, row_number() over (partition by host order by turn, random()) as rank from turns),
      among_weak as (
        select at_host.*, row_number() over (partition by tenant_id, weakness is not null order by turn) as weak_rank
        from at_host left join ${knownRows({ name: given.hosts, count: given.hostCounts })} on known.name = at_host.host
        where at_host.rank <= coalesce(known.count, ${given.unknownHost}::integer)
      ),
      of_tenant as (
        select among_weak.*, row_number() over (partition by tenant_id, quick order by turn) as tenant_rank,
          weak_rank = 1
            and coalesce(known.count, ${given.unknownWeakTenant}::integer) = ${given.unknownWeakTenant}::integer
            as first_weak
        from among_weak left join ${knownRows({ name: given.weakTenants, count: given.weakTenantCounts })} on known.name = tenant_id
        where weakness is null or weak_rank <= coalesce(known.count, ${given.unknownWeakTenant}::integer)
      ),
      of_weakness as (
        select id, quick, weakness, first_weak, turn, row_number() over (partition by weakness order by turn, random()) as weakness_rank,
          quick or (tenant_rank = 1
            and coalesce(known.count, ${given.unknownNotQuickTenant}::integer) = ${given.unknownNotQuickTenant}::integer)
            as has_slot
        from of_tenant left join ${knownRows({ name: given.notQuickTenants, count: given.notQuickTenantCounts })} on known.name = tenant_id
        where quick or tenant_rank <= coalesce(known.count, ${given.unknownNotQuickTenant}::integer)
      ),
      among_not_quick as (
        select id, turn, has_slot,
          row_number() over (partition by quick order by not has_slot, turn, random()) as not_quick_rank
        from of_weakness
        where weakness is null
          or weakness_rank <= case weakness when 'failing' then ${given.failing}::integer else ${given.untried}::integer end
            + case when first_weak and weakness = 'untried' then ${FIRSTS_BEYOND}::integer else 0 end
      ),
      among_all as (
        select id, row_number() over (order by turn, random()) as rank from among_not_quick
        where has_slot or not_quick_rank <= ${given.notQuick}::integer
      ),
      allowed as (select id, count(*) as count from among_all where rank <= ${given.capacity}::integer group by id order by id),
      picked as (${pickNext()}),
      left_over as (
        select wishes.id, wishes.quick and unlimited and weakness is null as quick
        from wishes left join (select webhook_id, count(*) from picked group by 1) taken on taken.webhook_id = wishes.id
        where waits > coalesce(taken.count, 0)
      )`,
    given.seconds,
    sql`${lastOfPage} as through, ${isPaced} as paced, exists (select from left_over where not quick) as left,
      array(select id from left_over where quick) as backlog`,
  ),
);

/** Gives claims back of which nothing came, as if they had never been made. What was claimed anew meanwhile stays so. */
export async function returnClaims(ctx: Ctx, claimed: readonly DueAttempt[]): Promise<void> {
  if (claimed.length === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', leased_until: 'timestamptz' },
    claimed.map(({ deliveryId, leasedUntil }) => ({ id: deliveryId, leased_until: leasedUntil })),
  );
  await ctx.db.execute(sql`
    with held as materialized (
      select d.id from ${given} join ${deliveries} d on d.id = given.id and d.leased_until = given.leased_until
      order by d.id for no key update of d
    )
    update ${deliveries} d set leased_until = null where d.id = any (array(select id from held))`);
}

/** Rows one statement takes on, so that a backlog cannot make it long. */
const RELEASED_AT_ONCE = 500;
/** A delivery that was interrupted this often is not interrupted by chance: it would go round for ever. */
const MAX_INTERRUPTED = 20;

/**
 * Frees deliveries whose lease ran out (database clock): the worker that held them died. The attempt is recorded `interrupted`
 * and is made again under the same number, so no step of the schedule is lost (docs/webhooks.md#retries). The twentieth
 * time ends the delivery as `failed`, and is reported. With `deliveryId` only that one. Returns how many were freed.
 */
export async function releaseExpiredClaims(ctx: Ctx, deliveryId: string | null = null): Promise<number> {
  const isExpired = sql`d.leased_until < now() and (${deliveryId}::text is null or d.id = ${deliveryId})`;
  // Nearly always there is none.
  const { rows } = await ctx.db.execute(sql`select from ${deliveries} d where ${isExpired} limit 1`);
  if (rows.length === 0) return 0;
  const most = deliveryId === null ? RELEASED_AT_ONCE : 1;
  const attemptIds = newIds('att', ctx.random, most, ctx.clock.nowMs());
  const released = await ctx.db.transaction(async (tx) => {
    const ended = await writeInterrupted(tx, isExpired, attemptIds);
    await reportFailed(tx, ctx, ended);
    return ended;
  });
  for (const { deliveryId: id } of released.filter(({ givenUp }) => givenUp)) {
    ctx.log.error({ delivery_id: id }, `A delivery was given up: ${MAX_INTERRUPTED} attempts were interrupted`);
  }
  if (released.some(isReported)) await wakeDispatch(ctx);
  return released.length;
}

async function writeInterrupted(
  tx: Tx,
  isExpired: SQL,
  attemptIds: readonly string[],
): Promise<(EndedDelivery & { givenUp: boolean })[]> {
  // The attempt that is recorded by this very statement is not among those it counts.
  const result = await tx.execute<EndedDelivery & { givenUp: boolean }>(sql`
    with expired as (
      select d.id, d.next_attempt, ${claimedAt()} as claimed_at,
        (select count(*) from ${deliveryAttempts} a where a.delivery_id = d.id and a.error_kind = 'interrupted') + 1
          >= ${MAX_INTERRUPTED}::integer and d.status in ('pending', 'retrying') as given_up
      from ${deliveries} d
      where ${isExpired}
      order by d.id limit ${RELEASED_AT_ONCE} for no key update skip locked
    ),
    interrupted as (
      insert into ${deliveryAttempts} (id, delivery_id, attempt, started_at, error_kind)
      select (${textArray(attemptIds)})[row_number() over ()], id, next_attempt, claimed_at, 'interrupted' from expired
    )
    update ${deliveries} d
    set leased_until = null,
      status = case when given_up then 'failed' else d.status end,
      due_at = case when given_up then null else d.due_at end,
      next_attempt = d.next_attempt + case when given_up then 1 else 0 end
    from expired, ${events} e where d.id = expired.id and e.id = d.event_id
    returning d.id as "deliveryId", d.webhook_id as "webhookId", case when given_up then 'failed' else d.status end as status,
      e.id as "eventId", e.type as "eventType", e.is_test as "isTest", d.next_attempt as "nextAttempt",
      d.response_code as "responseCode", given_up as "givenUp"`);
  return result.rows;
}

/** A first attempt that another worker has in flight. */
export type InFlight = { id: string; leasedUntil: string; webhookId: string; host: string };

const isFirstInFlight = (): SQL => sql`d.status = 'pending' and ${isInFlight()}`;

/** First attempts in flight. A slice that has claimed nothing yet learns from it what other workers have. */
export async function findInFlight({ db }: Ctx): Promise<InFlight[]> {
  const { rows } = await db.execute<InFlight>(sql`
    select d.id, d.leased_until::text as "leasedUntil", w.id as "webhookId", ${hostKey} as host
    from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id where d.leased_until > now() and ${isFirstInFlight()}`);
  return rows;
}

/** Those of `attempts` that have not ended. */
export async function stillInFlight({ db }: Ctx, attempts: readonly InFlight[]): Promise<InFlight[]> {
  const known = bulkRows(
    'known',
    { id: 'text', leased_until: 'timestamptz' },
    attempts.map(({ id, leasedUntil }) => ({ id, leased_until: leasedUntil })),
  );
  const { rows } = await db.execute<{ id: string }>(sql`
    select d.id from ${known} join ${deliveries} d on d.id = known.id and d.leased_until = known.leased_until
    where ${isFirstInFlight()}`);
  const ids = new Set(rows.map(({ id }) => id));
  return attempts.filter(({ id }) => ids.has(id));
}
