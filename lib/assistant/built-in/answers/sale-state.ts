import { getProjectTool } from '../../tools/get-project.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, counted, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { say, stateText } from '../phrases.ts';

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
