import type { Env } from '#lib/base/env.ts';
import { CRONS } from '#lib/jobs/crons.ts';

/** A QStash schedule in place of a cron. */
export interface WantedSchedule {
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
export const wantedSchedules = ({
  BASE_URL,
  CRON_SECRET,
}: {
  BASE_URL: string;
  CRON_SECRET: string;
}): WantedSchedule[] =>
  CRONS.map(({ path, schedule }) => ({
    scheduleId: `${schedulePrefix(BASE_URL)}${slug(path.split('/').at(-1) ?? path)}`,
    destination: new URL(path, BASE_URL).href,
    cron: schedule,
    authorization: `Bearer ${CRON_SECRET}`,
    retries: schedule.startsWith('*') ? 0 : 3,
  }));

export type ScheduleSettings = Pick<Env, 'BASE_URL' | 'QSTASH_URL' | 'QSTASH_TOKEN'>;
