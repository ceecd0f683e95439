import { expect } from 'vitest';
import { fullRaiseDrops } from '../allocate.ts';
import { reduce } from '../reduce.ts';
import type {
  Action,
  AllowList,
  Effect,
  ProjectState,
  SaleAction,
  SaleEntry,
  SalePayment,
  SaleState,
  TierState,
} from '../types.ts';

export const XRP = 1_000_000n;
/** One XRP a token, scaled. */
export const PRICE_ONE = 10n ** 12n;
export const REFUND_MIN = 1_000n;
export const TAG = 77;
export const PROJECT_ID = 'proj_0000000000000000000001';
export const TERMS_HASH = 'a'.repeat(64);
export const LIST_HASH = '1'.repeat(64);
export const T0 = Date.parse('2026-11-21T12:00:00Z');
/** When payments and actions happen unless a test says otherwise. */
export const NOW = T0 + 1_000;

export const tierOf = (tier: number, over: Partial<TierState> = {}): TierState => ({
  tier,
  price: (PRICE_ONE / 10n) * BigInt(tier),
  totalUnits: 1_000n * XRP,
  listed: false,
  credential: null,
  startsAtMs: null,
  soldUnits: 0n,
  valueDrops: 0n,
  openedAtMs: tier === 1 ? T0 : null,
  completedAtMs: null,
  ...over,
});

/** A running sale of three tiers for 100, 200 and 300 XRP, open to everybody. */
export function projectOf(over: Partial<ProjectState> = {}): ProjectState {
  const tiers = over.tiers ?? [1, 2, 3].map((tier) => tierOf(tier));
  return {
    id: PROJECT_ID,
    destinationTag: TAG,
    status: 'active',
    decimals: 6,
    startsAtMs: null,
    endsAtMs: null,
    softCapDrops: null,
    minInvestmentDrops: null,
    maxPerWalletDrops: null,
    fullRaiseDrops: fullRaiseDrops(tiers, over.decimals ?? 6),
    refundMinDrops: REFUND_MIN,
    termsHash: TERMS_HASH,
    custody: null,
    operatingAccounts: ['rOperator'],
    raisedDrops: 0n,
    launchedAtMs: T0,
    endedAtMs: null,
    endReason: null,
    listHash: null,
    lists: new Map(),
    wallets: new Map(),
    tiers,
    ...over,
  };
}

export const stateOf = (...projects: ProjectState[]): SaleState => ({
  projects: new Map(projects.map((each) => [each.destinationTag, each])),
  held: new Map(),
  refundMinDrops: REFUND_MIN,
});

/** A list in force, with what each wallet may invest in listed tiers. */
export const listing = (entries: Record<string, bigint | null>): Pick<ProjectState, 'listHash' | 'lists'> => ({
  listHash: LIST_HASH,
  lists: new Map<string, AllowList>([[LIST_HASH, new Map(Object.entries(entries))]]),
});

let drawn = 0;
const nextHash = (): string => (++drawn).toString(16).padStart(64, '0').toUpperCase();

export const payment = (drops: bigint, over: Partial<SalePayment> = {}): SalePayment => ({
  kind: 'payment',
  hash: nextHash(),
  ledgerIndex: 100,
  transactionIndex: 0,
  closedAtMs: NOW,
  sender: 'rInvestor',
  destinationTag: TAG,
  receivedDrops: drops,
  ...over,
});

export const action = (name: Action, over: Partial<SaleAction> = {}): SaleAction => ({
  kind: 'action',
  hash: nextHash(),
  ledgerIndex: 100,
  transactionIndex: 1,
  closedAtMs: NOW,
  projectId: PROJECT_ID,
  action: name,
  termsHash: name === 'launch' ? TERMS_HASH : null,
  listHash: null,
  paymentHash: null,
  signers: [],
  ...over,
});

/** The one effect of an entry. */
export function only(state: SaleState, entry: SaleEntry): Effect {
  const { effects } = reduce(state, entry);
  expect(effects).toHaveLength(1);
  return effects[0] as Effect;
}

export const typesOf = (effects: readonly Effect[]): string[] => effects.map((effect) => effect.type);

export const ofType = <T extends Effect['type']>(effects: readonly Effect[], type: T): (Effect & { type: T })[] =>
  effects.filter((effect): effect is Effect & { type: T } => effect.type === type);

/** The one project of a state. */
export function soleProject(state: SaleState): ProjectState {
  const [project] = state.projects.values();
  if (project === undefined) throw new Error('The state holds no project');
  return project;
}
