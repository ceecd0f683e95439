import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { deliveries, deliveryAttempts } from '#drizzle/schema/events.ts';
import { applyEnv } from '#lib/base/env.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';
import { appendInvestments, openStage, type Stage } from './stage.ts';

/** A slice has noticed by then that its time is up. */
export const OVER_SOON_MS = 200;
const ANY = { ofUnknown: 8, known: new Map() };
/** Room that nothing is short of. */
export const ROOMY = {
  webhooks: ANY,
  hosts: ANY,
  failing: 8,
  untried: 8,
  weakOfTenant: ANY,
  notQuickOfTenant: ANY,
  notQuick: 8,
  quick: new Set<string>(),
  succeeded: new Set<string>(),
};

/** An answer that requests wait for until it is released; from then on it comes at once. */
export function heldAnswer(): { answer: Answer; release: () => void } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return { answer: (_n, response) => void released.then(() => response.writeHead(200).end()), release };
}

/** A stage for a file of tests, empty before each, with a receiver of each test's own. */
export function dispatching(overrides: Record<string, string> = {}) {
  let stage: Stage;
  let receiver: Receiver;
  beforeAll(async () => {
    stage = await openStage(overrides);
  });
  afterAll(() => stage.close());
  // What one test leaves waiting would be dispatched by the next.
  beforeEach(async () => {
    await stage.reset();
    receiver = await startReceiver();
  });
  afterEach(() => {
    applyEnv(stage.settings);
    return receiver.close();
  });
  const wakes = async () => (await stage.waiting()).filter(({ url }) => url.endsWith('/api/queue/continue'));
  return {
    get stage() {
      return stage;
    },
    get receiver() {
      return receiver;
    },
    /** Attempts shall end by the test's own word, not by time. */
    endByWord: () => applyEnv({ ...stage.settings, WEBHOOK_TIMEOUT_MS: '30000' }),
    dispatch: () => dispatchFirstAttempts(stage.ctx, stage.ctx.clock.nowMs() + 10_000),
    allDeliveries: () => stage.ctx.db.select().from(deliveries).orderBy(deliveries.id),
    allAttempts: () =>
      stage.ctx.db.select().from(deliveryAttempts).orderBy(deliveryAttempts.attempt, deliveryAttempts.startedAt),
    expireLeases: () =>
      stage.ctx.db.execute(
        sql`update deliveries set leased_until = now() - interval '1 second' where leased_until is not null`,
      ),
    claimOne: async () => (await claimFirstAttempts(stage.ctx, { ...ROOMY, capacity: 1, afterWebhookId: '' })).claimed,
    /** So many events, and a slice that hangs at the first of them until it is released. */
    async sliceAtWork(events: number) {
      const { answer, release } = heldAnswer();
      receiver.answerWith(answer);
      await appendInvestments(stage.ctx.db, events);
      const busy = dispatchDeliveries(stage.ctx);
      await expect.poll(() => receiver.received.length).toBe(1);
      return { busy, release };
    },
    wakes,
    // The stage serves no continue route, so a message stays on the queue as a failed callback to be retried.
    wakesPublished: async () => new Set((await wakes()).map(({ deduplicationId }) => deduplicationId)).size,
  };
}
