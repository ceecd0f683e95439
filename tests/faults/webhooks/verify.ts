import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { type EventType, PUBLIC_EVENT_TYPES, TENANT_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { MAX_ATTEMPTS } from '#lib/webhooks/delivery/schedule.ts';
import type { Scene } from './scene.ts';

/** One pair of event and webhook as the database has it. */
export type Delivered = {
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

export interface Found {
  violations: string[];
  deliveries: number;
  /** Events with which the platform told of its health. */
  ownEvents: number;
  /** Attempts with an outcome, and interrupted ones. */
  attempts: number;
  interrupted: number;
  /** Requests that reached a receiver. */
  arrivals: number;
}

/** What is wrong with the attempts of one pair, however it ended. */
export function attemptFaults(row: Delivered): string[] {
  const faults: string[] = [];
  if (row.isLeased) faults.push('is still leased');
  if (row.open > 0) faults.push(`has ${row.open} attempts without an end`);
  if (row.numbers !== row.ended) faults.push('has two outcomes under one number');
  if (row.highest !== row.ended || row.nextAttempt !== row.ended + 1) faults.push('left out a number');
  if (row.ended > MAX_ATTEMPTS) faults.push(`took ${row.ended} attempts`);
  return faults;
}

/** What is wrong with one pair whose receiver works, given how often it arrived and with which bytes. */
export function faultsOf(row: Delivered, seen: { arrivals: number; digest: string } | undefined): string[] {
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
export async function readDeliveries(db: Db, throughSequence: number): Promise<Delivered[]> {
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

/** Events for every webhook of the campaign: all but those for administrators, or for one tenant, of which it makes none. */
export const FOR_ALL = PUBLIC_EVENT_TYPES.filter((type) => !TENANT_EVENT_TYPES.includes(type));

/**
 * Compares what was published with what the database and the receivers have. Every event of the outbox is owed to every
 * webhook, up to `throughSequence`.
 */
export async function verify(
  { database, receivers, webhookIds, eventIds }: Scene,
  throughSequence: number,
): Promise<Found> {
  const { rows: outbox } = await database.db.execute<{ id: string; type: EventType }>(
    sql`select id, type from events where sequence <= ${throughSequence}`,
  );
  const rows = await readDeliveries(database.db, throughSequence);
  const { rows: held } = await database.db.execute<{ name: string }>(
    sql`select name from leases where holder is not null union select name from job_schedules where woken_until > now()`,
  );
  const violations = [...receivers.violations, ...held.map(({ name }) => `the lease ${name} is still held`)];
  const known = new Map(rows.map((row) => [`${row.eventId} ${row.webhookId}`, row]));
  if (known.size !== rows.length) violations.push('a pair has two deliveries');
  const owed = new Set(outbox.flatMap(({ id, type }) => (FOR_ALL.includes(type) ? [id] : [])));
  for (const eventId of eventIds) if (!owed.has(eventId)) violations.push(`${eventId} was published and is gone`);
  for (const eventId of owed) {
    for (const [n, webhookId] of webhookIds.entries()) {
      const row = known.get(`${eventId} ${webhookId}`);
      known.delete(`${eventId} ${webhookId}`);
      const faults = row === undefined ? ['has no delivery'] : faultsOf(row, receivers.seen.get(`${n} ${eventId}`));
      violations.push(...faults.map((fault) => `${eventId} for ${webhookId} ${fault}`));
    }
  }
  for (const pair of known.keys()) violations.push(`${pair} is owed to nobody`);
  const total = (of: (row: Delivered) => number) => rows.reduce((before, row) => before + of(row), 0);
  return {
    violations,
    deliveries: rows.length,
    ownEvents: owed.size - eventIds.length,
    attempts: total(({ ended }) => ended),
    interrupted: total(({ interrupted }) => interrupted),
    arrivals: [...receivers.seen.values()].reduce((before, { arrivals }) => before + arrivals, 0),
  };
}
