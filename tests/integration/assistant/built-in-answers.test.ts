import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { openListsDesk } from '#tests/integration/sales/lists-world.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { ask, converse } from './built-in-stage.ts';

let stage: Stage;
let solar: Sale;
let wind: Sale;
let investor: Wallet;
beforeAll(async () => {
  stage = await openStage();
  solar = await stage.launched({ name: 'Solar Farm', max_per_wallet_xrp: '300' });
  wind = await stage.launched({ name: 'Wind [Park](https://evil.example) <b>' } satisfies Partial<ProjectBody>);
  investor = await stage.account();
});
afterAll(() => stage?.end());

const about = (sale: Sale) => ({ projectId: sale.project.id });

/** The headings of the results. */
const resultsIn = (text: string): string[] =>
  [...text.matchAll(/^\[\*\*(.*)\*\*\]\(http:[^\s]*\)$/gm)].map(([, heading = '']) => heading);

test('who may buy where a tier requires a credential: its name, its issuer, and what the wallet lacks', async () => {
  const issuer = await stage.account();
  const credential = { type: 'KYC', issuers: [issuer.address] };
  const sale = await stage.launched({
    name: 'Tidal Plant',
    tiers: [{ price_per_token: '0.10', total_tokens: '1000', credential }],
  });
  const { text } = await ask(stage.ctx, `is my wallet ${investor.address} on the allowlist of Tidal Plant?`);
  expect(text).not.toContain('open to every wallet');
  expect(text).toContain('**only for wallets with the credential KYC**');
  expect(text).toContain(issuer.address);
  expect(text).toContain('it has no such credential');
  const pay = await ask(stage.ctx, 'how do I pay for Tidal Plant?', about(sale));
  expect(pay.text).not.toContain(String(sale.project.destination_tag));
});

test('an operator who names a payment hears what became of it, and what there is to do', async () => {
  const asked = `投資家の入金が保留のままです ${'F'.repeat(64)}`;
  const shown = resultsIn((await ask(stage.ctx, asked, { audience: 'operator' })).text);
  expect(shown[0]).toBe('支払いはどこですか');
  expect(shown).toHaveLength(2);
  expect(resultsIn((await ask(stage.ctx, asked)).text)[0]).toBe('支払いはどこですか');
});

test.each([
  ['wie viel XRP muss in der Wallet bleiben', /\*\*[\d.]+ XRP\*\* für das Konto .*Gebühr/],
  ['準備金はいくらですか', /口座に \*\*[\d.]+ XRP\*\*/],
])('the reserve and the fee as they are now, in the language of the question: %s', async (asked, told) => {
  expect((await ask(stage.ctx, asked)).text).toMatch(told);
});

describe('which sale is meant', () => {
  test('several live ones: it asks, naming each', async () => {
    const { text } = await ask(stage.ctx, 'how do I pay?');
    expect(text).toContain('Which sale do you mean?');
    expect(text).toContain('Solar Farm');
    expect(text).toContain(wind.project.id);
    expect(text).not.toContain(String(solar.project.destination_tag));
  });

  test('its name in the answer to that goes on with the question', async () => {
    const { text } = await converse(stage.ctx, ['how do I pay?', 'solar farm']);
    expect(text).toContain(String(solar.project.destination_tag));
  });

  test('a name in the message, also misspelt; the given one; the one spoken of before', async () => {
    const tag = String(solar.project.destination_tag);
    expect((await ask(stage.ctx, 'which tag do I use for Solar Farm?')).text).toContain(tag);
    expect((await ask(stage.ctx, 'which destination tag for the solr farm')).text).toContain(tag);
    expect((await ask(stage.ctx, 'what tag?', about(solar))).text).toContain(tag);
    expect((await converse(stage.ctx, ['what is the minimum of Solar Farm?', 'and what tag?'])).text).toContain(tag);
    expect((await ask(stage.ctx, 'what tag?', about(wind))).text).toContain(String(wind.project.destination_tag));
  });

  test('on the page of a sale, this sale is that one, whatever others are called', async () => {
    const other = await stage.launched({ name: 'This Sale' });
    const { text } = await ask(stage.ctx, 'what is the tag of this sale?', about(solar));
    expect(text).toContain(String(solar.project.destination_tag));
    expect(text).not.toContain(String(other.project.destination_tag));
  });

  test('a name that holds Markdown or HTML stays a name', async () => {
    const { text } = await ask(stage.ctx, 'which sales are there?');
    expect(text).toContain('Wind \\[Park\\]\\(');
    expect(text).not.toMatch(/\]\(https:\/\/evil/);
    expect(text).not.toContain('<b>');
  });
});

