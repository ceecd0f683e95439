import { z } from 'zod';
import { differences } from '#lib/ops/setup/differences.ts';
import { type FoundSchedule, foundSchedule } from '#lib/ops/setup/found-schedule.ts';
import { schedulePrefix, wantedSchedules } from '#lib/ops/setup/wanted-schedules.ts';
import { defineCheck, fault, ok, warning } from '../types.ts';

const check = 'qstash schedules';

async function readSchedules({
  QSTASH_URL,
  QSTASH_TOKEN,
}: {
  QSTASH_URL: string;
  QSTASH_TOKEN: string;
}): Promise<FoundSchedule[]> {
  const answer = await fetch(new URL('/v2/schedules', QSTASH_URL), {
    headers: { authorization: `Bearer ${QSTASH_TOKEN}` },
    signal: AbortSignal.timeout(8_000),
  });
  return z.array(foundSchedule).parse(await answer.json());
}

/** The schedules that `npx tranche setup` has made, if it has: none is right where the plan's own crons are often enough. */
export const schedulesCheck = defineCheck({
  name: check,
  needs: ['BASE_URL', 'QSTASH_URL', 'QSTASH_TOKEN', 'CRON_SECRET'],
  timeoutMs: 10_000,
  run: async ({ CRON_SECRET = '', ...settings }) => {
    const found = await readSchedules(settings).catch(() => null);
    if (found === null)
      return [warning(check, 'not checked: QStash does not tell', 'See the findings of qstash first.')];
    const { BASE_URL } = settings;
    const own = found.filter(({ scheduleId }) => scheduleId.startsWith(schedulePrefix(BASE_URL)));
    if (own.length === 0) return [ok(check, 'none: the crons of the plan begin the work')];
    const byId = new Map(own.map((schedule) => [schedule.scheduleId, schedule]));
    const wrong = wantedSchedules({ BASE_URL, CRON_SECRET }).flatMap((wanted) => {
      const schedule = byId.get(wanted.scheduleId);
      if (schedule === undefined) return [`${wanted.scheduleId} is missing`];
      const differing = differences(wanted, schedule);
      return differing.length === 0 ? [] : [`${wanted.scheduleId}: ${differing.join(', ')}`];
    });
    return [
      wrong.length === 0 ? ok(check, `${own.length}`) : fault(check, wrong.join('; '), 'Run `npx tranche setup`.'),
    ];
  },
});
