import { getProjectTool } from '../../tools/get-project.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, counted, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { stateText } from './texts.ts';

/** How much was raised, by how many. */
export const answerProgress = aboutSale(async (asked, projectId) => {
  const project = await asked.use(getProjectTool, { project_id: projectId });
  const { progress, token_name: token } = project;
  return paragraphs(
    `${plain(project.name)} has raised ${strong(`${progress.total_raised_xrp} XRP`)} from ${strong(counted(progress.total_investors, 'investor'))}: ${progress.progress_percentage} % of what it brings when everything is sold.`,
    `Sold are ${project.sold_tokens} of ${project.total_tokens} ${token}; ${progress.tiers_completed} of ${progress.total_tiers} tiers are complete.`,
    /[1-9]/.test(progress.unwound_xrp) ? `Of it ${progress.unwound_xrp} XRP went back again.` : null,
    'Payments that wait for confirmation are not counted yet.',
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
