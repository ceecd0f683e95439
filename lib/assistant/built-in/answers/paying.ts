import { ownUrl } from '../../links.ts';
import { getProjectTool } from '../../tools/get-project.ts';
import { type TokenSetup, tokenSetupTool } from '../../tools/token-setup.ts';
import type { Answer } from '../asked.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, code, link, paragraphs, plain, strong } from '../markdown.ts';
import { say } from '../phrases.ts';
import { NEVER_SEED } from './texts.ts';

/** Which wallet will do. */
export const answerWallet: Answer = async (asked) =>
  paragraphs(
    `${strong('Any XRP Ledger wallet whose keys are yours')} will do, if it can send a destination tag and accept the token (a trust line, or an MPT authorisation). Wallets of other networks, such as MetaMask, hold no XRP Ledger account. I recommend none in particular. ${NEVER_SEED}`,
    say('exchange_no', asked.language),
    `What to set in it is on ${link('the sale’s page', ownUrl('/'))}.`,
  );

/** Money that is not XRP. */
export const answerOtherMoney = aboutSale(async (asked, projectId) => {
  const { name } = await asked.use(getProjectTool, { project_id: projectId });
  return say('only_xrp', asked.language, { name: plain(name) });
});

/** What to do before a sale opens. */
export const answerPrepare: Answer = async (asked) =>
  paragraphs(
    'What you can make ready without paying anything to the sale:',
    bullets([
      'a wallet of the XRP Ledger whose keys are yours; not an account at an exchange',
      'in it the XRP that you may want to use, beside the reserve that the ledger keeps back',
      'the wallet ready for the token: ask me “how do I set the trust line”',
      'the terms of the sale read: ask me “which tiers are there” and “when do I get my tokens”',
    ]),
    say('order', asked.language),
  );

/** Ready to receive the token: what a trust line is, and how to set it. */
export const answerTrustLine = aboutSale(async (asked, projectId) => {
  const setup = await asked.use(tokenSetupTool, {
    project_id: projectId,
    ...(asked.wallet === null ? {} : { wallet_address: asked.wallet }),
  });
  const isLine = setup.token.kind === 'iou';
  return paragraphs(
    walletText(setup),
    isLine
      ? 'A trust line tells the XRP Ledger that your wallet accepts a token of one issuer, up to a limit that you choose. Without it nobody can send you that token.'
      : 'The token is a multi-purpose token (MPT): your wallet accepts it by an MPTokenAuthorize transaction. Without it nobody can send you that token.',
    isLine && setup.token.kind === 'iou'
      ? `In your wallet choose “add token” or “trust line” and enter for ${plain(setup.name)}:\n\n${bullets([
          `currency: ${code(setup.token.currency)}`,
          `issuer: ${code(setup.token.issuer)}`,
          'limit: at least what you will hold; the whole supply below is always enough',
        ])}`
      : `Authorise this issuance for ${plain(setup.name)}: ${code(setup.token.kind === 'mpt' ? setup.token.issuance_id : '')}`,
    `The same as a transaction:\n\n\`\`\`json\n${JSON.stringify(setup.transaction, null, 2)}\n\`\`\``,
    `The ledger sets ${strong(`${setup.owner_reserve_xrp} XRP`)} of your wallet aside for it; they come free again when it is removed. Set it before or after you pay: tokens wait for it.`,
    setup.wallet === null ? 'Give me your wallet address, and I look whether it is ready.' : null,
  );
});

function walletText({ wallet, token_name: token, claim_days }: TokenSetup): string | null {
  if (wallet === null) return null;
  const who = `Your wallet ${code(wallet.wallet_address)}`;
  if (wallet.ready) {
    const limit = wallet.limit === null ? '' : `, limit ${wallet.limit}`;
    return `${who} ${strong('is ready')} for ${token}: it holds ${wallet.balance ?? '0'}${limit}.`;
  }
  switch (wallet.problem) {
    case 'not_funded':
      return `${who} is not on the ledger yet: it needs its reserve in XRP first.`;
    case 'is_issuer':
      return `${who} is the issuer of ${token} itself: it cannot hold them.`;
    case 'not_authorized':
      return `${who} has accepted ${token}, but the issuer has not authorised it yet. Only the issuer can do that.`;
    case 'frozen':
      return `${who} cannot receive ${token}: the issuer has frozen it there.`;
    default:
      return `${who} ${strong('is not ready')}: it does not accept ${token} yet. What you bought waits for it; after ${claim_days} days the operators are told.`;
  }
}
