import { z } from 'zod';
import { reasonOf } from '../reason.ts';
import { defineCheck, fault, ok, warning } from '../types.ts';

const check = 'scheduler secret';
const problem = z.object({ code: z.string() });

/**
 * Whether the deployment takes our CRON_SECRET. Nothing is begun: the route looks at the credential first and then refuses
 * a query field that it does not know.
 */
export const cronsCheck = defineCheck({
  name: check,
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
      return [warning(check, `not checked: ${reasonOf(error)}`, 'See the findings of the base url first.')];
    }
    const read = problem.safeParse(await answer.json().catch(() => null));
    const code = read.success ? read.data.code : null;
    if (code === 'invalid_request') return [ok(check, 'the deployment takes it')];
    if (code === 'unauthorized' || code === 'rate_limited') {
      const advice =
        'Set the same CRON_SECRET here and in the deployment, deploy, and run `npx tranche setup` where it is used.';
      return [fault(check, 'the deployment has another CRON_SECRET, or none', advice)];
    }
    const advice = 'See the findings of the base url first.';
    return [warning(check, `/api/cron/process-payments answers HTTP ${answer.status}`, advice)];
  },
});
