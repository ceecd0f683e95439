'use server';

import { MAX_DROPS, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { z } from 'zod';
import { beginAction } from '#lib/api/server-action.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { reasonText } from '#lib/base/reason-text.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { type HolderReadiness, holderSetup, readHolderReadiness } from '#lib/sales/projects/holder-readiness.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { isLedgerLookupAllowed } from '../../../_data/ledger-lookup-allowed.ts';
import { orLedgerUnavailable } from '../../../_data/or-ledger-unavailable.ts';
import { pageCtx } from '../../../_data/page-ctx.ts';
import { saleStateOf } from '../../../_data/sale-state.ts';
import { formatAmount } from '../../../_ui/format.ts';
import { supplyOf } from '../wallet-setup.tsx';

/** What a wallet has to sign to buy; `setup` is null once it can hold what it buys. */
export type PurchasePlan =
  | { kind: 'refused'; why: string }
  | {
      kind: 'plan';
      buys: string;
      refunded: string | null;
      warning: string | null;
      setup: object | null;
      payment: object;
    };

const Input = z.strictObject({
  projectId: z.string().max(64),
  amountXrp: z.string().max(32),
  wallet: z.string().max(64),
});

/** The ledger wants its number in transactions of networks from here on. */
const NETWORK_ID_FROM = 1025;

const refused = (why: string): PurchasePlan => ({ kind: 'refused', why });

const WARNINGS: Partial<Record<NonNullable<HolderReadiness['problem']>, string>> = {
  not_authorized: 'The issuer has not authorised your wallet for the token yet: what you buy waits until it has.',
  frozen: 'The issuer has frozen the token in your wallet: what you buy waits until that ends.',
};

/** Whether the wallet must sign first; a limit that would not hold what it buys is as good as none. */
function needsSetup({ problem, balance, limit }: HolderReadiness, tokens: string): boolean {
  return problem === 'missing' || (limit !== null && Number(balance ?? 0) + Number(tokens) > Number(limit));
}

/**
 * The transactions by which a wallet buys for an amount, made anew each time: only while the rules would take the payment,
 * so that no wallet is asked to sign what would be refunded.
 */
export async function planPurchase(input: unknown): Promise<PurchasePlan> {
  beginAction();
  const { success, data } = Input.safeParse(input);
  const drops = success ? parseDecimal(data.amountXrp, XRP_DECIMALS) : null;
  const parsed = parseAccountAddress(data?.wallet ?? '');
  if (!success || drops === null || drops <= 0n || drops > MAX_DROPS) return refused('This is no amount of XRP.');
  if ('fault' in parsed) return refused(`What your wallet named as its account ${parsed.fault}.`);
  if (!(await isLedgerLookupAllowed())) return refused('Asked too often just now. Try again in a minute.');
  try {
    return await plan(data.projectId, drops, parsed.address);
  } catch (error) {
    if (error instanceof PlatformError) return refused(error.message);
    throw error;
  }
}

async function plan(projectId: string, drops: bigint, wallet: string): Promise<PurchasePlan> {
  const ctx = await pageCtx();
  const project = await getProject(ctx, projectId);
  if (saleStateOf(project, ctx.clock.nowMs()).key !== 'live') {
    return refused('The sale takes no payments now: yours would be refunded.');
  }
  const quote = await quoteAmount(ctx, { id: project.id, amount_xrp: drops, wallet_address: wallet });
  if (!quote.accepted) {
    const why = quote.reason === null ? '' : `, because ${reasonText(quote.reason)}`;
    return refused(`A payment of this wallet would be refunded${why}.`);
  }
  const holder = await orLedgerUnavailable(readHolderReadiness(ctx, project.token, wallet));
  if (holder === null) return refused('The XRP Ledger could not be asked just now. Try again in a moment.');
  if (!holder.funded) return refused('This account is not on the ledger of this sale yet: it holds no XRP there.');
  if (holder.problem === 'is_issuer') return refused('This account issues the token: it cannot buy it.');
  const networkId = env().XRPL_NETWORK_ID;
  const common = { Account: wallet, ...(networkId >= NETWORK_ID_FROM && { NetworkID: networkId }) };
  return {
    kind: 'plan',
    buys: formatAmount(quote.total_tokens),
    refunded: quote.refunded_xrp === '0.000000' ? null : formatAmount(quote.refunded_xrp),
    warning: holder.problem === null ? null : (WARNINGS[holder.problem] ?? null),
    setup: needsSetup(holder, quote.total_tokens)
      ? { ...holderSetup(project.token, supplyOf(project)), ...common }
      : null,
    payment: {
      TransactionType: 'Payment',
      ...common,
      Destination: project.deposit_address,
      DestinationTag: project.destination_tag,
      Amount: String(drops),
    },
  };
}
