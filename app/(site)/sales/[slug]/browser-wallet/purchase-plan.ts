import { MAX_DROPS, parseDecimal, parseUnits, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { reasonText } from '#lib/base/reason-text.ts';
import { type QuoteResource, quoteAmount } from '#lib/sales/investments/quote.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { type HolderReadiness, holderSetup, readHolderReadiness } from '#lib/sales/projects/holder-readiness.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { hasRoom } from '#lib/xrpl/trust-lines.ts';
import { isLedgerLookupAllowed } from '../../../_data/ledger-lookup-allowed.ts';
import { orLedgerUnavailable } from '../../../_data/or-ledger-unavailable.ts';
import { pageCtx } from '../../../_data/page-ctx.ts';
import { saleStateOf } from '../../../_data/sale-state.ts';
import { formatAmount } from '../../../_ui/format.ts';
import { supplyOf } from '../wallet-setup.tsx';

export interface Refused {
  kind: 'refused';
  /** A sentence for the visitor. */
  why: string;
}

type Transaction = { TransactionType: string } & Record<string, unknown>;

/** What a wallet has to sign to buy; `setup` is null once it can hold what it buys. */
export interface Plan {
  kind: 'plan';
  buys: string;
  refunded: string | null;
  warning: string | null;
  setup: Transaction | null;
  payment: Transaction;
}

export type PurchasePlan = Refused | Plan;

/** A sale that would take the amount now. */
export interface OpenSale {
  kind: 'open';
  project: ProjectResource;
  quote: QuoteResource;
}

/** The ledger wants its number in transactions of networks from here on. */
const NETWORK_ID_FROM = 1025;

export const refused = (why: string): Refused => ({ kind: 'refused', why });

const WARNINGS: Partial<Record<NonNullable<HolderReadiness['problem']>, string>> = {
  not_authorized: 'The issuer has not authorised your wallet for the token yet: what you buy waits until it has.',
  frozen: 'The issuer has frozen the token in your wallet: what you buy waits until that ends.',
};

/** Whether the wallet must sign first; a limit that would not hold what it buys is as good as none. */
function needsSetup({ problem, balance, limit }: HolderReadiness, tokens: string, decimals: number): boolean {
  if (problem === 'missing') return true;
  return limit !== null && !hasRoom({ balance: balance ?? '0', limit }, parseUnits(tokens, decimals) ?? 0n, decimals);
}

/** An amount of XRP as a page sends it; null when it is none that anybody could pay. */
export function dropsOf(amountXrp: string): bigint | null {
  const drops = parseDecimal(amountXrp, XRP_DECIMALS);
  return drops === null || drops <= 0n || drops > MAX_DROPS ? null : drops;
}

/** What is answered, with every failure that has words of its own as a refusal. */
export async function orRefused<T>(answering: Promise<T | Refused>): Promise<T | Refused> {
  try {
    return await answering;
  } catch (error) {
    if (error instanceof PlatformError) return refused(error.detail);
    throw error;
  }
}

/** The sale, only while its rules would take the payment: nobody is asked to sign what would be refunded. */
export async function openSale(
  projectId: string,
  drops: bigint,
  wallet: string | undefined,
): Promise<OpenSale | Refused> {
  const ctx = await pageCtx();
  const project = await getProject(ctx, projectId);
  if (saleStateOf(project, ctx.clock.nowMs()).key !== 'live') {
    return refused('The sale takes no payments now: yours would be refunded.');
  }
  const quote = await quoteAmount(ctx, { id: project.id, amount_xrp: drops, wallet_address: wallet });
  if (wallet !== undefined && quote.admission === 'assumed') {
    return refused('Whether this wallet is admitted cannot be told just now. Try again later.');
  }
  if (!quote.accepted) {
    const why = quote.reason === null ? '' : `, because ${reasonText(quote.reason)}`;
    return refused(`A payment of ${wallet === undefined ? 'this amount' : 'this wallet'} would be refunded${why}.`);
  }
  return { kind: 'open', project, quote };
}

/** Ledgers within which a payment must be in one: five minutes where one closes every three seconds. */
const LEDGERS = 100;

/** The transactions by which a wallet buys for an amount, made anew each time. */
export async function planOf({ project, quote }: OpenSale, drops: bigint, wallet: string): Promise<PurchasePlan> {
  if (!(await isLedgerLookupAllowed())) return refused('Asked too often just now. Try again in a minute.');
  const ctx = await pageCtx();
  const read = await orLedgerUnavailable(
    Promise.all([
      readHolderReadiness(ctx, project.token, wallet),
      ctx.ledger.account(wallet),
      ctx.ledger.serverState(),
    ]),
  );
  if (read === null) return refused('The XRP Ledger could not be asked just now. Try again in a moment.');
  const [holder, account, { validatedIndex }] = read;
  if (!holder.funded || account === null)
    return refused('This account is not on the ledger of this sale yet: it holds no XRP there.');
  if (holder.problem === 'is_issuer') return refused('This account issues the token: it cannot buy it.');
  const networkId = env().XRPL_NETWORK_ID;
  const common = { Account: wallet, ...(networkId >= NETWORK_ID_FROM && { NetworkID: networkId }) };
  return {
    kind: 'plan',
    buys: formatAmount(quote.total_tokens),
    refunded: quote.refunded_xrp === '0.000000' ? null : formatAmount(quote.refunded_xrp),
    warning: holder.problem === null ? null : (WARNINGS[holder.problem] ?? null),
    setup: needsSetup(holder, quote.total_tokens, project.token.decimals)
      ? { ...holderSetup(project.token, supplyOf(project)), ...common }
      : null,
    payment: {
      TransactionType: 'Payment',
      ...common,
      Destination: project.deposit_address,
      DestinationTag: project.destination_tag,
      Amount: String(drops),
      // Of two that are signed by accident, one alone can be in a ledger; and none long after the sale was asked.
      Sequence: account.sequence,
      LastLedgerSequence: validatedIndex + LEDGERS,
    },
  };
}
