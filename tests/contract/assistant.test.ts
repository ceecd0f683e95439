import { createParser } from 'eventsource-parser';
import { expect, inject, test } from 'vitest';
import { chatEvents } from '#lib/assistant/contracts.ts';
import { call, expectProblem } from '#tests/support/http.ts';

const PATH = '/api/ai-agent/chat';

test('a question is answered as JSON and, in the same conversation, as events', async () => {
  const { manifest } = inject('sandbox');
  const question = { message: 'How do I create an API key?' };
  const whole = chatEvents.done.parse((await call(PATH, { json: question })).json);
  expect(whole).toMatchObject({ model: 'built-in', reply: expect.stringContaining('/api/api-keys/create') });

  const events: { event: string; data: unknown }[] = [];
  const parser = createParser({ onEvent: ({ event = '', data }) => events.push({ event, data: JSON.parse(data) }) });
  const response = await fetch(new URL(PATH, manifest.base_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ ...question, conversation_id: whole.conversation_id }),
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  parser.feed(await response.text());
  expect(events.at(0)?.event).toBe('start');
  expect(events.at(-1)?.event).toBe('done');
  for (const { event, data } of events) chatEvents[event as keyof typeof chatEvents].parse(data);
  const { conversation_id, reply } = chatEvents.done.parse(events.at(-1)?.data);
  expect(conversation_id).toBe(whole.conversation_id);
  expect(
    events.flatMap(({ event, data }) => (event === 'delta' ? [(data as { text: string }).text] : [])).join(''),
  ).toBe(reply);
});

test('bad input is a problem also for who wants events', async () => {
  const refused = await call(PATH, { json: { message: '' }, headers: { accept: 'text/event-stream' } });
  expectProblem(refused, 400, 'invalid_request');
});

test('a pasted seed is answered with a warning, and never repeated', async () => {
  const seed = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
  const answer = await call(PATH, { json: { message: `Where are my tokens? ${seed}` } });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('Move your funds now');
  expect(answer.text).not.toContain(seed);
});
