import { describe, expect, test } from 'vitest';
import type { Turn } from '#lib/assistant/answerer.ts';
import { INTENTS, type IntentName } from '#lib/assistant/embedded/intents.ts';
import { LEXICON } from '#lib/assistant/embedded/lexicon.ts';
import { phraseOf } from '#lib/assistant/embedded/tokens.ts';
import { understand } from '#lib/assistant/embedded/understand.ts';

const WALLET = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const HASH = 'E08D6E9754025BA2534A78707605E0601F03ACE063687A0CA1BDDACFCD1698C7';
const NAMES = { sales: ['Solar Farm', 'Wind Park'], tokens: ['DMO'] };

const said = (...messages: string[]) => {
  const history: Turn[] = messages.slice(0, -1).flatMap((text) => [
    { role: 'user', text },
    { role: 'assistant', text: 'An answer.' },
  ]);
  const { intents, entities } = understand(messages.at(-1) ?? '', history, NAMES);
  return {
    intents,
    amounts: entities.amounts.map((amount) => (amount.kind === 'exact' ? amount.value : null)),
    entities,
  };
};

describe('the built-in assistant understands', () => {
  test('each question that it offers, as that question', () => {
    const intents = Object.keys(INTENTS) as IntentName[];
    const others = intents.filter((intent) => said(INTENTS[intent]).intents[0] !== intent);
    expect(others).toEqual([]);
  });

  test('no phrase in two ways', () => {
    const meanings = new Map<string, Set<string>>();
    for (const [concept, forms] of Object.entries(LEXICON)) {
      for (const form of forms.split('|')) {
        meanings.set(phraseOf(form), (meanings.get(phraseOf(form)) ?? new Set()).add(concept));
      }
    }
    expect([...meanings].filter(([, concepts]) => concepts.size > 1)).toEqual([]);
  });

  test('several questions in one message, in their order', () => {
    expect(said('is the system up and who are the holders?').intents).toEqual(['status', 'holders']);
    expect(said('What is a Platform ID and how do I get one?').intents).toEqual(['platform_id', 'get_platform_id']);
    expect(said('what does 500 xrp buy, which tier is it and how do I pay?').intents).toEqual(['quote', 'tier', 'pay']);
  });

  test('a question behind a greeting', () => {
    expect(said('Hi there! What tag do I need, please?').intents).toEqual(['tag']);
    expect(said('hello').intents).toEqual(['hello']);
  });

  test('what goes on from the question before', () => {
    expect(said('what does 500 XRP buy', 'and 1000?')).toMatchObject({ intents: ['quote'], amounts: ['1000'] });
    expect(said('what does 500 XRP buy', 'and in Wind Park?')).toMatchObject({ intents: ['quote'], amounts: ['500'] });
    expect(said('which tier are we in', 'what about tier 2')).toMatchObject({
      intents: ['tier'],
      entities: { tier: 2 },
    });
    expect(said('how do I pay', 'and the tag?').intents).toEqual(['tag']);
    expect(said('what is a platform id', 'how do I get one?').intents).toEqual(['get_platform_id']);
    expect(said('what does 1.000 XRP buy', 'one thousand')).toMatchObject({ intents: ['quote'], amounts: ['1000'] });
  });

  test('an address or hash that was asked for', () => {
    expect(said('where is my payment', WALLET).intents).toEqual(['where_payment']);
    expect(said('is my trust line set?', WALLET).intents).toEqual(['trustline']);
    expect(said(HASH).intents).toEqual(['where_payment']);
    expect(said(`100 XRP from ${WALLET}`)).toMatchObject({ intents: ['quote'], amounts: ['100'] });
  });

  test('XRP for tokens and tokens for XRP by their units', () => {
    expect(said('how much is 1000 DMO?').intents).toEqual(['cost']);
    expect(said('how much DMO is 1000 XRP?').intents).toEqual(['quote']);
  });

  test('addresses in the extended form, and slips in addresses and hashes', () => {
    const extended = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb';
    expect(said(`where is my payment ${extended}`).entities.wallets).toHaveLength(1);
    expect(said(`where is my payment ${WALLET.slice(0, -1)}x`).entities).toMatchObject({
      wallets: [],
      brokenAddress: true,
    });
    expect(said(`where is ${HASH.slice(1)}`).entities).toMatchObject({ hashes: [], brokenHash: true });
  });

  test('no more of an endless message than a question needs', () => {
    const startedAt = process.threadCpuUsage();
    for (const text of ['blorb zxcvvb qwertz ', 'what tag? ', 'and ', '1,000 ', 'five hundred ']) {
      const message = text.repeat(4_000 / text.length);
      said(message, message, message, message);
    }
    const { user } = process.threadCpuUsage(startedAt);
    expect(user).toBeLessThan(3_000_000);
  }, 120_000);

  test.each([
    'write me a poem about cats',
    'who won the world cup',
    'how do I bake bread',
    'translate hello to french',
    '???',
    'what is the best pizza in town',
  ])('that “%s” is none of its business', (message) => {
    expect(said(message).intents).toEqual([]);
  });
});
