import { parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { costOfTokensTool } from '../../tools/cost-of-tokens.ts';
import { getProjectTool } from '../../tools/get-project.ts';
import { aboutSale } from '../choose-project.ts';
import { paragraphs, plain, strong } from '../markdown.ts';
import { answerQuote, askWhichAmount, quoteText } from './money.ts';

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
    cost.quote.accepted
      ? `${amount.value} ${token} of ${plain(project.name)} cost ${strong(`${cost.amount_xrp} XRP`)}:`
      : null,
    quoteText(asked, cost.quote, project),
  );
});
