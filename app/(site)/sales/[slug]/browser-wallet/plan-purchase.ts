'use server';

import { z } from 'zod';
import { beginAction } from '#lib/api/server-action.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { dropsOf, openSale, orRefused, type PurchasePlan, planOf, refused } from './purchase-plan.ts';

const Input = z.strictObject({
  projectId: z.string().max(64),
  amountXrp: z.string().max(32),
  wallet: z.string().max(64),
});

/**
 * The transactions by which a wallet buys for an amount, made anew each time: only while the rules would take the payment,
 * so that no wallet is asked to sign what would be refunded.
 */
export async function planPurchase(input: unknown): Promise<PurchasePlan> {
  beginAction();
  const { success, data } = Input.safeParse(input);
  const drops = success ? dropsOf(data.amountXrp) : null;
  if (!success || drops === null) return refused('This is no amount of XRP.');
  const parsed = parseAccountAddress(data.wallet);
  if ('fault' in parsed) return refused(`What your wallet named as its account ${parsed.fault}.`);
  return orRefused(plan(data.projectId, drops, parsed.address));
}

async function plan(projectId: string, drops: bigint, wallet: string): Promise<PurchasePlan> {
  const sale = await openSale(projectId, drops, wallet);
  return sale.kind === 'refused' ? sale : planOf(sale, drops, wallet);
}
