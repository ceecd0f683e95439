import { custodyFaults, fewestWitnesses } from '@tranche/rules/custody.ts';
import { parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { getProjectTool, quoteTool } from '../../tools/sale-reads.ts';
import { type RulesFound, saleRulesTool } from '../../tools/sale-rules.ts';
import type { Answer, Asked } from '../asked.ts';
import { aboutSale, saleMeant } from '../choose-project.ts';
import { bullets, code, counted, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { say, stateText } from '../phrases.ts';

const withRules = (answer: (asked: Asked, rules: RulesFound, name: string, text: string) => Promise<string>) =>
  aboutSale(async (asked, projectId, text) => {
    const rules = await asked.use(saleRulesTool, { project_id: projectId });
    return answer(asked, rules, plain(rules.name), text);
  });

/** What happens to what is paid beyond the last token: as the entry says, and what is left. */
export const answerSoldOut = withRules(async (asked, rules, name, text) => {
  const { left_tokens: left } = await asked.use(getProjectTool, { project_id: rules.project_id });
  return paragraphs(text, say('left_now', asked.language, { name, left, token: rules.token_name }));
});

/** The smallest investment. */
export const answerMinimum = withRules(async (asked, rules, name) => {
  const { min_investment_xrp: least, smallest_refund_xrp: refund } = rules;
  return say(least === null ? 'minimum_none' : 'minimum_is', asked.language, { name, least: least ?? '', refund });
});

/** The largest investment. */
export const answerMaximum = withRules(async (asked, rules, name) => {
  const { max_per_wallet_xrp: most, token_name: token } = rules;
  const { left_tokens: left } = await asked.use(getProjectTool, { project_id: rules.project_id });
  return say(most === null ? 'maximum_none' : 'maximum_is', asked.language, { name, most: most ?? '', left, token });
});

/** Whether the soft cap is reached, and what follows from it. */
export const answerSoftCap = withRules(async (asked, rules, name, text) => {
  const { progress } = await asked.use(getProjectTool, { project_id: rules.project_id });
  const kind =
    rules.soft_cap_xrp === null
      ? 'soft_cap_none'
      : rules.end_reason === 'soft_cap_missed'
        ? 'soft_cap_missed'
        : rules.state === 'ended'
          ? 'soft_cap_met'
          : 'soft_cap_open';
  return paragraphs(
    say(kind, asked.language, { name, cap: rules.soft_cap_xrp ?? '', raised: progress.total_raised_xrp }),
    rules.state === 'ended' && kind !== 'soft_cap_missed' ? say('investments_stand', asked.language) : null,
    // The rule as well: who asks may mean another sale.
    kind === 'soft_cap_met' ? null : text,
    rules.state === 'cancelled' && rules.end_reason !== 'soft_cap_missed' ? say('cancelled_why', asked.language) : null,
  );
});

/** Who may buy. */
export const answerAllowlist = withRules(async (asked, rules, name) => {
  const listed = rules.tiers_with_list;
  if (rules.state === 'ended' || rules.state === 'cancelled') return say('list_over', asked.language, { name });
  const required = rules.credentials_of_tiers;
  if (listed.length === 0 && required.length === 0) return say('list_open', asked.language, { name });
  const tiers = rules.access === 'allowlist' ? '' : ` (tier ${listed.join(', ')})`;
  return paragraphs(
    listed.length === 0 ? null : say('list_only', asked.language, { name, tiers }),
    ...required.map(({ tier, type, credential_type: hex, issuers }) =>
      say('credential_only', asked.language, {
        name,
        tier,
        credential: plain(type ?? hex),
        issuers: issuers.map(code).join(', '),
      }),
    ),
    asked.wallet === null ? null : await admissionText(asked, rules, asked.wallet),
  );
});

/** Whether a wallet may buy: what the reducer says of a large payment of it. */
async function admissionText(asked: Asked, rules: RulesFound, wallet: string): Promise<string> {
  const { admission, credentials } = await asked.use(quoteTool, {
    project_id: rules.project_id,
    amount_xrp: parseDecimal('100000', XRP_DECIMALS) ?? 0n,
    wallet_address: wallet,
  });
  const isAdmitted = admission === 'admitted' || admission === 'not_required';
  const isHeld = credentials.every(({ status }) => status === 'valid');
  const ofList = isAdmitted ? 'list_on' : 'list_off';
  return paragraphs(
    // With a credential missing, admission says nothing of the list.
    rules.tiers_with_list.length === 0 || !isHeld ? null : say(ofList, asked.language, { wallet: code(wallet) }),
    ...credentials.map(({ tier, status }) =>
      say(`credential_${status}`, asked.language, { wallet: code(wallet), tier }),
    ),
  );
}

/** Where the raised XRP goes: as the entry says, and the treasury of this sale. */
export const answerTreasury = withRules(async (_asked, { treasury }, name, text) =>
  paragraphs(text, `Treasury (${name}): ${treasury === null ? strong('–') : code(treasury)}`),
);

/** Who must sign for the accounts of the sale that is meant, behind what the entry says of every sale. */
export const answerCustody: Answer = async (asked, text) => {
  const meant = saleMeant(asked);
  if (meant === null) return text;
  const { name, custody } = await asked.use(getProjectTool, { project_id: meant });
  const isSound = custody !== null && custodyFaults(custody).length === 0;
  const values = { name: plain(name), fewest: 0, count: 0, names: '' };
  if (isSound)
    Object.assign(values, {
      fewest: fewestWitnesses(custody),
      count: custody.witnesses.length,
      names: custody.witnesses.map((one) => `${plain(one.name)} (${plain(one.operator)})`).join(', '),
    });
  const key = custody === null ? 'custody_one_key' : isSound ? 'custody_witnesses' : 'custody_faulty';
  return paragraphs(text, say(key, asked.language, values));
};

/** How much was raised, by how many. */
export const answerProgress = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { progress, token_name: token } = project;
  const { language } = asked;
  const count = progress.total_investors;
  return paragraphs(
    say('raised_is', language, {
      name: plain(project.name),
      raised: progress.total_raised_xrp,
      investors: say(count === 1 ? 'investors_one' : 'investors', language, { count }),
      percent: progress.progress_percentage,
      sold: project.sold_tokens,
      total: project.total_tokens,
      token,
    }),
    /[1-9]/.test(progress.cancelled_xrp) ? `Of it ${progress.cancelled_xrp} XRP went back again.` : null,
  );
});

/** A sale in a few lines. */
export const answerAbout = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { current_tier: current, progress, token_name: token } = project;
  return paragraphs(
    `${strong(plain(project.name))} sells ${project.total_tokens} ${token} in ${counted(project.tiers.length, 'tier')}, and ${project.state === 'live' ? 'takes payments now' : `takes none now: ${stateText(project.state, 'en')}`}.`,
    bullets([
      current === null
        ? 'every tier is sold out'
        : `now: tier ${current.tier} at ${current.price_per_token} XRP a token, ${current.left_tokens} ${token} left in it`,
      `raised: ${progress.total_raised_xrp} XRP from ${counted(progress.total_investors, 'investor')} (${progress.progress_percentage} %)`,
      project.starts_at === null ? null : `start: ${dateText(project.starts_at)}`,
      project.ends_at === null ? null : `end: ${dateText(project.ends_at)}`,
      `tokens are paid out ${project.distribution === 'immediate' ? 'as soon as a payment is confirmed' : 'when the sale has ended'}`,
    ]),
    project.description === ''
      ? null
      : `The project says of itself: “${plain(project.description)}” (its own words; I cannot check them).`,
  );
});
