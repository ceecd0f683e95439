import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIVE } from '#lib/assistant/built-in/answers/index.ts';
import { LANGUAGES } from '#lib/assistant/built-in/language.ts';
import { cleanBlock } from '#lib/assistant/safety/clean-block.ts';
import { tellsToPay } from '#lib/assistant/safety/tells-to-pay.ts';
import { parseFaq } from '#lib/assistant/search/faq.ts';
import { faqEntries, guides, isEntry, namedIn, type Place, resultsFor, search } from '#lib/assistant/search/search.ts';
import { excerptOf, gistOf } from '#lib/assistant/search/sections.ts';
import { termsOf } from '#lib/assistant/search/terms.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

const resultsOf = async (question: string, place?: Place): Promise<string[]> =>
  (await resultsFor(question, place)).results.map(({ id }) => id);

beforeAll(() => applyEnv(testEnv({ BASE_URL: 'https://tranche.test' })));
afterAll(() => applyEnv(testEnv()));

describe('docs/faq', () => {
  test('every entry has an answer, names live data that there are, and a section that is there', async () => {
    const sections = await guides();
    for (const { id, variants, live, more } of await faqEntries()) {
      expect(variants[0]?.text, id).not.toBe('');
      if (live !== null) expect(Object.keys(LIVE), id).toContain(live);
      if (more !== null) expect([...sections.keys()], id).toContain(more);
      const languages = variants.map(({ language }) => language);
      expect([...new Set(languages)], id).toEqual(languages);
    }
  });

  test('every entry is asked and answered in all languages, and no answer tells anybody to pay', async () => {
    for (const { id, variants } of await faqEntries()) {
      expect(variants.map(({ language }) => language).toSorted(), id).toEqual([...LANGUAGES].toSorted());
      for (const { text, language, asks } of variants)
        for (const shown of [text, asks[0] ?? '']) {
          expect(shown, `${id} ${language}`).not.toBe('');
          expect({ id, language, shown, tells: tellsToPay(shown) }).toEqual({ id, language, shown, tells: false });
        }
    }
  });

  test('no code in an answer loses what it says when it is shown', async () => {
    for (const { id, variants } of await faqEntries())
      for (const { text, language } of variants)
        expect({ id, language, isWhole: !cleanBlock(text).markdown.includes(' removed]') }).toEqual({
          id,
          language,
          isWhole: true,
        });
  }, 60_000);

  test('what is asked most in a state of a sale is found first there', async () => {
    const question = 'what about my money';
    const [inCancelled, anywhere] = await Promise.all(
      (['cancelled', null] as const).map(async (state) => {
        const [first] = await resultsOf(question, { audience: 'investor', state });
        return first;
      }),
    );
    expect(inCancelled).toBe('investors#the-sale-was-cancelled-when-and-how-much-xrp-do-i-get-back');
    expect(anywhere).not.toBe(inCancelled);
  });

  test('no answer begins with a bare yes or no, which is wrong for a neighbouring question', async () => {
    const bare = /^(?:(?:Yes|No|Sí|Ja|Nein|Oui|Non|Sim|Não)[,.:;]|はい|いいえ)/;
    for (const { id, variants } of await faqEntries())
      for (const { text, language } of variants) expect(bare.test(text), `${id} ${language}`).toBe(false);
  });

  test('an entry is found by nearly each of its own questions', async () => {
    const missed: string[] = [];
    let count = 0;
    for (const { id, variants } of await faqEntries()) {
      for (const ask of variants.flatMap(({ asks }) => asks)) {
        count += 1;
        if (!(await resultsOf(ask)).includes(id)) missed.push(`${id}: ${ask}`);
      }
    }
    expect(missed.length / count, missed.join('\n')).toBeLessThanOrEqual(0.03);
  }, 120_000);

  test('is read from Markdown: other ways to ask, languages, details', () => {
    const [entry] = parseFaq(
      'page',
      '# P\n\n## S\n\n### What is it?\n\n*Also asked:* which one · what now\n\nIt is [this](../api.md#x).\n\n*More:* [api](../api.md#pagination) · *Live:* pay · *Card:* tag · *When:* paused, ended\n\n#### Español: ¿Qué es?\n\nEs esto.\n\n## T\n',
    );
    expect(entry).toEqual({
      id: 'page#what-is-it',
      heading: 'What is it?',
      variants: [
        { language: 'en', asks: ['What is it?', 'which one', 'what now'], text: 'It is this.' },
        { language: 'es', asks: ['¿Qué es?'], text: 'Es esto.' },
      ],
      more: 'api#pagination',
      live: 'pay',
      card: 'tag',
      when: ['paused', 'ended'],
    });
  });
});

