import type { maintenances } from '#drizzle/schema/jobs.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Maintenance } from './contracts.ts';

export const toMaintenance = (row: typeof maintenances.$inferSelect): Maintenance => ({
  id: row.id,
  message: row.message,
  started_at: toIso(row.startedAt),
  started_by: row.startedBy,
  expected_end_at: toIsoOrNull(row.expectedEndAt),
  ended_at: toIsoOrNull(row.endedAt),
  ended_by: row.endedBy,
});

/** Name of the administrator who acts. The contracts admit nobody else, so another actor is our own fault. */
export function operatorName({ actor }: Ctx): string {
  if (actor.kind !== 'administrator') throw new Error(`Maintenance is for administrators; the actor is ${actor.kind}`);
  return actor.name;
}
