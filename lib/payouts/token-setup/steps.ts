import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import { type Drops, formatDrops, formatLedgerValue, type TokenUnits } from '#lib/base/money.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import { payingNeedDrops } from '#lib/xrpl/server-state.ts';
import type { LedgerToken } from '#lib/xrpl/token.ts';
import type { IouFacts, MptFacts } from '#lib/xrpl/token-facts.ts';
import {
  authorizeHolder,
  createIssuance,
  endGlobalFreeze,
  endTransferFee,
  holdToken,
  issueTo,
  type NewIssuance,
  setAccountFlag,
} from '#lib/xrpl/token-transactions.ts';
import { hasRoom } from '#lib/xrpl/trust-lines.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';

/** What an operator wants to have in the end: so many tokens with the distributor. */
interface Wanted {
  issuer: string;
  distributor: string;
  decimals: number;
  supplyUnits: TokenUnits;
}
export type TokenPlan =
  | (Wanted & { kind: 'iou'; currency: string })
  /** `issuanceId`: null while it is to be created. */
  | (Wanted & { kind: 'mpt'; issuanceId: string | null; newIssuance: NewIssuance });

export interface SetupFacts {
  server: Pick<ServerState, 'reserveBaseDrops' | 'reserveIncrementDrops'>;
  issuer: AccountState | null;
  distributor: AccountState | null;
  /** What is wrong with the distributor's key; null when the platform can sign for it. */
  keyFault: string | null;
  /** Null while an MPT is to be created. */
  token: IouFacts | MptFacts | null;
}

export type StepId =
  | 'issuer_account'
  | 'default_ripple'
  | 'no_transfer_fee'
  | 'no_global_freeze'
  | 'issuance'
  | 'distributor_account'
  | 'holding'
  | 'authorization'
  | 'supply';

/** One step of setting a token up, as the ledger shows it. */
export interface SetupStep {
  id: StepId;
  /** `waits`: an earlier step comes first. `blocked`: no transaction of this step helps, and `problem` says what does. */
  state: 'done' | 'open' | 'waits' | 'blocked';
  signedBy: 'issuer' | 'distributor' | null;
  /** What would be signed, but for fee and sequence; null when nothing is. */
  transaction: object | null;
  problem: string | null;
  /** What the ledger shows, as amounts of XRP or tokens in decimal. */
  has: string | null;
  needs: string | null;
}

type Draft = Omit<SetupStep, 'state' | 'signedBy' | 'transaction' | 'problem' | 'has' | 'needs'> &
  Partial<SetupStep> & { isDone: boolean };

/** In the order in which they are to be done: an open step waits for every one before it. Pure. */
export function setupSteps(plan: TokenPlan, facts: SetupFacts): SetupStep[] {
  const drafts = plan.kind === 'iou' ? iouSteps(plan, facts) : mptSteps(plan, facts);
  let isReached = true;
  return drafts.map(({ isDone, ...draft }) => {
    const problem = draft.problem ?? null;
    const state = isDone ? 'done' : !isReached ? 'waits' : problem === null ? 'open' : 'blocked';
    if (!isDone) isReached = false;
    return { signedBy: null, has: null, needs: null, ...draft, problem, transaction: draft.transaction ?? null, state };
  });
}

/** What setting up takes: its own reserve, and that of the lines or issuance beside what it owns. */
const issuerNeedDrops = (ownerCount: number, server: SetupFacts['server']): Drops =>
  server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(ownerCount + 1) + 1_000_000n;

function accountStep(
  id: 'issuer_account' | 'distributor_account',
  account: AccountState | null,
  neededDrops: Drops,
  problem: string | null = null,
): Draft {
  const balance = account?.balanceDrops ?? 0n;
  const isFunded = account !== null && balance >= neededDrops;
  return {
    id,
    isDone: isFunded && problem === null,
    problem,
    has: formatDrops(balance),
    needs: formatDrops(neededDrops),
  };
}

function distributorStep({ distributor, server, keyFault }: SetupFacts): Draft {
  return accountStep(
    'distributor_account',
    distributor,
    payingNeedDrops(distributor?.ownerCount ?? 0, server),
    keyFault,
  );
}

