import { parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { getProjectTool } from '../../tools/get-project.ts';
import { quoteTool } from '../../tools/quote.ts';
import { type RulesFound, saleRulesTool } from '../../tools/sale-rules.ts';
import type { Asked } from '../asked.ts';
import { aboutSale } from '../choose-project.ts';
import { code, paragraphs, plain, strong } from '../markdown.ts';
import { say } from '../phrases.ts';
import { answerQuote } from './money.ts';

const withRules = (answer: (asked: Asked, rules: RulesFound, name: string) => Promise<string>) =>
  aboutSale(async (asked, projectId) => {
    const rules = await asked.use(saleRulesTool, { project_id: projectId });
    return answer(asked, rules, plain(rules.name));
  });

/** What happens at the end of what is sold, and to what is paid beyond it. */
export const answerSoldOut = withRules(async (asked, rules, name) => {
  const project = await asked.use(getProjectTool, { project_id: rules.project_id });
  return paragraphs(
    `Nothing is lost: a payment buys what is left, and ${strong('the rest goes back')} to the account that paid, by itself. One that comes when all is sold goes back whole, and so does one after the end.`,
    `Left in ${name} now: ${strong(`${project.left_tokens} ${rules.token_name}`)} over all tiers. When a tier is full, the payment goes on in the next one at its price.`,
    `Change below ${rules.smallest_refund_xrp} XRP is too small to be sent back: it is kept, and shown as rounding_xrp of the investment.`,
    `Who comes first is decided by the order of the ledger.${asked.isClosed ? '' : ' Ask me “what does 500 XRP buy” to see what would go back now.'}`,
  );
});

const amountText = async (asked: Asked): Promise<string | null> =>
  asked.entities.amounts.some(({ unit }) => unit === 'xrp' || unit === null) ? answerQuote(asked, '') : null;

/** The smallest investment. */
export const answerMinimum = withRules(async (asked, rules, name) => {
  const { min_investment_xrp: least, smallest_refund_xrp: refund } = rules;
  return paragraphs(
    say(least === null ? 'minimum_none' : 'minimum_is', asked.language, { name, least: least ?? '', refund }),
    await amountText(asked),
  );
});

/** The largest investment. */
export const answerMaximum = withRules(async (asked, rules, name) => {
  const { max_per_wallet_xrp: most, token_name: token } = rules;
  const { left_tokens: left } = await asked.use(getProjectTool, { project_id: rules.project_id });
  return paragraphs(
    say(most === null ? 'maximum_none' : 'maximum_is', asked.language, { name, most: most ?? '', left, token }),
    await amountText(asked),
  );
});

/** What happens when a sale is cancelled or does not raise enough, and whether it has. */
export const answerSoftCap = withRules(async (asked, rules, name) => {
  const { progress } = await asked.use(getProjectTool, { project_id: rules.project_id });
  const isOver = rules.state === 'ended' || rules.state === 'cancelled';
  const happened = rules.end_reason === 'soft_cap_missed' ? 'was missed' : isOver ? null : 'is decided at the end';
  return paragraphs(
    rules.soft_cap_xrp === null
      ? `${name} has ${strong('no soft cap')}: no sum that it must reach.${isOver ? '' : ' It does not fail for raising little.'}`
      : `The soft cap of ${name} is ${strong(`${rules.soft_cap_xrp} XRP`)}${happened === null ? '' : `; it ${strong(happened)}`}. Raised: ${progress.total_raised_xrp} XRP.`,
    'A soft cap is what a sale must raise by its end; a sale that raises less is cancelled. Then all XRP that no distributed tokens stand for goes back to the accounts that paid, by itself, and its tokens are not sent any more. Tokens that were distributed stay yours, and stay paid for.',
    'There is no hard cap beside the tiers: a sale ends when every tier is sold.',
    rules.state === 'cancelled' && rules.end_reason !== 'soft_cap_missed' ? say('cancelled_why', asked.language) : null,
  );
});

/** Who may buy. */
export const answerAllowlist = withRules(async (asked, rules, name) => {
  const listed = rules.tiers_with_list;
  if (rules.state === 'ended' || rules.state === 'cancelled') return say('list_over', asked.language, { name });
  if (listed.length === 0) return say('list_open', asked.language, { name });
  const tiers = rules.access === 'allowlist' ? '' : ` (tier ${listed.join(', ')})`;
  return paragraphs(
    say('list_only', asked.language, { name, tiers }),
    asked.wallet === null ? null : await admissionText(asked, rules.project_id, asked.wallet),
  );
});

/** Whether a wallet may buy: what the reducer says of a large payment of it. */
async function admissionText(asked: Asked, projectId: string, wallet: string): Promise<string> {
  const { admission } = await asked.use(quoteTool, {
    project_id: projectId,
    amount_xrp: parseDecimal('100000', XRP_DECIMALS) ?? 0n,
    wallet_address: wallet,
  });
  const isAdmitted = admission === 'admitted' || admission === 'not_required';
  return `${code(wallet)} ${strong(isAdmitted ? 'may buy' : 'may not buy')} as the list stands now.`;
}

/** Where the raised XRP goes. */
export const answerTreasury = withRules(async (_asked, rules, name) =>
  paragraphs(
    rules.treasury === null
      ? `${name} names ${strong('no treasury')} in its terms.`
      : `What ${name} raises goes to the treasury that its terms name: ${code(rules.treasury)}.`,
    'It leaves the deposit account only as a refund, or to the treasury after the tokens that it paid for are delivered or the sale is completed; never what is still owed as refunds. All of that can be checked on the ledger.',
    'What the project does with it afterwards I cannot know.',
  ),
);
