import type { z } from 'zod';
import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import { checkAgain } from '../change-status.ts';
import { requireProject } from '../load.ts';
import type { retryPayoutsContract } from './contracts.ts';

/** Lets the next run look at all these waiting payouts at once. Throws `project_not_found`. */
export async function retryPayouts(
  ctx: Ctx,
  input: z.output<(typeof retryPayoutsContract)['body']>,
): Promise<z.output<(typeof retryPayoutsContract)['responses'][200]>> {
  const { project_id, waiting_reason, payout_ids, reason } = input;
  return ctx.db.transaction(async (tx) => {
    await requireProject(tx, 'project_id', project_id);
    const ids = await checkAgain(tx, { projectId: project_id, reason: waiting_reason, payoutIds: payout_ids }, false);
    await appendAudit(tx, ctx, {
      action: 'payout.retry_many',
      subject: project_id ?? waiting_reason ?? 'payouts',
      reason,
      after: { retried: ids.length, project_id, waiting_reason, payout_ids },
    });
    const meant = payout_ids === undefined ? null : new Set(payout_ids).size;
    return { retried: ids.length, skipped: meant === null ? null : meant - ids.length };
  });
}
