'use server';

import { formatDrops } from '@tranche/rules/amounts.ts';
import { headers } from 'next/headers';
import { z } from 'zod';
import { clientIp } from '#lib/api/client-ip.ts';
import { beginAction } from '#lib/api/server-action.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import {
  cancelSignRequest,
  followSignRequest,
  makeSignRequest,
  type SignRequest,
  type SignRequestState,
} from '#lib/xaman/sign-request.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { pageCtx } from '../../../_data/page-ctx.ts';
import { tokenUnit } from '../../../_ui/amounts.tsx';
import { plainAmount } from '../../../_ui/format.ts';
import { dropsOf, type OpenSale, openSale, orRefused, planOf, type Refused, refused } from './purchase-plan.ts';

const Asked = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('connect'), projectId: z.string().max(64), amountXrp: z.string().max(32) }),
  z.strictObject({
    step: z.enum(['setup', 'payment']),
    projectId: z.string().max(64),
    amountXrp: z.string().max(32),
    wallet: z.string().max(64),
  }),
]);
const Held = z.strictObject({ sealedId: z.string().max(1_000) });

/** As many characters as Xaman shows. */
const INSTRUCTION_LENGTH = 280;

type Order = Parameters<typeof makeSignRequest>[1];

const NO_REQUEST = 'This sign request was not made here. Start again.';

/**
 * Has Xaman ask for the next signature of a purchase. What is signed, by whom, and where a phone goes from there is made here,
 * of the sale as it stands: the page names an amount, a wallet and a step.
 */
export async function requestXaman(input: unknown): Promise<(SignRequest & { kind: 'asked' }) | Refused> {
  beginAction();
  const { success, data } = Asked.safeParse(input);
  const drops = success ? dropsOf(data.amountXrp) : null;
  if (!success || drops === null) return refused('This is no amount of XRP.');
  const parsed = data.step === 'connect' ? null : parseAccountAddress(data.wallet);
  if (parsed !== null && 'fault' in parsed) return refused(`What your wallet named as its account ${parsed.fault}.`);
  return orRefused(
    ask(
      data.projectId,
      drops,
      data.step === 'connect' || parsed === null ? null : { step: data.step, wallet: parsed.address },
    ),
  );
}

async function ask(projectId: string, drops: bigint, next: { step: 'setup' | 'payment'; wallet: string } | null) {
  const sale = await openSale(projectId, drops, next?.wallet);
  if (sale.kind === 'refused') return sale;
  const order = next === null ? signIn(sale) : await orderOf(sale, drops, next);
  if ('kind' in order) return order;
  const request = await makeSignRequest(await pageCtx(), order, clientIp(await headers()));
  return { kind: 'asked' as const, ...request };
}

/** No return address: the page that waits knows which account it was, and a phone would open another one. */
const signIn = ({ project }: OpenSale): Order => ({
  txjson: { TransactionType: 'SignIn' },
  signer: null,
  returnUrl: null,
  instruction: `Show ${new URL(env().BASE_URL).host} the account that you buy with in ${project.name}.`.slice(
    0,
    INSTRUCTION_LENGTH,
  ),
});

async function orderOf(
  sale: OpenSale,
  drops: bigint,
  { step, wallet }: { step: 'setup' | 'payment'; wallet: string },
): Promise<Order | Refused> {
  const plan = await planOf(sale, drops, wallet);
  if (plan.kind === 'refused') return plan;
  const { project } = sale;
  const unit = tokenUnit(project.token);
  const amount = plainAmount(formatDrops(drops));
  const back = (query: string) => `${new URL(env().BASE_URL).origin}/sales/${project.slug}?amount=${amount}&${query}`;
  if (step === 'setup') {
    if (plan.setup === null) return refused(`Your wallet can hold ${unit} already: go on with the payment.`);
    return {
      txjson: plan.setup,
      signer: wallet,
      returnUrl: back(`wallet=${wallet}#answer`),
      instruction: `Lets your wallet hold ${unit}, which ${project.name} sells.`.slice(0, INSTRUCTION_LENGTH),
    };
  }
  if (plan.setup !== null) return refused(`Your wallet cannot hold ${unit} any more: do the first step again.`);
  return {
    txjson: plan.payment,
    signer: wallet,
    returnUrl: back('watch={txid}#watch'),
    instruction: `Buys ${plan.buys} ${unit} for ${amount} XRP in ${project.name}.`.slice(0, INSTRUCTION_LENGTH),
  };
}

/** What keeps Xaman from being asked for a moment: the page goes on to ask. */
const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'service_unavailable']);
const LATER_MS = 10_000;

export type XamanState = { kind: 'state' } & (SignRequestState | { state: 'unknown'; why: string; askAgainMs: number });

/** Where a sign request stands. Only who has its sealed id is told. */
export async function followXaman(input: unknown): Promise<XamanState | Refused> {
  beginAction();
  const { success, data } = Held.safeParse(input);
  if (!success) return refused(NO_REQUEST);
  return orRefused(follow(data.sealedId));
}

async function follow(sealedId: string): Promise<XamanState> {
  try {
    return { kind: 'state', ...(await followSignRequest(await pageCtx(), sealedId, clientIp(await headers()))) };
  } catch (error) {
    if (!(error instanceof PlatformError && PASSING.has(error.code))) throw error;
    return { kind: 'state', state: 'unknown', why: error.detail, askAgainMs: LATER_MS };
  }
}

/** Takes a sign request back that its visitor no longer wants. */
export async function cancelXaman(input: unknown): Promise<{ kind: 'cancelled' } | Refused> {
  beginAction();
  const { success, data } = Held.safeParse(input);
  if (!success) return refused(NO_REQUEST);
  return orRefused(cancel(data.sealedId));
}

async function cancel(sealedId: string) {
  await cancelSignRequest(await pageCtx(), sealedId, clientIp(await headers()));
  return { kind: 'cancelled' as const };
}
