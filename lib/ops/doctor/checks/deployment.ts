import { z } from 'zod';
import { CAUSES, isCause } from '#lib/ops/status/causes.ts';
import { RELEASE } from '#lib/ops/status/version.ts';
import { defineCheck, type Finding, fault, ok, reasonOf, skewFinding, warning } from '../finding.ts';

const BASE_URL_CHECK = 'base url';
const systemStatus = z.object({
  status: z.enum(['operational', 'degraded', 'down']),
  version: z.string(),
  network_id: z.int(),
  time: z.iso.datetime(),
  causes: z.array(z.string()).default([]),
  checks: z.record(z.string(), z.object({ status: z.string() })),
});

/** The commit is known to a deployment only. */
const release = (version: string): string => version.split('+')[0] ?? version;

/** What the deployment says of itself; a newer one may know more causes. */
function causeFinding(name: string): Finding[] {
  if (!isCause(name)) return [];
  const { status, detail, remedy } = CAUSES[name];
  return [(status === 'down' ? fault : warning)(`deployment ${name}`, detail, remedy)];
}

function statusFindings(status: z.output<typeof systemStatus>, networkId: number): Finding[] {
  const away = Object.entries(status.checks).flatMap(([part, { status: state }]) => (state === 'up' ? [] : [part]));
  const found = `${status.status}, version ${status.version}${away.length === 0 ? '' : `, away: ${away.join(', ')}`}`;
  const seeLog = 'See `an outage began` in the deployment’s log.';
  const findings = [
    status.status === 'operational'
      ? ok(BASE_URL_CHECK, found)
      : (status.status === 'down' ? fault : warning)(BASE_URL_CHECK, found, seeLog),
    ...status.causes.flatMap(causeFinding),
  ];
  if (release(status.version) !== RELEASE) {
    const advice = 'Deploy this code, or run the doctor from the code that is deployed.';
    findings.push(warning(BASE_URL_CHECK, `version ${status.version} is deployed, this is ${RELEASE}`, advice));
  }
  if (status.network_id !== networkId) {
    const advice = 'Use the deployment’s own settings here, or correct XRPL_NETWORK_ID there.';
    findings.push(
      fault(
        BASE_URL_CHECK,
        `the deployment is for network ${status.network_id}, these settings for ${networkId}`,
        advice,
      ),
    );
  }
  return findings;
}

/** The deployment: reached at BASE_URL without a detour, healthy, of this version and network. */
export const baseUrlCheck = defineCheck({
  name: BASE_URL_CHECK,
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
      return [fault(BASE_URL_CHECK, reasonOf(error), 'Correct BASE_URL, or deploy: nothing answers there.')];
    }
    const answeredAtMs = world.nowMs();
    if (answer.status >= 300 && answer.status < 400) {
      const advice = 'Set BASE_URL to where it leads: callbacks are signed for BASE_URL and follow no redirect.';
      return [fault(BASE_URL_CHECK, `redirects to ${answer.headers.get('location')}`, advice)];
    }
    const read = systemStatus.safeParse(await answer.json().catch(() => null));
    if (!read.success) {
      const advice = 'Correct BASE_URL, and switch off what stands before the deployment (a login, another site).';
      return [fault(BASE_URL_CHECK, `something else answers there (HTTP ${answer.status})`, advice)];
    }
    // The status may be two seconds old.
    const clock = { otherMs: Date.parse(read.data.time) + 1_000, askedAtMs, answeredAtMs };
    return [...statusFindings(read.data, XRPL_NETWORK_ID), skewFinding('the deployment', clock)];
  },
});

const SCHEDULER = 'scheduler secret';
const problem = z.object({ code: z.string() });

/**
 * Whether the deployment takes our CRON_SECRET. Nothing is begun: the route looks at the credential first and then refuses
 * a query field that it does not know.
 */
export const cronsCheck = defineCheck({
  name: SCHEDULER,
  needs: ['BASE_URL', 'CRON_SECRET'],
  timeoutMs: 15_000,
  run: async ({ BASE_URL, CRON_SECRET }) => {
    if (CRON_SECRET === undefined) return [];
    let answer: Response;
    try {
      answer = await fetch(new URL('/api/cron/process-payments?doctor=1', BASE_URL), {
        headers: { authorization: `Bearer ${CRON_SECRET}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(12_000),
      });
    } catch (error) {
      return [warning(SCHEDULER, `not checked: ${reasonOf(error)}`, 'See the findings of the base url first.')];
    }
    const read = problem.safeParse(await answer.json().catch(() => null));
    const code = read.success ? read.data.code : null;
    if (code === 'invalid_request') return [ok(SCHEDULER, 'the deployment takes it')];
    if (code === 'unauthorized' || code === 'rate_limited') {
      const advice =
        'Set the same CRON_SECRET here and in the deployment, deploy, and run `npx tranche setup` where it is used.';
      return [fault(SCHEDULER, 'the deployment has another CRON_SECRET, or none', advice)];
    }
    const advice = 'See the findings of the base url first.';
    return [warning(SCHEDULER, `/api/cron/process-payments answers HTTP ${answer.status}`, advice)];
  },
});
