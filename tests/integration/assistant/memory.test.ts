import { beforeEach, describe, expect, test } from 'vitest';
import { KEPT_SECONDS, MAX_TURNS } from '#lib/assistant/memory/conversation.ts';
import { redis } from '#lib/base/redis.ts';
import { breaksOff, calls, says } from '#tests/support/model-server.ts';
import { ask, withChat } from './chat-stage.ts';

const stage = withChat();
beforeEach(async () => {
  await redis().flushdb();
});

/** What the model was told of the conversation, without its rules. */
const toldOf = (request = 0) =>
  (stage.model.requests[request]?.body.messages ?? []).slice(1).map(({ role, content }) => [role, content]);
const asUser = (message: string) => ['user', JSON.stringify({ message })];

test('a conversation goes on where it was, by the id that its first answer gave', async () => {
  stage.model.play(says('Hello, Ada.'));
  const { conversation_id } = (await ask('I am Ada')).body;
  stage.model.play(says('You are Ada.'));
  const second = (await ask('Who am I?', { conversation_id })).body;
  expect(second.conversation_id).toBe(conversation_id);
  expect(toldOf()).toEqual([asUser('I am Ada'), ['assistant', 'Hello, Ada.'], asUser('Who am I?')]);
});

test('figures of earlier answers may be named again', async () => {
  stage.model.play(calls(['get_project', { project_id: stage.projectId }]), says('It is 0.1 XRP.'));
  const { conversation_id } = (await ask('The price?')).body;
  stage.model.play(says('As I said, 0.1 XRP.'));
  expect((await ask('Again?', { conversation_id })).body.reply).toBe('As I said, 0.1 XRP.');
});

test('it is forgotten an hour after its last message', async () => {
  stage.model.play(says('Hello.'));
  const { conversation_id } = (await ask('Hello')).body;
  const left = await redis().ttl(`assistant:chat:${conversation_id}`);
  expect(left).toBeGreaterThan(KEPT_SECONDS - 60);
  expect(left).toBeLessThanOrEqual(KEPT_SECONDS);
});

describe('an id is of our own making', () => {
  test.each(['chat_0000000000000000000000', 'mine', 'a'.repeat(64)])(
    '%s begins anew under another',
    async (conversation_id) => {
      stage.model.play(says('Hello.'));
      const first = (await ask('One', { conversation_id })).body;
      expect(first.conversation_id).toMatch(/^chat_[0-9A-Za-z]{22}$/);
      expect(first.conversation_id).not.toBe(conversation_id);
      await ask('Two', { conversation_id });
      expect(toldOf(1)).toEqual([asUser('Two')]);
    },
  );

  test('what is no id at all is refused by name', async () => {
    const { status, text } = await ask('One', { conversation_id: '../other' });
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('conversation_id') });
  });
});

test('turns and bytes are bounded, and the newest stay', async () => {
  stage.model.play(says('Well.'));
  let conversation_id = (await ask('Message 0')).body.conversation_id;
  for (let n = 1; n <= MAX_TURNS; n += 1)
    conversation_id = (await ask(`Message ${n} ${'.'.repeat(3_900)}`, { conversation_id })).body.conversation_id;
  expect(await redis().llen(`assistant:chat:${conversation_id}`)).toBe(MAX_TURNS);
  const told = toldOf(stage.model.requests.length - 1);
  expect(told.length).toBeLessThanOrEqual(MAX_TURNS + 1);
  expect(Buffer.byteLength(JSON.stringify(told.slice(0, -1)))).toBeLessThan(20 * 1024);
  expect(told.at(-3)?.[1]).toContain(`Message ${MAX_TURNS - 1} `);
});

test('two messages at once lose nothing of each other', async () => {
  stage.model.play(says('Well.'));
  const { conversation_id } = (await ask('First')).body;
  await Promise.all([ask('Second', { conversation_id }), ask('Third', { conversation_id })]);
  expect(await redis().llen(`assistant:chat:${conversation_id}`)).toBe(6);
});

test('an answer that was not finished is not remembered', async () => {
  stage.model.play(says('Hello.'));
  const { conversation_id } = (await ask('First')).body;
  stage.model.play(breaksOff('One.\n\nTw'));
  await ask('Second', { conversation_id });
  expect(await redis().llen(`assistant:chat:${conversation_id}`)).toBe(2);
});

test('nothing but redacted text is kept', async () => {
  stage.model.play(says('Hello.'));
  const seed = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
  const { conversation_id } = (await ask('I am ada@mail.example.org, tr_test_8Zk2QpW7xN0aYh3uVtR8wZcQ1s5kLmTd1vXc9b'))
    .body;
  await ask(`and ${seed}`, { conversation_id });
  const kept = JSON.stringify(await redis().lrange(`assistant:chat:${conversation_id}`, 0, -1));
  expect(kept).toContain('[e-mail address removed]');
  expect(kept).not.toMatch(/ada@|tr_test_|snoPBr/);
  expect(stage.model.requests).toHaveLength(1);
});

test('a name alone goes on with the question before it', async () => {
  stage.set({ OPENAI_API_KEY: undefined });
  const about = { project_id: stage.projectId };
  const { conversation_id } = (await ask('what does it buy?', about)).body;
  const { reply } = (await ask('500 XRP', { ...about, conversation_id })).body;
  expect(reply).toContain('500.000000 XRP would buy');
});