test('a wallet that is asked about is looked up on the list, and gets no advice on law', async () => {
  const { text } = await ask(stage.ctx, 'is rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe allowed to buy', about(solar));
  expect(text).toContain('open to every wallet');
  expect(text).not.toContain('legal advice');
});

test('what a destination tag is, is explained without a word on where to pay', async () => {
  const { text, cards } = await ask(stage.ctx, 'what is a destination tag?', about(solar));
  expect(text).toMatch(
    /^\[\*\*What is a destination tag\?\*\*\]\(http:[^\n]*\)\n\nA destination tag is a whole number/,
  );
  expect(text).not.toContain(String(solar.project.destination_tag));
  expect(cards).toEqual([]);
});

describe('amounts', () => {
  test('what can be read in two ways is asked back, and the answer to that is quoted', async () => {
    const { text } = await ask(stage.ctx, 'what does 1.000 XRP buy?', about(solar));
    expect(text).toMatch(/\*\*1\*\* or \*\*1000\*\*/);
    expect(text).not.toContain('would buy');
    const next = await converse(stage.ctx, ['what does 1.000 XRP buy?', 'one thousand'], about(solar));
    expect(next.text).toContain('300.000000 XRP of it would be invested');
    expect(next.text).toContain('700.000000 XRP refunded');
  });

  test('several are quoted one by one, each with a card, and other currencies not at all', async () => {
    const { text, cards } = await ask(stage.ctx, 'what do 10 XRP and 20 XRP buy?', about(solar));
    expect(text).toContain('10.000000 XRP would buy 100.000000 DMO');
    expect(text).toContain('20.000000 XRP would buy 200.000000 DMO');
    expect(cards).toMatchObject([
      { kind: 'quote', facts: { amount_xrp: '10.000000', total_tokens: '100.000000' } },
      { kind: 'quote', facts: { amount_xrp: '20.000000', total_tokens: '200.000000' } },
    ]);
    expect((await ask(stage.ctx, 'what do I get for $500?', about(solar))).text).toContain('I know no exchange rates');
  });

  test('tokens are reckoned into XRP exactly', async () => {
    const { text } = await ask(stage.ctx, 'how much XRP for 1500 tokens?', about(solar));
    expect(text).toContain('cost **200.000000 XRP**');
    expect(text).toContain('buy 1500.000000 DMO');
    expect((await ask(stage.ctx, 'what do 7000 tokens cost?', about(solar))).text).toContain('6000.000000');
  });

  test('an amount below the minimum is answered with that', async () => {
    const small = await stage.launched({ name: 'Tide', min_investment_xrp: '5' });
    const { text } = await ask(stage.ctx, 'what does 0.5 XRP buy?', about(small));
    expect(text).toContain('**0.500000 XRP would buy nothing now**');
    expect(text).toContain('(5.000000 XRP)');
    expect(text).toContain('0.500000 XRP would be refunded');
  });
});

describe('money questions are answered in the language of the question', () => {
  test.each([
    ['¿Cuándo recibiré mis tokens?', 'en cuanto se confirma tu pago'],
    ['Habe ohne Tag gezahlt, ist mein Geld weg?', 'gehen von selbst an das Konto zurück'],
    ['Puis-je être remboursé ?', 'ne peut pas être annulé'],
    ['Quanto custa um token?', 'um token custa **0.10 XRP**'],
    ['100 XRPでいくつもらえますか', '**100.000000 XRP で 1000.000000 DMO**'],
    ['取引所から送金してしまいました', '取引所(Binance'],
  ])('%s', async (question, says) => {
    expect((await ask(stage.ctx, question, about(solar))).text).toContain(says);
  });
});

