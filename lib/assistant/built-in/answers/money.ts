import { formatDecimal, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { reasonText } from '#lib/base/reason-text.ts';
import { costOfTokensTool } from '../../tools/cost-of-tokens.ts';
import { howToPayTool, type PaymentGuide } from '../../tools/how-to-pay.ts';
import {
  getProjectTool,
  listProjectsTool,
  type ProjectFound,
  type QuoteFound,
  quoteTool,
} from '../../tools/sale-reads.ts';
import { type RulesFound, saleRulesTool } from '../../tools/sale-rules.ts';
import { type Amount, xrpFault } from '../amounts.ts';
import type { Answer, Asked } from '../asked.ts';
import { aboutSale, saleMeant } from '../choose-project.ts';
import type { Language } from '../language.ts';
import { bullets, code, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { say, stateText, whyText } from '../phrases.ts';
import { answerWherePayment, hasPayment } from './payments.ts';

const setupOf = (token: PaymentGuide['token'], language: Language): string =>
  say(token.kind === 'iou' ? 'setup_iou' : 'setup_mpt', language);

export const readGuide = (asked: Asked, projectId: string): Promise<PaymentGuide> =>
  asked.use(howToPayTool, {
    project_id: projectId,
    ...(asked.payer === null ? {} : { wallet_address: asked.payer }),
  });

/** The pay card: address and tag, while the gate is open (tools/pay-gate.ts), and nothing where another question may be meant. */
export const answerPay: Answer = aboutSale(async (asked, projectId) => {
  const { language } = asked;
  const guide = await readGuide(asked, projectId);
  // Why not stands before every answer (built-in/index.ts).
  if (guide.target === null || !asked.isSure) return '';
  const { deposit_address, destination_tag, x_address } = guide.target;
  asked.card({
    kind: 'pay',
    title: guide.name,
    facts: { deposit_address, destination_tag: String(destination_tag), x_address },
  });
  return paragraphs(
    say('pay_open', language, { name: plain(guide.name) }),
    bullets([
      `${say('label_address', language)}: ${code(deposit_address)}`,
      `${say('label_tag', language)}: ${strong(destination_tag)}`,
      `${say('label_both', language)}: ${code(x_address)}`,
      guide.min_investment_xrp === null ? null : `${say('label_minimum', language)}: ${guide.min_investment_xrp} XRP`,
      guide.max_per_wallet_xrp === null ? null : `${say('label_maximum', language)}: ${guide.max_per_wallet_xrp} XRP`,
    ]),
    say('pay_ready', language, { setup: setupOf(guide.token, language) }),
  );
});

/** The tag: what it is, and the sale's own while the gate is open. */
export const answerTag: Answer = async (asked, text) =>
  saleMeant(asked) === null ? text : paragraphs(text, await answerPay(asked, text));

/** Whether an address is the one to pay to; the reply repeats no address, so nobody can copy it from here. */
export const answerCheckAddress: Answer = aboutSale(async (asked, projectId, text) => {
  const guide = await readGuide(asked, projectId);
  const given = asked.entities.wallets[0];
  if (given === undefined)
    return paragraphs(asked.entities.brokenAddress ? say('no_address', asked.language) : null, text);
  if (guide.target === null) return '';
  return given === guide.target.deposit_address
    ? `**Yes**: the address in your question is the deposit address of ${plain(guide.name)}. A payment needs the destination tag as well.`
    : `**No**: the address in your question is not the deposit address of ${plain(guide.name)}. Do not pay there.`;
});

/** What is refunded, and what is not: as the entry says, and what this sale adds. */
export const answerRefund: Answer = async (asked, text) => {
  const { language } = asked;
  const projectId = saleMeant(asked);
  const rules: RulesFound | null =
    projectId === null ? null : await asked.use(saleRulesTool, { project_id: projectId });
  asked.card({
    kind: 'refund',
    title: rules?.name ?? 'Refunds',
    facts: rules === null ? {} : { smallest_refund_xrp: rules.smallest_refund_xrp },
  });
  return paragraphs(
    hasPayment(asked) ? await answerWherePayment(asked, '') : null,
    rules?.state === 'cancelled' ? say('delivery_cancelled', language) : text,
    hasPayment(asked) ? null : say('look_up', language),
  );
};

/** Money that is not XRP: the entry says it, of every sale alike. */
export const answerOtherMoney: Answer = async (_asked, text) => text;

/** The delivery card: when tokens are sent, and whether in parts. */
async function deliveryText(asked: Asked, projectId: string, asksParts: boolean): Promise<string> {
  const { language } = asked;
  const rules = await asked.use(saleRulesTool, { project_id: projectId });
  const endsAt = rules.ended_at ?? rules.ends_at;
  const { vesting } = rules;
  const name = plain(rules.name);
  asked.card({
    kind: 'delivery',
    title: rules.name,
    facts: { distribution: rules.distribution, ends_at: endsAt ?? 'not set' },
  });
  return paragraphs(
    rules.distribution === 'immediate'
      ? say('delivery_immediate', language, { name })
      : say('delivery_end', language, {
          name,
          ends: endsAt === null ? '' : ` (${dateText(endsAt, language, asked.place)})`,
        }),
    vesting.periods === 0 && asksParts ? say('vesting_none', language, { name }) : null,
    vesting.periods === 0
      ? null
      : say('delivery_vesting', language, {
          now: `${vesting.immediate_bps / 100} %`,
          parts: vesting.periods,
          first: vesting.cliff_days + vesting.period_days,
          every: vesting.period_days,
        }),
    rules.state === 'draft' || rules.state === 'upcoming' || hasPayment(asked) ? null : say('look_up', language),
  );
}
export const answerDelivery: Answer = aboutSale(async (asked, projectId, text) =>
  paragraphs(await deliveryText(asked, projectId, /vest/i.test(asked.message)), text),
);

/** Why only a part of the tokens is there: as the entry says, and whether the sale that is meant sends them in parts. */
export const answerVesting: Answer = async (asked, text) => {
  const meant = saleMeant(asked);
  return meant === null ? text : paragraphs(text, await deliveryText(asked, meant, true));
};

/** The sale's state and dates. */
export const answerDates: Answer = aboutSale(async (asked, projectId) => {
  const { language } = asked;
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const endsAt = project.ended_at ?? project.ends_at;
  const start =
    project.starts_at === null ? say('no_start', language) : dateText(project.starts_at, language, asked.place);
  const end = endsAt === null ? say('no_end', language) : dateText(endsAt, language, asked.place);
  asked.card({
    kind: 'sale',
    title: project.name,
    facts: { state: project.state, starts_at: project.starts_at ?? 'not set', ends_at: endsAt ?? 'not set' },
  });
  const later = project.tiers.filter(
    ({ starts_at, completed_at }) => completed_at === null && starts_at !== null && Date.parse(starts_at) > asked.nowMs,
  );
  const state = stateText(project.state, language);
  return paragraphs(
    say('dates', language, { name: plain(project.name), state, start, end }),
    project.state === 'paused' ? say('no_resume', language) : null,
    project.state === 'cancelled' && project.end_reason !== 'soft_cap_missed' ? say('cancelled_why', language) : null,
    bullets(
      later.map((tier) =>
        say('tier_starts', language, { tier: tier.tier, at: dateText(tier.starts_at ?? '', language, asked.place) }),
      ),
    ),
  );
});

const tierLines = ({ tiers, token_name: token }: ProjectFound, place: Asked['place'], language: Language): string =>
  bullets(
    tiers.map(
      (tier) =>
        `tier ${tier.tier}: ${tier.price_per_token} XRP, ${tier.left_tokens} / ${tier.total_tokens} ${token}${tier.access === 'allowlist' ? ' (allowlist)' : ''}${tier.credential === null ? '' : ' (credential)'}${tier.starts_at === null ? '' : `, ${dateText(tier.starts_at, language, place)}`}`,
    ),
  );

/** Prices, tiers, and what is left. */
export const answerPrice: Answer = aboutSale(async (asked, projectId) => {
  const { language } = asked;
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { current_tier: tier, state, token_name: token } = project;
  const values = {
    name: plain(project.name),
    tier: tier?.tier ?? '',
    tiers: project.tiers.length,
    price: tier?.price_per_token ?? '',
    left: tier?.left_tokens ?? '',
    token,
  };
  const next = project.next_tier;
  const isLater = next !== null && next.starts_at !== null && Date.parse(next.starts_at) > asked.nowMs;
  const willSell = state === 'draft' || state === 'upcoming' || state === 'paused' || state === 'between_tiers';
  return paragraphs(
    tier !== null && state === 'live' ? say('price_now', language, values) : null,
    tier !== null && willSell ? say('price_next', language, values) : null,
    next === null || !(willSell || state === 'live')
      ? null
      : say(isLater ? 'price_after_at' : 'price_after', language, {
          tier: next.tier,
          price: next.price_per_token,
          at: isLater ? dateText(next.starts_at ?? '', language, asked.place) : '',
        }),
    state === 'live' ? null : `${plain(project.name)}: ${stateText(state, language)}.`,
    tierLines(project, asked.place, language),
  );
});

const MOST_QUOTES = 3;
const FAULTS = {
  zero: 'An amount must be more than 0.',
  too_fine: 'XRP has six decimals at most, so that amount cannot be paid.',
  too_much: 'That is more XRP than there can ever be (100 billion).',
} as const;

/** What to ask back when an amount can be read in two ways. */
const askWhichAmount = ({ text, readings }: Amount & { kind: 'ambiguous' }, language: Language): string => {
  const [first, second] = readings;
  return first === undefined || second === undefined
    ? say('how_much', language, { text: plain(text) })
    : say('which_amount', language, { text: plain(text), first, second });
};

/** An amount as the language of the question writes it: with a point between thousands, or “mil” for a thousand. */
function readIn(amount: Amount, language: Language): Amount {
  if (amount.kind !== 'ambiguous' || !['es', 'de', 'pt'].includes(language)) return amount;
  const { text, readings, unit } = amount;
  const value = /\bmil\b/i.test(text) ? readings[0] : /^\d{1,3}\.\d{3}(?!\d)/.test(text) ? readings[1] : undefined;
  return value === undefined ? amount : { kind: 'exact', unit, value, text };
}

const isPositive = (text: string): boolean => (parseDecimal(text, XRP_DECIMALS) ?? 0n) > 0n;

/** That a wallet's maximum sends a part of an amount back; null where it does not. */
function limitText(amount: string, project: ProjectFound, language: Language): string | null {
  const most = project.max_per_wallet_xrp;
  const over =
    most === null ? 0n : (parseDecimal(amount, XRP_DECIMALS) ?? 0n) - (parseDecimal(most, XRP_DECIMALS) ?? 0n);
  return over <= 0n
    ? null
    : say('quote_limited', language, {
        name: plain(project.name),
        most: most ?? '',
        amount,
        back: formatDecimal(over, XRP_DECIMALS),
      });
}

/** A quote in words: the figures are those of the reducer, as they are. */
function quoteText(asked: Asked, quote: QuoteFound, project: ProjectFound): string {
  const { language } = asked;
  const why = quote.reason === null ? null : (whyText(quote.reason, language) ?? reasonText(quote.reason));
  const halted = quote.halted ? whyText('halted', language) : null;
  const values = { name: plain(project.name), amount: quote.amount_xrp, token: project.token_name, why: why ?? '' };
  asked.card({
    kind: 'quote',
    title: project.name,
    facts: { amount_xrp: quote.amount_xrp, total_tokens: quote.total_tokens, refunded_xrp: quote.refunded_xrp },
  });
  if (!quote.accepted) {
    const tier = project.current_tier;
    const least = quote.reason === 'below_minimum' ? ` (${project.min_investment_xrp} XRP)` : '';
    return paragraphs(
      say('quote_nothing', language, { ...values, why: `${values.why}${least}`, back: quote.refunded_xrp }),
      tier === null || !(quote.reason === 'before_start' || quote.reason === 'between_tiers')
        ? null
        : say('price_next', language, {
            ...values,
            tier: tier.tier,
            tiers: project.tiers.length,
            price: tier.price_per_token,
          }),
      isPositive(quote.held_xrp) ? `${quote.held_xrp} XRP would be held: too little to be sent back.` : null,
    );
  }
  return paragraphs(
    limitText(quote.amount_xrp, project, language),
    say('quote_buys', language, { ...values, tokens: quote.total_tokens }),
    bullets(
      quote.allocation.map(
        (part) =>
          `tier ${part.tier}: ${part.amount_xrp} XRP × ${part.price_per_token} → ${part.tokens} ${values.token}`,
      ),
    ),
    isPositive(quote.refunded_xrp)
      ? `${say('quote_back', language, { invested: quote.invested_xrp, back: quote.refunded_xrp })}${why === null ? '' : ` (${why})`}`
      : null,
    quote.admission === 'assumed' ? say('quote_admission', language) : null,
    halted === null ? null : `${halted}.`,
    say('quote_note', language),
  );
}

async function quoteOne(asked: Asked, project: ProjectFound, given: Amount): Promise<string> {
  const amount = readIn(given, asked.language);
  if (amount.kind === 'ambiguous') return askWhichAmount(amount, asked.language);
  const fault = xrpFault(amount.value);
  if (fault !== null) return FAULTS[fault];
  const quote = await asked.use(quoteTool, {
    project_id: project.id,
    amount_xrp: parseDecimal(amount.value, XRP_DECIMALS) ?? 0n,
    ...(asked.wallet === null ? {} : { wallet_address: asked.wallet }),
  });
  return quoteText(asked, quote, project);
}

/** The quote card: what amounts of XRP buy now. */
export const answerQuote: Answer = aboutSale(async (asked, projectId, text) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const amounts = asked.entities.amounts.filter(({ unit }) => unit === 'xrp' || unit === null);
  if (amounts.length === 0) {
    const isForeign = asked.entities.amounts.some(({ unit }) => unit === 'other');
    return isForeign ? paragraphs('Sales take XRP only, and I know no exchange rates.', text) : text;
  }
  const quotes: string[] = [];
  for (const amount of amounts.slice(0, MOST_QUOTES)) quotes.push(await quoteOne(asked, project, amount));
  return paragraphs(...quotes);
});

/** How much XRP a number of tokens costs. */
export const answerCost = aboutSale(async (asked, projectId, text) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const token = project.token_name;
  const given = asked.entities.amounts.find(({ unit }) => unit === 'tokens' || unit === null);
  if (given === undefined) return answerQuote(asked, text);
  const amount = readIn(given, asked.language);
  if (amount.kind === 'ambiguous') return askWhichAmount(amount, asked.language);
  if ((parseDecimal(amount.value, XRP_DECIMALS) ?? 0n) === 0n) {
    return `A number of tokens must be more than 0 and have at most ${project.token.decimals} decimals.`;
  }
  const cost = await asked.use(costOfTokensTool, {
    project_id: projectId,
    tokens: amount.value,
    ...(asked.wallet === null ? {} : { wallet_address: asked.wallet }),
  });
  if (cost.problem !== null) {
    const why = {
      no_multiple_of_unit: `The token has ${project.token.decimals} decimals, so ${amount.value} is no amount of it.`,
      not_enough_left: isPositive(project.left_tokens)
        ? `${amount.value} ${token} are more than the ${project.left_tokens} that are left in ${plain(project.name)}.`
        : `No ${token} is left in ${plain(project.name)}.`,
      moving_too_fast: 'So many payments come in that I cannot say it at this moment. Please ask again.',
    };
    return why[cost.problem];
  }
  return paragraphs(
    cost.quote.accepted
      ? `${amount.value} ${token} of ${plain(project.name)} cost ${strong(`${cost.amount_xrp} XRP`)}:`
      : null,
    quoteText(asked, cost.quote, project),
  );
});

/** All sales, with their states and what each has raised: nothing here adds them up. */
export const answerProjects: Answer = async (asked) => {
  const { language } = asked;
  const { projects } = await asked.use(listProjectsTool, {});
  if (projects.length === 0) return say('no_sale', language);
  return bullets(
    projects
      .slice(0, 10)
      .map(
        ({ name, token_name, state, progress: { total_raised_xrp: raised, progress_percentage: percent } }) =>
          `${strong(plain(name))} (${token_name}): ${stateText(state, language)}; ${say('raised_xrp', language, { raised, percent })}`,
      ),
  );
};
