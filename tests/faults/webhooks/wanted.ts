import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { DELIVERY_FAILED } from '#lib/webhooks/delivery/failed-deliveries.ts';
import { RETRY_DELAYS_SECONDS } from '#lib/webhooks/schemas.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { newDeveloper, type Platform, type Subscribed, subscribe } from '#tests/faults/platform.ts';
import { OWN_HEADERS } from '#tests/faults/receiver.ts';

const XRP_IN_DROPS = 1_000_000n;
/** Webhooks whose receiver never takes some of the events, and one of the same tenant that is told of it. */
export const REFUSING: ReadonlySet<number> = new Set([0]);
const TOLD_OF_IT = 1;

/** Registers a webhook with what its receiver wants: headers, a rate limit, conditions; some want nothing. */
export async function subscribeWanting(platform: Platform, draw: Draw, count: number): Promise<Subscribed[]> {
  const shared = await newDeveloper(platform);
  const webhooks: Subscribed[] = [];
  for (let n = 0; n < count; n++) {
    const isShared = REFUSING.has(n) || n === TOLD_OF_IT;
    const headers = draw.chance(0.5) ? { [`${OWN_HEADERS}key`]: `of webhook ${n}` } : {};
    const rateLimit = draw.chance(0.5) ? draw.pick([10, 20, 40]) : null;
    const minAmountXrp = draw.chance(0.3) ? draw.pick([5, 250]) : null;
    const statuses = draw.chance(0.3) ? [draw.pick(['pending_confirmation', 'confirmed', 'failed'] as const)] : null;
    const id = await subscribe(platform, n, isShared ? shared : await newDeveloper(platform), {
      headers,
      rate_limit: rateLimit,
      min_amount_xrp: minAmountXrp === null ? null : BigInt(minAmountXrp) * XRP_IN_DROPS,
      statuses,
    });
    webhooks.push({ id, events: null, projectId: null, tenant: isShared ? -1 : n, minAmountXrp, statuses });
    const { report } = platform.run;
    if (Object.keys(headers).length > 0) report.count('wanted', 'headers');
    if (rateLimit !== null) report.count('wanted', `${rateLimit} a second`);
    if (minAmountXrp !== null) report.count('wanted', 'an amount');
    if (statuses !== null) report.count('wanted', 'a status');
  }
  return webhooks;
}

/** Has the database itself write down each claim, and how far off each retry was put. */
export async function observe(db: Db): Promise<void> {
  await db.execute(
    sql`create table observed_claims (delivery_id text, at timestamptz default now(), seen_at timestamptz default clock_timestamp())`,
  );
  await db.execute(sql`create table observed_delays (delivery_id text, attempt integer, seconds float8)`);
  await db.execute(sql`
    create function observe_delivery() returns trigger language plpgsql as $$ begin
      if new.leased_until is not null and (tg_op = 'INSERT' or old.leased_until is null) then
        insert into observed_claims values (new.id);
      end if;
      if tg_op = 'UPDATE' and new.status = 'retrying' and new.next_attempt = old.next_attempt + 1 then
        insert into observed_delays values (new.id, old.next_attempt, extract(epoch from new.due_at - now()));
      end if;
      return null;
    end $$`);
  await db.execute(
    sql`create trigger observe after insert or update on deliveries for each row execute function observe_delivery()`,
  );
}

/** Clocks are as fine as a microsecond; a rate is counted in many steps. */
const TOLERANCE_SECONDS = 0.001;
/** Of a rate limit, what may begin at once (docs/webhooks.md#limits). */
const BURST_SECONDS = 0.5;

