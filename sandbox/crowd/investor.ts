import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Payment, type SubmittableTransaction, Wallet } from 'xrpl';
import { exists, requestFunds } from './ledger.ts';
import type { CrowdOptions } from './options.ts';
import type { PaymentPlan } from './plan.ts';

/** A simulated investor with a wallet of its own. One transaction at a time: parallel ones would fight for a sequence. */
export type Investor = {
  /** Funded, and not in the middle of a payment. */
  isFree(): boolean;
  pay(plan: PaymentPlan): Promise<void>;
};

export type CrowdEnvironment = { client: Client; options: CrowdOptions; signal: AbortSignal };

const START_XRP = 1_000;
const LOW_DROPS = 350_000_000n;
const LINE_LIMIT = '999999999';
// A forgetful investor sets the trust line with this payment.
const REMEMBERS_AT_PAYMENT = 3;
const POLL_MS = 500;

/** Creates a wallet, has it funded and waits until the ledger has it; a forgetful one sets no trust line yet. */
export async function joinCrowd(ground: CrowdEnvironment, forgetful: boolean): Promise<Investor> {
  const { client, options, signal } = ground;
  const wallet = Wallet.generate();
  await requestFunds(options.faucetUrl, wallet.classicAddress, START_XRP, signal);
  while (!(await exists(client, wallet.classicAddress))) await sleep(POLL_MS, undefined, { signal });
  if (!forgetful) await openLine(ground, wallet);

  let balanceDrops = BigInt(START_XRP) * 1_000_000n;
  let paymentCount = 0;
  let busy = false;
  const pay = async (plan: PaymentPlan) => {
    if (balanceDrops < LOW_DROPS) {
      await requestFunds(options.faucetUrl, wallet.classicAddress, START_XRP, signal);
      balanceDrops += BigInt(START_XRP) * 1_000_000n;
    }
    paymentCount += 1;
    if (forgetful && paymentCount === REMEMBERS_AT_PAYMENT) await openLine(ground, wallet);
    await submit(client, wallet, paymentOf(wallet, plan, options));
    balanceDrops -= plan.amountDrops;
  };
  return {
    isFree: () => !busy,
    pay: async (plan) => {
      busy = true;
      await pay(plan).finally(() => {
        busy = false;
      });
    },
  };
}

function paymentOf(wallet: Wallet, plan: PaymentPlan, { project }: CrowdOptions): Payment {
  return {
    TransactionType: 'Payment',
    Account: wallet.classicAddress,
    Destination: project.deposit_address,
    Amount: plan.amountDrops.toString(),
    ...(plan.withTag ? { DestinationTag: project.destination_tag } : {}),
    ...(plan.sourceTag === null ? {} : { SourceTag: plan.sourceTag }),
  };
}

async function openLine({ client, options }: CrowdEnvironment, wallet: Wallet): Promise<void> {
  const { currency, issuer } = options.project.token;
  await submit(client, wallet, {
    TransactionType: 'TrustSet',
    Account: wallet.classicAddress,
    LimitAmount: { currency, issuer, value: LINE_LIMIT },
  });
}

/** Submits without waiting for the ledger, as a wallet does; throws when the transaction is not taken. */
async function submit(client: Client, wallet: Wallet, transaction: SubmittableTransaction): Promise<void> {
  const { tx_blob } = wallet.sign(await client.autofill(transaction));
  const { result } = await client.submit(tx_blob);
  if (!['tesSUCCESS', 'terQUEUED'].includes(result.engine_result)) {
    throw new Error(`${transaction.TransactionType}: ${result.engine_result} ${result.engine_result_message}`);
  }
}