function iouSteps(plan: TokenPlan & { kind: 'iou' }, facts: SetupFacts): Draft[] {
  const { issuer, distributor, decimals, supplyUnits } = plan;
  const state = facts.issuer;
  const token: LedgerToken = { kind: 'iou', currency: plan.currency, issuer };
  const line = facts.token?.kind === 'iou' ? facts.token.line : null;
  const heldUnits = line === null ? 0n : parseLedgerValue(line.balance, decimals);
  const missingUnits = supplyUnits > heldUnits ? supplyUnits - heldUnits : 0n;
  const mustAuthorize = state !== null && hasAccountFlag(state, 'requireAuthorization');
  const hasFee = state !== null && state.transferRate !== NO_TRANSFER_FEE;
  const isFrozen = state !== null && hasAccountFlag(state, 'globalFreeze');
  const signedBy = 'issuer' as const;
  return [
    accountStep('issuer_account', state, issuerNeedDrops(state?.ownerCount ?? 0, facts.server)),
    {
      id: 'default_ripple',
      signedBy,
      isDone: state !== null && hasAccountFlag(state, 'defaultRipple'),
      transaction: setAccountFlag(issuer, 'defaultRipple'),
    },
    ...(hasFee
      ? [{ id: 'no_transfer_fee' as const, signedBy, isDone: false, transaction: endTransferFee(issuer) }]
      : []),
    ...(isFrozen
      ? [
          {
            id: 'no_global_freeze' as const,
            signedBy,
            isDone: false,
            transaction: endGlobalFreeze(issuer),
            problem: hasAccountFlag(state, 'noFreeze')
              ? 'The account has NoFreeze set, so its global freeze can never end. Use another issuer.'
              : null,
          },
        ]
      : []),
    distributorStep(facts),
    {
      id: 'holding',
      signedBy: 'distributor',
      isDone: line !== null && !line.frozen && (missingUnits === 0n || hasRoom(line, missingUnits, decimals)),
      transaction: holdToken(token, formatLedgerValue(supplyUnits, decimals)),
      problem: line?.frozen ? 'The issuer has frozen this trust line, and must end the freeze first.' : null,
    },
    ...(mustAuthorize
      ? [
          {
            id: 'authorization' as const,
            signedBy,
            isDone: line?.authorized === true,
            transaction: authorizeHolder(issuer, token, distributor),
          },
        ]
      : []),
    {
      id: 'supply',
      signedBy,
      isDone: missingUnits === 0n,
      transaction: issueTo(issuer, token, distributor, formatLedgerValue(missingUnits, decimals)),
      has: formatLedgerValue(heldUnits, decimals),
      needs: formatLedgerValue(supplyUnits, decimals),
    },
  ];
}

function mptSteps(plan: TokenPlan & { kind: 'mpt' }, facts: SetupFacts): Draft[] {
  const { issuer, distributor, decimals, supplyUnits, issuanceId } = plan;
  const issuance = facts.token?.kind === 'mpt' ? facts.token.issuance : null;
  const holding = facts.token?.kind === 'mpt' ? facts.token.holding : null;
  const token: LedgerToken = { kind: 'mpt', issuanceId: issuanceId ?? '' };
  const heldUnits = holding?.amount ?? 0n;
  const missingUnits = supplyUnits > heldUnits ? supplyUnits - heldUnits : 0n;
  const problem = issuanceId === null ? null : issuanceProblem(issuance, plan, missingUnits);
  const ofIssuance = (transaction: object) => (issuance === null ? null : transaction);
  const signedBy = 'issuer' as const;
  return [
    accountStep('issuer_account', facts.issuer, issuerNeedDrops(facts.issuer?.ownerCount ?? 0, facts.server)),
    {
      id: 'issuance',
      signedBy,
      isDone: issuance !== null && problem === null,
      transaction: issuanceId === null ? createIssuance(issuer, plan.newIssuance) : null,
      problem,
    },
    distributorStep(facts),
    {
      id: 'holding',
      signedBy: 'distributor',
      isDone: holding !== null && !holding.locked,
      transaction: ofIssuance(holdToken(token, '')),
      problem: holding?.locked ? 'The issuer has locked this holding, and must unlock it first.' : null,
    },
    ...(issuance?.requiresAuthorization
      ? [
          {
            id: 'authorization' as const,
            signedBy,
            isDone: holding?.authorized === true,
            transaction: authorizeHolder(issuer, token, distributor),
          },
        ]
      : []),
    {
      id: 'supply',
      signedBy,
      isDone: missingUnits === 0n && holding !== null,
      transaction: ofIssuance(issueTo(issuer, token, distributor, missingUnits.toString())),
      has: formatLedgerValue(heldUnits, decimals),
      needs: formatLedgerValue(supplyUnits, decimals),
    },
  ];
}

/** Why a sale cannot distribute this issuance; null when it can. What is wrong with an issuance stays so, mostly. */
function issuanceProblem(
  issuance: MptFacts['issuance'],
  { decimals }: TokenPlan,
  missingUnits: TokenUnits,
): string | null {
  if (issuance === null) return 'The ledger shows no such issuance.';
  if (issuance.assetScale !== decimals) {
    return `Its AssetScale is ${issuance.assetScale}: set the decimals above to that.`;
  }
  if (!issuance.canTransfer) return 'It cannot be transferred (CanTransfer), so no distributor can send it to buyers.';
  if (issuance.transferFee !== 0) return 'It charges a transfer fee, which the distributor would have to pay on top.';
  if (issuance.locked) return 'Its issuer has locked it for all holders, and must unlock it first.';
  const leftUnits = issuance.maximum - issuance.outstanding;
  if (leftUnits < missingUnits) {
    return `It allows ${formatLedgerValue(leftUnits, decimals)} tokens more (MaximumAmount): fewer than the supply above.`;
  }
  return null;
}
