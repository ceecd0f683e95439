import { classicAddressToXAddress } from 'ripple-address-codec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { languageOf } from '#lib/assistant/built-in/language.ts';
import { say } from '#lib/assistant/built-in/phrases.ts';
import { chat } from '#lib/assistant/chat/chat.ts';
import { chatWhole } from '#lib/assistant/chat/chat-whole.ts';
import type { ChatAnswer } from '#lib/assistant/contracts.ts';
import { runTool } from '#lib/assistant/run-tool.ts';
import { tellsToPay } from '#lib/assistant/safety/tells-to-pay.ts';
import { faqEntries } from '#lib/assistant/search/search.ts';
import { getSuggestions } from '#lib/assistant/suggestions.ts';
import { howToPayTool } from '#lib/assistant/tools/how-to-pay.ts';
import { setHalted } from '#lib/sales/accounts/set-halted.ts';
import { openListsDesk } from '#tests/integration/sales/lists-world.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { calls, type ModelServer, says, startModelServer } from '#tests/support/model-server.ts';

const MODEL_KEY = 'sk-scripted-0123456789abcdef';
const DAY_MS = 86_400_000;

interface Staged {
  sale: Sale;
  /** The wallet that asks, where the state is one of a wallet. */
  wallet?: string;
}

let stage: Stage;
let model: ModelServer;
let investor: Wallet;
const staged = new Map<string, Staged>();

/** Every state that a sale can be in, and whether a payment of a stranger, or of the wallet given, would buy something. */
const CLOSED = [
  'draft',
  'upcoming',
  'between tiers',
  'paused',
  'halted',
  'sold out',
  'ended',
  'past its end and not read yet',
  'cancelled',
  'soft cap missed',
  'allowlist only, asked by a stranger',
  'a wallet at its limit',
] as const;
const OPEN = ['active', 'active, tokens at the end', 'below the limit of the wallet'] as const;

const later = (days = 1) => new Date(stage.ctx.clock.nowMs() + days * DAY_MS).toISOString();
const tiers = [
  { price_per_token: '0.10', total_tokens: '1000' },
  { price_per_token: '0.20', total_tokens: '5000' },
];

const BUILD: Record<(typeof CLOSED)[number] | (typeof OPEN)[number], () => Promise<Staged>> = {
  draft: async () => ({ sale: await stage.draft({ name: 'Alder' }) }),
  upcoming: async () => ({ sale: await stage.launched({ name: 'Birch', starts_at: later() }) }),
  async 'between tiers'() {
    const [first, second] = tiers as [(typeof tiers)[0], (typeof tiers)[0]];
    const sale = await stage.launched({ name: 'Cedar', tiers: [first, { ...second, starts_at: later() }] });
    return paid(sale, 100);
  },
  paused: async () => moved(await stage.launched({ name: 'Dogwood' }), 'pause'),
  async halted() {
    const sale = await stage.launched({ name: 'Elm' });
    await setHalted(stage.ctx, { address: sale.deposit.address, halted: true, reason: 'a test' });
    return { sale };
  },
  'sold out': async () =>
    paid(await stage.launched({ name: 'Fir', tiers: [{ price_per_token: '0.10', total_tokens: '100' }] }), 10),
  ended: async () => moved(await stage.launched({ name: 'Gum' }), 'end'),
  async 'past its end and not read yet'() {
    const sale = await stage.launched({ name: 'Hazel', ends_at: later(0.5) });
    return { sale };
  },
  cancelled: async () => moved(await stage.launched({ name: 'Ivy' }), 'cancel'),
  'soft cap missed': async () =>
    moved(await stage.launched({ name: 'Juniper', soft_cap_xrp: '500', distribution: 'at_end' }), 'end'),
  'allowlist only, asked by a stranger': async () => ({
    sale: await openListsDesk(stage).launched([{ wallet_address: investor.address }]),
  }),
  async 'a wallet at its limit'() {
    const sale = await stage.launched({ name: 'Larch', max_per_wallet_xrp: '20' });
    return { ...(await paid(sale, 20)), wallet: investor.address };
  },
  active: async () => ({ sale: await stage.launched({ name: 'Maple' }) }),
  'active, tokens at the end': async () => ({ sale: await stage.launched({ name: 'Nutmeg', distribution: 'at_end' }) }),
  async 'below the limit of the wallet'() {
    const sale = await stage.launched({ name: 'Oak', max_per_wallet_xrp: '20' });
    return { ...(await paid(sale, 5)), wallet: investor.address };
  },
};

