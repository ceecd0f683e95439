import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chat } from '#lib/assistant/chat/chat.ts';
import { chatWhole } from '#lib/assistant/chat/chat-whole.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';

const query = vi.spyOn(pg.Client.prototype, 'query');

let stage: Stage;
let sale: Sale;
beforeAll(async () => {
  stage = await openStage();
  sale = await stage.launched({ name: 'Solar Farm' });
  await stage.launched({ name: 'Wind Park' });
});
afterAll(() => stage?.end());

test.each([
  ['How can I buy?', true, 40],
  ['How do I buy tokens?', false, 14],
  ['when do I get my tokens', true, 38],
])('an answer reads each thing once: %s (on the page of a sale: %s)', async (message, isOnSale, most) => {
  const asked = {
    message,
    conversationId: undefined,
    walletAddress: undefined,
    projectId: isOnSale ? sale.project.id : undefined,
    caller: '10.9.0.1',
  };
  query.mockClear();
  const { reply } = await chatWhole(chat(stage.ctx, asked, new AbortController().signal));
  const texts = query.mock.calls.map(([one]) => (typeof one === 'string' ? one : (one as { text: string }).text));
  expect(reply).not.toBe('');
  expect(texts.length, texts.map((text) => text.slice(0, 110)).join('\n')).toBeLessThanOrEqual(most);
  if (isOnSale) expect(reply).toContain('Solar Farm');
});
