import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { createQueue, MessagesRefused } from '#lib/base/queue.ts';
import { continueProcessing } from '#lib/jobs/heartbeat.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';

let qstash: RunningQStash;
let database: FreshDatabase;
beforeAll(async () => {
  const settings = testEnv();
  qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  applyEnv({ ...settings, QSTASH_URL: qstash.url });
  database = await freshDatabase();
});
afterEach(() => qstash.faults.clear());
afterAll(async () => {
  await qstash.close();
  await database.close();
});

const message = (path: '/api/queue/deliver' | '/api/queue/continue') => ({ path, body: {}, delaySeconds: 600 });

test('a message that QStash refuses within an accepted batch is named, with the reason, and the others are published', async () => {
  qstash.faults.inject({ kind: 'refuse', urlIncludes: '/api/queue/continue', error: 'quota maxRequests exceeded' });
  const refused = message('/api/queue/continue');
  const failure = await createQueue()
    .publish([message('/api/queue/deliver'), refused])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MessagesRefused);
  expect(failure).toMatchObject({
    refused: [refused],
    message: 'QStash refused 1 of 2 messages: quota maxRequests exceeded',
  });
  const waiting = (await (await fetch(`${qstash.url}/sandbox/messages`)).json()) as { url: string }[];
  expect(waiting.map(({ url }) => new URL(url).pathname)).toEqual(['/api/queue/deliver']);
});

test('a duplicate that QStash has already is no refusal', async () => {
  const twice = { ...message('/api/queue/deliver'), deduplicationId: 'one' };
  await expect(createQueue().publish([twice, twice])).resolves.toBeUndefined();
});

test('a run whose continuation QStash refuses does not say that it continues', async () => {
  const ctx = testCtx({ db: database.db });
  qstash.faults.inject({ kind: 'refuse' });
  expect(await continueProcessing(ctx, { more: true })).toBe(false);
  qstash.faults.clear();
  expect(await continueProcessing(ctx, { more: true })).toBe(true);
});
