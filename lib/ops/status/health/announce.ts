import { sql } from 'drizzle-orm';
import { healthStates } from '#drizzle/schema/health.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { EventData } from '#lib/events/catalogue.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { PartHealth } from '../causes.ts';
import { PARTS, type Part } from '../parts.ts';
import { isNewestLook, type Look } from './claim-look.ts';
import { nextState, type PartState } from './next-state.ts';
import type { Outage } from './outage.ts';

type NetworkStatus = EventData['system.network_status'];

/** The same change of the same part is one event, however often it is reported; `began` tells it from earlier ones. */
const networkStatusEvent = (data: NetworkStatus, began = data.since): NewEvent<'system.network_status'> => ({
  type: 'system.network_status',
  subject: `${data.part}:${data.status}:${began}`,
  projectId: null,
  occurredAt: new Date(data.since),
  data,
});

/** A database that was away could not tell so: both changes are told once it is back. */
function outageEvents({ since, until, isNews }: Outage): NewEvent[] {
  if (!isNews) return [];
  const began = toIso(since);
  const ended = toIso(until);
  const detail = `The database did not answer from ${began} to ${ended}. All is well again.`;
  return [
    networkStatusEvent({ part: 'database', status: 'down', previous: 'operational', since: began, detail }),
    networkStatusEvent({ part: 'database', status: 'operational', previous: 'down', since: ended, detail }, began),
  ];
}

/**
 * Writes what a look saw, and a `system.network_status` for each part that changed, in one transaction; gives how many
 * events that were. Does nothing when a later look has begun: of any number of instances one announces a change.
 */
export async function announce(
  { db }: Pick<Ctx, 'db'>,
  look: Look,
  seen: Record<Part, PartHealth>,
  outage: Outage | null,
): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await isNewestLook(tx, look))) return 0;
    const rows = new Map((await tx.select().from(healthStates)).map((row) => [row.part, row]));
    const judged = PARTS.map((part) => {
      // A new deployment is taken to be well until it is seen otherwise.
      const known: PartState = rows.get(part) ?? { status: 'operational', since: look.at, suspectedSince: null };
      return { part, known, next: nextState(known, seen[part].status, look.at) };
    });
    await tx
      .insert(healthStates)
      .values(judged.map(({ part, next }) => ({ part, ...next })))
      .onConflictDoUpdate({
        target: healthStates.part,
        set: {
          status: sql`excluded.status`,
          since: sql`excluded.since`,
          suspectedSince: sql`excluded.suspected_since`,
        },
      });
    const changes = judged.filter(({ known, next }) => known.status !== next.status);
    return appendEvents(tx, [
      ...(outage === null ? [] : outageEvents(outage)),
      ...changes.map(({ part, known, next }) =>
        networkStatusEvent({
          part,
          status: next.status,
          previous: known.status,
          since: toIso(next.since),
          detail: seen[part].detail,
        }),
      ),
    ]);
  });
}
