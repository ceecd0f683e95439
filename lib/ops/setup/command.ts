import type { Env } from '#lib/base/env.ts';
import { isLoopbackUrl } from '#lib/base/loopback-url.ts';
import { type Step, setUpSchedules } from './set-up.ts';
import { wantedSchedules } from './wanted-schedules.ts';

const DONE: Record<Step['act'], string> = { create: 'made', replace: 'replaced', keep: 'kept', remove: 'removed' };
const WOULD: Record<Step['act'], string> = {
  create: 'would make',
  replace: 'would replace',
  keep: 'would keep',
  remove: 'would remove',
};

interface Voice {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Sets the schedules up and says what was done. Gives the exit code; throws when QStash does not do it. */
export async function runSetup(
  settings: Pick<Env, 'BASE_URL' | 'QSTASH_URL' | 'QSTASH_TOKEN' | 'CRON_SECRET'>,
  { dryRun, remove }: { dryRun: boolean; remove: boolean },
  say: Voice,
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
  const wanted = remove ? [] : wantedSchedules({ BASE_URL, CRON_SECRET });
  const steps = await setUpSchedules(settings, wanted, { dryRun });
  const words = dryRun ? WOULD : DONE;
  for (const { scheduleId, act, because } of steps) say.out(`${words[act]} ${scheduleId}: ${because}`);
  if (steps.length === 0) say.out('There is no schedule of this deployment.');
  return 0;
}
