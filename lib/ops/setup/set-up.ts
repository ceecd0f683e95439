import { Client } from '@upstash/qstash';
import { differences } from './differences.ts';
import type { FoundSchedule } from './found-schedule.ts';
import { type ScheduleSettings, schedulePrefix, type WantedSchedule } from './wanted-schedules.ts';

/** QStash gives a call up after this; a route ends within its slice budget. */
const TIMEOUT_SECONDS = 60;

/** One schedule, and what is (or would be) done to it. */
export interface Step {
  scheduleId: string;
  act: 'create' | 'replace' | 'keep' | 'remove';
  /** Why, or what it does. Holds no secret. */
  because: string;
}

const openClient = ({ QSTASH_URL, QSTASH_TOKEN }: ScheduleSettings): Client =>
  new Client({ baseUrl: QSTASH_URL, token: QSTASH_TOKEN, devMode: false, retry: false, enableTelemetry: false });

/**
 * What it takes to have exactly the wanted schedules of this deployment, and no others of its own; nothing wanted removes
 * all. Another deployment's schedules, and those made by hand, are left alone. Pure.
 */
export function planSteps(baseUrl: string, wanted: readonly WantedSchedule[], found: readonly FoundSchedule[]): Step[] {
  const byId = new Map(found.map((schedule) => [schedule.scheduleId, schedule]));
  const kept = wanted.map(({ scheduleId, ...rest }): Step => {
    const calls = `GET ${rest.destination} at "${rest.cron}"`;
    const schedule = byId.get(scheduleId);
    if (schedule === undefined) return { scheduleId, act: 'create', because: calls };
    const differing = differences({ scheduleId, ...rest }, schedule);
    if (differing.length === 0) return { scheduleId, act: 'keep', because: calls };
    return { scheduleId, act: 'replace', because: `${calls}: ${differing.join(', ')}` };
  });
  const wantedIds = new Set(wanted.map(({ scheduleId }) => scheduleId));
  const removed = found
    .filter(({ scheduleId }) => scheduleId.startsWith(schedulePrefix(baseUrl)) && !wantedIds.has(scheduleId))
    .map(({ scheduleId, destination }): Step => ({ scheduleId, act: 'remove', because: `it calls ${destination}` }));
  return [...kept, ...removed];
}

/** Makes the schedules so, or with `dryRun` only says what that takes. Throws when QStash does not do it. */
export async function setUpSchedules(
  settings: ScheduleSettings,
  wanted: readonly WantedSchedule[],
  { dryRun }: { dryRun: boolean },
): Promise<Step[]> {
  const { schedules } = openClient(settings);
  const steps = planSteps(settings.BASE_URL, wanted, await schedules.list());
  if (dryRun) return steps;
  const actOf = new Map(steps.map(({ scheduleId, act }) => [scheduleId, act]));
  for (const { authorization, ...schedule } of wanted) {
    if (actOf.get(schedule.scheduleId) === 'keep') continue;
    await schedules.create({
      ...schedule,
      method: 'GET',
      timeout: TIMEOUT_SECONDS,
      headers: { Authorization: authorization },
      // What the console and the API show of the schedule is a hash of the secret.
      redact: { header: ['Authorization'] },
    });
  }
  for (const { scheduleId, act } of steps) if (act === 'remove') await schedules.delete(scheduleId);
  return steps;
}
