import { formatDrops } from '@tranche/rules/amounts.ts';
import type { SubmittableTransaction } from 'xrpl';
import { listOf, type SignerList, type SignerSetFile, sameList } from './signer-set.ts';

/** An object that the account owns and by which XRP or tokens can leave it without another signature. */
export interface OpenObject {
  type: string;
  index: string;
}

/** A trust line through which others' payments can ripple, and change which issuer's tokens the account holds. */
export interface RipplingLine {
  currency: string;
  peer: string;
  limit: string;
}

/** What one validated ledger shows of a paying account. */
export interface AccountFacts {
  address: string;
  balanceDrops: bigint;
  ownerCount: number;
  masterDisabled: boolean;
  regularKey: string | null;
  list: SignerList | null;
  openObjects: OpenObject[];
  tickets: number;
  ripplingLines: RipplingLine[];
  /** Keys whose signature the ledger has taken since the list was set; null when the server cannot show it. */
  provenKeys: string[] | null;
  reserveBaseDrops: bigint;
  reserveIncrementDrops: bigint;
}

export type StepId =
  | 'account'
  | 'objects'
  | 'rippling'
  | 'signer_list'
  | 'rehearsal'
  | 'regular_key'
  | 'master_key'
  | 'no_list';

/** Who signs a step's transaction: the master or regular key, the master key, or the quorum of the list on the ledger. */
type SignedBy = 'account' | 'master' | 'signers';

export interface Step {
  id: StepId;
  title: string;
  /** `waits`: an earlier step comes first. `blocked`: no transaction of this step helps, and `problem` says what does. */
  state: 'done' | 'open' | 'waits' | 'blocked';
  problem: string | null;
  signedBy: SignedBy | null;
  /** What is signed, but for fee, sequence and network; null when nothing is. */
  transaction: SubmittableTransaction | null;
}
type Draft = Pick<Step, 'id' | 'title'> & Partial<Step> & { isDone: boolean };

/** For the fees of setting up, with all signatures. */
const FEES_DROPS = 1_000_000n;
const DISABLE_MASTER = 4;
const SET_NO_RIPPLE = 0x0002_0000;

const HOW_TO_END: Record<string, string> = {
  Check: 'CheckCancel',
  Escrow: 'EscrowFinish or EscrowCancel',
  PayChannel: 'PaymentChannelClaim with tfClose',
  Offer: 'OfferCancel',
  NFTokenOffer: 'NFTokenCancelOffer',
  Delegate: 'DelegateSet without Permissions',
};

function inOrder(drafts: readonly Draft[]): Step[] {
  let isReached = true;
  return drafts.map(({ isDone, ...draft }) => {
    const problem = isDone ? null : (draft.problem ?? null);
    const state = isDone ? 'done' : !isReached ? 'waits' : problem === null ? 'open' : 'blocked';
    if (!isDone) isReached = false;
    return { signedBy: null, transaction: null, ...draft, problem, state };
  });
}

/** The list as a transaction sets it. Pure. */
export const setList = (address: string, { quorum, weights }: SignerList): SubmittableTransaction => ({
  TransactionType: 'SignerListSet',
  Account: address,
  SignerQuorum: quorum,
  SignerEntries: Object.entries(weights).map(([Account, SignerWeight]) => ({
    SignerEntry: { Account, SignerWeight },
  })),
});

function accountStep(facts: AccountFacts): Draft {
  const owned = BigInt(facts.ownerCount + (facts.list === null ? 1 : 0));
  const need = facts.reserveBaseDrops + facts.reserveIncrementDrops * owned + FEES_DROPS;
  return {
    id: 'account',
    title: `holds its reserve: has ${formatDrops(facts.balanceDrops)} XRP, needs ${formatDrops(need)}`,
    isDone: facts.balanceDrops >= need,
    problem: `Send ${formatDrops(need - facts.balanceDrops)} XRP to the account.`,
  };
}