describe('questions', () => {
  test.each([
    ['forgott the destinaton tag', 'investors#i-sent-xrp-without-the-destination-tag-or-with-a-wrong-one-is-it-lost'],
    ['can i pay frm binanse', 'investors#can-i-pay-from-an-exchange'],
    ['wen end', 'investors#when-does-the-sale-start-and-end'],
    ['webhok retrys', 'developers#how-often-are-webhooks-retried'],
  ])('are found with slips of the pen: %s', async (question, id) => {
    expect(await resultsOf(question)).toContain(id);
  });

  test.each([
    ['Ein Investor fragt, warum seine Token noch nicht da sind. Was prüfe ich als Betreiber?', null],
    ['operator here: the tokens of a buyer have not arrived, what do I check', 'investor'],
  ] as const)('of who says that he operates lead to answers for operators: %s', async (question, audience) => {
    expect((await resultsOf(question, { audience, state: 'live' }))[0]).toMatch(/^operators#/);
  });

  test.each(['zzzz qqqq wwww', '?', '!!!', ''])('of nothing that is known have no answer: %s', async (question) => {
    expect(await resultsFor(question)).toMatchObject({ results: [], isIt: false, likelihood: 0 });
  });

  test('have amounts and endings in common', () => {
    expect(termsOf('refunded payments')).toEqual(termsOf('refund payment'));
    expect(termsOf('what does 500 XRP buy')).toContain('#amount');
  });

  test('on the page of a sale lead to no answer for developers, where investors ask the same in other words', async () => {
    expect((await resultsOf('min amount?', { audience: 'investor', state: 'live' }))[0]).toBe(
      'investors#what-is-the-minimum-payment',
    );
  });

  test.each([
    [
      'is there an endpoint for this sale, so that I can show a countdown',
      'developers#how-do-i-read-projects-and-their-state',
    ],
    [
      'bekomm ich pro Rückerstattung ein eigenes Event',
      'developers#which-event-tells-that-tokens-or-refunds-have-arrived',
    ],
    ['qual evento sai quando a venda esgota?', 'developers#which-webhook-events-are-there'],
  ])(
    'on the page of a sale lead a developer, known by his words, to answers for developers: %s',
    async (question, id) => {
      expect(await resultsOf(question, { audience: 'investor', state: 'live' })).toContain(id);
    },
  );

  test('have beside their results the entries that are nearest behind them', async () => {
    const question = 'my refund went to a wallet whose app I deleted';
    const { results, further } = await resultsFor(question, { audience: 'investor', state: 'cancelled' });
    expect(further.map(({ id }) => id)).toContain(
      'investors#i-lost-my-phone-my-seed-or-my-wallet-what-happens-to-my-tokens',
    );
    expect(further.length).toBeLessThanOrEqual(4);
    for (const one of further) expect(results).not.toContain(one);
    const literal = await resultsFor('can I get a refund?');
    expect(literal).toMatchObject({ isIt: true });
    expect(literal.further.length).toBeGreaterThanOrEqual(2);
  });

  test.each([
    'how do i get my tokens from the sale to my wallet when it ends',
    'is there a fee on the payment or any fees on payments to the sale',
  ])(
    'that are long tell of a case of their own: no entry is the only one, though it has all their words: %s',
    async (question) => {
      expect((await resultsFor(question, { audience: 'investor', state: 'live' })).isIt).toBe(false);
    },
  );

  test('on the page of a sale show nothing faint for operators or developers beside an answer for investors', async () => {
    for (const question of ['whats the max', 'refund', 'when can I buy', 'how do I know the price'])
      expect((await resultsOf(question, { audience: 'investor', state: 'live' })).join()).not.toMatch(
        /operators#|developers#/,
      );
  });

  test('are shown the section of a guide that holds more of what they ask than a third entry', async () => {
    const { results, isIt } = await resultsFor('statements of other programs that need a vacuum');
    expect(isIt).toBe(false);
    expect(results.find((one) => !isEntry(one))).toMatchObject({ page: 'runbook' });
  });

  test('are shown no section that a shown entry leads to', async () => {
    for (const question of [
      'which scopes does my api key have and which are there',
      'how do retries of a webhook work',
    ]) {
      const { results } = await resultsFor(question);
      const told = results.filter(isEntry).flatMap(({ more }) => more ?? []);
      expect(told.length).toBeGreaterThan(0);
      for (const one of results) if (!isEntry(one)) expect(told).not.toContain(`${one.page}#${one.anchor}`);
    }
  });

  test('on the page of a sale are shown no guide of operators or developers', async () => {
    const question = 'statements of other programs that need a vacuum';
    const { results } = await resultsFor(question, { audience: 'investor', state: 'live' });
    expect(results.filter((one) => !isEntry(one))).toEqual([]);
  });

  test('are never shown a section that tells to pay', async () => {
    for (const question of [
      'payment link with the address and tag in it',
      'send an XRP payment to the deposit address of several sales',
    ])
      for (const one of (await resultsFor(question)).results)
        if (!isEntry(one)) expect(one.text).not.toMatch(/^Send an XRP payment/m);
  });

  test('are told of an entry what in it says most of what they ask, and first what it says first, as far as there is room', () => {
    const terms = (text: string) => text.toLowerCase().split(/\W+/);
    const text = 'All is blue. In steps:\n\n- 1. Read `GET /a?b`, not c.\n- 2. Green follows! 最後は赤です。';
    const of = (room: number, ...asked: string[]) => gistOf(text, new Set(asked), terms, room);
    expect(of(60, 'none')).toBe('All is blue.');
    expect(of(60, 'read')).toBe('All is blue. In steps: 1. Read `GET /a?b`, not c.');
    expect(of(60, 'green', 'follows')).toBe('All is blue. … 2. Green follows!');
    expect(of(80, 'read', 'green', 'follows')).toBe(
      'All is blue. In steps: 1. Read `GET /a?b`, not c. 2. Green follows!',
    );
    expect(of(20, 'green', 'follows')).toBe('2. Green follows!');
    expect(gistOf('All is blue. Is green there? Look for green.', new Set(['green', 'there']), terms, 60)).toBe(
      'All is blue. … Look for green.',
    );
    expect(gistOf(`${'long '.repeat(60)}blue.`, new Set(['blue']), terms, 60)).toMatch(/^(?:long ){30,36}…$/);
    const bold = `${'long '.repeat(30)}**bold ${'words '.repeat(20)}** and \`code\`.`;
    expect(gistOf(bold, new Set(['bold']), terms, 60)).toBe(`${'long '.repeat(30)}…`);
    expect(gistOf('', new Set(['blue']), terms, 60)).toBe('');
  });

  test('are shown of a passage what says most of what they ask', () => {
    const terms = (text: string) => text.toLowerCase().split(/\W+/);
    const table = '| a | b |\n|---|---|\n| one | red |\n| two | blue |';
    const text = `First block.\n\nThe colours:\n\n${table}\n\n${'long '.repeat(200)}green`;
    const of = (...asked: string[]) => excerptOf(text, new Set(asked), terms);
    expect(of('blue')).toBe('The colours:\n\n| a | b |\n|---|---|\n| two | blue |');
    expect(of('first')).toBe('First block.');
    expect(of('green')).toMatch(/^(?:long ){100,}…$/);
    const code = `Some words.\n\n\`\`\`go\n${'blue '.repeat(100)}\n\`\`\``;
    expect(excerptOf(code, new Set(['blue']), terms)).toBe('Some words.');
  });
});

describe('the guides', () => {
  test.each([
    ['401 on POST /webhooks', ['operation#registerWebhook']],
    ['what does idempotency_key_reused mean', ['errors#idempotency_key_reused']],
    ['GET /api/projects/{id}/quote', ['operation#quoteInvestment']],
    ['polling every 500ms and started getting 429', []],
  ])('are named outright by a code or an operation: %s', async (question, ids) => {
    expect((await namedIn(question)).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ['401 on POST /webhooks', 'developers#why-do-i-get-401-unauthorized'],
    ['polling every 500ms and started getting 429', 'developers#what-are-the-rate-limits'],
    ['error 403 on my key', 'developers#why-do-i-get-403-forbidden'],
    ['I get 400 for my request', 'developers#why-is-my-request-invalid-400'],
    ['error 413', 'errors#payload_too_large'],
    ['I get a 503', 'developers#i-get-a-500-or-503-what-do-i-do'],
  ])('a status is answered by the entry on it: %s', async (question, id) => {
    expect(await resultsOf(question)).toContain(id);
  });

  test('are found with docs/faq by what they say', async () => {
    const { faq, passages } = await search('how do I restore a backup of the database', 4);
    expect(faq[0]?.id).toBe('operators#how-do-i-restore-a-backup');
    expect(passages.map(({ anchor }) => anchor)).toContain('restoring-a-backup');
  });

  test('lose no address when they are shown, but those that name no host or another’s', async () => {
    const lost = [...(await guides()).values()].filter(({ text }) =>
      cleanBlock(text).markdown.includes('[link removed]'),
    );
    // A port that a program is given, servers and a proxy that the reader names, a server of the ledger's test network, and a variable of nginx in place of a host.
    expect(lost.map(({ id }) => id)).toEqual([
      'quickstart#2-receive-events',
      'custody#set-it-up',
      'operations#a-fixed-outgoing-address',
      'sandbox#use-another-ledger',
      'deploying#the-proxy',
    ]);
  });
});
