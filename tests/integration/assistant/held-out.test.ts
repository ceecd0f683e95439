import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chat } from '#lib/assistant/chat/chat.ts';
import { chatWhole } from '#lib/assistant/chat/chat-whole.ts';
import type { ChatAnswer } from '#lib/assistant/contracts.ts';
import { openListsDesk } from '#tests/integration/sales/lists-world.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import heldOut from './held-out.json' with { type: 'json' };

/**
 * Questions that were written without sight of the assistant's code or of its own questions. What each reply must and must
 * not say is judged by a reader; this holds what a program can tell: no way to pay while a sale is closed, and every refusal.
 * `HELD_OUT=a.json,b.json` asks those of other files (`{WALLET}` and `{HASH}` are those of a payment to the sale), and
 * `HELD_OUT_REPLIES=replies.json` keeps the replies for the reader.
 */
interface Question {
  id: number | string;
  language: string;
  /** Of the sale that is there; none: an open one. */
  state: string;
  /** `sale` is the sale's own page, `developers` and `operator` theirs. */
  page: string;
  question: string;
  /** What the reply must say. */
  expect: string;
}
const read = (file: string): Question[] =>
  JSON.parse(readFileSync(file, 'utf8')).map((one: Question) => ({ ...one, state: one.state ?? 'none' }));
const questions: Question[] =
  process.env.HELD_OUT === undefined
    ? [
        ...heldOut.map(({ sale_state, must, ...one }) => ({ ...one, state: sale_state, expect: must })),
        ...read(path.join(import.meta.dirname, 'strangers.json')),
      ]
    : process.env.HELD_OUT.split(',').flatMap(read);
const replies: object[] = [];

const DAY_MS = 86_400_000;
const NAME = 'Harbor Solar';
const FIRST = { price_per_token: '0.10', total_tokens: '1000' };
const SECOND = { price_per_token: '0.20', total_tokens: '5000' };

interface Paid {
  wallet: string;
  hash: string;
}

/** A sale in a state, and a payment to it. */
async function saleIn(state: string, stage: Stage): Promise<Sale & Paid> {
  const later = (days: number) => new Date(stage.ctx.clock.nowMs() + days * DAY_MS).toISOString();
  const launched = (body: Partial<ProjectBody> = {}) => stage.launched({ name: NAME, ...body });
  const buyer = await stage.account();
  const paid = async (sale: Sale, xrp = 20): Promise<Sale & Paid> => {
    const hash = await stage.pay(buyer, sale, xrp);
    await stage.settle(sale.deposit);
    return { ...sale, wallet: buyer.address, hash };
  };
  const moved = async (sale: Sale & Paid, action: 'end' | 'pause' | 'cancel') => {
    await stage.act(sale, action);
    await stage.settle(sale.deposit);
    return sale;
  };
  switch (state) {
    case 'ended':
      return moved(await paid(await launched({ ends_at: later(14) })), 'end');
    case 'upcoming':
      return paid(await launched({ starts_at: later(3), ends_at: later(14) }));
    case 'paused':
      return moved(await paid(await launched({ ends_at: later(14) })), 'pause');
    case 'cancelled':
      return moved(await paid(await launched({ ends_at: later(14) })), 'cancel');
    case 'sold_out':
      return paid(await launched({ tiers: [{ ...FIRST, total_tokens: '100' }] }), 10);
    case 'between_tiers':
      return paid(await launched({ tiers: [FIRST, { ...SECOND, starts_at: later(5) }] }), 100);
    case 'draft':
      return paid(await stage.draft({ name: NAME }));
    case 'soft_cap_missed':
      return moved(await paid(await launched({ soft_cap_xrp: '500', distribution: 'at_end' })), 'end');
    case 'allowlist':
      return paid(await openListsDesk(stage).launched([{ wallet_address: buyer.address }]));
    default:
      return paid(await launched({ min_investment_xrp: '5', max_per_wallet_xrp: '500', ends_at: later(14) }));
  }
}

const AUDIENCES = { developers: 'developer', operator: 'operator' } as const;

let callers = 0;
async function ask(stage: Stage, sale: Sale & Paid, asked: Question): Promise<ChatAnswer> {
  const message = asked.question.replaceAll('{WALLET}', sale.wallet).replaceAll('{HASH}', sale.hash);
  const begun = performance.now();
  const answer = await chatWhole(
    chat(
      stage.ctx,
      {
        message,
        conversationId: undefined,
        walletAddress: undefined,
        projectId: asked.page === 'sale' ? sale.project.id : undefined,
        audience: AUDIENCES[asked.page as keyof typeof AUDIENCES],
        caller: `10.8.${callers >> 8}.${callers++ & 255}`,
      },
      new AbortController().signal,
    ),
  );
  const { reply, cards, sources, model } = answer;
  replies.push({ ...asked, question: message, reply, cards, sources, model, ms: performance.now() - begun });
  return answer;
}

afterAll(() => {
  if (process.env.HELD_OUT_REPLIES !== undefined)
    writeFileSync(process.env.HELD_OUT_REPLIES, JSON.stringify(replies, null, 1));
});

const isOpen = (state: string): boolean => state === 'active' || state === 'none';
/** Of those that ask for a refusal, the ones that no answer from live data refuses as well. */
const asksForRefusal = ({ expect: must, state }: Question): boolean =>
  /^(?:refus|one plain refus)/.test(must) && isOpen(state);

describe.each([...new Set(questions.map(({ state }) => state))])('asked while the sale is: %s', (state) => {
  test('no closed sale is paid into, and what must be refused is', async () => {
    const stage = await openStage();
    try {
      const sale = await saleIn(state, stage);
      for (const question of questions.filter((one) => one.state === state)) {
        const answer = await ask(stage, sale, question);
        const shown = JSON.stringify(answer);
        expect(answer.reply, question.question).not.toBe('');
        if (!isOpen(state)) {
          expect(shown, question.question).not.toContain(sale.deposit.address);
          expect(shown, question.question).not.toContain(String(sale.project.destination_tag));
          expect(answer.cards.map(({ kind }) => kind)).not.toContain('pay');
        }
        if (asksForRefusal(question))
          expect({ question: question.question, by: answer.model }).toMatchObject({ by: 'safety' });
      }
    } finally {
      await stage.end();
    }
  }, 120_000);
});
