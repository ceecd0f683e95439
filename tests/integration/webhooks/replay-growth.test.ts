import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { rowsFetched } from '#tests/support/explain.ts';
import { newWebhook, openStage, reportInvestments, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  // As a burst leaves the table: nobody has analysed it yet.
  for (const table of ['webhooks', 'deliveries', 'events'])
    await stage.ctx.db.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = off)`);
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

test('writing a replay goes through none of the webhook’s other deliveries for each event', async () => {
  const { webhook } = await newWebhook(stage.ctx, 'http://127.0.0.1:9/hook');
  await reportInvestments(stage.ctx.db, 1_000);
  await stage.ctx.db.execute(sql`update deliveries set status = 'failed', due_at = null`);
  await stage.ctx.db.execute(sql`
    insert into replays (id, webhook_id, from_time, to_time, selection, total, requested_by)
    values ('rpl_1', ${webhook.id}, now() - interval '1 day', now(), 'all', 1000, 'test')`);
  const fetched = await rowsFetched(stage.ctx.db, 'deliveries', async (db) => {
    expect(await writeReplays({ ...stage.ctx, db }, stage.ctx.clock.nowMs())).toBeGreaterThan(0);
  });
  expect(fetched).toBeLessThanOrEqual(10_000);
});
