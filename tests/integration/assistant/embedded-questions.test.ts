import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { understand } from '#lib/assistant/embedded/understand.ts';
import { getStats } from '#lib/holders/get-stats.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { formatDecimal, formatDrops } from '#lib/platform/money.ts';
import { quoteAmount } from '#lib/sale/investments/quote.ts';
import { listInvestments } from '#lib/sale/investments/read-investments.ts';
import { getProject } from '#lib/sale/projects/get-project.ts';
import { getTerms } from '#lib/sale/projects/get-terms.ts';
import { getStatus } from '#lib/system/get-status.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sale/stage.ts';
import { holders, untilQuiet } from '#tests/integration/sale/unwinding.ts';
import { type Answered, converse, turnsBefore } from './embedded-stage.ts';
import { ALSO, HELD_OUT, type HeldOutWording, TWENTY } from './held-out.ts';
import { type Figures, questions } from './questions.ts';

let stage: Stage;
let sale: Sale;
let investor: Wallet;
let hash: string;
let figures: Figures;

beforeAll(async () => {
  stage = await openStage();
  sale = await stage.launched({ name: 'Solar Farm', min_investment_xrp: '5' });
  [investor] = (await holders(stage, sale, 1)) as [Wallet];
  hash = await stage.pay(investor, sale, 25);
  await stage.pay(await stage.account(), sale, 60);
  await stage.settle(sale.deposit);
  await untilQuiet(stage, sale);
  await syncHolders(stage.ctx);
  figures = await readFigures();
});
afterAll(() => stage?.end());

/** Everything as the API's own verbs give it. */
async function readFigures(): Promise<Figures> {
  const { ctx } = stage;
  const { id } = sale.project;
  const [project, quote, terms, status, server, { investments }] = [
    await getProject(ctx, id),
    await quoteAmount(ctx, { id, amount_xrp: 500_000_000n }),
    await getTerms(ctx, id),
    await getStatus(ctx),
    await ctx.ledger.serverState(),
    await listInvestments(ctx, { wallet_address: investor.address, limit: 1 }),
  ];
  const stats = await getStats(ctx, { project_id: id });
  const left = project.tiers.reduce(
    (sum, tier) => sum + BigInt(tier.total_tokens.replace('.', '')) - BigInt(tier.sold_tokens.replace('.', '')),
    0n,
  );
  const [first, second] = project.tiers;
  const [investment] = investments;
  if (first === undefined || second === undefined || investment === undefined)
    throw new Error('The sale is not staged');
  return {
    quote500: [quote.total_tokens, ...quote.allocation.flatMap((part) => [part.amount_xrp, part.tokens])],
    tier: ['tier 1', first.price_per_token, first.sold_tokens, first.total_tokens, second.price_per_token],
    address: project.deposit_address,
    tag: String(project.destination_tag),
    refundMin: JSON.parse(terms.canonical).refund_min_xrp,
    trustLine: ['TrustSet', 'DMO', sale.issuer.address, formatDrops(server.reserveIncrementDrops)],
    payment: [investment.amount_xrp, investment.total_tokens ?? '', 'confirmed'],
    left: formatDecimal(left, 6),
    minimum: project.min_investment_xrp ?? '',
    reserve: [formatDrops(server.reserveBaseDrops), formatDrops(server.reserveIncrementDrops)],
    holders: [`${stats.holders} holder`, stats.supply, String(stats.ledger_index)],
    status: status.status,
    raised: [project.progress.total_raised_xrp, String(project.progress.total_investors)],
  };
}

describe('the twenty likeliest questions, in many wordings', () => {
  const places = questions('', '').map(([[question]], place) => [question ?? '', place] as const);

  test.each(places)('%s is answered with the exact figures of the API', async (_, place) => {
    const [phrasings, wanted] = questions(hash, investor.address)[place] ?? [[], () => []];
    // Every text holds nothing, and an empty figure.
    expect(phrasings.length).toBeGreaterThan(1);
    expect(wanted(figures).length).toBeGreaterThan(0);
    expect(wanted(figures)).not.toContain('');
    const missed: string[] = [];
    for (const phrasing of phrasings) {
      const { text } = await converse(stage.ctx, [phrasing]);
      for (const figure of wanted(figures)) {
        if (!text.includes(figure)) missed.push(`${phrasing} → no ${figure} in: ${text.slice(0, 120)}`);
      }
    }
    expect(missed).toEqual([]);
  });
});

