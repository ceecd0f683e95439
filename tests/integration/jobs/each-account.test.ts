import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachAccount } from '#lib/jobs/each-account.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { addDepositAccount } from '#tests/support/sale.ts';

const BUDGET_MS = 3_500;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  for (const address of ['rFirst', 'rSecond', 'rThird']) await addDepositAccount(stage.ctx.db, address);
});
afterAll(() => stage?.end());

/** Which accounts a slice served while the ledger takes so long to say how far it is. */
async function servedWhen(answerMs: number): Promise<{ served: string[]; more: boolean }> {
  const { ctx } = stage;
  const served: string[] = [];
  const serverState = async () => {
    ctx.clock.advance(answerMs);
    return ctx.ledger.serverState();
  };
  const slow = { ...ctx, redis: ctx.redis, queue: ctx.queue, ledger: { ...ctx.ledger, serverState } };
  const slice = { deadlineMs: ctx.clock.nowMs() + BUDGET_MS, stillMine: async () => true };
  const { more } = await eachAccount(slow, slice, async ({ account }) => {
    served.push(account);
    return false;
  });
  return { served, more };
}

test('a slice serves every account while there is time', async () => {
  const { served, more } = await servedWhen(0);
  expect(served.sort()).toEqual(['rFirst', 'rSecond', 'rThird']);
  expect(more).toBe(false);
});

test('a slice serves one account even where the ledger answers later than the slice may take, and each comes first in turn', async () => {
  const first = new Set<string | undefined>();
  while (first.size < 3) {
    const { served, more } = await servedWhen(BUDGET_MS + 1);
    expect(served).toHaveLength(1);
    expect(more).toBe(true);
    first.add(served[0]);
  }
});
