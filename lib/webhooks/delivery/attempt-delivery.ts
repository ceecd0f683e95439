import { type SQL, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { randomBase62 } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { CallbackOutcome } from '#lib/webhooks/schemas.ts';
import { cancelUndeliverableAttempt } from './cancel.ts';
import { allowance, type Claimed, claimPicked, hasBody, hostKey, isInFlight, releaseExpiredClaims } from './claim.ts';
import { publishCallbacks } from './publish-retries.ts';
import { openSender, performAttempt } from './send.ts';
import { storeOutcome } from './store-outcomes.ts';

/** How long a claim may do nothing while it holds the lock that all share. */
const MOST_IDLE = '5s';

/** A retry that finds no room comes back after a time between these, by chance, so that all do not come at once. */
const POSTPONED_SECONDS = { least: 30, most: 60 };
/** Each time it finds none the time doubles, so often: a backlog without end must not cost messages without end. */
const MOST_DOUBLINGS = 5;

/**
 * Makes attempt number `attempt` of a delivery because the queue says it is time; the number decides, not the clock.
 * A duplicate callback does nothing; one for whose tenant there is no room is put off. Gives a plain answer once the outcome
 * is stored, also when the receiver failed: an error here would set off the queue's own back-off, which must not bend the
 * schedule.
 */
export async function attemptDelivery(
  ctx: Ctx,
  { delivery_id: deliveryId, attempt, republished = 0 }: { delivery_id: string; attempt: number; republished?: number },
): Promise<{ outcome: CallbackOutcome }> {
  let claimed = await claimRetry(ctx, deliveryId, attempt);
  if (claimed === null && (await releaseExpiredClaims(ctx, deliveryId)) > 0) {
    claimed = await claimRetry(ctx, deliveryId, attempt);
  }
  if (claimed === 'no_room') {
    await postpone(ctx, deliveryId, attempt, republished);
    return { outcome: 'postponed' };
  }
  if (claimed === null) {
    return { outcome: (await cancelUndeliverableAttempt(ctx.db, deliveryId, attempt)) ? 'cancelled' : 'not_claimed' };
  }
  const sender = openSender();
  try {
    const recorded = await storeOutcome(ctx, await performAttempt(ctx, sender, claimed));
    return { outcome: recorded?.status ?? 'not_claimed' };
  } finally {
    await sender.close();
  }
}

/**
 * Claims attempt number `attempt` of a delivery, whatever its due time says: the caller was told by the queue that it
 * is time. Compare-and-set on the number, so a duplicate callback gets null; so does one for a delivery that has
 * ended, is in flight, whose webhook is inactive, or whose event was pruned. `no_room`: the retries that all workers have
 * in flight leave none for this one's tenant.
 */
export async function claimRetry(ctx: Ctx, deliveryId: string, attempt: number): Promise<Claimed | 'no_room' | null> {
  // Without the lock first: callbacks that find no room must not keep those waiting that do.
  const retries = await countRetries(ctx.db, deliveryId, attempt);
  if (retries === null) return null;
  if (!mayRetryNow(retries)) return 'no_room';
  return ctx.db.transaction(async (tx) => {
    if (retries.limited) {
      // Its claim changes the webhook, and who deletes one locks it before its deliveries.
      await tx.execute(sql`select from ${webhooks} w
        where w.id = (select webhook_id from ${deliveries} where id = ${deliveryId}) for no key update of w`);
    }
    // The row comes first: the holder of the lock that all claims share must not wait for anything else.
    await tx.execute(sql`select from ${deliveries} where id = ${deliveryId} for no key update`);
    // One claim at a time over all processes. The count is a statement of its own: its snapshot is taken once we have the lock.
    // A function that is frozen meanwhile loses it soon: all other retries wait for it.
    await tx.execute(sql`select set_config('idle_in_transaction_session_timeout', ${MOST_IDLE}, true),
      pg_advisory_xact_lock(hashtextextended('webhook retries', 0))`);
    const counted = await countRetries(tx, deliveryId, attempt);
    if (counted === null) return null;
    if (!mayRetryNow(counted)) return 'no_room';
    const claimed = await claimPicked(
      tx,
      sql`picked as (select d.id from ${claimable(deliveryId, attempt)} for no key update of d)`,
    );
    return claimed[0] ?? null;
  });
}

/** Retries in flight at all workers, as they concern this one; null when it cannot be claimed. `limited`: its webhook has a rate limit. */
async function countRetries(
  db: Db,
  deliveryId: string,
  attempt: number,
): Promise<(RetriesInFlight & { limited: boolean }) | null> {
  const { rows } = await db.execute<RetriesInFlight & { limited: boolean }>(sql`
    with wanted as (
      select w.tenant_id, ${hostKey} as host, w.first_success_at is null as untried,
        w.rate_limit is not null as limited, w.rate_limit is not null and ${allowance} < 1 as paced from ${claimable(deliveryId, attempt)}
    ),
    -- Also those whose delivery was cancelled or whose webhook was deleted meanwhile: their receivers are still waited for.
    in_flight as (
      select w.tenant_id, ${hostKey} as host, w.first_success_at is null as untried
      from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
      where d.leased_until > now() and d.next_attempt > 1 and ${isInFlight()}
    )
    select wanted.untried, wanted.limited, wanted.paced,
      (count(*) filter (where u.tenant_id = wanted.tenant_id))::integer as "ofTenant",
      (count(*) filter (where u.tenant_id = wanted.tenant_id and u.host = wanted.host))::integer as "ofTenantAtHost",
      (count(*) filter (where u.untried = wanted.untried))::integer as "ofKind",
      (count(*) filter (where u.untried = wanted.untried and u.tenant_id = wanted.tenant_id))::integer as "ofTenantOfKind",
      (count(distinct u.tenant_id) filter (where u.untried = wanted.untried and u.tenant_id <> wanted.tenant_id))::integer
        as "otherTenantsOfKind"
    from wanted left join in_flight u on true group by wanted.untried, wanted.limited, wanted.paced`);
  return rows[0] ?? null;
}

/** Attempt number `attempt` of a delivery, if it can be claimed. Its rate limit is not among what says so. */
const claimable = (deliveryId: string, attempt: number): SQL =>
  sql`${deliveries} d join ${webhooks} w on w.id = d.webhook_id
    where d.id = ${deliveryId} and d.next_attempt = ${attempt} and d.status in ('pending', 'retrying')
      and d.leased_until is null and w.active and w.deleted_at is null and ${hasBody}`;

/**
 * Puts a retry off for which there is no room, and publishes its callback for then. That is no attempt: its number stays.
 * Only the callback that was published last does so, as others would come back beside it. When the queue does not take the
 * callback, or we die before that, the sweep finds the retry.
 */
async function postpone(ctx: Ctx, deliveryId: string, attempt: number, republished: number): Promise<void> {
  const { least, most } = POSTPONED_SECONDS;
  const { rows } = await ctx.db.execute<{ host: string; sweeps: number; delaySeconds: number }>(sql`
    update ${deliveries} d
    set sweeps = d.sweeps + 1,
      due_at = now() + make_interval(secs => (${least}::integer + random() * ${most - least}::integer)
        * power(2, least(greatest(d.sweeps, 0), ${MOST_DOUBLINGS}::integer)))
    from ${webhooks} w
    where d.id = ${deliveryId} and w.id = d.webhook_id and d.next_attempt = ${attempt} and d.status = 'retrying'
      and d.leased_until is null and d.sweeps <= ${republished}::integer
    returning ${hostKey} as host, d.sweeps, floor(extract(epoch from d.due_at - now()))::integer as "delaySeconds"`);
  const [put] = rows;
  if (put === undefined) return;
  await publishCallbacks(ctx, [
    {
      deliveryId,
      attempt,
      host: put.host,
      delaySeconds: put.delaySeconds,
      republished: put.sweeps,
      suffix: `p${randomBase62(ctx.random, 8)}`,
    },
  ]);
}

/** Retries in flight at all workers, as they concern one that is to begin. */
export type RetriesInFlight = {
  /** Its webhook has never taken an event at its URL: anybody can register such webhooks. */
  untried: boolean;
  /** The rate limit of its webhook is used up. */
  paced: boolean;
  ofTenant: number;
  ofTenantAtHost: number;
  /** Of webhooks that have taken an event where this one has, else of those that have not. */
  ofKind: number;
  ofTenantOfKind: number;
  otherTenantsOfKind: number;
};

/** At webhooks that have taken an event, and at those that have not: these can never take a place from the others. */
const MOST_OF_TRIED = 32;
const MOST_OF_UNTRIED = 16;
/** Of one tenant, as many as the queue calls back at one host; and so many more, each at a host where it has none. */
const MOST_OF_TENANT = 8;
const AT_OTHER_HOSTS = 4;

/**
 * True while a retry may begin. Where all places are taken, a tenant that has less than an equal share of them gets one all
 * the same, and each tenant its first: nobody can keep another's retries out, however many tenants they are.
 */
export function mayRetryNow(retries: RetriesInFlight): boolean {
  const most = retries.untried ? MOST_OF_UNTRIED : MOST_OF_TRIED;
  const share = Math.max(1, Math.floor(most / (retries.otherTenantsOfKind + 1)));
  const mostOfTenant = retries.ofTenantAtHost === 0 ? MOST_OF_TENANT + AT_OTHER_HOSTS : MOST_OF_TENANT;
  return !retries.paced && retries.ofTenant < mostOfTenant && (retries.ofKind < most || retries.ofTenantOfKind < share);
}
