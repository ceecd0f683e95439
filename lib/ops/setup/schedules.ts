import { z } from 'zod';
import type { Env } from '#lib/base/env.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { CRONS } from '#lib/jobs/crons.ts';

/** A schedule as QStash shows it: what matters here. */
export const foundSchedule = z.object({
  scheduleId: z.string(),
  destination: z.string(),
  cron: z.string(),
  method: z.string(),
  header: z.record(z.string(), z.array(z.string())).optional(),
  isPaused: z.boolean(),
});
export type FoundSchedule = z.output<typeof foundSchedule>;

/** A QStash schedule in place of a cron. */
export interface ExpectedSchedule {
  scheduleId: string;
  destination: string;
  cron: string;
  /** What the schedule sends as its own credential: a schedule's call is the scheduler's. */
  authorization: string;
  /** A minutely call is not tried again: the next one comes sooner. */
  retries: number;
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** All schedules of a deployment begin with this; other deployments may share the account. */
export const schedulePrefix = (baseUrl: string): string => `tranche-${slug(new URL(baseUrl).host)}-`;

/** The schedules that stand in for all crons of this deployment. */
export const expectedSchedules = ({
  BASE_URL,
  CRON_SECRET,
}: {
  BASE_URL: string;
  CRON_SECRET: string;
}): ExpectedSchedule[] =>
  CRONS.map(({ path, schedule }) => ({
    scheduleId: `${schedulePrefix(BASE_URL)}${slug(path.split('/').at(-1) ?? path)}`,
    destination: new URL(path, BASE_URL).href,
    cron: schedule,
    authorization: `Bearer ${CRON_SECRET}`,
    retries: schedule.startsWith('*') ? 0 : 3,
  }));

export type ScheduleSettings = Pick<Env, 'BASE_URL' | 'QSTASH_URL' | 'QSTASH_TOKEN'>;

function sentCredential(header: FoundSchedule['header']): string | undefined {
  const entry = Object.entries(header ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  return entry?.[1][0];
}

/** QStash shows a redacted header as a hash of it. A hash of a form we do not know tells nothing, and counts as the same. */
function hasCredential(header: FoundSchedule['header'], authorization: string): boolean {
  const sent = sentCredential(header);
  if (sent === undefined) return false;
  const hash = /^REDACTED:([0-9a-f]{64})$/i.exec(sent)?.[1];
  if (hash !== undefined) return hash.toLowerCase() === sha256Hex(authorization);
  return sent.startsWith('REDACTED:') || sent === authorization;
}

/** In what a schedule is not what it should be, in words; nothing when it is. */
export function differences(wanted: ExpectedSchedule, found: FoundSchedule): string[] {
  const { destination, cron, authorization } = wanted;
  return [
    found.destination === destination ? null : `it calls ${found.destination}`,
    found.cron === cron ? null : `it runs at "${found.cron}"`,
    found.method === 'GET' ? null : `it calls by ${found.method}`,
    hasCredential(found.header, authorization) ? null : 'it sends another CRON_SECRET',
    found.isPaused ? 'it is paused' : null,
  ].filter((one) => one !== null);
}
