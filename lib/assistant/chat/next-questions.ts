import type { Ctx } from '#lib/ctx.ts';
import type { ChatAnswer } from '../contracts.ts';
import { suggest } from '../suggestions.ts';

/** The answer is there and waits for nothing else longer than this. */
const PATIENCE_MS = 2_000;

/** What may be asked next; nothing when that cannot be told soon. */
export async function nextQuestions(
  ctx: Ctx,
  { walletAddress, projectId }: { walletAddress: string | undefined; projectId: string | undefined },
): Promise<ChatAnswer['suggestions']> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<[]>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, []);
  });
  const suggested = suggest(ctx, { wallet_address: walletAddress, project_id: projectId }).catch((err: unknown) => {
    ctx.log.warn({ err }, 'no suggestions after an answer');
    return [];
  });
  return Promise.race([suggested, tooLate]).finally(() => clearTimeout(timer));
}
