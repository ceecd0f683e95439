import type { Drops, ScaledPrice, TokenUnits } from './amounts.ts';
import type { CredentialRequirement, CredentialsRead } from './credentials.ts';
import type { Custody } from './custody.ts';

export const PROJECT_STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/**
 * Transactions of the deposit account that change a sale. The first five are an operator's; `list` puts an allowlist
 * version in force, `assign` credits one held payment to the project: the exception stands on the ledger itself.
 */
export const ACTIONS = ['launch', 'pause', 'resume', 'end', 'cancel', 'list', 'assign'] as const;
export type Action = (typeof ACTIONS)[number];

/** Why a payment bought nothing, or why a part of it went back. The closed list (docs/verification.md, section 3). */
export const REFUSAL_REASONS = [
  'no_tag',
  'unknown_tag',
  'not_active',
  'before_start',
  'after_end',
  'between_tiers',
  'below_minimum',
  'above_wallet_cap',
  'not_admitted',
  'below_one_unit',
  'sold_out',
  'soft_cap_missed',
  'cancelled',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Why a part of an accepted payment went back; `change` buys no further unit. */
export const PARTIAL_REASONS = ['change', 'sold_out', 'above_wallet_cap', 'not_admitted', 'between_tiers'] as const;
export type PartialReason = (typeof PARTIAL_REASONS)[number];

/** Why a payment is held as a whole, besides a refusal whose refund cannot be sent. */
export const HELD_REASONS = ['operating_funds', 'refund_bounced', 'late_discovery', 'not_a_payment'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

/**
 * SourceTag of every refund we send, "TRFN" in ASCII. A sender that bounces a refund sends it back with this as its
 * DestinationTag: no project ever has this tag, so the bounce is held and not refunded again (docs/ledger-facts.md, 9).
 */
export const REFUND_SOURCE_TAG = 0x5452_464e;

/** One tier as the reducer sees it. */
export interface TierState {
  readonly tier: number;
  readonly price: ScaledPrice;
  readonly totalUnits: TokenUnits;
  /** Only wallets of the list in force buy here: the tier or the whole project asks for it. */
  readonly listed: boolean;
  /** Only holders of this credential buy here; null when none is required. */
  readonly credential: CredentialRequirement | null;
  /** It does not sell before this time, also when the tier before it is full: the gap between tiers. */
  readonly startsAtMs: number | null;
  readonly soldUnits: TokenUnits;
  /** Drops allocated to the tier so far. */
  readonly valueDrops: Drops;
  /** When the tier began to sell; null while one before it sells. */
  readonly openedAtMs: number | null;
  readonly completedAtMs: number | null;
}

/** A committed version of an allowlist: each wallet with what it may invest in listed tiers (null: no limit of its own). */
export type AllowList = ReadonlyMap<string, Drops | null>;

/** What a wallet has invested so far: in all, and of it in listed tiers. */
export interface WalletTotals {
  readonly investedDrops: Drops;
  readonly listedDrops: Drops;
}

export type SaleEndReason = 'sold_out' | 'ended' | 'end_date' | 'soft_cap_missed';

/** One sale as the reducer sees it: its published terms and what the feed has made of it so far. */
export interface ProjectState {
  readonly id: string;
  readonly destinationTag: number;
  readonly status: ProjectStatus;
  readonly decimals: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly softCapDrops: Drops | null;
  readonly minInvestmentDrops: Drops | null;
  /** Over all payments of one wallet. */
  readonly maxPerWalletDrops: Drops | null;
  /** What the whole sale brings when every unit is sold; follows from the tiers. */
  readonly fullRaiseDrops: Drops;
  /** Smallest change that is paid back; part of the published terms. */
  readonly refundMinDrops: Drops;
  /** What the launch action must anchor; null until the launch is prepared. */
  readonly termsHash: string | null;
  /** Whose signatures an action needs; null when one key is enough. */
  readonly custody: Custody | null;
  /** Accounts whose payments without a tag are operating funds, once the launch has anchored the terms that name them. */
  readonly operatingAccounts: readonly string[];
  readonly raisedDrops: Drops;
  readonly launchedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly endReason: SaleEndReason | 'cancelled' | null;
  /** The allowlist version in force. */
  readonly listHash: string | null;
  /** Published versions by hash; entries at least for the senders that the entries to be reduced name. */
  readonly lists: ReadonlyMap<string, AllowList>;
  /** Totals by wallet, at least for those senders. Kept only where a limit needs them. */
  readonly wallets: ReadonlyMap<string, WalletTotals>;
  /** Ascending by number. */
  readonly tiers: readonly TierState[];
}

/** Everything that decides on one deposit account's feed. */
export interface SaleState {
  /** Projects by destination tag. */
  readonly projects: ReadonlyMap<number, ProjectState>;
  /** Payments held whole that are no project's investment, by hash: at least those that an `assign` action to be reduced names. */
  readonly held: ReadonlyMap<string, SalePayment>;
  /** Smallest refund for a payment that belongs to no project. */
  readonly refundMinDrops: Drops;
  /** What was read of credentials: without what a decision depends on, `reduce` throws CredentialUnknown. */
  readonly credentials?: CredentialsRead;
}

interface Position {
  readonly hash: string;
  readonly ledgerIndex: number;
  readonly transactionIndex: number;
  readonly closedAtMs: number;
}

export interface SalePayment extends Position {
  readonly kind: 'payment';
  readonly sender: string;
  readonly destinationTag: number | null;
  readonly receivedDrops: Drops;
}

export interface SaleAction extends Position {
  readonly kind: 'action';
  readonly projectId: string;
  readonly action: Action;
  readonly termsHash: string | null;
  readonly listHash: string | null;
  readonly paymentHash: string | null;
  /** The keys of the account's signer list that signed it; none when one key did. */
  readonly signers: readonly string[];
}

/** A ledger that has closed with nothing of ours in it: time alone may end a sale. */
export interface LedgerClose {
  readonly kind: 'close';
  readonly closedAtMs: number;
}

export type SaleEntry = SalePayment | SaleAction | LedgerClose;

/** Part of an investment in one tier. */
export interface AllocationPart {
  readonly tier: number;
  readonly drops: Drops;
  readonly units: TokenUnits;
}

export type Milestone = { kind: 'progress'; percent: 25 | 50 | 75 } | { kind: 'soft_cap' };

/** What the reducer decided; rows and events follow from these and from nothing else. */
export type Effect =
  | {
      readonly type: 'invested';
      readonly payment: SalePayment;
      readonly projectId: string;
      readonly parts: readonly AllocationPart[];
      readonly investedDrops: Drops;
      readonly totalUnits: TokenUnits;
      /** Kept change, already inside the last part. */
      readonly roundingDrops: Drops;
      readonly refundedDrops: Drops;
      /** Why something went back. */
      readonly refundReason: PartialReason | null;
      /** Close time of the ledger that decided: the payment's own, or that of the action that assigned it. */
      readonly decidedAtMs: number;
      /** The action that credits a payment held before; null for a payment in its own place. */
      readonly assignedBy: SaleAction | null;
    }
  | {
      readonly type: 'refused';
      readonly payment: SalePayment;
      readonly projectId: string | null;
      readonly reason: RefusalReason;
      readonly refundedDrops: Drops;
      /** What is too small to be sent back. */
      readonly heldDrops: Drops;
    }
  | {
      readonly type: 'held';
      readonly payment: SalePayment;
      /** Our own money, or a refund of ours that came back: neither is sent on. */
      readonly reason: HeldReason;
    }
  | {
      readonly type: 'milestone';
      readonly projectId: string;
      readonly milestone: Milestone;
      readonly payment: SalePayment;
      readonly reachedAtMs: number;
      readonly raisedDrops: Drops;
      readonly tiersCompleted: number;
    }
  | {
      readonly type: 'tier_completed';
      readonly projectId: string;
      readonly tier: TierState;
      readonly nextTier: TierState | null;
      readonly completedAtMs: number;
      /** Both as of this tier's end, also when the payment that filled it went on into later tiers. */
      readonly tiersCompleted: number;
      readonly raisedDrops: Drops;
    }
  | { readonly type: 'launched'; readonly projectId: string; readonly action: SaleAction }
  | {
      readonly type: 'action_applied';
      readonly projectId: string;
      readonly action: SaleAction;
      readonly status: ProjectStatus;
    }
  | { readonly type: 'action_without_effect'; readonly action: SaleAction; readonly detail: string }
  | {
      readonly type: 'cancelled';
      readonly projectId: string;
      readonly action: SaleAction;
      readonly raisedDrops: Drops;
    }
  | {
      readonly type: 'sale_ended';
      readonly projectId: string;
      readonly reason: SaleEndReason;
      readonly endedAtMs: number;
      readonly raisedDrops: Drops;
      /** What the tiers had left to sell, final with the end; 0 for a sale that ends cancelled. */
      readonly unsoldUnits: TokenUnits;
    };

/**
 * The closed table of actions: from a status, what each action leads to. What is not here has no effect. A sale that is
 * completed cannot be cancelled: what it raised may have gone to the treasury.
 */
export const TRANSITIONS: Record<ProjectStatus, Partial<Record<Action, ProjectStatus>>> = {
  draft: { launch: 'active', list: 'draft' },
  active: { pause: 'paused', end: 'completed', cancel: 'cancelled', list: 'active', assign: 'active' },
  paused: { resume: 'active', end: 'completed', cancel: 'cancelled', list: 'paused' },
  completed: {},
  cancelled: {},
};

export const allowedActions = (status: ProjectStatus): Action[] => Object.keys(TRANSITIONS[status]) as Action[];
