import { z } from 'zod';
import { isLoopbackUrl } from '#lib/base/env.ts';
import { planSteps } from '#lib/ops/setup/command.ts';
import { expectedSchedules, type FoundSchedule, foundSchedule, schedulePrefix } from '#lib/ops/setup/schedules.ts';
import { defineCheck, type Finding, fault, ok, reasonOf, skewFinding, warning } from '../finding.ts';

const QUEUE = 'qstash';
const REGION_HOST = /^qstash(?:-[a-z0-9-]+)?\.upstash\.io$/;
const signingKeys = z.object({ current: z.string(), next: z.string() });

interface Keys {
  current: string;
  next: string;
}

/** Callbacks are signed with QStash's current key, and taken when either of ours fits. */
function keyFinding(ours: Keys, theirs: Keys): Finding {
  const name = 'qstash signing keys';
  const advice =
    'Set QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY to those of the QStash console, and deploy.';
  if (ours.current === theirs.current && ours.next === theirs.next) return ok(name, 'both are those of the account');
  if (ours.current === theirs.next && ours.next === theirs.current) {
    return warning(name, 'current and next are exchanged', advice);
  }
  if (ours.next === theirs.current) return warning(name, 'the account’s keys were rotated since', advice);
  if (ours.current === theirs.current) {
    return warning(name, 'the next one differs: the next rotation would stop every callback', advice);
  }
  return fault(name, 'are not those of the account: every callback is refused', advice);
}

const regionFindings = (url: string): Finding[] =>
  REGION_HOST.test(new URL(url).hostname) || isLoopbackUrl(url)
    ? []
    : [
        warning(
          QUEUE,
          `${new URL(url).hostname} is no QStash address`,
          'Set QSTASH_URL to the one of the QStash console.',
        ),
      ];

/** QStash: the token, the region, the signing keys, the clock. */
export const queueCheck = defineCheck({
  name: QUEUE,
  needs: ['QSTASH_URL', 'QSTASH_TOKEN', 'QSTASH_CURRENT_SIGNING_KEY', 'QSTASH_NEXT_SIGNING_KEY'],
  timeoutMs: 10_000,
  run: async (settings, world) => {
    const region = regionFindings(settings.QSTASH_URL);
    try {
      const askedAtMs = world.nowMs();
      const answer = await fetch(new URL('/v2/keys', settings.QSTASH_URL), {
        headers: { authorization: `Bearer ${settings.QSTASH_TOKEN}` },
        signal: AbortSignal.timeout(8_000),
      });
      const answeredAtMs = world.nowMs();
      if (!answer.ok) {
        const advice = 'Set QSTASH_URL and QSTASH_TOKEN to those of one region of the QStash console.';
        return [...region, fault(QUEUE, `refuses the token (HTTP ${answer.status})`, advice)];
      }
      const theirs = signingKeys.parse(await answer.json());
      const ours = { current: settings.QSTASH_CURRENT_SIGNING_KEY, next: settings.QSTASH_NEXT_SIGNING_KEY };
      const date = Date.parse(answer.headers.get('date') ?? '');
      return [
        ok(QUEUE, `${new URL(settings.QSTASH_URL).host} takes the token`),
        ...region,
        keyFinding(ours, theirs),
        // The header tells whole seconds: half of one on the average.
        ...(Number.isNaN(date) ? [] : [skewFinding('QStash', { otherMs: date + 500, askedAtMs, answeredAtMs })]),
      ];
    } catch (error) {
      return [...region, fault(QUEUE, reasonOf(error), 'Check QSTASH_URL: nothing that speaks QStash answers there.')];
    }
  },
});

const SCHEDULES = 'qstash schedules';

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
  name: SCHEDULES,
  needs: ['BASE_URL', 'QSTASH_URL', 'QSTASH_TOKEN', 'CRON_SECRET'],
  timeoutMs: 10_000,
  run: async ({ CRON_SECRET = '', ...settings }) => {
    const found = await readSchedules(settings).catch(() => null);
    if (found === null)
      return [warning(SCHEDULES, 'not checked: QStash does not tell', 'See the findings of qstash first.')];
    const { BASE_URL } = settings;
    const own = found.filter(({ scheduleId }) => scheduleId.startsWith(schedulePrefix(BASE_URL)));
    if (own.length === 0) return [ok(SCHEDULES, 'none: the crons of the plan begin the work')];
    const wrong = planSteps(BASE_URL, expectedSchedules({ BASE_URL, CRON_SECRET }), own).flatMap(
      ({ scheduleId, act, differences = [] }) => {
        if (act === 'create') return [`${scheduleId} is missing`];
        return act === 'replace' ? [`${scheduleId}: ${differences.join(', ')}`] : [];
      },
    );
    return [
      wrong.length === 0
        ? ok(SCHEDULES, `${own.length}`)
        : fault(SCHEDULES, wrong.join('; '), 'Run `npx tranche setup`.'),
    ];
  },
});
