import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { type EventType, PUBLIC_EVENT_TYPES, TENANT_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { MAX_ATTEMPTS } from '#lib/webhooks/schemas.ts';
import type { Platform, Subscribed } from './platform.ts';

/** One pair of event and webhook as the database has it. */
type Delivered = {
  eventId: string;
  webhookId: string;
  status: string;
  nextAttempt: number;
  isLeased: boolean;
  /** Attempts with an outcome, and the numbers they bear. */
  ended: number;
  numbers: number;
  highest: number;
  succeeded: number;
  /** Attempts that got an answer. */
  answered: number;
  interrupted: number;
  open: number;
  /** SHA-256 of the event's body. */
  digest: string;
};

/** What is wrong with the attempts of one pair, however it ended. */
function attemptFaults(row: Delivered): string[] {
  const faults: string[] = [];
  if (row.isLeased) faults.push('is still leased');
  if (row.open > 0) faults.push(`has ${row.open} attempts without an end`);
  if (row.numbers !== row.ended) faults.push('has two outcomes under one number');
  if (row.highest !== row.ended || row.nextAttempt !== row.ended + 1) faults.push('left out a number');
  if (row.ended > MAX_ATTEMPTS) faults.push(`took ${row.ended} attempts`);
  return faults;
}

/** What is wrong with one pair whose receiver works, given how often it arrived and with which bytes. */
function faultsOf(row: Delivered, seen: { arrivals: number; digest: string } | undefined): string[] {
  const faults = attemptFaults(row);
  if (row.status !== 'success') faults.push(`ended ${row.status}`);
  if (row.succeeded !== 1) faults.push(`succeeded ${row.succeeded} times`);
  if (seen === undefined) return [...faults, 'never arrived'];
  if (seen.digest !== row.digest) faults.push('arrived with other bytes than were written');
  // What was answered did reach the receiver, once; what was interrupted or timed out may have, or not.
  if (seen.arrivals < row.answered || seen.arrivals > row.ended + row.interrupted) {
    faults.push(`arrived ${seen.arrivals} times in ${row.ended} attempts and ${row.interrupted} interrupted ones`);
  }
  return faults;
}

/** All pairs up to an event. */
async function readDeliveries(db: Db, throughSequence: number): Promise<Delivered[]> {
  const { rows } = await db.execute<Delivered>(sql`
    select d.event_id as "eventId", d.webhook_id as "webhookId", d.status, d.next_attempt as "nextAttempt",
      d.leased_until is not null as "isLeased",
      count(a.id) filter (where a.error_kind is distinct from 'interrupted')::integer as ended,
      count(distinct a.attempt) filter (where a.error_kind is distinct from 'interrupted')::integer as numbers,
      coalesce(max(a.attempt), 0) as highest,
      count(a.id) filter (where a.response_code is not null)::integer as answered,
      count(a.id) filter (where a.error_kind is null and a.duration_ms is not null)::integer as succeeded,
      count(a.id) filter (where a.error_kind = 'interrupted')::integer as interrupted,
      count(a.id) filter (where a.error_kind is null and a.duration_ms is null)::integer as open,
      encode(sha256(convert_to(e.body, 'UTF8')), 'hex') as digest
    from deliveries d join events e on e.id = d.event_id left join delivery_attempts a on a.delivery_id = d.id
    where e.sequence <= ${throughSequence}
    group by d.id, e.id`);
  return rows;
}

/** Events for every webhook of a campaign: all but those for administrators, or for the other webhooks of one tenant: each has a tenant of its own. */
const FOR_ALL = PUBLIC_EVENT_TYPES.filter((type) => !TENANT_EVENT_TYPES.includes(type));

interface Told extends Record<string, unknown> {
  id: string;
  type: EventType;
  projectId: string | null;
  isBeforeLaunch: boolean;
  isErased: boolean;
  amountXrp: string | null;
  status: string | null;
  /** The webhook that it tells of. */
  aboutId: string | null;
}

/** Whether it tells of another webhook of the same tenant. */
function isOfNeighbour(webhook: Subscribed, webhooks: readonly Subscribed[], { aboutId }: Told): boolean {
  const about = webhooks.find(({ id }) => id === aboutId);
  return about !== undefined && about !== webhook && about.tenant !== undefined && about.tenant === webhook.tenant;
}

function isOwedTo(webhook: Subscribed, webhooks: readonly Subscribed[], told: Told): boolean {
  const { events, projectId, minAmountXrp = null, statuses = null } = webhook;
  const isType =
    events === null
      ? FOR_ALL.includes(told.type) ||
        (TENANT_EVENT_TYPES.includes(told.type) && isOfNeighbour(webhook, webhooks, told))
      : events.includes(told.type);
  return (
    isType &&
    (projectId === null || told.projectId === null || projectId === told.projectId) &&
    (minAmountXrp === null || told.amountXrp === null || Number(told.amountXrp) >= minAmountXrp) &&
    (statuses === null || told.status === null || statuses.includes(told.status))
  );
}

/** The same of an event whose body was erased: what it was sent before is over, and nothing was sent without the body. */
function faultsOfErased(row: Delivered, seen: { digest: string } | undefined): string[] {
  const faults = row.isLeased ? ['is still leased'] : [];
  if (!['success', 'failed', 'cancelled'].includes(row.status)) faults.push(`ended ${row.status}`);
  if (seen?.digest === row.digest) faults.push('arrived without its body');
  return faults;
}

/** The same where the receiver never takes anything. */
function faultsOfDead(row: Delivered): string[] {
  const isLast = row.status === 'failed' && row.ended === MAX_ATTEMPTS;
  return [...attemptFaults(row), ...(isLast ? [] : [`ended ${row.status} after ${row.ended}`])];
}

/**
 * Whether every event up to one reached every webhook that it is owed to and whose receiver works; where the receiver takes
 * nothing, the delivery ended after its last attempt. At most one outcome a number, and nothing for who is owed nothing.
 */
export async function verifyDeliveries(
  { db, receivers, run: { report } }: Platform,
  webhooks: readonly Subscribed[],
  { throughSequence = Number.MAX_SAFE_INTEGER, dead = new Set<number>() } = {},
): Promise<string[]> {
  const wrong = [...receivers.violations];
  const { rows: told } = await db.execute<Told>(sql`
    select e.id, e.type, e.project_id as "projectId", e.erased_at is not null as "isErased",
      coalesce(b.data ->> 'amount_xrp', b.data ->> 'confirmed_amount_xrp') as "amountXrp", b.data ->> 'status' as status,
      b.data ->> 'webhook_id' as "aboutId", exists (
      select from investments i join payments p on p.tx_hash = i.tx_hash
      where i.id = nullif(e.body, '')::jsonb #>> '{data,investment_id}' and not exists (
        select from actions m where m.project_id = e.project_id and m.action = 'launch' and m.status = 'applied'
          and (m.ledger_index, m.transaction_index) < (p.ledger_index, p.transaction_index))) as "isBeforeLaunch"
    from events e cross join lateral (select nullif(e.body, '')::jsonb -> 'data' as data) b
    where e.sequence <= ${throughSequence}`);
  const rows = await readDeliveries(db, throughSequence);
  const known = new Map(rows.map((row) => [`${row.eventId} ${row.webhookId}`, row]));
  if (known.size !== rows.length) wrong.push('a pair has two deliveries');
  for (const event of told) {
    for (const [n, webhook] of webhooks.entries()) {
      const pair = `${event.id} ${webhook.id}`;
      const row = known.get(pair);
      if (event.isErased) {
        const faults = row === undefined ? [] : faultsOfErased(row, receivers.seen.get(`${n} ${event.id}`));
        known.delete(pair);
        wrong.push(...faults.map((fault) => `the erased ${pair} ${fault}`));
        continue;
      }
      if (!isOwedTo(webhook, webhooks, event)) continue;
      known.delete(pair);
      // Of a draft these webhooks are not told: when its launch was long in coming, they miss what was paid before it.
      if (row === undefined && event.isBeforeLaunch) continue;
      let faults = ['has no delivery'];
      if (row !== undefined) {
        const isNeverTaken = dead.has(n) || receivers.refuses(n, event.id);
        faults = isNeverTaken ? faultsOfDead(row) : faultsOf(row, receivers.seen.get(`${n} ${event.id}`));
      }
      wrong.push(...faults.map((fault) => `${event.type} ${pair} ${fault}`));
    }
  }
  for (const pair of known.keys()) wrong.push(`${pair} is owed to nobody`);
  report.count('figures', 'events', told.length);
  report.count('figures', 'deliveries', rows.length);
  for (const { ended, interrupted } of rows) {
    report.count('figures', 'attempts of deliveries', ended);
    report.count('figures', 'interrupted ones', interrupted);
  }
  return wrong;
}
