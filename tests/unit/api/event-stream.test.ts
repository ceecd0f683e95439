import { expect, test } from 'vitest';
import { z } from 'zod';
import { EventStream, eventChunks, type ServerEvent } from '#lib/api/event-stream.ts';
import { applyEnv } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { testEnv } from '#tests/support/env.ts';
import { gather } from '#tests/support/gather.ts';

applyEnv(testEnv());

const schemas = { word: z.object({ text: z.string() }), error: z.object({ code: z.string() }) };
const options = { schemas, requestId: 'req_1' };
const word = (text: string): ServerEvent => ({ event: 'word', data: { text } });
const all = (events: AsyncIterable<ServerEvent>, more: { heartbeatMs?: number } = {}) =>
  gather(eventChunks(new EventStream(events, () => undefined), { ...options, ...more }));

test('each event is a name and one line of JSON', async () => {
  async function* events() {
    yield word('a\nb');
  }
  expect(await all(events())).toEqual(['event: word\ndata: {"text":"a\\nb"}\n\n']);
});

test('a failure before the first event is thrown; a later one is the last event, with its problem', async () => {
  const failure = new PlatformError('service_unavailable', 'Not now.');
  async function* early() {
    if (failure.status === 503) throw failure;
    yield word('a');
  }
  await expect(all(early())).rejects.toBe(failure);
  async function* late() {
    yield word('a');
    throw failure;
  }
  const [, error = '', ...others] = await all(late());
  expect(others).toEqual([]);
  expect(JSON.parse(error.replace(/^event: error\ndata: /, ''))).toMatchObject({
    code: 'service_unavailable',
    detail: 'Not now.',
    request_id: 'req_1',
  });
});

test('silence is filled with comments, and nothing of what comes then is lost', async () => {
  const late = Promise.withResolvers<void>();
  async function* events() {
    yield word('a');
    await late.promise;
    yield word('b');
  }
  const chunks: string[] = [];
  for await (const chunk of eventChunks(new EventStream(events(), () => undefined), { ...options, heartbeatMs: 1 })) {
    chunks.push(chunk);
    if (chunks.length === 4) late.resolve();
  }
  expect(chunks.slice(1, 4).every((chunk) => chunk.startsWith(':'))).toBe(true);
  expect(chunks.filter((chunk) => !chunk.startsWith(':'))).toHaveLength(2);
});

test('who goes away cancels the work at once, also while an event is awaited', async () => {
  const cancelled = Promise.withResolvers<void>();
  let hasEnded = false;
  async function* events() {
    try {
      yield word('a');
      await cancelled.promise;
    } finally {
      hasEnded = true;
    }
  }
  const iterator = eventChunks(new EventStream(events(), () => cancelled.resolve()), options)[Symbol.asyncIterator]();
  await iterator.next();
  const awaited = iterator.next();
  await iterator.return?.();
  await awaited;
  expect(hasEnded).toBe(true);
});

test('a failure ends the work on the stream: that of an event, and that of what an event breaks', async () => {
  for (const before of [[], [word('a')]]) {
    let ends = 0;
    let cancels = 0;
    async function* events() {
      try {
        yield* before;
        yield { event: 'other', data: {} };
      } finally {
        ends += 1;
      }
    }
    const stream = new EventStream(events(), () => {
      cancels += 1;
    });
    await gather(eventChunks(stream, options)).catch(() => undefined);
    expect({ ends, cancels }).toEqual({ ends: 1, cancels: 1 });
  }
});

test('an undeclared event, or one that breaks its schema, is a failure', async () => {
  async function* undeclared() {
    yield { event: 'other', data: {} };
  }
  await expect(all(undeclared())).rejects.toThrow(/not declared/);
  async function* broken() {
    yield { event: 'word', data: { text: 1 } };
  }
  await expect(all(broken())).rejects.toThrow();
});
