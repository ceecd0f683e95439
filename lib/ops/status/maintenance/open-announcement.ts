import { type SQL, sql } from 'drizzle-orm';
import { maintenances } from '#drizzle/schema/jobs.ts';

/** The open maintenance as the public is told of it; times as the database writes them. */
export interface Announcement {
  message: string;
  startedAt: string;
  expectedEndAt: string | null;
}

/** Comes to an Announcement; null when there is none. */
export const openMaintenance: SQL = sql`(select json_build_object(
    'message', message, 'startedAt', started_at, 'expectedEndAt', expected_end_at)
  from ${maintenances} where ended_at is null)`;
