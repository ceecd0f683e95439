import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '#lib/assistant/openai/limits.ts';
import {
  breaksOff,
  calls,
  endsEarly,
  fails,
  hangs,
  type ModelRequest,
  says,
  sends,
} from '#tests/support/model-server.ts';
import { ask, listen, withChat } from './chat-stage.ts';

const stage = withChat();
afterEach(() => stage.set());

const project = () => ({ project_id: stage.projectId });
const results = (request: ModelRequest | undefined) =>
  (request?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content ?? '') as Record<string, unknown>);

describe('a model that works', () => {
  test('looks things up, and its answer names the pages that it rests on', async () => {
    stage.model.play(calls(['get_project', project()]), says('The first tier costs **0.1 XRP** a token.'));
    const { status, body } = await ask('What does it cost?', project());
    expect(status).toBe(200);
    expect(body).toMatchObject({ reply: 'The first tier costs **0.1 XRP** a token.', model: 'scripted-1' });
    expect(body.sources).toEqual([
      expect.objectContaining({ url: expect.stringContaining('/sales/') }),
      expect.objectContaining({ url: expect.stringContaining(stage.projectId) }),
    ]);
    const [first, second] = stage.model.requests;
    expect(first?.body).toMatchObject({ stream: true, tool_choice: 'auto' });
    expect(first?.body.tools.map((tool) => tool.function.name)).toContain('quote');
    expect(JSON.parse(first?.body.messages.at(-1)?.content ?? '')).toEqual({
      message: 'What does it cost?',
      ...project(),
    });
    expect(first?.body.messages[0]?.content).toMatch(/The time is \d{4}-\d\d-\d\dT[\d:.]+Z\.$/);
    expect(results(second)[0]).toHaveProperty('result');
  });

  test('is heard piece by piece: each block as soon as it is whole, and all of them are the reply', async () => {
    stage.model.play(says('One.\n\nTwo.\n\nThree.'));
    const events = await listen('Tell me');
    expect(events.map(({ event }) => event)).toEqual(['start', 'delta', 'delta', 'delta', 'done']);
    expect(events[0]?.data).toMatchObject({ model: 'scripted-1' });
    const text = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
    expect(events.at(-1)?.data).toMatchObject({ reply: text, conversation_id: events[0]?.data.conversation_id });
    expect(text).toBe('One.\n\nTwo.\n\nThree.');
  });
});

describe('a server that fails before it answers', () => {
  test.each([429, 500, 502, 503])('%s is tried again', async (status) => {
    stage.model.play(fails(status, { 'retry-after': '0' }), says('Here I am.'));
    expect((await ask('Hello')).body.reply).toBe('Here I am.');
    expect(stage.model.requests).toHaveLength(2);
  });

  test('Retry-After is waited for', async () => {
    stage.model.play(fails(429, { 'retry-after': '1' }), says('Here I am.'));
    expect((await ask('Hello')).body.reply).toBe('Here I am.');
    const [first, second] = stage.model.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(995);
  });

  test('a Retry-After beyond the deadline is passed on instead', async () => {
    stage.model.play(fails(429, { 'retry-after': '120' }));
    const { status, body, headers } = await ask('Hello');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'service_unavailable' });
    expect(headers.get('retry-after')).toBe('120');
    expect(stage.model.requests).toHaveLength(1);
  });

  test('one that goes on failing is given up, and nothing of what it wrote is shown', async () => {
    stage.model.play(fails(500, { 'retry-after': '0' }));
    const { status, body, text } = await ask('Hello');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'service_unavailable' });
    expect(stage.model.requests).toHaveLength(LIMITS.attempts);
    expect(text).not.toMatch(/sk-scripted|Hello/);
  });

  test('a refused key is not tried again', async () => {
    stage.model.play(fails(401));
    expect((await ask('Hello')).body.code).toBe('service_unavailable');
    expect(stage.model.requests).toHaveLength(1);
  });

  test('a server that is not there is a clear answer', async () => {
    stage.set({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', ASSISTANT_TIMEOUT_MS: '2500' });
    expect(await ask('Hello')).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  });
});