/** Whether no more attempts were claimed than the rate limit of each webhook lets begin, by the database's clock. */
export async function verifyRates({ db, run: { report } }: Platform): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; rate: number; at: number }>(sql`
    select w.id, w.rate_limit as rate, extract(epoch from c.at)::float8 as at
    from observed_claims c join deliveries d on d.id = c.delivery_id join webhooks w on w.id = d.webhook_id
    where w.rate_limit is not null order by w.id, c.at`);
  report.count('figures', 'claims within a rate limit', rows.length);
  const usedUntil = new Map<string, number>();
  const broken = new Set<string>();
  for (const { id, rate, at } of rows) {
    const until = Math.max(usedUntil.get(id) ?? 0, at) + 1 / rate;
    usedUntil.set(id, until);
    if (until - at > Math.max(BURST_SECONDS, 1 / rate) + TOLERANCE_SECONDS) broken.add(id);
  }
  return [...broken].map((id) => `${id} got more attempts than its rate limit allows`);
}

/** What a receiver asked for in seconds; null where the answer does not say so. */
const secondsAsked = (code: number | null, retryAfter: string | null): number | null =>
  (code === 429 || code === 503) && retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;

/** Whether each retry was put off as the schedule and its receiver say: never sooner, and never beyond the next delay. */
export async function verifyDelays({ db, run: { report } }: Platform): Promise<string[]> {
  const { rows } = await db.execute<{
    id: string;
    attempt: number;
    seconds: number;
    code: number | null;
    retryAfter: string | null;
  }>(sql`
    select o.delivery_id as id, o.attempt, o.seconds, a.response_code as code, a.retry_after as "retryAfter"
    from observed_delays o left join delivery_attempts a on a.delivery_id = o.delivery_id and a.attempt = o.attempt
      and a.error_kind is distinct from 'interrupted'`);
  return rows.flatMap(({ id, attempt, seconds, code, retryAfter }) => {
    const least = RETRY_DELAYS_SECONDS[attempt - 1] ?? Number.POSITIVE_INFINITY;
    const most = RETRY_DELAYS_SECONDS[attempt] ?? least;
    const asked = secondsAsked(code, retryAfter);
    if (asked !== null) report.count('figures', 'answers that said when');
    const isWrong =
      asked === null
        ? seconds < least - TOLERANCE_SECONDS || seconds > most + TOLERANCE_SECONDS
        : Math.abs(seconds - Math.min(Math.max(asked, least), most)) > TOLERANCE_SECONDS;
    return isWrong ? [`${id} waits ${seconds} s after attempt ${attempt}, asked for ${retryAfter}`] : [];
  });
}

/** Whether nothing was claimed of an event after its erasure, and nothing that a receiver answered to it is kept. */
export async function verifyErasures(
  { db, run: { report } }: Platform,
  erased: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wrong: string[] = [];
  report.count('figures', 'erased', erased.size);
  for (const [eventId, at] of erased) {
    const { rows } = await db.execute<{ claims: number; kept: number }>(sql`
      select (select count(*) from observed_claims c join deliveries d on d.id = c.delivery_id
          where d.event_id = ${eventId} and c.seen_at > ${at}::timestamptz)::integer as claims,
        (select count(*) from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.event_id = ${eventId}
          and (a.response_body is not null or a.response_headers is not null or a.retry_after is not null))::integer as kept`);
    const { claims = 0, kept = 0 } = rows[0] ?? {};
    if (claims > 0) wrong.push(`${eventId} was claimed ${claims} times after its erasure`);
    if (kept > 0) wrong.push(`${kept} answers to the erased ${eventId} are kept`);
  }
  return wrong;
}

/** Whether each delivery of which no attempt was left is reported, once. */
export async function verifyReports({ db, run: { report } }: Platform): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; reports: number }>(sql`
    select d.id, (select count(*) from events r where r.type = ${DELIVERY_FAILED}
        and nullif(r.body, '')::jsonb #>> '{data,delivery_id}' = d.id)::integer as reports
    from deliveries d join events e on e.id = d.event_id where d.status = 'failed' and e.type <> ${DELIVERY_FAILED}`);
  report.count('figures', 'exhausted', rows.length);
  return rows.flatMap(({ id, reports }) => (reports === 1 ? [] : [`${id} failed and is reported ${reports} times`]));
}