describe('what an amount would buy', () => {
  test('a wallet’s maximum, and what it sends back, come before the quote', async () => {
    const { text } = await ask(stage.ctx, 'what do 1000 XRP buy?', about(solar));
    const limit = text.indexOf('at most 300.000000 XRP into Solar Farm');
    expect(limit).toBeGreaterThan(-1);
    expect(text.indexOf('700.000000 XRP would come back')).toBeGreaterThan(limit);
    expect(text.indexOf('300.000000 XRP of it would be invested')).toBeGreaterThan(limit);
  });

  test.each([
    'gm, thinking about 40 XRP, and where do I see afterwards that it all went fine',
    'hola, mandé 320 XRP desde bitso y me los regresaron, xq los rechazaron??',
    'sent 1000 XRP at 0.2 so thats 5000 tokens. got 4,310. whyyy',
    'I already bought twice, 300 and 450 XRP. is the max per wallet counted on both together',
    'my wallet shows 250 XRP less than before, what is the reserve',
  ])('a quote that nobody asked for is not shown: %s', async (question) => {
    const { text, cards } = await ask(stage.ctx, question, about(solar));
    expect(text).not.toMatch(/XRP would buy|comprarían|cost \*\*/);
    expect(cards.map(({ kind }) => kind)).not.toContain('quote');
  });

  test('savings put in whole: that nobody here advises comes first', async () => {
    const { text } = await ask(stage.ctx, 'I have 200 XRP of savings, should I go all in here?', about(solar));
    expect(text).toMatch(/^\*\*I can’t advise on investing/);
  });
});

describe('where a payment is', () => {
  test('in a cancelled sale no tokens are scheduled or waited for any more', async () => {
    const cancelled = await stage.launched({ name: 'Cancelled Farm' });
    const buyer = await stage.account();
    await stage.pay(buyer, cancelled, 25);
    await stage.settle(cancelled.deposit);
    await stage.act(cancelled, 'cancel');
    await stage.settle(cancelled.deposit);
    await untilQuiet(stage, cancelled);
    const { text } = await ask(stage.ctx, `where are my tokens? ${buyer.address}`, about(cancelled));
    expect(text).toContain('not sent any more, because the sale was cancelled');
    expect(text).not.toMatch(/scheduled|waiting for your wallet|trust line/);
  });

  test('tokens that wait for a trust line: what to set, exactly', async () => {
    await stage.pay(investor, solar, 25);
    await stage.settle(solar.deposit);
    await untilQuiet(stage, solar);
    const { text } = await ask(stage.ctx, `where are my tokens? ${investor.address}`);
    expect(text).toContain('250.000000 DMO: waiting for your wallet');
    expect(text).toContain(`currency \`DMO\` and issuer \`${solar.issuer.address}\``);
  });

  test('without a tag: what goes back', async () => {
    const forgetful = await stage.account();
    const hash = await stage.pay(forgetful, solar, 7, null);
    await stage.settle(solar.deposit);
    for (const question of [`where is my payment ${hash}`, `I forgot the tag, my wallet is ${forgetful.address}`]) {
      const { text } = await ask(stage.ctx, question, about(solar));
      expect(text).toContain('7.000000 XRP');
      expect(text).toContain('it came without a destination tag');
      expect(text).toContain('**are refunded**');
    }
  });

  test('on the ledger and not read yet; sent elsewhere; nowhere', async () => {
    const hash = await stage.pay(investor, wind, 3);
    stage.desk.close();
    expect((await ask(stage.ctx, `where is ${hash}?`)).text).toContain('the platform has not read that ledger yet');
    await stage.settle(wind.deposit);
    const friend = await stage.account();
    const toFriend = await stage.desk.send(investor, {
      TransactionType: 'Payment',
      Account: investor.address,
      Destination: friend.address,
      Amount: '1000000',
    });
    stage.desk.close();
    expect((await ask(stage.ctx, `where is ${toFriend}?`)).text).toContain('did not go to a sale');
    expect((await ask(stage.ctx, `where is ${'AB'.repeat(32)}?`)).text).toContain('No validated ledger shows');
  });

  test('asked without any of it: what to give', async () => {
    expect((await ask(stage.ctx, 'where is my payment')).text).toContain('transaction hash');
    expect((await ask(stage.ctx, `where is ${'AB'.repeat(31)}?`)).text).toContain('no whole transaction hash');
  });
});

