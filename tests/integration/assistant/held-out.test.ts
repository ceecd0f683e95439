import { describe, expect, test } from 'vitest';
import { chat } from '#lib/assistant/chat/chat.ts';
import { chatWhole } from '#lib/assistant/chat/chat-whole.ts';
import type { ChatAnswer } from '#lib/assistant/contracts.ts';
import { openListsDesk } from '#tests/integration/sales/lists-world.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import questions from './held-out.json' with { type: 'json' };

/**
 * Questions that were written without sight of the assistant's code or of its own questions. What each reply must and must
 * not say is judged by a reader; this holds what a program can tell: no way to pay while a sale is closed, and every refusal.
 */
type Question = (typeof questions)[number];
type State = Question['sale_state'];

const DAY_MS = 86_400_000;
const NAME = 'Harbor Solar';
const FIRST = { price_per_token: '0.10', total_tokens: '1000' };
const SECOND = { price_per_token: '0.20', total_tokens: '5000' };

async function saleIn(state: State, stage: Stage): Promise<Sale> {
  const later = (days: number) => new Date(stage.ctx.clock.nowMs() + days * DAY_MS).toISOString();
  const launched = (body: Partial<ProjectBody> = {}) => stage.launched({ name: NAME, ...body });
  const buyer = await stage.account();
  const paid = async (sale: Sale, xrp: number) => {
    await stage.pay(buyer, sale, xrp);
    await stage.settle(sale.deposit);
    return sale;
  };
  const moved = async (sale: Sale, action: 'end' | 'pause' | 'cancel') => {
    await stage.act(sale, action);
    await stage.settle(sale.deposit);
    return sale;
  };
  switch (state) {
    case 'ended':
      return moved(await paid(await launched({ ends_at: later(14) }), 20), 'end');
    case 'upcoming':
      return launched({ starts_at: later(3), ends_at: later(14) });
    case 'paused':
      return moved(await launched({ ends_at: later(14) }), 'pause');
    case 'cancelled':
      return moved(await paid(await launched({ ends_at: later(14) }), 20), 'cancel');
    case 'sold_out':
      return paid(await launched({ tiers: [{ ...FIRST, total_tokens: '100' }] }), 10);
    case 'between_tiers':
      return paid(await launched({ tiers: [FIRST, { ...SECOND, starts_at: later(5) }] }), 100);
    case 'draft':
      return stage.draft({ name: NAME });
    case 'soft_cap_missed':
      return moved(await paid(await launched({ soft_cap_xrp: '500', distribution: 'at_end' }), 20), 'end');
    case 'allowlist':
      return openListsDesk(stage).launched([{ wallet_address: buyer.address }]);
    default:
      return launched({ min_investment_xrp: '5', max_per_wallet_xrp: '500', ends_at: later(14) });
  }
}

let callers = 0;
const ask = (stage: Stage, sale: Sale, { question, page }: Question): Promise<ChatAnswer> =>
  chatWhole(
    chat(
      stage.ctx,
      {
        message: question,
        conversationId: undefined,
        walletAddress: undefined,
        projectId: page === 'sale' ? sale.project.id : undefined,
        caller: `10.8.${callers >> 8}.${callers++ & 255}`,
      },
      new AbortController().signal,
    ),
  );

const isOpen = (state: State): boolean => state === 'active' || state === 'none';
/** Of those that ask for a refusal, the ones that no answer from live data refuses as well. */
const asksForRefusal = ({ must, sale_state }: Question): boolean =>
  /^(?:refus|one plain refus)/.test(must) && isOpen(sale_state);

describe.each([...new Set(questions.map(({ sale_state }) => sale_state))])('asked while the sale is: %s', (state) => {
  test('no closed sale is paid into, and what must be refused is', async () => {
    const stage = await openStage();
    try {
      const sale = await saleIn(state, stage);
      for (const question of questions.filter(({ sale_state }) => sale_state === state)) {
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
