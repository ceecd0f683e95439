import type { Ctx } from '#lib/ctx.ts';
import { confirmAccount } from '#lib/jobs/confirmation.ts';
import { type TakenIn, takeIn } from '#lib/jobs/intake.ts';

export interface Advanced extends TakenIn {
  confirmed: number;
  refused: number;
  tiersCompleted: number;
}

/** Intake and confirmation of one account, as process-payments does them one after the other. */
export async function advanceAccount(ctx: Ctx, share: Parameters<typeof takeIn>[1]): Promise<Advanced> {
  const taken = await takeIn(ctx, share);
  const decided = { confirmed: 0, refused: 0, tiersCompleted: 0 };
  const isLeft = await confirmAccount(ctx, share, decided);
  return { ...taken, ...decided, more: taken.more || isLeft };
}
