import { sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import * as cancelRoute from '../../../app/api/webhooks/[id]/replays/[replay_id]/cancel/route.ts';
import * as replayRoute from '../../../app/api/webhooks/[id]/replays/[replay_id]/route.ts';
import * as replaysRoute from '../../../app/api/webhooks/[id]/replays/route.ts';
import { call } from './call.ts';
import { newWebhook, reportInvestments, type Stage } from './stage.ts';

/** A webhook, and the routes of its replays. */
export async function openScene(stage: Stage, url: string) {
  const { developer, webhook } = await newWebhook(stage.ctx, url);
  const webhookId = webhook.id;
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const one = (replay_id: unknown) => ({ id: webhookId, replay_id: String(replay_id) });
  return {
    developer,
    webhookId,
    start: (body: object = {}, apiKey = developer.apiKey) =>
      call(replaysRoute, 'POST', { apiKey, params: { id: webhookId }, body: { from, ...body } }),
    list: (query = '', apiKey = developer.apiKey) =>
      call(replaysRoute, 'GET', { apiKey, params: { id: webhookId }, query }),
    read: (id: unknown, apiKey = developer.apiKey) => call(replayRoute, 'GET', { apiKey, params: one(id) }),
    cancel: (id: unknown, apiKey = developer.apiKey) => call(cancelRoute, 'POST', { apiKey, params: one(id) }),
    /** Reports events whose deliveries ended so, long ago. */
    past: async (count: number, status: 'success' | 'failed' | 'cancelled') => {
      await reportInvestments(stage.ctx.db, count);
      await stage.ctx.db.execute(sql`update deliveries set status = ${status}, due_at = null where status = 'pending'`);
    },
    replayed: () =>
      stage.ctx.db.select().from(deliveries).where(sql`replay_id is not null`).orderBy(deliveries.eventSequence),
    /** Ends what a replay has under way. */
    end: (status: 'success' | 'failed' = 'success') =>
      stage.ctx.db.execute(
        sql`update deliveries set status = ${status}, due_at = null where status in ('pending', 'retrying')`,
      ),
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
