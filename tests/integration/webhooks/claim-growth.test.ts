import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim.ts';
import { rowsFetched } from '#tests/support/explain.ts';
import { dispatching, ROOMY } from './dispatching.ts';
import { newWebhook, reportInvestments } from './stage.ts';

/** Nothing is sent here. */
const URL = 'http://127.0.0.1:9/hook';
const BACKLOG = 500;
/** A look takes in a few rows for each attempt that it claims, and one beyond them. */
const MOST_ROWS = 100;

const desk = dispatching();

test('a claim reads few rows of a backlog, whatever the planner knows of what was delivered before', async () => {
  const { db } = desk.stage.ctx;
  await newWebhook(desk.stage.ctx, URL);
  await reportInvestments(db, 200);
  await db.execute(sql`update deliveries set status = 'success', due_at = null`);
  await db.execute(sql`
    insert into deliveries (id, event_id, webhook_id, event_sequence, status, due_at, resend_of)
    select id || '_' || n, event_id, webhook_id, event_sequence, status, null, id from deliveries, generate_series(1, 150) n`);
  await reportInvestments(db, BACKLOG);
  await db.execute(sql`vacuum analyze events, webhooks, deliveries`);
  for (const table of ['deliveries', 'events']) {
    const rows = await rowsFetched(db, table, (tx) =>
      claimFirstAttempts({ ...desk.stage.ctx, db: tx }, { ...ROOMY, capacity: 8, afterWebhookId: '' }),
    );
    expect(rows, table).toBeLessThan(MOST_ROWS);
  }
});
