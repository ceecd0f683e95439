import { type SQL, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSealedSecret, sealedSecretInForce } from '#lib/webhooks/rotation/in-force.ts';
import { mayRetryNow, type RetriesUnderWay } from './retry-limits.ts';

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
export const hostKey = sql`case when w.host ~ '^(?:127[.][0-9]+[.][0-9]+[.][0-9]+|localhost)$'
  then substring(w.url from '^[^/]*//([^/?]*)') else w.host end`;

/** True while the event still has its body: once it was pruned there is nothing to send. */
export const hasBody = sql`exists (select from ${events} e where e.id = d.event_id and e.pruned_at is null)`;

/** Beyond the exchange itself, an attempt may wait this long to be recorded. */
const LEASE_MARGIN_MS = 20_000;

/** How long a claim holds, in milliseconds: longer than an attempt can take. */
export const leaseMs = (): number => env().WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;

export const leaseEnd = (): SQL => sql`now() + make_interval(secs => ${leaseMs() / 1000}::float8)`;

/** When an attempt of the delivery `d` that is under way was claimed. */
export const claimedAt = (): SQL => sql`d.leased_until - make_interval(secs => ${leaseMs() / 1000}::float8)`;

/** Beyond its time-out a claimed attempt has so long to end and to be recorded. */
const BEYOND_TIMEOUT_MS = 2_000;

/**
 * True while the attempt of the leased delivery `d` can still be under way. Whoever has held a claim for longer has died
 * over it: the places that it took are not kept until the claim runs out.
 */
export const isUnderWay = (): SQL => {
  const longestS = (env().WEBHOOK_TIMEOUT_MS + BEYOND_TIMEOUT_MS) / 1000;
  return sql`${claimedAt()} > now() - make_interval(secs => ${longestS}::float8)`;
};

/**
 * Marks the deliveries of `picked` as under way, in one statement, and gives them in the order in which they are to be
 * begun. `through` is what the given expression over the same common tables comes to.
 */
export async function claimPicked(
  db: Db,
  picked: SQL,
  through: SQL = sql`null::text`,
): Promise<{ claimed: DueAttempt[]; through: string | null }> {
  const result = await db.execute<(DueAttempt | { deliveryId: null }) & { through: string | null }>(sql`
    with recursive ${picked},
    claimed as (
      update ${deliveries} d set leased_until = ${leaseEnd()} from ${webhooks} w, ${events} e
      where d.id = any (array(select id from picked)) and w.id = d.webhook_id and e.id = d.event_id
      returning d.id as "deliveryId", d.next_attempt as attempt, d.leased_until::text as "leasedUntil", w.id as "webhookId", w.url,
        ${hostKey} as host, w.failing_since is not null as failing, w.first_success_at is null as untried, w.tenant_id as "tenantId",
        ${sealedSecretInForce('w')} as "sealedSecret",
        ${nextSealedSecret('w')} as "nextSealedSecret", e.id as "eventId", e.body, e.is_test as "isTest", d.replay_id, d.event_sequence
    )
    select looked.through, "deliveryId", attempt, "leasedUntil", "webhookId", "tenantId", url, host, failing, untried, "sealedSecret", "nextSealedSecret",
      "eventId", body, "isTest"
    from (select ${through} as through) looked left join claimed on true
    order by replay_id is not null, event_sequence`);
  return {
    claimed: result.rows.filter((row) => row.deliveryId !== null),
    through: result.rows[0]?.through ?? null,
  };
}

/** How long a claim may do nothing while it holds the lock that all share. */
const MOST_IDLE = '5s';

/** Attempt number `attempt` of a delivery, if it can be claimed. */
const claimable = (deliveryId: string, attempt: number): SQL =>
  sql`${deliveries} d join ${webhooks} w on w.id = d.webhook_id
    where d.id = ${deliveryId} and d.next_attempt = ${attempt} and d.status in ('pending', 'retrying')
      and d.leased_until is null and w.active and w.deleted_at is null and ${hasBody}`;

/** Retries under way in all processes, as they concern this one; null when it cannot be claimed. */
async function countRetries(db: Db, deliveryId: string, attempt: number): Promise<RetriesUnderWay | null> {
  const { rows } = await db.execute<RetriesUnderWay>(sql`
    with wanted as (
      select w.tenant_id, ${hostKey} as host, w.first_success_at is null as untried from ${claimable(deliveryId, attempt)}
    ),
    -- Also those whose delivery was cancelled or whose webhook was deleted meanwhile: their receivers are still waited for.
    under_way as (
      select w.tenant_id, ${hostKey} as host, w.first_success_at is null as untried
      from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
      where d.leased_until > now() and d.next_attempt > 1 and ${isUnderWay()}
    )
    select wanted.untried,
      (count(*) filter (where u.tenant_id = wanted.tenant_id))::integer as "ofTenant",
      (count(*) filter (where u.tenant_id = wanted.tenant_id and u.host = wanted.host))::integer as "ofTenantAtHost",
      (count(*) filter (where u.untried = wanted.untried))::integer as "ofKind",
      (count(*) filter (where u.untried = wanted.untried and u.tenant_id = wanted.tenant_id))::integer as "ofTenantOfKind",
      (count(distinct u.tenant_id) filter (where u.untried = wanted.untried and u.tenant_id <> wanted.tenant_id))::integer
        as "otherTenantsOfKind"
    from wanted left join under_way u on true group by wanted.untried`);
  return rows[0] ?? null;
}

/**
 * Claims attempt number `attempt` of a delivery, whatever its due time says: the caller was told by the queue that it
 * is time. Compare-and-set on the number, so a duplicate callback gets null; so does one for a delivery that has
 * ended, is under way, whose webhook is inactive, or whose event was pruned. `no_room`: the retries that all processes have
 * under way leave none for this one's tenant.
 */
export async function claimAttempt(ctx: Ctx, deliveryId: string, attempt: number): Promise<Claimed | 'no_room' | null> {
  // Without the lock first: callbacks that find no room must not keep those waiting that do.
  const retries = await countRetries(ctx.db, deliveryId, attempt);
  if (retries === null) return null;
  if (!mayRetryNow(retries)) return 'no_room';
  return ctx.db.transaction(async (tx) => {
    // The row comes first: whoever holds the lock that all claims share must not wait for anything else.
    await tx.execute(sql`select from ${deliveries} where id = ${deliveryId} for no key update`);
    // One claim at a time over all processes. The count is a statement of its own: its snapshot is taken once we have the lock.
    // A function that is frozen meanwhile loses it soon: all other retries wait for it.
    await tx.execute(sql`select set_config('idle_in_transaction_session_timeout', ${MOST_IDLE}, true),
      pg_advisory_xact_lock(hashtextextended('webhook retries', 0))`);
    const counted = await countRetries(tx, deliveryId, attempt);
    if (counted === null) return null;
    if (!mayRetryNow(counted)) return 'no_room';
    const { claimed } = await claimPicked(
      tx,
      sql`picked as (select d.id from ${claimable(deliveryId, attempt)} for no key update of d)`,
    );
    return claimed[0] ?? null;
  });
}
