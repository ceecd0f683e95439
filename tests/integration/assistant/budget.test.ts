import { afterEach, beforeEach, expect, test } from 'vitest';
import { ANSWERS_PER_CALLER } from '#lib/assistant/chat/budget.ts';
import { redis } from '#lib/base/redis.ts';
import { hangs, says } from '#tests/support/model-server.ts';
import { ask, heard, MODEL, open, withChat } from './chat-stage.ts';

const stage = withChat();
beforeEach(async () => {
  await redis().flushdb();
  stage.model.play(says('Hello.'));
});
afterEach(() => stage.set());

const modelsOf = async (count: number, from?: string) => {
  const models: string[] = [];
  for (let n = 0; n < count; n += 1) {
    models.push((await ask('Which sales are open?', from === undefined ? {} : { from })).body.model);
  }
  return models;
};

/** A stream whose client waits for what comes after its beginning. */
async function reading(from: string) {
  const reader = (await open('Hello', { from })).body?.getReader();
  if (reader === undefined) throw new Error('The answer has no body');
  await reader.read();
  reader.read().catch(() => undefined);
  return reader;
}

test('a caller has so many answers by the model a day; then the built-in assistant answers, and only them', async () => {
  stage.set({ ASSISTANT_CALLER_DAILY_LIMIT: '2' });
  expect(await modelsOf(3, '192.0.2.1')).toEqual([MODEL, MODEL, 'built-in']);
  expect(stage.model.requests).toHaveLength(2);
  expect(await modelsOf(1, '192.0.2.2')).toEqual([MODEL]);
});

test('so has the deployment, whoever asks', async () => {
  stage.set({ ASSISTANT_DAILY_LIMIT: '3' });
  expect(await modelsOf(5)).toEqual([MODEL, MODEL, MODEL, 'built-in', 'built-in']);
  expect(stage.model.requests).toHaveLength(3);
});

test('a caller over the own limit takes nothing of what others have', async () => {
  stage.set({ ASSISTANT_CALLER_DAILY_LIMIT: '1', ASSISTANT_DAILY_LIMIT: '2' });
  expect(await modelsOf(4, '192.0.2.3')).toEqual([MODEL, 'built-in', 'built-in', 'built-in']);
  expect(await modelsOf(1)).toEqual([MODEL]);
});

test('many at once take no more than there are', async () => {
  stage.set({ ASSISTANT_DAILY_LIMIT: '4' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask('Which sales are open?')));
  expect(answers.filter(({ body }) => body.model === MODEL)).toHaveLength(4);
  expect(stage.model.requests).toHaveLength(4);
});

test('a limit of 0 or no key is the built-in assistant', async () => {
  stage.set({ ASSISTANT_DAILY_LIMIT: '0' });
  expect(await modelsOf(1)).toEqual(['built-in']);
  stage.set({ OPENAI_API_KEY: undefined });
  expect(await modelsOf(1)).toEqual(['built-in']);
  expect(stage.model.requests).toHaveLength(0);
});

test('so many answers may be under way to one caller; one more is told when to come back, and a client that leaves frees its place', async () => {
  const from = '192.0.2.4';
  stage.model.play(hangs);
  const streams: Awaited<ReturnType<typeof reading>>[] = [];
  // One after the other: so the first request is the first stream's.
  while (streams.length < ANSWERS_PER_CALLER) {
    streams.push(await reading(from));
    await expect.poll(() => stage.model.requests.length).toBe(streams.length);
  }
  const refused = await ask('Hello', { from });
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  const [first, ...others] = streams;
  await first?.cancel();
  expect(await stage.model.requests[0]?.leftEarly, 'the request to the model has ended').toBe(true);
  stage.model.play(says('Hello.'));
  expect((await ask('Hello', { from })).status).toBe(200);
  for (const other of others) await other.cancel();
});

test('a client that leaves before it has its JSON ends the request to the model and frees its place', async () => {
  const from = '192.0.2.5';
  stage.model.play(hangs);
  const leaving = new AbortController();
  const asked = ask('Hello', { from, signal: leaving.signal });
  await expect.poll(() => stage.model.requests.length).toBe(1);
  leaving.abort();
  expect((await asked).status).toBe(410);
  expect(await stage.model.requests[0]?.leftEarly).toBe(true);
  expect(await redis().zcard(`assistant:open:${from}`)).toBe(0);
});

test('a stream is read to its end by one who takes it slowly', async () => {
  stage.model.play(says('One.\n\nTwo.'));
  const events: string[] = [];
  for await (const { event } of heard(await open('Hello'))) events.push(event);
  expect(events).toEqual(['start', 'delta', 'delta', 'done']);
});

test('while Redis is away nobody is answered: what cannot be counted is not spent', async () => {
  await stage.closeRedis();
  const { status, body, headers } = await ask('Hello');
  expect({ status, code: body.code, after: headers.get('retry-after') }).toEqual({
    status: 503,
    code: 'service_unavailable',
    after: '60',
  });
  expect(stage.model.requests).toHaveLength(0);
});