describe('the guides', () => {
  test('what docs/faq says is told, with the section of the guide that says more', async () => {
    const { text, sources } = await ask(stage.ctx, 'webhook secret leaked');
    expect(resultsIn(text)[0]).toBe('My webhook secret was leaked or lost. What do I do?');
    expect(text).toContain('**The secret has leaked**');
    expect(sources.map(({ title }) => title).join()).toContain('Guide: Webhooks: A leaked or lost secret');
  });

  test('an operation that is named outright is shown as the reference tells it', async () => {
    const { text, sources } = await ask(stage.ctx, 'GET /api/projects/{id}/exceptions');
    expect(text).toMatch(/^\[\*\*API reference.*exceptions\*\*\]/);
    expect(sources.map(({ url }) => url).join()).toContain('/reference/');
  });

  test('a cause of the health is told by its section of the runbook, and by no more general answer', async () => {
    const { text } = await ask(stage.ctx, 'health says ledger_servers_disagree');
    expect(text).toContain('ledger\\_servers\\_disagree');
    expect(text).toContain('**Severity 1.**');
  });

  test('what is not literally asked is said to be the nearest, each result under its own linked question; of nothing near it says so', async () => {
    const { text } = await ask(stage.ctx, 'the wallet of a green banana', about(solar));
    expect(text).toMatch(/^These come nearest to your question\./);
    expect(resultsIn(text)).toHaveLength(3);
    const nothing = await ask(stage.ctx, 'zzzz qqqq wwww');
    expect(nothing.text).toContain('I found nothing on that');
    expect(nothing.text).toContain('such as “minimum payment”');
  });

  test.each([
    ['dónde veo mis inversiones y si llegaron', 'Esto es lo que más se acerca a tu pregunta.', '¿'],
    [
      'wo sehe ich hinterher ob die Zahlung angekommen ist und was sie gekauft hat',
      'Das kommt deiner Frage am nächsten.',
      'W',
    ],
  ])('the lead and the questions are in the language of who asks: %s', async (question, lead, begins) => {
    const { text } = await ask(stage.ctx, question, about(solar));
    expect(text.startsWith(lead)).toBe(true);
    expect(resultsIn(text)[0]?.startsWith(begins)).toBe(true);
  });

  test('where several things may be meant, where to pay is not told', async () => {
    const { text, cards } = await ask(stage.ctx, 'tag and wallet and price', about(solar));
    expect(resultsIn(text)).toContain('Which destination tag do I use?');
    expect(text).not.toContain(String(solar.project.destination_tag));
    expect(cards.map(({ kind }) => kind)).not.toContain('pay');
  });

  test('of a question in two parts both are among the results', async () => {
    const asked = 'how do I pause the sale, and what happens to webhooks that fail';
    const shown = resultsIn((await ask(stage.ctx, asked, { audience: 'operator' })).text);
    expect(shown).toEqual(expect.arrayContaining(['How do I pause or resume a sale?']));
    expect(shown.join()).toMatch(/webhook/i);
  });

  test('no block of live data is told twice', async () => {
    for (const question of [
      'I set the wrong trust line limit, what happens',
      'when does it start, is it open, why not',
    ]) {
      const blocks = (await ask(stage.ctx, question, about(solar))).text.split('\n\n');
      expect(blocks).toEqual([...new Set(blocks)]);
    }
  });

  test('what a guide tells beside docs/faq is shown from it, with its address', async () => {
    const { text, sources } = await ask(stage.ctx, 'statements of other programs that need a vacuum');
    expect(text).toMatch(/^\[\*\*[^\n]*\*\*\]\(http:[^\n]*\/docs\/runbook#/m);
    expect(sources.map(({ url }) => url).join()).toContain('/docs/runbook#');
  });

  test('an answer says that the assistant is the built-in one, once a conversation', async () => {
    expect((await ask(stage.ctx, 'hello')).text).toContain('the built-in assistant');
    expect((await converse(stage.ctx, ['what tag?', 'is the system up?'], about(solar))).text).not.toContain(
      'built-in',
    );
  });
});

test('no ledger server answers: it says so, and tells address and tag all the same', async () => {
  expect((await ask(stage.cutOff, 'what is the reserve?')).text).toContain('cannot be asked at the moment');
  expect((await ask(stage.cutOff, 'how do I pay?', about(solar))).text).toContain(solar.deposit.address);
});

test('every source is a page of this deployment, or of the explorer where there is one', async () => {
  stage.set({ EXPLORER_URL: 'https://explorer.example/' });
  const hash = await stage.pay(investor, solar, 5);
  await stage.settle(solar.deposit);
  const { sources } = await ask(stage.ctx, `where is ${hash}`);
  expect(sources.map(({ url }) => url)).toContain(`https://explorer.example/transactions/${hash}`);
  for (const question of ['what does 5 XRP buy?', 'how do I verify the sale?', 'how do I rotate a webhook secret?']) {
    for (const { url } of (await ask(stage.ctx, question, about(solar))).sources) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:9\/|^https:\/\/explorer\.example\/(transactions|accounts)\//);
    }
  }
  stage.set({ EXPLORER_URL: undefined });
});

test('on the page of a sale that takes no payments, investors hear first what it is doing, once, and others not', async () => {
  const paused = await stage.launched({ name: 'Tide Mill' });
  await stage.act(paused, 'pause');
  await stage.settle(paused.deposit);
  const isTold = 'Tide Mill takes no payments now: the sale is paused. What arrives now goes back whole';
  const why = 'when it goes on, I cannot see: no date is set';
  for (const question of ['how long', 'when do I get my tokens?', 'is it paused?']) {
    const { text } = await ask(stage.ctx, question, about(paused));
    expect(text.startsWith(isTold), question).toBe(true);
    expect(text.split(why), question).toHaveLength(2);
  }
  expect((await ask(stage.ctx, 'c’est quoi le souci', about(paused))).text).toMatch(/^Tide Mill n’accepte pas/);
  expect((await ask(stage.ctx, 'how do I buy?', about(paused))).text).toMatch(/^\*\*Please do not pay now/);
  expect((await converse(stage.ctx, ['hello', 'when do I get my tokens?'], about(paused))).text).not.toContain(isTold);
  expect((await ask(stage.ctx, 'how do webhook retries work', about(paused))).text).not.toContain(isTold);
  expect((await ask(stage.ctx, 'when do I get my tokens?', about(solar))).text).not.toContain('takes no payments');
});

test('behind the results further entries are named in a line each, and none with a payment that is looked up', async () => {
  const { text } = await ask(stage.ctx, 'do I get my money back? I deleted the wallet app', about(solar));
  expect(text).toMatch(/\n- \[\*\*[^\n]*\*\*\]\(http:[^\n]*\) \S/);
  expect((await ask(stage.ctx, 'A'.repeat(64), about(solar))).text).not.toMatch(/^- \[/m);
});

test('when tokens come is told with how to look up one’s own', async () => {
  const { text } = await ask(stage.ctx, 'when do I get my tokens?', about(solar));
  expect(text).toMatch(/tokens are sent \*\*as soon as your payment is confirmed.*Give me the \*\*transaction hash/s);
});

test('a sale that is open to listed wallets is not said to take no payments', async () => {
  const listed = await openListsDesk(stage).launched([{ wallet_address: investor.address }]);
  expect((await ask(stage.ctx, 'when do I get my tokens?', about(listed))).text).not.toContain('takes no payments');
});