describe('a half answer is never passed off as a whole one', () => {
  test.each([
    ['a lost connection', breaksOff('The first tier')],
    ['a stream without its end', endsEarly('The first tier')],
    ['a model that was cut short', says('The first tier', { finish: 'length' })],
    ['a model that was filtered', says('The first tier', { finish: 'content_filter' })],
    ['broken JSON', sends('data: {"choices": [{\n\n')],
    ['an error within the stream', sends('data: {"error": {"message": "overloaded"}}\n\n')],
    ['no stream at all', sends('<html>hello</html>')],
    ['an answer without a word', says('')],
  ])('%s', async (_, turn) => {
    stage.model.play(turn);
    expect(await ask('Hello')).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    const events = await listen('Hello');
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { status: 503, code: 'service_unavailable' } });
    expect(events.map(({ event }) => event)).not.toContain('done');
  });

  test('what came before is there for who listened, and the error says that it is a part', async () => {
    stage.model.play(breaksOff('One.\n\nTwo.\n\nThr'));
    const events = await listen('Hello');
    expect(events.map(({ event }) => event)).toEqual(['start', 'delta', 'delta', 'error']);
  });
});

describe('time', () => {
  test('an answer that takes too long ends at its deadline, and so does the request to the model', async () => {
    stage.set({ ASSISTANT_TIMEOUT_MS: '600' });
    stage.model.play(hangs);
    const { status, body } = await ask('Hello');
    expect({ status, detail: body.detail }).toEqual({ status: 503, detail: expect.stringContaining('too long') });
    expect(await stage.model.requests[0]?.leftEarly).toBe(true);
  });

  test('slow tokens within the deadline are waited for', async () => {
    stage.model.play(says('Slow but whole.', { pauseMs: 20 }));
    expect((await ask('Hello')).body.reply).toBe('Slow but whole.');
  });

  test('slow tokens beyond it are not', async () => {
    stage.set({ ASSISTANT_TIMEOUT_MS: '600' });
    stage.model.play(says('word '.repeat(400), { pauseMs: 20 }));
    expect((await listen('Hello')).at(-1)).toMatchObject({ event: 'error', data: { code: 'service_unavailable' } });
    expect(await stage.model.requests[0]?.leftEarly).toBe(true);
  });
});

describe('loops end', () => {
  test('a model that only looks things up is stopped after its rounds, and told so before', async () => {
    stage.model.play(calls(['list_projects', {}]));
    expect(await ask('Hello')).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    const choices = stage.model.requests.map(({ body }) => body.tool_choice);
    expect(choices).toEqual([...Array<string>(LIMITS.rounds - 1).fill('auto'), 'none']);
  });

  test('one that heeds it still answers', async () => {
    const again = calls(['list_projects', {}]);
    stage.model.play(...Array.from({ length: LIMITS.rounds - 1 }, () => again), says('That is all I know.'));
    expect((await ask('Hello')).body.reply).toBe('That is all I know.');
  });

  test('look-ups in all are bounded, also within one round', async () => {
    const many = Array.from({ length: 7 }, () => ['list_projects', {}] as const);
    stage.model.play(calls(...many), calls(...many), says('Enough.'));
    expect((await ask('Hello')).body.reply).toBe('Enough.');
    const found = results(stage.model.requests[2]);
    expect(found.filter((one) => 'result' in one)).toHaveLength(LIMITS.calls);
    expect(stage.model.requests[2]?.body.tool_choice).toBe('none');
  });

  test.each([
    ['endless text', says('some text '.repeat(LIMITS.replyLength), { pieceLength: 5_000 })],
    ['endless arguments', calls(['list_projects', `{"a":"${'x'.repeat(LIMITS.argumentLength)}"}`])],
    ['calls without number', calls(...Array.from({ length: 40 }, () => ['list_projects', {}] as const))],
    ['more bytes than any answer', sends(`data: ${'x'.repeat(LIMITS.responseBytes)}`)],
  ])('%s ends', async (_, turn) => {
    stage.model.play(turn);
    expect(await ask('Hello')).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(stage.model.requests).toHaveLength(1);
  });
});

describe('a call that cannot be answered is answered with the reason', () => {
  test.each([
    ['no JSON', ['get_project', '{"project_id": '], /not valid JSON/],
    ['no arguments that fit', ['get_project', { project_id: 'x', more: 1 }], /not valid.*project_id/],
    ['an unknown tool', ['send_payment', { to: 'r', amount: '1' }], /no such tool/],
    ['a tool that objects are made of', ['__proto__', {}], /no such tool/],
    [
      'a project that there is not',
      ['get_project', { project_id: 'proj_0000000000000000000000' }],
      /project_not_found/,
    ],
  ] as const)('%s', async (_, wanted, reason) => {
    stage.model.play(calls(wanted), says('I could not look that up.'));
    const { status, body } = await ask('Hello');
    expect({ status, reply: body.reply, sources: body.sources }).toEqual({
      status: 200,
      reply: 'I could not look that up.',
      sources: [],
    });
    const last = stage.model.requests[1]?.body.messages.at(-1);
    expect(last).toMatchObject({ role: 'tool', tool_call_id: 'call_0', content: expect.stringMatching(reason) });
  });
});
