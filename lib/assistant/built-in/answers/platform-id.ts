import { ownUrl } from '../../links.ts';
import { platformIdStatusTool } from '../../tools/platform-id-status.ts';
import { readHelpTool } from '../../tools/search-help.ts';
import type { Answer, Asked } from '../asked.ts';
import { code, link, paragraphs, strong } from '../markdown.ts';

async function statusText(asked: Asked, wallet: string): Promise<string> {
  const status = await asked.use(platformIdStatusTool, { wallet_address: wallet });
  const who = `The wallet ${code(wallet)}`;
  if (status.platform_id !== null) {
    const level = status.level === null ? '' : `; its level is ${strong(status.level)}`;
    return `${who} has the Platform ID ${strong(status.platform_id)}${level}.`;
  }
  const held = status.balance === null ? '' : ` It held ${status.balance} platform tokens by the last snapshot.`;
  return status.eligible
    ? `${who} ${strong('may have a Platform ID')} and has none yet.${held} ${status.what_to_do ?? ''}`
    : `${who} ${strong('may not have a Platform ID')} yet: ${status.explanation ?? ''}${held} ${status.what_to_do ?? ''}`;
}

/** What a Platform ID is, how to get one, and whether the wallet may. */
export const answerPlatformId: Answer = async (asked) => {
  const { text } = await asked.use(readHelpTool, { id: 'investing#platform-id' });
  return paragraphs(
    asked.wallet === null ? null : await statusText(asked, asked.wallet),
    text,
    asked.wallet === null ? 'Give me your wallet address, and I look whether it has one or may have one.' : null,
    `More: ${link('the API reference', ownUrl('/reference#generatePlatformId'))}.`,
  );
};
