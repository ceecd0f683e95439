import { getProjectTool } from '../../tools/get-project.ts';
import { type RulesFound, saleRulesTool } from '../../tools/sale-rules.ts';
import type { Asked } from '../asked.ts';
import { aboutSale } from '../choose-project.ts';
import { code, paragraphs, plain, strong } from '../markdown.ts';
import { answerQuote } from './money.ts';
import { stateText } from './texts.ts';

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
    rules.state === 'live' ? null : `The sale ${stateText[rules.state]}.`,
    'Who comes first is decided by the order of the ledger. Ask me “what does 500 XRP buy” to see what would go back now.',
  );
});

/** The smallest investment. */
export const answerMinimum = withRules(async (asked, rules, name) => {
  const hasAmount = asked.entities.amounts.some(({ unit }) => unit === 'xrp' || unit === null);
  const project = await asked.use(getProjectTool, { project_id: rules.project_id });
  const price = project.current_tier?.price_per_token;
  return paragraphs(
    rules.min_investment_xrp === null
      ? `${name} sets ${strong('no minimum')}: any payment counts that buys at least the smallest unit of the token${price === undefined ? '' : ` (a token costs ${price} XRP now)`}.`
      : `The smallest investment in ${name} is ${strong(`${rules.min_investment_xrp} XRP`)} a payment. Less goes back to the account that paid.`,
    `Payments below ${rules.smallest_refund_xrp} XRP are too small to be sent back when they are refused.`,
    rules.max_per_wallet_xrp === null
      ? 'There is no maximum for a wallet.'
      : `One wallet may invest ${rules.max_per_wallet_xrp} XRP at most.`,
    hasAmount ? await answerQuote(asked) : null,
  );
});

/** The largest investment. */
export const answerMaximum = withRules(async (asked, rules, name) => {
  const project = await asked.use(getProjectTool, { project_id: rules.project_id });
  const hasAmount = asked.entities.amounts.some(({ unit }) => unit === 'xrp' || unit === null);
  return paragraphs(
    rules.max_per_wallet_xrp === null
      ? `${name} sets ${strong('no maximum')} for a wallet: what is left is the limit, ${project.left_tokens} ${rules.token_name} now.`
      : `One wallet may invest ${strong(`${rules.max_per_wallet_xrp} XRP`)} in ${name}, over all its payments. What goes beyond it comes back.`,
    'You may pay as often as you like; each payment buys at the price of its moment.',
    rules.tiers_with_list.length === 0 ? null : 'An allowlist may set a limit of its own for each wallet.',
    hasAmount ? await answerQuote(asked) : null,
  );
});

/** What happens when a sale is cancelled or does not raise enough. */
export const answerSoftCap = withRules(async (_asked, rules, name) =>
  paragraphs(
    'A soft cap is what a sale must raise by its end; a sale that raises less is cancelled, and the XRP is refunded.',
    rules.soft_cap_xrp === null
      ? `${name} has ${strong('no soft cap')}: it goes through whatever it raises.`
      : `The soft cap of ${name} is ${strong(`${rules.soft_cap_xrp} XRP`)}. If less is raised by the end, the sale is cancelled.`,
    'When a sale is cancelled, all XRP that no distributed tokens stand for goes back to the accounts that paid, by itself. Tokens that were distributed stay yours, and stay paid for.',
    rules.state === 'cancelled' ? `This sale was cancelled (${rules.end_reason ?? 'cancelled'}).` : null,
    'There is no hard cap beside the tiers: the sale ends when every tier is sold.',
  ),
);

/** Who may buy. */
export const answerAllowlist = withRules(async (asked, rules, name) => {
  const hasList = rules.tiers_with_list.length > 0;
  return paragraphs(
    hasList
      ? `In ${name} ${rules.access === 'allowlist' ? 'all tiers are' : `tier ${rules.tiers_with_list.join(', ')} is`} ${strong('for wallets on its allowlist only')}. XRP of other wallets goes back (not_admitted).`
      : `${name} is ${strong('open to every wallet')}: there is no allowlist, and the platform asks for no registration.`,
    hasList && rules.list_in_force === null ? 'No list is in force yet, so nobody is admitted at the moment.' : null,
    hasList && rules.list_in_force !== null
      ? `The list in force has the SHA-256 ${code(rules.list_in_force)}, which stands on the ledger.`
      : null,
    hasList ? 'Only the project can put a wallet on its list; the platform cannot.' : null,
    hasList && asked.wallet !== null && asked.entities.amounts.length > 0 ? await answerQuote(asked) : null,
    hasList
      ? 'Ask for a quote with your wallet address, such as “100 XRP for r…”: it says whether the wallet is admitted.'
      : null,
    'Whether the law of your country lets you take part I cannot tell.',
  );
});

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
