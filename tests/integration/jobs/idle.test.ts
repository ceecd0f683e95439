import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acquireLease, releaseLease } from '#lib/base/lease.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';

// Connections keep the method that they were made with.
const query = vi.spyOn(pg.Client.prototype, 'query');
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

test('a call that passes a job over, because another call has it, comes again, although nothing else is due', async () => {
  expect(await processPayments(stage.ctx)).toMatchObject({ continued: false });
  await acquireLease(stage.database.db, 'fan-out', 'req_at_work', 15);
  expect(await processPayments(stage.ctx)).toMatchObject({ continued: true, faults: [] });
  await releaseLease(stage.database.db, 'fan-out', 'req_at_work');
  expect(await processPayments(stage.ctx)).toMatchObject({ continued: false });
});

/** How many statements a call sends that finds nothing to do; the jobs of each minute have run in the one before. */
async function statementsOfCall(isScheduled: boolean): Promise<number> {
  await processPayments(stage.ctx, { isScheduled });
  query.mockClear();
  await processPayments(stage.ctx, { isScheduled });
  return query.mock.calls.length;
}

test('a call that finds nothing to do sends few statements, and no more for its jobs than two', async () => {
  const idle = { cron: await statementsOfCall(true), beat: await statementsOfCall(false) };
  for (let sales = 0; sales < 2; sales++) await stage.launched();
  stage.desk.close(3);
  for (let calls = 0; calls < 2; calls++) await processPayments(stage.ctx);
  const selling = { cron: await statementsOfCall(true), beat: await statementsOfCall(false) };
  // On a slow machine the ends of jobs are noted by more statements than one.
  expect(Math.max(idle.cron, idle.beat)).toBeLessThanOrEqual(27 + 3);
  expect(Math.max(selling.cron, selling.beat)).toBeLessThanOrEqual(37 + 3);
});
