import { z } from 'zod';
import { isLoopbackUrl } from '#lib/base/loopback-url.ts';
import { reasonOf } from '../reason.ts';
import { skewFinding } from '../skew.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../types.ts';

const check = 'qstash';
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
          check,
          `${new URL(url).hostname} is no QStash address`,
          'Set QSTASH_URL to the one of the QStash console.',
        ),
      ];

/** QStash: the token, the region, the signing keys, the clock. */
export const queueCheck = defineCheck({
  name: check,
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
        return [...region, fault(check, `refuses the token (HTTP ${answer.status})`, advice)];
      }
      const theirs = signingKeys.parse(await answer.json());
      const ours = { current: settings.QSTASH_CURRENT_SIGNING_KEY, next: settings.QSTASH_NEXT_SIGNING_KEY };
      const date = Date.parse(answer.headers.get('date') ?? '');
      return [
        ok(check, `${new URL(settings.QSTASH_URL).host} takes the token`),
        ...region,
        keyFinding(ours, theirs),
        // The header tells whole seconds: half of one on the average.
        ...(Number.isNaN(date) ? [] : [skewFinding('QStash', { otherMs: date + 500, askedAtMs, answeredAtMs })]),
      ];
    } catch (error) {
      return [...region, fault(check, reasonOf(error), 'Check QSTASH_URL: nothing that speaks QStash answers there.')];
    }
  },
});
