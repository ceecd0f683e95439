import { parseDecimal, XRP_DECIMALS } from '#lib/platform/money.ts';
import { costOfTokensTool } from '../../tools/cost-of-tokens.ts';
import { getProjectTool, type ProjectFound } from '../../tools/get-project.ts';
import { type QuoteFound, quoteTool } from '../../tools/quote.ts';
import { type Amount, xrpFault } from '../amounts.ts';
import type { Asked } from '../asked.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, code, paragraphs, plain, strong } from '../markdown.ts';
import { reasonText } from './texts.ts';

const MOST_QUOTES = 3;
const FAULTS = {
  zero: 'An amount must be more than 0.',
  too_fine: 'XRP has six decimals at most, so that amount cannot be paid.',
  too_much: 'That is more XRP than there can ever be (100 billion).',
} as const;

/** What to ask back when an amount can be read in two ways. */
export const askWhichAmount = ({ text, readings }: Amount & { kind: 'ambiguous' }): string => {
  const [first, second] = readings;
  return first === undefined || second === undefined
    ? `How much exactly do you mean by “${plain(text)}”? Give me a number, such as ${code('500 XRP')}: I quote to the drop and do not guess.`
    : `“${plain(text)}” can be read in two ways: do you mean ${strong(first)} or ${strong(second)}? Write it without a thousands mark, such as ${code(`${second} XRP`)}.`;
};

function allocationText({ allocation }: QuoteFound, token: string): string | null {
  if (allocation.length === 0) return null;
  return bullets(
    allocation.map(
      (part) =>
        `tier ${part.tier}: ${part.amount_xrp} XRP at ${part.price_per_token} XRP a token buys ${part.tokens} ${token}`,
    ),
  );
}

/** A quote in words: the figures are those of the tool, as they are. */
export function quoteText(quote: QuoteFound, token: string, smallest: string | null): string {
  const because = reasonText(quote.reason);
  const halted = quote.halted
    ? 'Payments are not being decided at the moment (the deposit account is halted); yours would be later, by its place on the ledger.'
    : null;
  if (!quote.accepted) {
    const back =
      parseDecimal(quote.refunded_xrp, XRP_DECIMALS) === 0n
        ? `${quote.held_xrp} XRP would be held, because it is too little to be sent back.`
        : `${quote.refunded_xrp} XRP would go back to the wallet that paid.`;
    return paragraphs(
      `${strong(`${quote.amount_xrp} XRP would buy nothing now`)}: ${because ?? 'it would be refused'}${quote.reason === 'below_minimum' && smallest !== null ? ` of ${strong(`${smallest} XRP`)}` : ''}. ${back}`,
      halted,
    );
  }
  const isPositive = (text: string) => (parseDecimal(text, XRP_DECIMALS) ?? 0n) > 0n;
  return paragraphs(
    `${strong(`${quote.amount_xrp} XRP buys ${quote.total_tokens} ${token}`)} if it arrives now.`,
    allocationText(quote, token),
    isPositive(quote.refunded_xrp)
      ? `${quote.invested_xrp} XRP would be invested and ${strong(`${quote.refunded_xrp} XRP sent back`)}${because === null ? '' : `: ${because}`}.`
      : null,
    isPositive(quote.rounding_xrp) ? `${quote.rounding_xrp} XRP of it is change too small to be sent back.` : null,
    quote.admission === 'assumed'
      ? 'I took it that your wallet is on the allowlist; give me its address and I check.'
      : null,
    halted,
  );
}

async function quoteOne(asked: Asked, project: ProjectFound, amount: Amount): Promise<string> {
  if (amount.kind === 'ambiguous') return askWhichAmount(amount);
  const fault = xrpFault(amount.value);
  if (fault !== null) return `${FAULTS[fault]}`;
  const quote = await asked.use(quoteTool, {
    project_id: project.id,
    amount_xrp: parseDecimal(amount.value, XRP_DECIMALS) ?? 0n,
    ...(asked.wallet === null ? {} : { wallet_address: asked.wallet }),
  });
  return quoteText(quote, project.token_name, project.min_investment_xrp);
}

/** What amounts of XRP buy now. */
export const answerQuote = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const name = plain(project.name);
  const amounts = asked.entities.amounts.filter(({ unit }) => unit === 'xrp' || unit === null);
  const foreign = asked.entities.amounts.some(({ unit }) => unit === 'other');
  if (amounts.length === 0) {
    const { current_tier: tier } = project;
    return paragraphs(
      foreign ? `I reckon in XRP only: sales take XRP, and I know no exchange rates.` : null,
      `How much XRP would you like to put into ${name}? Tell me an amount, such as ${code('500 XRP')}, and I ask for the exact quote.`,
      tier === null ? null : `Tier ${tier.tier} sells now at ${tier.price_per_token} XRP a token.`,
    );
  }
  if (amounts.every(({ kind }) => kind === 'ambiguous')) {
    return paragraphs(...amounts.map((amount) => (amount.kind === 'ambiguous' ? askWhichAmount(amount) : null)));
  }
  const quotes: string[] = [];
  for (const amount of amounts.slice(0, MOST_QUOTES)) {
    quotes.push(await quoteOne(asked, project, amount));
  }
  return paragraphs(
    `For ${name}:`,
    ...quotes,
    'It is a quote, not a reservation: payments that arrive before yours count first. Ask “how do I pay” for the address and the tag.',
  );
});

/** How much XRP a number of tokens costs. */
export const answerCost = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const token = project.token_name;
  const amount = asked.entities.amounts.find(({ unit }) => unit === 'tokens' || unit === null);
  if (amount === undefined) return answerQuote(asked);
  if (amount.kind === 'ambiguous') return askWhichAmount(amount);
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
      not_enough_left: `${amount.value} ${token} are more than the ${project.left_tokens} that are left in ${plain(project.name)}.`,
      moving_too_fast: 'So many payments come in that I cannot say it at this moment. Please ask again.',
    };
    return why[cost.problem];
  }
  return paragraphs(
    `For ${amount.value} ${token} of ${plain(project.name)}, pay ${strong(`${cost.amount_xrp} XRP`)}:`,
    quoteText(cost.quote, token, project.min_investment_xrp),
    'It is a quote, not a reservation: payments that arrive before yours count first.',
  );
});