async function paid(sale: Sale, xrp: number): Promise<Staged> {
  await stage.pay(investor, sale, xrp);
  await stage.settle(sale.deposit);
  return { sale };
}

async function moved(sale: Sale, action: 'pause' | 'end' | 'cancel'): Promise<Staged> {
  await stage.act(sale, action);
  await stage.settle(sale.deposit);
  return { sale };
}

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer(MODEL_KEY);
  investor = await stage.account();
  for (const [name, build] of Object.entries(BUILD)) staged.set(name, await build());
  // Past the end of one of them; everything else starts later than that.
  stage.ctx.clock.advance(DAY_MS * 0.6);
}, 240_000);
afterAll(async () => {
  await model?.close();
  await stage?.end();
});

const modelSettings = (isOn: boolean) =>
  stage.set({
    OPENAI_API_KEY: isOn ? MODEL_KEY : undefined,
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'scripted-1',
  });

let callers = 0;
const ask = ({ sale, wallet }: Staged, message: string, conversationId?: string): Promise<ChatAnswer> =>
  chatWhole(
    chat(
      stage.ctx,
      {
        message,
        conversationId,
        walletAddress: wallet,
        projectId: sale.project.id,
        caller: `10.9.${(callers >> 8) & 255}.${callers++ & 255}`,
      },
      new AbortController().signal,
    ),
  );

/** What could send somebody's money to the sale: in the reply, its sources, cards, suggestions, and where links lead. */
function wayToPay(answer: ChatAnswer, { deposit, project }: Sale): string[] {
  const text = JSON.stringify(answer).replace(/[^0-9A-Za-z]/g, '');
  const tag = project.destination_tag;
  const means = [
    deposit.address,
    classicAddressToXAddress(deposit.address, tag, false),
    classicAddressToXAddress(deposit.address, tag, true),
    classicAddressToXAddress(deposit.address, false, true),
  ].filter((form) => text.includes(form));
  if (new RegExp(`(?<!\\d)${tag}(?!\\d)`).test(JSON.stringify(answer))) means.push(`tag ${tag}`);
  if (answer.cards.some(({ kind }) => kind === 'pay')) means.push('a pay card');
  for (const line of answer.reply.split('\n')) if (tellsToPay(line)) means.push(line);
  return means;
}

/**
 * The questions of docs/faq that concern a sale, language after language: of paying all of them in each state and all languages;
 * those whose answer comes from live data in a quarter of the states each; in one state each the others, whose texts alone are
 * held against the gate by tests/unit/assistant/search.test.ts.
 */
