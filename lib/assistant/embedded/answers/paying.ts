import { howToInvestTool, type PaymentGuide } from '../../tools/how-to-invest.ts';
import { saleRulesTool } from '../../tools/sale-rules.ts';
import { type TokenSetup, tokenSetupTool } from '../../tools/token-setup.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, code, paragraphs, plain, steps, strong } from '../markdown.ts';
import { tokensOf } from '../tokens.ts';
import { answerWherePayment } from './payments.ts';
import { NEVER_SEED, notOpenText } from './texts.ts';

const addressAndTag = (guide: PaymentGuide): string =>
  bullets([
    `deposit address: ${code(guide.deposit_address)}`,
    `destination tag: ${strong(guide.destination_tag)}`,
    `both in one, for wallets that take X-addresses: ${code(guide.x_address)}`,
  ]);

const NOT_FROM_EXCHANGE = `${strong('Never pay from an exchange')}: tokens and refunds go to the account that paid, and that would be the exchange’s. Withdraw to a wallet of your own first.`;

/** How to pay: ready the wallet, send with the tag, watch. */
export const answerPay = aboutSale(async (asked, projectId) => {
  const guide = await asked.use(howToInvestTool, { project_id: projectId });
  const name = plain(guide.name);
  const setUp =
    guide.token.kind === 'iou' ? 'set a trust line for the token' : 'authorise the token (MPTokenAuthorize)';
  return paragraphs(
    notOpenText(guide, name),
    `Send XRP from your own wallet to this address ${strong('with this destination tag')}. Both are needed:`,
    addressAndTag(guide),
    steps([
      `In your wallet, ${setUp}: ask me “how do I set the trust line” for the exact fields. Tokens wait for it.`,
      `Send the XRP to the address with the tag${guide.min_investment_xrp === null ? '' : `; the smallest investment is ${guide.min_investment_xrp} XRP`}${guide.max_per_wallet_xrp === null ? '' : `, and one wallet may invest ${guide.max_per_wallet_xrp} XRP at most`}.`,
      'Watch it: give me your wallet address or the transaction hash, and I tell you where it is.',
    ]),
    `${NOT_FROM_EXCHANGE} ${NEVER_SEED}`,
    guide.access === 'allowlist'
      ? 'This sale takes payments of wallets on its allowlist only; others get their XRP back.'
      : null,
  );
});

/** Which tag. */
export const answerTag = aboutSale(async (asked, projectId) => {
  const guide = await asked.use(howToInvestTool, { project_id: projectId });
  return paragraphs(
    notOpenText(guide, plain(guide.name)),
    `The destination tag of ${plain(guide.name)} is ${strong(guide.destination_tag)}. It is always needed, because it says which sale your payment is for:`,
    addressAndTag(guide),
    tokensOf(asked.message).includes('exchange') ? NOT_FROM_EXCHANGE : null,
    'Wallets call the field “destination tag”, some of them “memo” or “tag”: it must hold exactly this number. A text memo does not replace it.',
  );
});

/** A payment without the tag, or with a wrong one. */
export const answerForgotTag = aboutSale(async (asked, projectId) => {
  const [guide, rules] = [
    await asked.use(howToInvestTool, { project_id: projectId }),
    await asked.use(saleRulesTool, { project_id: projectId }),
  ];
  const found = asked.entities.hashes.length > 0 || asked.entities.wallets.length > 0;
  return paragraphs(
    found ? await answerWherePayment(asked) : null,
    guide.address_refuses_without_tag === true
      ? 'Without a tag nothing leaves your wallet but the network fee: the deposit address refuses such payments (tecDST_TAG_NEEDED).'
      : `A payment without a tag buys nothing: ${strong('it goes back to the account that sent it')} by itself, whole. Less than ${rules.smallest_refund_without_sale_xrp} XRP is held instead, because it is too little to send back.`,
    'The same holds for a tag that no sale has. With the tag of another sale of this platform you would buy there. Nobody can add or change the tag of a payment afterwards.',
    'If you paid from an exchange, the XRP goes back to the exchange: ask its support for it.',
    `Pay again with both:\n\n${addressAndTag(guide)}`,
    found ? null : 'Give me the transaction hash or your wallet address, and I look where your payment is.',
  );
});

/** Whether an address is the one to pay to. */
export const answerCheckAddress = aboutSale(async (asked, projectId) => {
  const guide = await asked.use(howToInvestTool, { project_id: projectId });
  const given = asked.entities.wallets[0];
  const verdict =
    given === undefined
      ? 'That is no whole XRP Ledger address: its checksum does not fit. Do not pay there.'
      : given === guide.deposit_address
        ? `Yes: ${code(given)} is the deposit address of ${plain(guide.name)}. Do not forget the tag.`
        : `${strong('No')}: ${code(given)} is not the deposit address of ${plain(guide.name)}. Do not pay there.`;
  return paragraphs(verdict, addressAndTag(guide));
});

/** A wallet of their own, and not an exchange, is what they ask about. */
const isOwnWallet = (message: string): boolean => {
  const tokens = tokensOf(message);
  return tokens.includes('walletapp') && !tokens.includes('exchange');
};

/** Paying from an exchange, and with which wallet. */
export const answerExchange = aboutSale(async (asked, projectId) => {
  const guide = await asked.use(howToInvestTool, { project_id: projectId });
  if (isOwnWallet(asked.message)) {
    return paragraphs(
      `${strong('Yes, if its keys are yours')}: any XRP Ledger wallet will do that can send a destination tag and ${guide.token.kind === 'iou' ? 'set a trust line' : 'authorise an MPT'}. I recommend none of them.`,
      `Pay from it to this address with this tag:\n\n${addressAndTag(guide)}`,
    );
  }
  return paragraphs(
    `${strong('Please do not pay from an exchange.')} It pays from an account of its own, so tokens and refunds would go to the exchange, not to you.`,
    `Withdraw to a wallet whose keys are yours first, and pay from there with the tag ${strong(guide.destination_tag)}. Any XRP Ledger wallet does that can send a destination tag and ${guide.token.kind === 'iou' ? 'set a trust line' : 'authorise an MPT'}; I recommend none of them.`,
    'If you have paid from one already: ask its support which account sent the XRP, and give me the transaction hash; then I can tell you what became of it.',
  );
});

/** Money that is not XRP. */
export const answerOtherMoney = aboutSale(async (asked, projectId) => {
  const guide = await asked.use(howToInvestTool, { project_id: projectId });
  const tier = guide.current_tier;
  return paragraphs(
    `${plain(guide.name)} takes ${strong('XRP only')}, sent on the XRP Ledger. Anything else that arrives at the address buys nothing.`,
    tier === null
      ? null
      : `A token costs ${tier.price_per_token} XRP in tier ${tier.tier} now. I know no exchange rates to other currencies.`,
  );
});

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
