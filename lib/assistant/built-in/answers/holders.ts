import { holderStatisticsTool } from '../../tools/holder-statistics.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, code, dateText, paragraphs, strong } from '../markdown.ts';

/** Of a share from 0 to 1, to the digits that it has. */
const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${Number((share * 100).toFixed(4))} %`;

/** Who holds the token. */
export const answerHolders = aboutSale(async (asked, projectId) => {
  const snapshot = await asked.use(holderStatisticsTool, { project_id: projectId });
  if (!snapshot.synced) {
    return paragraphs(
      `The holders of this token ${strong('have not been read from the ledger yet')}, so I have no figures. It happens every hour for the tokens of launched sales; please ask again later.`,
      'Until then “how much has been raised” tells you the number of investors of the sale.',
    );
  }
  const { change } = snapshot;
  return paragraphs(
    `The token has ${strong(snapshot.holders === 1 ? '1 holder' : `${snapshot.holders} holders`)} with ${snapshot.supply}${snapshot.holders === 1 ? '' : ' together'} (ledger ${snapshot.ledger_index}, read at ${dateText(snapshot.synced_at)}).`,
    bullets([
      `the ten largest have ${percent(snapshot.top_10_share)} (share ${snapshot.top_10_share ?? 'unknown'}), the hundred largest ${percent(snapshot.top_100_share)}`,
      snapshot.median === null ? null : `half of the holders have ${snapshot.median} or less (median)`,
      snapshot.gini === null ? null : `Gini coefficient: ${snapshot.gini} (0 when all hold the same)`,
      change === null ? null : `since ${dateText(change.since)}: ${change.added} came, ${change.removed} left`,
      ...snapshot.largest.map(({ rank, account, balance }) => `place ${rank}: ${code(account)} with ${balance}`),
    ]),
    'These are accounts, not people: the ledger shows no names. Accounts of the issuer and the platform are not counted.',
  );
});
