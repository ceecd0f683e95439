import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type CustodyLedger, openCustodyLedger } from '#lib/custody/ledger.ts';
import type { MultiSigned } from '#lib/custody/signatures.ts';
import { type AccountFacts, isUnderOthers, type Step, setUpSteps, takeDownSteps } from '#lib/custody/steps.ts';
import { type Signers, signersOf, transactionForSigners } from '#lib/custody/together.ts';
import { unfinishedSales } from '#lib/custody/unfinished-sales.ts';
import { openUnderItsSigners } from '#lib/sales/accounts/set-custody.ts';
import type { CustodyPlan } from './plan.ts';

export interface AccountPlan {
  address: string;
  role: 'Deposit account' | 'Distributor';
  /** Null when the ledger shows no such account. */
  facts: AccountFacts | null;
  steps: Step[];
  /** What the signers of its list sign next, and who they are; null when the next step is not theirs. */
  together: { transaction: MultiSigned; signers: Signers } | null;
}

/** Works on the ledger. What a connection says of its server is not for a page: an address may hold what opens it. */
export async function onLedger<T>(work: (ledger: CustodyLedger) => Promise<T>): Promise<T> {
  const ledger = await openCustodyLedger({ urls: env().XRPL_URLS }).catch(() => {
    throw new Error('A ledger server does not answer: nothing was sent. Try again');
  });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** The steps of one account, as the ledger shows them. Pure. */
export const stepsOf = ({ set }: CustodyPlan, facts: AccountFacts): Step[] =>
  set === null ? takeDownSteps(facts) : setUpSteps(set, facts);

/** What still needs the present signers of these accounts: others would neither pay it nor know of it. */
export async function needsPresentSigners(
  ctx: Ctx,
  ledger: CustodyLedger,
  { set, deposit }: CustodyPlan,
  accounts: readonly AccountFacts[],
): Promise<string[]> {
  const left = accounts.filter((facts) => set === null || isUnderOthers(set, facts)).map(({ address }) => address);
  if (left.length === 0) return [];
  const unfinished = await unfinishedSales(ledger, left, env().BASE_URL);
  const isNamed = unfinished.length > 0 || set === null || !left.includes(deposit);
  return isNamed ? unfinished : openUnderItsSigners(ctx, deposit);
}

/** How far both accounts are. Throws when a ledger server does not answer, or the servers do not agree. */
export const readPlan = (plan: CustodyPlan): Promise<AccountPlan[]> =>
  onLedger((ledger) =>
    Promise.all([
      readAccount(ledger, plan, plan.deposit, 'Deposit account'),
      readAccount(ledger, plan, plan.distributor, 'Distributor'),
    ]),
  );

async function readAccount(
  ledger: CustodyLedger,
  plan: CustodyPlan,
  address: string,
  role: AccountPlan['role'],
): Promise<AccountPlan> {
  const facts = await ledger.facts(address);
  if (facts === null) return { address, role, facts, steps: [], together: null };
  const steps = stepsOf(plan, facts);
  const next = steps.find(({ state }) => state === 'open');
  const isTogether = next?.signedBy === 'signers';
  return {
    address,
    role,
    facts,
    steps,
    together: isTogether
      ? { transaction: await transactionForSigners(ledger, facts, next), signers: signersOf(facts, next) }
      : null,
  };
}
