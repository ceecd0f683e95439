import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { hasReplaysToWrite, writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { openScene } from './replay-scene.ts';
import { openStage, reportInvestments, type Stage } from './stage.ts';

/** Far more than one slice takes on. */
const FULL = 60;
/** As many as one may have unfinished. */
const UNFINISHED = 100;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => stage.close());

/** Running replays, each of a webhook of its own and with as much unfinished as it may have. */
async function fillReplays(webhookId: string): Promise<void> {
  await stage.ctx.db.execute(sql`
    insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
    select 'wh_full' || n, tenant_id, url, host, events, sealed_secret, api_version
    from webhooks, generate_series(1, ${FULL}::integer) n where id = ${webhookId}`);
  await stage.ctx.db.execute(sql`
    insert into replays (id, webhook_id, from_time, to_time, selection, total, requested_by)
    select 'rpl_full' || n, 'wh_full' || n, now() - interval '1 day', now(), 'all', 1000, 'test'
    from generate_series(1, ${FULL}::integer) n`);
  await stage.ctx.db.execute(sql`
    insert into deliveries (id, event_id, webhook_id, event_sequence, resend_of, replay_id)
    select 'del_full' || n || '_' || e.sequence, e.id, 'wh_full' || n, e.sequence, 'del_before', 'rpl_full' || n
    from events e, generate_series(1, ${FULL}::integer) n`);
}

describe('a replay with room', () => {
  test('is brought further by the next slice, whatever number of others have none', async () => {
    const scene = await openScene(stage, 'http://127.0.0.1:9/hook');
    await scene.past(UNFINISHED, 'failed');
    await fillReplays(scene.webhookId);
    expect(await hasReplaysToWrite(stage.ctx.db)).toBe(false);
    await scene.start();
    expect(await hasReplaysToWrite(stage.ctx.db)).toBe(true);
    expect(await writeReplays(stage.ctx, stage.ctx.clock.nowMs())).toBe(UNFINISHED);
  });

  test('is brought further by the next slice beside one other of each tenant, however many that tenant has running', async () => {
    await stage.reset();
    const hog = await openScene(stage, 'http://127.0.0.1:9/hook');
    const scene = await openScene(stage, 'http://127.0.0.1:10/hook');
    await scene.past(UNFINISHED, 'failed');
    await scene.start();
    await stage.ctx.db.execute(sql`
      insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
      select 'wh_hog' || n, tenant_id, url, host, events, sealed_secret, api_version
      from webhooks, generate_series(1, ${FULL}::integer) n where id = ${hog.webhookId}`);
    await stage.ctx.db.execute(sql`
      insert into replays (id, webhook_id, from_time, to_time, selection, total, requested_by)
      select 'rpl_hog' || n, 'wh_hog' || n, now() - interval '1 day', now(), 'all', 1000, 'test'
      from generate_series(1, ${FULL}::integer) n`);
    expect(await writeReplays(stage.ctx, stage.ctx.clock.nowMs())).toBe(2 * UNFINISHED);
    expect(await scene.replayed()).toHaveLength(2 * UNFINISHED);
    const ofScene = await stage.ctx.db.$count(
      deliveries,
      sql`replay_id is not null and webhook_id = ${scene.webhookId}`,
    );
    expect(ofScene).toBe(UNFINISHED);
  });

  test('is not looked for among all deliveries: those of replays that are unfinished have an index', async () => {
    await reportInvestments(stage.ctx.db, 1);
    const plan = await stage.ctx.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return tx.execute<{ 'QUERY PLAN': string }>(sql`
        explain select count(*) from ${deliveries} d where d.replay_id = 'rpl_full1' and d.status in ('pending', 'retrying')`);
    });
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('deliveries_unfinished_of_replay');
  });
});
