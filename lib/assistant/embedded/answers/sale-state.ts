import { getProjectTool, type ProjectFound } from '../../tools/get-project.ts';
import { listProjectsTool } from '../../tools/list-projects.ts';
import type { TierFacts } from '../../tools/sale-facts.ts';
import type { Answer, Asked } from '../asked.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, paragraphs, plain, strong } from '../markdown.ts';
import { stateText } from './texts.ts';

const tierLine = (tier: TierFacts, token: string): string =>
  [
    `tier ${tier.tier}: ${tier.price_per_token} XRP a token, ${tier.sold_tokens} of ${tier.total_tokens} ${token} sold, ${tier.left_tokens} left`,
    tier.completed_at === null ? '' : ', completed',
    tier.access === 'allowlist' ? ', for wallets on the allowlist' : '',
    tier.starts_at === null ? '' : `, from ${tier.starts_at}`,
  ].join('');

function askedTier(asked: Asked, project: ProjectFound): TierFacts | null | undefined {
  const { tier } = asked.entities;
  if (tier === null) return undefined;
  if (tier === 'next') return project.next_tier;
  if (tier === 'last') return project.tiers.at(-1) ?? null;
  return project.tiers.find((one) => one.tier === tier) ?? null;
}

/** Tiers, prices, what is left: the current one first. */
export const answerTier = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { current_tier: current, token_name: token } = project;
  const name = plain(project.name);
  const one = askedTier(asked, project);
  const all = bullets(project.tiers.map((tier) => tierLine(tier, token)));
  if (one === null) {
    const which = asked.entities.tier === 'next' ? 'no further tier' : `no tier ${asked.entities.tier}`;
    return paragraphs(`${name} has ${which}. Its tiers:`, all);
  }
  if (one !== undefined) {
    const isCurrent = one.tier === current?.tier;
    return paragraphs(
      `${strong(`Tier ${one.tier} of ${name}`)} sells at ${strong(`${one.price_per_token} XRP`)} a token: ${one.sold_tokens} of ${one.total_tokens} ${token} are sold, ${strong(one.left_tokens)} are left.`,
      isCurrent
        ? 'It is the one that sells now.'
        : one.completed_at === null
          ? `It sells after tier ${one.tier - 1} is full${one.starts_at === null ? '' : `, and not before ${one.starts_at}`}.`
          : `It was completed at ${one.completed_at}.`,
      isCurrent || current === null ? null : `Now tier ${current.tier} sells.`,
      all,
    );
  }
  if (current === null) return paragraphs(`${name} ${stateText[project.state]}: every tier is sold out.`, all);
  const next = project.next_tier;
  return paragraphs(
    `${name} is in ${strong(`tier ${current.tier}`)} of ${project.tiers.length}: a token costs ${strong(`${current.price_per_token} XRP`)}, and ${strong(`${current.left_tokens} ${token}`)} of ${current.total_tokens} are left in it.`,
    project.state === 'live' ? null : `The sale ${stateText[project.state]}.`,
    next === null
      ? 'It is the last tier.'
      : `Next is tier ${next.tier} at ${next.price_per_token} XRP a token${next.starts_at === null ? ', as soon as this one is full' : `, not before ${next.starts_at}`}.`,
    all,
  );
});

/** How much was raised, by how many. */
export const answerProgress = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { progress, token_name: token } = project;
  return paragraphs(
    `${plain(project.name)} has raised ${strong(`${progress.total_raised_xrp} XRP`)} from ${strong(progress.total_investors)} investors: ${progress.progress_percentage} % of what it brings when everything is sold.`,
    `Sold are ${project.sold_tokens} of ${project.total_tokens} ${token}; ${progress.tiers_completed} of ${progress.total_tiers} tiers are complete.`,
    /[1-9]/.test(progress.unwound_xrp) ? `Of it ${progress.unwound_xrp} XRP went back again.` : null,
    'Payments that wait for confirmation are not counted yet.',
  );
});

/** When a sale begins and ends. */
export const answerDates = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const ended =
    project.ended_at === null ? null : `It ended at ${project.ended_at} (${project.end_reason ?? 'ended'}).`;
  return paragraphs(
    `${plain(project.name)} ${strong(stateText[project.state])}.`,
    bullets([
      project.starts_at === null ? 'start: with its launch' : `start: ${project.starts_at}`,
      project.ends_at === null
        ? 'end: no date is set; it ends when everything is sold, or its operator ends it'
        : `end: ${project.ends_at}`,
      project.launched_at === null ? null : `launched: ${project.launched_at}`,
    ]),
    ended,
    'What counts is the close time of the ledger that holds your payment, not when you pressed send.',
  );
});

/** A sale in a few lines. */
export const answerAbout = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { current_tier: current, progress, token_name: token } = project;
  return paragraphs(
    `${strong(plain(project.name))} sells ${project.total_tokens} ${token} in ${project.tiers.length} tiers, and ${stateText[project.state]}.`,
    bullets([
      current === null
        ? 'every tier is sold out'
        : `now: tier ${current.tier} at ${current.price_per_token} XRP a token, ${current.left_tokens} ${token} left in it`,
      `raised: ${progress.total_raised_xrp} XRP from ${progress.total_investors} investors (${progress.progress_percentage} %)`,
      project.starts_at === null ? null : `start: ${project.starts_at}`,
      project.ends_at === null ? null : `end: ${project.ends_at}`,
      `tokens are paid out ${project.distribution === 'immediate' ? 'as soon as a payment is confirmed' : 'when the sale has ended'}`,
    ]),
    project.description === ''
      ? null
      : `The project says of itself: “${plain(project.description)}” (its own words; I cannot check them).`,
  );
});

/** All sales. */
export const answerProjects: Answer = async (asked) => {
  const { projects } = await asked.use(listProjectsTool, {});
  if (projects.length === 0) return 'There is no sale on this platform at the moment.';
  const line = (project: (typeof projects)[number]) =>
    `${strong(plain(project.name))} (${project.token_name}) ${stateText[project.state]}${
      project.current_tier === null || project.state === 'ended' || project.state === 'cancelled'
        ? ''
        : `; tier ${project.current_tier.tier} at ${project.current_tier.price_per_token} XRP a token`
    }`;
  const open = projects.filter(({ state }) => state === 'live').length;
  return paragraphs(
    `There ${projects.length === 1 ? 'is 1 sale' : `are ${projects.length} sales`} here, ${open} of them live:`,
    bullets(projects.slice(0, 10).map(line)),
    'Name one, and I tell you its tiers, its address and its tag.',
  );
};
