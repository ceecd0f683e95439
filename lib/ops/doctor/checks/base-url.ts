import { z } from 'zod';
import { RELEASE } from '#lib/ops/status/version.ts';
import { reasonOf } from '../reason.ts';
import { skewFinding } from '../skew.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../types.ts';

const check = 'base url';
const systemStatus = z.object({
  status: z.enum(['operational', 'degraded', 'down']),
  version: z.string(),
  network_id: z.int(),
  time: z.iso.datetime(),
  checks: z.record(z.string(), z.object({ status: z.string() })),
});

/** The commit is known to a deployment only. */
const release = (version: string): string => version.split('+')[0] ?? version;

function statusFindings(status: z.output<typeof systemStatus>, networkId: number): Finding[] {
  const away = Object.entries(status.checks).flatMap(([part, { status: state }]) => (state === 'up' ? [] : [part]));
  const found = `${status.status}, version ${status.version}${away.length === 0 ? '' : `, away: ${away.join(', ')}`}`;
  const seeLog = 'See `health check failed` in the deployment’s log.';
  const findings = [
    status.status === 'operational'
      ? ok(check, found)
      : (status.status === 'down' ? fault : warning)(check, found, seeLog),
  ];
  if (release(status.version) !== RELEASE) {
    const advice = 'Deploy this code, or run the doctor from the code that is deployed.';
    findings.push(warning(check, `version ${status.version} is deployed, this is ${RELEASE}`, advice));
  }
  if (status.network_id !== networkId) {
    const advice = 'Use the deployment’s own settings here, or correct XRPL_NETWORK_ID there.';
    findings.push(
      fault(check, `the deployment is for network ${status.network_id}, these settings for ${networkId}`, advice),
    );
  }
  return findings;
}

/** The deployment: reached at BASE_URL without a detour, healthy, of this version and network. */
export const baseUrlCheck = defineCheck({
  name: check,
  needs: ['BASE_URL', 'XRPL_NETWORK_ID'],
  timeoutMs: 15_000,
  run: async ({ BASE_URL, XRPL_NETWORK_ID }, world) => {
    let answer: Response;
    const askedAtMs = world.nowMs();
    try {
      answer = await fetch(new URL('/api/system/status', BASE_URL), {
        redirect: 'manual',
        signal: AbortSignal.timeout(12_000),
      });
    } catch (error) {
      return [fault(check, reasonOf(error), 'Correct BASE_URL, or deploy: nothing answers there.')];
    }
    const answeredAtMs = world.nowMs();
    if (answer.status >= 300 && answer.status < 400) {
      const advice = 'Set BASE_URL to where it leads: callbacks are signed for BASE_URL and follow no redirect.';
      return [fault(check, `redirects to ${answer.headers.get('location')}`, advice)];
    }
    const read = systemStatus.safeParse(await answer.json().catch(() => null));
    if (!read.success) {
      const advice = 'Correct BASE_URL, and switch off what stands before the deployment (a login, another site).';
      return [fault(check, `something else answers there (HTTP ${answer.status})`, advice)];
    }
    // The status may be two seconds old.
    const clock = { otherMs: Date.parse(read.data.time) + 1_000, askedAtMs, answeredAtMs };
    return [...statusFindings(read.data, XRPL_NETWORK_ID), skewFinding('the deployment', clock)];
  },
});
