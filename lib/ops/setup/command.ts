import { Client } from '@upstash/qstash';
import type { CommandOutput } from '#lib/base/command-output.ts';
import type { Env } from '#lib/base/env.ts';
import { isLoopbackUrl } from '#lib/base/env.ts';
import {
  differences,
  type ExpectedSchedule,
  expectedSchedules,
  type FoundSchedule,
  type ScheduleSettings,
  schedulePrefix,
} from './schedules.ts';

/** QStash gives a call up after this; a route ends within its slice budget. */
const TIMEOUT_SECONDS = 60;

/** One schedule, and what is (or would be) done to it. */
export interface Step {
  scheduleId: string;
  act: 'create' | 'replace' | 'keep' | 'remove';
  /** Why, or what it does. Holds no secret. */
  because: string;
  /** In what it is not what it should be. */
  differences?: readonly string[];
}

const openClient = ({ QSTASH_URL, QSTASH_TOKEN }: ScheduleSettings): Client =>
  new Client({ baseUrl: QSTASH_URL, token: QSTASH_TOKEN, devMode: false, retry: false, enableTelemetry: false });

/**
 * What it takes to have exactly the wanted schedules of this deployment, and no others of its own; nothing wanted removes
 * all. Another deployment's schedules, and those made by hand, are left alone. Pure.
 */
export function planSteps(
  baseUrl: string,
  wanted: readonly ExpectedSchedule[],
  found: readonly FoundSchedule[],
): Step[] {
  const byId = new Map(found.map((schedule) => [schedule.scheduleId, schedule]));
  const kept = wanted.map(({ scheduleId, ...rest }): Step => {
    const calls = `GET ${rest.destination} at "${rest.cron}"`;
    const schedule = byId.get(scheduleId);
    if (schedule === undefined) return { scheduleId, act: 'create', because: calls };
    const differing = differences({ scheduleId, ...rest }, schedule);
    if (differing.length === 0) return { scheduleId, act: 'keep', because: calls };
    return { scheduleId, act: 'replace', because: `${calls}: ${differing.join(', ')}`, differences: differing };
  });
  const requestedIds = new Set(wanted.map(({ scheduleId }) => scheduleId));
  const removed = found
    .filter(({ scheduleId }) => scheduleId.startsWith(schedulePrefix(baseUrl)) && !requestedIds.has(scheduleId))
    .map(({ scheduleId, destination }): Step => ({ scheduleId, act: 'remove', because: `it calls ${destination}` }));
  return [...kept, ...removed];
}

/** Makes the schedules so, or with `dryRun` only says what that takes. Throws when QStash does not do it. */
export async function setUpSchedules(
  settings: ScheduleSettings,
  wanted: readonly ExpectedSchedule[],
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

const DONE: Record<Step['act'], string> = { create: 'made', replace: 'replaced', keep: 'kept', remove: 'removed' };
const WOULD: Record<Step['act'], string> = {
  create: 'would make',
  replace: 'would replace',
  keep: 'would keep',
  remove: 'would remove',
};

/** Sets the schedules up and says what was done. Gives the exit code; throws when QStash does not do it. */
export async function runSetup(
  settings: Pick<Env, 'BASE_URL' | 'QSTASH_URL' | 'QSTASH_TOKEN' | 'CRON_SECRET'>,
  { dryRun, remove }: { dryRun: boolean; remove: boolean },
  say: CommandOutput,
): Promise<number> {
  const { BASE_URL, QSTASH_URL, CRON_SECRET } = settings;
  if (CRON_SECRET === undefined) {
    say.err('CRON_SECRET is not set: the deployment would refuse every call. Set it, deploy, and run this again.');
    return 1;
  }
  if (isLoopbackUrl(BASE_URL) && !isLoopbackUrl(QSTASH_URL)) {
    say.err(`QStash cannot reach ${BASE_URL}. Set BASE_URL to the deployment's public address.`);
    return 1;
  }
  const wanted = remove ? [] : expectedSchedules({ BASE_URL, CRON_SECRET });
  const steps = await setUpSchedules(settings, wanted, { dryRun });
  const words = dryRun ? WOULD : DONE;
  for (const { scheduleId, act, because } of steps) say.out(`${words[act]} ${scheduleId}: ${because}`);
  if (steps.length === 0) say.out('There is no schedule of this deployment.');
  return 0;
}