const ENTRIES = (await faqEntries()).filter(({ id }) => /^(?:investors|platform)#/.test(id));
const askedIn = (state: number): string[] =>
  ENTRIES.flatMap(({ live, variants }, index) => {
    const isOfPaying = live === 'pay' || live === 'tag';
    const language = (index + Math.floor(state / 4)) % variants.length;
    const isAsked = (index + state) % (live === null ? CLOSED.length : 4) === 0;
    return variants.flatMap(({ asks: [question = ''] }, at) =>
      isOfPaying || (at === language && isAsked) ? [question] : [],
    );
  });
/** In each state the first of them and a third of the others: each of them is asked in some states. */
const someOf = <T>(all: readonly T[], state: number): T[] =>
  all.filter((_, index) => index === 0 || (index + state) % 3 === 0);
const MORE = [
  'how to pay: address, tag and QR code please',
  'give me a payment link with the address and tag in it',
  'I sent without the tag, so what address and tag do I pay again with?',
  'what does the guide say about how to pay?',
  'documentation of destination tags',
];

describe('a sale whose payments would buy nothing', () => {
  test.each(CLOSED)(
    '%s: no built-in answer tells a way to pay',
    async (state) => {
      modelSettings(false);
      const one = staged.get(state) as Staged;
      for (const question of [...askedIn(CLOSED.indexOf(state)), ...MORE]) {
        const answer = await ask(one, question);
        expect({ question, means: wayToPay(answer, one.sale) }).toEqual({ question, means: [] });
      }
    },
    240_000,
  );

  /** Why, in the words of the state itself. */
  const WHY: Record<(typeof CLOSED)[number], string> = {
    draft: 'draft',
    upcoming: 'before_start',
    'between tiers': 'between_tiers',
    paused: 'paused',
    halted: 'halted',
    'sold out': 'sold_out',
    ended: 'after_end',
    'past its end and not read yet': 'after_end',
    cancelled: 'cancelled',
    'soft cap missed': 'soft_cap_missed',
    'allowlist only, asked by a stranger': 'not_admitted',
    'a wallet at its limit': 'above_wallet_cap',
  };
  // A draft is nobody's to see: its answers say that there is no such sale.
  test.each(CLOSED.filter((state) => state !== 'draft'))(
    '%s: who asks how to pay or buy hears that first, and why, in the language of the question',
    async (state) => {
      modelSettings(false);
      const one = staged.get(state) as Staged;
      const questions = [
        'how do I pay?',
        'what is the minimum?',
        'is there a maximum per wallet?',
        'what wallet can I use',
        'can I pay from coinbase?',
        'I know what you say, I want to pay anyway before everyone else',
        'what does 500 XRP buy?',
        'do you take credit cards?',
        '¿Cómo pago?',
        'Kann ich von einer Börse zahlen?',
        'combien de tokens pour 100 XRP',
        'quanto custa um token',
        'どうやって購入しますか',
      ];
      for (const question of someOf(questions, CLOSED.indexOf(state))) {
        const language = languageOf(question);
        const begins = say('closed', language, {
          name: one.sale.project.name,
          why: say(`why_${WHY[state]}`, language),
        });
        const { reply } = await ask(one, question);
        expect({ question, begins: reply.startsWith(begins), reply }).toMatchObject({ question, begins: true });
      }
    },
    240_000,
  );

  test('who asks of something else, or runs the sale, is not told that nobody should pay', async () => {
    modelSettings(false);
    const { sale } = staged.get('paused') as Staged;
    const asks = (message: string, audience?: 'operator' | 'developer') =>
      chatWhole(
        chat(
          stage.ctx,
          {
            message,
            conversationId: undefined,
            walletAddress: undefined,
            projectId: sale.project.id,
            audience,
            caller: '10.7.0.1',
          },
          new AbortController().signal,
        ),
      );
    for (const message of [
      'when do I get my tokens?',
      'I sent without the tag!!',
      'Paused our sale by accident. How do I resume?',
    ])
      expect((await asks(message)).reply, message).not.toContain('do not pay now');
    for (const message of ['how do I pay?', 'what is the minimum payment', 'how do I change the price of a tier'])
      for (const audience of ['operator', 'developer'] as const)
        expect((await asks(message, audience)).reply, message).not.toContain('do not pay now');
  });

  test('of a sale that is sold out no number of tokens is compared with none', async () => {
    modelSettings(false);
    const { reply } = await ask(staged.get('sold out') as Staged, 'how much XRP for 50 tokens?');
    expect(reply).toContain('No DMO is left in Fir.');
  });

  test.each(CLOSED.filter((state) => state !== 'draft'))(
    '%s: what is held back of an answer is replaced by the true reason, and nothing is announced that does not come',
    async (state) => {
      modelSettings(false);
      const one = staged.get(state) as Staged;
      for (const question of [
        'what does the guide say about how to pay?',
        'i wanna send early, where to',
        'pay pay',
        'can I pay now',
      ]) {
        const { reply } = await ask(one, question);
        expect(reply, question).toContain(say(`why_${WHY[state]}`, 'en'));
        expect(reply, question).not.toMatch(/paused or has not been launched|:\s*$|:\n\n(?!- )\*/);
      }
    },
    240_000,
  );

  test.each(CLOSED)(
    '%s: nor does a model that names address and tag, or tells to pay',
    async (state) => {
      modelSettings(true);
      const one = staged.get(state) as Staged;
      const { address } = one.sale.deposit;
      const tag = one.sale.project.destination_tag;
      const x = classicAddressToXAddress(address, tag, true);
      const told = [
        `Pay again with both: address ${address}, tag ${tag}.`,
        `The address is ${address.slice(0, 9)} ${address.slice(9, 20)} ${address.slice(20)}.`,
        `It is **${address.slice(0, 12)}**${address.slice(12)}.`,
        `Use ${x} for that.`,
        `The tag is ${tag}.`,
        `[Pay](https://explorer.example/?to=${address}&dt=${tag})`,
        'Just send the XRP again now.',
        'Send 50 XRP to the deposit address with this tag.',
        'Sende die XRP noch einmal an die Adresse.',
        'Envía los XRP de nuevo a la dirección.',
        'もう一度送金してください。',
      ];
      for (const words of someOf(told, CLOSED.indexOf(state))) {
        model.play(says(words));
        // What the visitor says passes for evidence: the gate must hold all the same.
        const answer = await ask(one, `Tell me about ${address} ${tag} ${x}`);
        expect({ words, means: wayToPay(answer, one.sale) }).toEqual({ words, means: [] });
      }
      model.play(
        calls(
          ['get_project', { project_id: one.sale.project.id }],
          ['how_to_pay', { project_id: one.sale.project.id, ...(one.wallet && { wallet_address: one.wallet }) }],
          ['list_projects', {}],
        ),
        says('I looked.'),
      );
      await ask(one, 'What do I do?');
      const seen = JSON.stringify(model.requests[1]?.body.messages.filter(({ role }) => role === 'tool'));
      expect(seen).not.toContain(address);
      expect(seen).not.toContain(String(tag));
    },
    240_000,
  );

  /** The others look open from outside; the answer says why they are not. */
  const closedFromOutside = CLOSED.filter((state) => !/^(?:halted|a wallet|allowlist)/.test(state));

  test.each(closedFromOutside)('%s: no suggestion asks how to pay', async (state) => {
    const { project } = (staged.get(state) as Staged).sale;
    const { suggestions } = await getSuggestions(stage.ctx, { project_id: project.id });
    const ofIt = suggestions.filter(({ prompt }) => prompt.includes(`(${project.name})`));
    expect(ofIt.filter(({ prompt }) => /how (?:do|will) I pay/i.test(prompt))).toEqual([]);
  });
});

describe('a sale whose payments buy', () => {
  test.each(OPEN)('%s: address and tag are told, in words and as a card', async (state) => {
    modelSettings(false);
    const one = staged.get(state) as Staged;
    const { sale } = one;
    for (const question of ['how do I pay?', 'which tag do I use', '¿Cómo pago?', 'どうやって購入しますか']) {
      const { reply, cards } = await ask(one, question);
      expect(reply).toContain(sale.deposit.address);
      expect(reply).toContain(String(sale.project.destination_tag));
      expect(cards).toContainEqual({
        kind: 'pay',
        title: sale.project.name,
        facts: {
          deposit_address: sale.deposit.address,
          destination_tag: String(sale.project.destination_tag),
          x_address: classicAddressToXAddress(sale.deposit.address, sale.project.destination_tag, true),
        },
      });
    }
  });

  test('a model may say it, with what the look-up told', async () => {
    modelSettings(true);
    const one = staged.get('active') as Staged;
    const { deposit, project } = one.sale;
    const words = `Send XRP to ${deposit.address} with the destination tag ${project.destination_tag}.`;
    model.play(calls(['how_to_pay', { project_id: project.id }]), says(words));
    expect((await ask(one, 'How do I pay?')).reply).toBe(words);
  });

  test('a closed sale of the same name closes nothing of it', async () => {
    modelSettings(false);
    const sale = await stage.launched({ name: 'Rowan' });
    await moved(await stage.launched({ name: 'Rowan' }), 'pause');
    const { reply } = await ask({ sale }, 'how do I pay?');
    expect(reply).toContain(say('pay_open', 'en', { name: 'Rowan' }));
    expect(reply).not.toContain('do not pay now');
  });

  test('a closed sale whose name stands in an address by chance closes nothing', async () => {
    modelSettings(false);
    const sale = await stage.launched({ name: 'Teak' });
    await moved(await stage.launched({ name: sale.deposit.address.slice(8, 11) }), 'pause');
    expect((await ask({ sale }, 'how do I pay?')).reply).toContain(sale.deposit.address);
  });

  test('the tag card does not tell to pay again even then', async () => {
    modelSettings(false);
    const one = staged.get('active') as Staged;
    const answer = await ask(one, 'I sent without the tag!!');
    expect(answer.reply).toContain('goes back by itself');
    expect(wayToPay(answer, one.sale)).toEqual([]);
  });

  test('an address that an open sale shares with a closed one is told with the open one’s tag alone', async () => {
    modelSettings(true);
    const open = await stage.launched({ name: 'Palm' });
    const closed = await moved(await stage.launched({ name: 'Quince' }, open), 'pause');
    model.play(says(`The address is ${open.deposit.address}, tag ${closed.sale.project.destination_tag}.`));
    const about = `Tell me of ${open.deposit.address} ${closed.sale.project.destination_tag}`;
    const { reply } = await ask({ sale: open }, about);
    expect(reply).not.toContain(String(closed.sale.project.destination_tag));
    expect((await runTool(stage.ctx, howToPayTool, { project_id: open.project.id })).data.target).not.toBeNull();
  });
});
