import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { revokeApiKey } from '#lib/accounts/api-keys/revoke-api-key.ts';
import { cancelDueUndeliverable } from '#lib/webhooks/delivery/cancel.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { deleteWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { dispatching } from './dispatching.ts';
import { newWebhook, reportInvestments } from './stage.ts';

/** Nothing is sent here. */
const URL = 'http://127.0.0.1:9/hook';

const desk = dispatching();

const countCancelled = () => desk.stage.ctx.db.$count(deliveries, sql`status = 'cancelled'`);

test('what waits for webhooks that are active is not looked through for something to cancel', async () => {
  await newWebhook(desk.stage.ctx, URL);
  await reportInvestments(desk.stage.ctx.db, 500);
  await desk.stage.ctx.db.transaction(async (tx) => {
    const eventsRead = async () => {
      const { rows } = await tx.execute<{ count: string }>(
        sql`select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'events'`,
      );
      return Number(rows[0]?.count);
    };
    const before = await eventsRead();
    await cancelDueUndeliverable(tx);
    expect((await eventsRead()) - before).toBe(0);
  });
});

describe('a backlog beyond a batch', () => {
  test('does not hold up the deletion of its webhook: the rest is cancelled by the sweep', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, URL);
    await newWebhook(desk.stage.ctx, URL);
    await reportInvestments(desk.stage.ctx.db, 1_200);
    await deleteWebhook(developer, webhook.id);
    expect(await countCancelled()).toBe(1_000);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ cancelled: 200 });
    expect(await desk.stage.ctx.db.$count(deliveries, sql`status = 'pending' and webhook_id <> ${webhook.id}`)).toBe(
      1_200,
    );
  });

  test('does not hold up the revocation of the key that its webhook stops with', async () => {
    const { developer } = await newWebhook(desk.stage.ctx, URL);
    await reportInvestments(desk.stage.ctx.db, 1_200);
    await revokeApiKey(desk.stage.ctx, { api_key: developer.apiKey });
    expect(await rowsOf(desk.stage.ctx.db, 'webhooks')).toMatchObject([{ active: false }]);
    expect(await countCancelled()).toBe(1_000);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ cancelled: 200 });
  });

  test('of an inactive webhook is cancelled in one sweep, however many batches it takes', async () => {
    await newWebhook(desk.stage.ctx, URL);
    await reportInvestments(desk.stage.ctx.db, 2_500);
    await desk.stage.ctx.db.execute(sql`update webhooks set active = false`);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ cancelled: 2_500 });
  });
});

test.each([
  { host: 'another host', isFailing: false, ofHost: 250 },
  { host: 'a host at which everything fails', isFailing: true, ofHost: 25 },
])('a lost retry is brought back however many older ones wait their turn at $host', async ({ isFailing, ofHost }) => {
  const hog = await newWebhook(desk.stage.ctx, URL);
  await reportInvestments(desk.stage.ctx.db, 1_100);
  const victim = await newWebhook(desk.stage.ctx, 'http://127.0.0.1:10/hook');
  await desk.stage.ctx.db.execute(sql`update webhooks set active = id = ${victim.webhook.id}`);
  await reportInvestments(desk.stage.ctx.db);
  const failingSince = isFailing ? sql`now()` : sql`null`;
  await desk.stage.ctx.db.execute(sql`update webhooks set active = true, failing_since = ${failingSince}`);
  await desk.stage.ctx.db.execute(sql`
    update deliveries set status = 'retrying', next_attempt = 2,
      due_at = now() - case when webhook_id = ${hog.webhook.id} then interval '10 minutes' else interval '2 minutes' end`);
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: ofHost + 1 });
  const [row] = await desk.stage.ctx.db.select().from(deliveries).where(sql`webhook_id = ${victim.webhook.id}`);
  expect(row?.sweeps).toBe(1);
});

test('a lost retry is brought back however many older ones another tenant has at however many hosts', async () => {
  desk.stage.queueFaults.inject({ kind: 'drop' });
  const hog = await newWebhook(desk.stage.ctx, URL);
  await desk.stage.ctx.db.execute(sql`
    insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
    select 'wh_hog' || n, tenant_id, 'https://h' || n || '.example.com/', 'h' || n || '.example.com', events, sealed_secret, api_version
    from webhooks, generate_series(1, 59) n where id = ${hog.webhook.id}`);
  await reportInvestments(desk.stage.ctx.db, 20);
  const victim = await newWebhook(desk.stage.ctx, 'http://127.0.0.1:10/hook');
  await desk.stage.ctx.db.execute(sql`update webhooks set active = id = ${victim.webhook.id}`);
  await reportInvestments(desk.stage.ctx.db);
  await desk.stage.ctx.db.execute(sql`update webhooks set active = true`);
  await desk.stage.ctx.db.execute(sql`
    update deliveries set status = 'retrying', next_attempt = 2,
      due_at = now() - case when webhook_id = ${victim.webhook.id} then interval '2 minutes' else interval '10 minutes' end
    where status = 'pending'`);
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1_000 });
  const [row] = await desk.stage.ctx.db.select().from(deliveries).where(sql`webhook_id = ${victim.webhook.id}`);
  expect(row?.sweeps).toBe(1);
});

test('one sweep brings back 1,000 lost retries at the most, and the next one those that it left', async () => {
  // Else the first of them are called back, and fail, while the second sweep looks at their host.
  desk.stage.queueFaults.inject({ kind: 'drop' });
  for (const port of [9, 10, 11, 12, 13]) await newWebhook(desk.stage.ctx, `http://127.0.0.1:${port}/hook`);
  await reportInvestments(desk.stage.ctx.db, 240);
  await desk.stage.ctx.db.execute(
    sql`update deliveries set status = 'retrying', next_attempt = 2, due_at = now() - interval '70 seconds'`,
  );
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1_000 });
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 200 });
});

test('retries that the queue has lost are brought back by one sweep where receivers take what they are sent', async () => {
  await newWebhook(desk.stage.ctx, URL);
  await reportInvestments(desk.stage.ctx.db, 240);
  await desk.stage.ctx.db.execute(
    sql`update deliveries set status = 'retrying', next_attempt = 2, due_at = now() - interval '90 seconds'`,
  );
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 240 });
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 0 });
});
