import { isNull } from 'drizzle-orm';
import { maintenances } from '#drizzle/schema/jobs.ts';
import { toIso, toIsoOrNull } from '#lib/platform/clock.ts';
import type { Db } from '#lib/platform/db.ts';
import type { SystemStatus } from '../contracts.ts';

/** The open maintenance as the public is told of it; null when there is none. */
export async function readAnnouncement(db: Db): Promise<SystemStatus['maintenance']> {
  const [open] = await db.select().from(maintenances).where(isNull(maintenances.endedAt));
  if (open === undefined) return null;
  return {
    message: open.message,
    started_at: toIso(open.startedAt),
    expected_end_at: toIsoOrNull(open.expectedEndAt),
  };
}
