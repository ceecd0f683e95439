import { parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { reasonText } from '#lib/base/reason-text.ts';
import { findPaymentTool, type PaymentFound, walletInvestmentsTool } from '../../tools/sale-reads.ts';
import { tokenSetupTool } from '../../tools/token-setup.ts';
import type { Answer, Asked } from '../asked.ts';
import type { Language } from '../language.ts';
import { bullets, code, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { say, whyText } from '../phrases.ts';

const whyOf = (reason: string | null, language: Language): string | null =>
  reason === null ? null : (whyText(reason, language) ?? reasonText(reason));

type RecordedPayment = Extract<PaymentFound, { state: 'recorded' }>;
type Investment = NonNullable<RecordedPayment['investment']>;

const MOST_SHOWN = 5;

const isPositive = (xrp: string | null): boolean => xrp !== null && (parseDecimal(xrp, XRP_DECIMALS) ?? 0n) > 0n;

type Part = { status: string; reason: string | null; due_at?: string; transaction_hash: string | null };
function partText(what: string, part: Part, language: Language): string {
  const why = part.status === 'validated' ? null : whyOf(part.reason, language);
  return [
    `${what}: ${say(`payout_${part.status}`, language)}`,
    part.status === 'scheduled' && part.due_at !== undefined
      ? say('due', language, { at: dateText(part.due_at, language) })
      : null,
    why === null ? null : `(${why})`,
    part.transaction_hash === null ? null : code(part.transaction_hash),
  ]
    .filter((text) => text !== null)
    .join(', ');
}

const backText = (payment: { held_xrp: string | null; refunded_xrp: string | null }, language: Language): string =>
  isPositive(payment.held_xrp)
    ? say('paid_held', language, { held: payment.held_xrp ?? '' })
    : isPositive(payment.refunded_xrp)
      ? say('paid_back', language, { back: payment.refunded_xrp ?? '' })
      : '';
const refundLines = (refunds: readonly (Part & { amount_xrp: string })[], language: Language): string[] =>
  refunds.map((part) => partText(say('refund_of', language, { back: part.amount_xrp }), part, language));

/** What is not on its way yet: a cancelled sale sends none of it, though it was planned. */
const NOT_SENT: ReadonlySet<string> = new Set(['scheduled', 'waiting_holder', 'ready', 'cancelled']);

/** What became of one investment. */
function investmentText({ projects, language }: Asked, investment: Investment): string {
  const sale = projects.find(({ id }) => id === investment.project_id);
  const token = sale?.token_name ?? 'tokens';
  const { tier_info, transaction } = investment;
  const kind = { pending_confirmation: 'paid_pending', confirmed: 'paid_confirmed', failed: 'paid_failed' };
  const head = say(kind[investment.status], language, {
    amount: investment.amount_xrp,
    name: sale === undefined ? investment.project_id : plain(sale.name),
    ledger: transaction.ledger_index,
    token,
    tokens: (investment.status === 'confirmed' ? investment.total_tokens : tier_info.tokens_expected) ?? '0.000000',
    invested: investment.confirmed_amount_xrp ?? '0.000000',
    why: whyOf(investment.reason, language) ?? '–',
  });
  return paragraphs(
    [head, backText(investment, language)].join(' ').trim(),
    bullets([
      ...investment.payouts.map((part) =>
        sale?.state === 'cancelled' && NOT_SENT.has(part.status)
          ? `${part.tokens} ${token}: ${say('payout_not_sent', language)}`
          : partText(`${part.tokens} ${token}`, part, language),
      ),
      ...refundLines(investment.refunds, language),
    ]),
  );
}

function strayText(payment: RecordedPayment['payment'], language: Language): string {
  const head = say('paid_stray', language, {
    amount: payment.received_xrp,
    ledger: payment.ledger_index,
    hash: code(payment.transaction_hash),
    why: whyOf(payment.reason, language) ?? say('payout_submitted', language),
  });
  return paragraphs(`${head} ${backText(payment, language)}`.trim(), bullets(refundLines(payment.refunds, language)));
}

/** What the holder must do for tokens that wait for the wallet; null when none do. */
async function nextStep(asked: Asked, investments: readonly Investment[]): Promise<string | null> {
  const isCancelled = (id: string): boolean => asked.projects.some((one) => one.id === id && one.state === 'cancelled');
  const waiting = investments.find(
    ({ project_id, payouts }) => !isCancelled(project_id) && payouts.some(({ status }) => status === 'waiting_holder'),
  );
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
        ? strayText(found.payment, asked.language)
        : paragraphs(investmentText(asked, found.investment), await nextStep(asked, [found.investment]));
    case 'our_payout':
      return `That transaction is one that the platform sent: a ${found.kind} to ${code(found.destination)}, ${say(`payout_${found.status}`, 'en')}.`;
    case 'not_read_yet':
      return `The ledger has your payment${found.delivered_xrp === null ? '' : ` of ${found.delivered_xrp} XRP`} (ledger ${found.ledger_index}, ${found.destination_tag === null ? 'without a tag' : 'with a tag'}), and the platform has not read that ledger yet. It will, by itself: nothing is lost. Ask again in a minute.`;
    case 'elsewhere':
      return `That payment is in ledger ${found.ledger_index}, but it ${strong('did not go to a sale')} of this platform: it went to ${code(found.destination)}. Only the owner of that account can send it back. If you meant to pay into a sale, compare the address.`;
    case 'failed':
      return `That transaction ${strong('failed on the ledger')} (${found.result}, ledger ${found.ledger_index}): no XRP left your wallet but the fee.`;
    case 'no_payment':
      return `That transaction is in ledger ${found.ledger_index}, but it is no payment of XRP.`;
    case 'not_validated':
      return say('not_found', asked.language, { ledger: found.validated_ledger });
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
  const said = { wallet: code(wallet) };
  if (investments.length + strays.length === 0) return say('wallet_none', asked.language, said);
  return paragraphs(
    say('wallet_from', asked.language, said),
    ...investments.slice(0, MOST_SHOWN).map((investment) => investmentText(asked, investment)),
    ...strays.slice(0, MOST_SHOWN).map((payment) => strayText(payment, asked.language)),
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
  if (brokenHash) return say('broken_hash', asked.language);
  if (brokenAddress) return say('broken_address', asked.language);
  if (asked.wallet !== null) return ofWallet(asked, asked.wallet);
  return paragraphs(say('look_up', asked.language), text);
};

/** An answer, with what became of the payment that the message names, or what to give so that it can be looked up. */
export const answerWithLookUp: Answer = async (asked, text) =>
  hasPayment(asked)
    ? paragraphs(await answerWherePayment(asked, ''), text)
    : paragraphs(text, say('look_up', asked.language));
