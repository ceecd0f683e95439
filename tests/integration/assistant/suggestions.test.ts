import { afterAll, beforeAll, expect, test } from 'vitest';
import { getAssistantSuggestionsContract } from '#lib/assistant/contracts.ts';
import { getSuggestions } from '#lib/assistant/suggestions.ts';
import { untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { ask } from './built-in-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const titles = async (asking: Parameters<typeof getSuggestions>[1] = {}) =>
  (await getSuggestions(stage.ctx, asking)).suggestions.map(({ title }) => title);

test('suggestions follow the state: no sale, upcoming, live, a wallet whose tokens wait, ended', async () => {
  expect(await titles()).toContain('What is a trust line?');

  const later = new Date(stage.ctx.clock.nowMs() + 86_400_000).toISOString();
  const upcoming = await stage.launched({ name: 'Tomorrow', starts_at: later });
  expect(await titles()).toContain('When does it start?');

  const live = await stage.launched({ name: 'Today' });
  expect((await titles())[0]).toBe('What does 500 XRP buy?');
  expect(await titles({ project_id: upcoming.project.id })).toContain('When does it start?');

  const investor = await stage.account();
  const ofInvestor = { wallet_address: investor.address };
  expect((await titles(ofInvestor))[0]).toBe('Is my wallet ready?');
  await stage.pay(investor, live, 10);
  await stage.settle(live.deposit);
  await untilQuiet(stage, live);
  expect((await titles(ofInvestor))[0]).toBe('Your tokens wait for a trust line');

  await stage.act(live, 'end');
  await stage.settle(live.deposit);
  expect(await titles({ project_id: live.project.id })).toContain('How did it go?');
});

test('every suggestion is one that the built-in assistant answers, and the answer fits its schema', async () => {
  const sale: Sale = await stage.launched({ name: 'Another' });
  const investor = await stage.account();
  for (const asking of [{}, { project_id: sale.project.id, wallet_address: investor.address }]) {
    const answer = await getSuggestions(stage.ctx, asking);
    getAssistantSuggestionsContract.responses[200].parse(answer);
    expect(answer.help.length).toBeGreaterThan(5);
    for (const { prompt } of answer.suggestions) {
      const { text } = await ask(stage.ctx, prompt);
      expect(text, prompt).not.toMatch(/do not know|not sure|Which sale do you mean/);
    }
  }
});
