import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { issueTokensContract } from '#lib/payouts/issue/contracts.ts';
import { issueTokens } from '#lib/payouts/issue/issue-tokens.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { continueProcessing } from './heartbeat.ts';

type Contract = typeof issueTokensContract;

/** Issues tokens by hand; what is on its way, or has to wait for the next ledger, process-payments goes on with. */
export async function issueTokensNow(
  ctx: Ctx,
  input: z.output<Contract['body']>,
): Promise<z.output<Contract['responses'][200]>> {
  const issued = await issueTokens(ctx, input);
  const { submitted, queued, validated } = issued.outcomes;
  if (input.dry_run) return { ...issued, continued: false };
  if (validated > 0) await wakeDispatch(ctx);
  return { ...issued, continued: submitted + queued > 0 && (await continueProcessing(ctx, { more: queued > 0 })) };
}