const objectsStep = ({ openObjects }: AccountFacts): Draft => ({
  id: 'objects',
  title: 'owns nothing by which money can leave without the quorum',
  isDone: openObjects.length === 0,
  problem: openObjects
    .map(({ type, index }) => {
      const end = HOW_TO_END[type];
      return `${type} ${index}: ${end === undefined ? 'this program does not know it; remove it' : `end it by ${end}`}.`;
    })
    .join('\n'),
});

function ripplingStep({ address, ripplingLines: [line] }: AccountFacts): Draft {
  return {
    id: 'rippling',
    title: 'lets no payment of others ripple through its trust lines',
    isDone: line === undefined,
    signedBy: 'account',
    transaction:
      line === undefined
        ? null
        : {
            TransactionType: 'TrustSet',
            Account: address,
            LimitAmount: { currency: line.currency, issuer: line.peer, value: line.limit },
            Flags: SET_NO_RIPPLE,
          },
  };
}

/** Whether an account is under signers who are not these: they sign the list that replaces theirs. Pure. */
export const isUnderOthers = (set: SignerSetFile, { list, masterDisabled, regularKey }: AccountFacts): boolean =>
  masterDisabled && regularKey === null && list !== null && !sameList(list, listOf(set));

/**
 * Brings an account from one key under its signers, in the order in which the transactions must go: the list, a rehearsal
 * that every key of the list has signed, the regular key's removal, and the master key last. An account that is under other
 * signers goes over to these; whether its sales are finished is for the caller to ask. Pure.
 */
export function setUpSteps(set: SignerSetFile, facts: AccountFacts): Step[] {
  const { address, masterDisabled, regularKey, provenKeys, tickets } = facts;
  const replaces = isUnderOthers(set, facts);
  const wanted = listOf(set);
  const unproven = Object.keys(wanted.weights).filter((key) => provenKeys?.includes(key) !== true);
  return inOrder([
    accountStep(facts),
    objectsStep(facts),
    ripplingStep(facts),
    {
      id: 'signer_list',
      title: 'has the signer list',
      isDone: sameList(facts.list, wanted),
      signedBy: replaces ? 'signers' : 'account',
      transaction: setList(address, wanted),
      problem:
        replaces && tickets > 0
          ? `It has ${tickets} tickets, which nobody could use afterwards. The platform cancels those that pay nothing any more: wait until the ledger shows none.`
          : null,
    },
    {
      id: 'rehearsal',
      title: 'has moved nothing by a transaction that every key of the list signed',
      isDone: unproven.length === 0,
      signedBy: 'signers',
      transaction: { TransactionType: 'AccountSet', Account: address },
      problem:
        provenKeys === null
          ? 'The ledger server does not hold the ledgers since the list was set: use one that does.'
          : null,
    },
    {
      id: 'regular_key',
      title: 'has no regular key',
      isDone: regularKey === null,
      signedBy: 'account',
      transaction: { TransactionType: 'SetRegularKey', Account: address },
    },
    {
      id: 'master_key',
      title: 'has its master key disabled',
      isDone: masterDisabled,
      signedBy: 'master',
      transaction: { TransactionType: 'AccountSet', Account: address, SetFlag: DISABLE_MASTER },
    },
  ]);
}

/** Brings an account back to its master key: the quorum turns the key on, and the list goes. Pure. */
export const takeDownSteps = ({ address, masterDisabled, list }: AccountFacts): Step[] =>
  inOrder([
    {
      id: 'master_key',
      title: 'has its master key enabled',
      isDone: !masterDisabled,
      signedBy: 'signers',
      transaction: { TransactionType: 'AccountSet', Account: address, ClearFlag: DISABLE_MASTER },
    },
    {
      id: 'no_list',
      title: 'has no signer list',
      isDone: list === null,
      signedBy: 'master',
      transaction: { TransactionType: 'SignerListSet', Account: address, SignerQuorum: 0 },
    },
  ]);