describe('wordings that the model was not trained on', () => {
  /** Of all, of one likely question, and of those that are none of the assistant's business. */
  const RIGHT_AT_LEAST = { all: 0.95, question: 0.85, unrelated: 0.9 };
  /** Answered as something else without a word of doubt. */
  const WRONG_AT_MOST = 0.03;
  const NAMES = { sales: ['Solar Farm'], tokens: ['DMO'] };
  /** What is understood alike is answered alike, and asked once. */
  const asked = new Map<string, Promise<Answered>>();

  type Outcome = 'right' | 'asked back' | 'wrong';

  const written = (wording: HeldOutWording['said']): string[] =>
    [wording].flat().map((text) => text.replaceAll('{hash}', hash).replaceAll('{wallet}', investor.address));

  async function figuresFor({ asks, xrp }: HeldOutWording): Promise<string[]> {
    if (asks === 'none') return [];
    if (xrp === null) return questions(hash, investor.address)[TWENTY.indexOf(asks)]?.[1](figures) ?? [];
    const quote = await quoteAmount(stage.ctx, { id: sale.project.id, amount_xrp: BigInt(xrp * 1_000_000) });
    return [quote.total_tokens, ...quote.allocation.flatMap((part) => [part.amount_xrp, part.tokens])];
  }

  async function outcomeOf(wording: HeldOutWording): Promise<Outcome> {
    const messages = written(wording.said);
    const { intents, guess, near, entities } = understand(messages.at(-1) ?? '', turnsBefore(messages), NAMES);
    const found: readonly string[] = guess === null ? intents : [guess];
    if (wording.asks === 'none') {
      if (found.length > 0) return guess === null ? 'wrong' : 'asked back';
    } else if (![wording.asks, ...(ALSO[wording.asks] ?? [])].some((intent) => found.includes(intent))) {
      return intents.length === 0 ? 'asked back' : 'wrong';
    }
    const key = JSON.stringify([intents, guess, near, { ...entities, rest: '' }]);
    if (!asked.has(key)) asked.set(key, converse(stage.ctx, messages));
    const { text } = (await asked.get(key)) ?? { text: '' };
    if (wording.asks === 'none') return /^\*\*I (?:do not know|am not sure)/.test(text) ? 'right' : 'wrong';
    return (await figuresFor(wording)).every((figure) => text.includes(figure)) ? 'right' : 'wrong';
  }

  test('are answered with the exact figures, nearly all; the rest is mostly asked back', async () => {
    const outcomes: { wording: HeldOutWording; outcome: Outcome }[] = [];
    for (const wording of HELD_OUT) outcomes.push({ wording, outcome: await outcomeOf(wording) });
    const share = (of: typeof outcomes, outcome: Outcome) =>
      of.filter((one) => one.outcome === outcome).length / of.length;
    const missed = outcomes
      .filter(({ outcome }) => outcome !== 'right')
      .map(({ wording, outcome }) => `${wording.asks} ${outcome}: ${[wording.said].flat().join(' / ')}`);
    expect.soft(share(outcomes, 'right'), missed.join('\n')).toBeGreaterThanOrEqual(RIGHT_AT_LEAST.all);
    expect.soft(share(outcomes, 'wrong'), missed.join('\n')).toBeLessThanOrEqual(WRONG_AT_MOST);
    for (const asks of [...TWENTY, 'none' as const]) {
      const least = asks === 'none' ? RIGHT_AT_LEAST.unrelated : RIGHT_AT_LEAST.question;
      const own = outcomes.filter(({ wording }) => wording.asks === asks);
      expect.soft(share(own, 'right'), asks).toBeGreaterThanOrEqual(least);
    }
  });
});
