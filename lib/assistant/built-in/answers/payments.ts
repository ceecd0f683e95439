import { parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { reasonText } from '#lib/base/reason-text.ts';
import { findPaymentTool, type PaymentFound } from '../../tools/find-payment.ts';
import { tokenSetupTool } from '../../tools/token-setup.ts';
import { walletInvestmentsTool } from '../../tools/wallet-investments.ts';
import type { Answer, Asked } from '../asked.ts';
import { bullets, code, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { say } from '../phrases.ts';

const whyOf = (reason: string | null): string | null => (reason === null ? null : reasonText(reason));

type RecordedPayment = Extract<PaymentFound, { state: 'recorded' }>;
type Investment = NonNullable<RecordedPayment['investment']>;

const MOST_SHOWN = 5;

const PAYOUT_STATES: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  waiting_holder: 'waiting for your wallet',
  ready: 'about to be sent',
  submitted: 'sent, pending on the ledger',
  validated: 'done',
  held: 'held; an operator must look at it',
  cancelled: 'cancelled',
};
const isPositive = (xrp: string | null): boolean => xrp !== null && (parseDecimal(xrp, XRP_DECIMALS) ?? 0n) > 0n;

type Part = { status: string; reason: string | null; due_at?: string; transaction_hash: string | null };
function partText(what: string, part: Part): string {
  const why = part.status === 'validated' ? null : whyOf(part.reason);
  const due = part.status === 'scheduled' && part.due_at !== undefined ? `, due ${dateText(part.due_at)}` : '';
  const hash = part.transaction_hash === null ? '' : `, transaction ${code(part.transaction_hash)}`;
  return `${what}: ${PAYOUT_STATES[part.status] ?? part.status}${due}${why === null ? '' : ` (${why})`}${hash}`;
}

/** What became of one investment. */
function investmentText(asked: Asked, investment: Investment): string {
  const sale = asked.projects.find(({ id }) => id === investment.project_id);
  const token = sale?.token_name ?? 'tokens';
  const into = sale === undefined ? '' : ` into ${plain(sale.name)}`;
  const head = `Your payment of ${strong(`${investment.amount_xrp} XRP`)}${into} (ledger ${investment.transaction.ledger_index}) `;
  const why = whyOf(investment.reason);
  const happened = {
    pending_confirmation: `has been ${strong('seen')} and is being confirmed; it is expected to buy ${investment.tier_info.tokens_expected} ${token} in tier ${investment.tier_info.tier}. That takes a few ledgers: ask again in a minute.`,
    confirmed: `is ${strong('confirmed')}: ${investment.confirmed_amount_xrp ?? '0.000000'} XRP bought ${strong(`${investment.total_tokens ?? '0.000000'} ${token}`)}.${isPositive(investment.refunded_xrp) ? ` ${investment.refunded_xrp} XRP ${investment.refunds.every(({ status }) => status === 'validated') ? 'were' : 'are'} refunded${why === null ? '' : `: ${why}`}.` : ''}`,
    failed: `${strong('bought nothing')}: ${why ?? 'it was refused'}. ${isPositive(investment.held_xrp) ? `${investment.held_xrp} XRP are held.` : `${investment.refunded_xrp} XRP are refunded to the account that paid.`}`,
  };
  return paragraphs(
    head + happened[investment.status],
    bullets([
      ...investment.payouts.map((part) => partText(`${part.tokens} ${token}`, part)),
      ...investment.refunds.map((part) => partText(`refund of ${part.amount_xrp} XRP`, part)),
    ]),
  );
}

function strayText(payment: RecordedPayment['payment']): string {
  const head = `${payment.received_xrp} XRP of ledger ${payment.ledger_index} (transaction ${code(payment.transaction_hash)}) belong to no sale: `;
  const why = whyOf(payment.reason) ?? 'they are being looked at';
  const parts = payment.refunds.map((part) => partText(`refund of ${part.amount_xrp} XRP`, part));
  const state =
    payment.outcome === 'pending'
      ? 'seen, and decided in a few ledgers'
      : isPositive(payment.held_xrp)
        ? `${why}. ${payment.held_xrp} XRP are ${strong('held')}; the operators can see them`
        : `${why}. ${payment.refunded_xrp} XRP ${strong('are refunded')} to the account that paid`;
  return paragraphs(`${head}${state}.`, bullets(parts));
}

/** What the holder must do for tokens that wait for the wallet; null when none do. */
async function nextStep(asked: Asked, investments: readonly Investment[]): Promise<string | null> {
  const waiting = investments.find(({ payouts }) => payouts.some(({ status }) => status === 'waiting_holder'));
  if (waiting === undefined) return null;
  const { token } = await asked.use(tokenSetupTool, { project_id: waiting.project_id });
  const fields =
    token.kind === 'iou'
      ? `a trust line with currency ${code(token.currency)} and issuer ${code(token.issuer)}`
      : `MPTokenAuthorize with the issuance id ${code(token.issuance_id)}`;
  return `${strong('Your next step')}: your tokens wait for your wallet. Set ${fields}; they are then sent by themselves.`;
}

async function foundText(asked: Asked, found: PaymentFound): Promise<string> {
  switch (found.state) {
    case 'recorded':
      return found.investment === null
        ? strayText(found.payment)
        : paragraphs(investmentText(asked, found.investment), await nextStep(asked, [found.investment]));
    case 'our_payout':
      return `That transaction is one that the platform sent: a ${found.kind} to ${code(found.destination)}, ${PAYOUT_STATES[found.status] ?? found.status}.`;
    case 'not_read_yet':
      return `The ledger has your payment${found.delivered_xrp === null ? '' : ` of ${found.delivered_xrp} XRP`} (ledger ${found.ledger_index}, ${found.destination_tag === null ? 'without a tag' : 'with a tag'}), and the platform has not read that ledger yet. It will, by itself: nothing is lost. Ask again in a minute.`;
    case 'elsewhere':
      return `That payment is in ledger ${found.ledger_index}, but it ${strong('did not go to a sale')} of this platform: it went to ${code(found.destination)}. Only the owner of that account can send it back. If you meant to pay into a sale, compare the address.`;
    case 'failed':
      return `That transaction ${strong('failed on the ledger')} (${found.result}, ledger ${found.ledger_index}): no XRP left your wallet but the fee.`;
    case 'no_payment':
      return `That transaction is in ledger ${found.ledger_index}, but it is no payment of XRP.`;
    case 'not_validated':
      return `No validated ledger shows that transaction (newest: ${found.validated_ledger}). If you sent it just now, wait a minute and ask again; else compare the hash, and look in your wallet whether it was really sent. While it is not validated, no XRP has left your wallet.`;
  }
}

async function ofWallet(asked: Asked, wallet: string): Promise<string> {
  const {
    investments,
    more,
    payments_without_sale: strays,
  } = await asked.use(walletInvestmentsTool, {
    wallet_address: wallet,
  });
  if (investments.length + strays.length === 0) {
    return paragraphs(
      `No payment of ${code(wallet)} has reached a sale of this platform so far.`,
      'If you have paid: was it from this very wallet, and is the transaction validated? Payments from an exchange come from the exchange’s account. With the transaction hash I can look for it on the ledger.',
    );
  }
  return paragraphs(
    `From ${code(wallet)}, the newest first:`,
    ...investments.slice(0, MOST_SHOWN).map((investment) => investmentText(asked, investment)),
    ...strays.slice(0, MOST_SHOWN).map(strayText),
    await nextStep(asked, investments),
    more || investments.length > MOST_SHOWN ? 'There are more; the link below has all of them.' : null,
  );
}

/** What looks like a hash, or like an address with a slip in it. */
export const hasHash = ({ entities: { hashes, brokenHash, brokenAddress } }: Asked): boolean =>
  hashes.length > 0 || brokenHash || brokenAddress;
export const hasPayment = (asked: Asked): boolean => hasHash(asked) || asked.entities.wallets.length > 0;

/** Where a payment is: by its hash, else by the wallet that paid. */
export const answerWherePayment: Answer = async (asked, text) => {
  const { hashes, brokenHash, brokenAddress } = asked.entities;
  const [hash] = hashes;
  if (hash !== undefined) return foundText(asked, await asked.use(findPaymentTool, { transaction_hash: hash }));
  if (brokenHash) {
    return 'That is no whole transaction hash: it has 64 characters, 0 to 9 and A to F. Copy it again from your wallet, or give me the address that paid (r…).';
  }
  if (brokenAddress) {
    return 'That address has a slip in it: its checksum does not fit. Copy it again from your wallet, or give me the transaction hash.';
  }
  if (asked.wallet !== null) return ofWallet(asked, asked.wallet);
  return paragraphs(say('look_up', asked.language), asked.language === 'en' ? text : null);
};

/** An answer, with what became of the payment that the message names, or what to give so that it can be looked up. */
export const answerWithLookUp: Answer = async (asked, text) =>
  hasPayment(asked)
    ? paragraphs(await answerWherePayment(asked, ''), text)
    : paragraphs(text, say('look_up', asked.language));
