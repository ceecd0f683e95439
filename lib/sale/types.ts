import type { Drops, ScaledPrice, TokenUnits } from '#lib/platform/money.ts';

export const PROJECT_STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export const MOVES = ['launch', 'pause', 'resume', 'end', 'cancel'] as const;
export type Move = (typeof MOVES)[number];

/** Why a payment bought nothing. The closed list of design section 4, "Refusing". */
export const REFUSAL_REASONS = [
  'no_tag',
  'unknown_tag',
  'not_active',
  'before_start',
  'after_end',
  'below_minimum',
  'below_one_unit',
  'sold_out',
  'cancelled',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** One tier as the reducer sees it. */
export interface TierState {
  readonly tier: number;
  readonly price: ScaledPrice;
  readonly totalUnits: TokenUnits;
  readonly soldUnits: TokenUnits;
  /** Drops allocated to the tier so far. */
  readonly valueDrops: Drops;
  /** When the tier began to sell; null while one before it sells. */
  readonly openedAtMs: number | null;
  readonly completedAtMs: number | null;
}

/** One sale as the reducer sees it: its published terms and what the feed has made of it so far. */
export interface ProjectState {
  readonly id: string;
  readonly destinationTag: number;
  readonly status: ProjectStatus;
  readonly decimals: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly minInvestmentDrops: Drops | null;
  /** Smallest change that is paid back; part of the published terms. */
  readonly refundMinDrops: Drops;
  /** What the launch move must anchor; null until the launch is prepared. */
  readonly termsHash: string | null;
  /** Accounts whose payments without a tag are operating funds, once the launch has anchored the terms that name them. */
  readonly operatingAccounts: readonly string[];
  readonly raisedDrops: Drops;
  readonly launchedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Ascending by number. */
  readonly tiers: readonly TierState[];
}

/** Everything that decides on one deposit account's feed. */
export interface SaleState {
  /** Projects by destination tag. */
  readonly projects: ReadonlyMap<number, ProjectState>;
  /** Smallest refund for a payment that belongs to no project. */
  readonly refundMinDrops: Drops;
}

interface Place {
  readonly hash: string;
  readonly ledgerIndex: number;
  readonly transactionIndex: number;
  readonly closedAtMs: number;
}

export interface SalePayment extends Place {
  readonly kind: 'payment';
  readonly sender: string;
  readonly destinationTag: number | null;
  readonly receivedDrops: Drops;
}

export interface SaleMove extends Place {
  readonly kind: 'move';
  readonly projectId: string;
  readonly move: Move;
  readonly termsHash: string | null;
}

/** A ledger that has closed with nothing of ours in it: time alone may end a sale. */
export interface LedgerClose {
  readonly kind: 'close';
  readonly closedAtMs: number;
}

export type SaleEntry = SalePayment | SaleMove | LedgerClose;

/** Part of an investment in one tier. */
export interface AllocationPart {
  readonly tier: number;
  readonly drops: Drops;
  readonly units: TokenUnits;
}

export type SaleEndReason = 'sold_out' | 'ended' | 'end_date';

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
      readonly refundReason: 'change' | 'sold_out' | null;
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
      readonly reason: 'operating_funds' | 'refund_bounced';
    }
  | {
      readonly type: 'tier_completed';
      readonly projectId: string;
      readonly tier: TierState;
      readonly nextTier: TierState | null;
      readonly completedAtMs: number;
      readonly tiersCompleted: number;
      readonly raisedDrops: Drops;
    }
  | { readonly type: 'launched'; readonly projectId: string; readonly move: SaleMove }
  | { readonly type: 'moved'; readonly projectId: string; readonly move: SaleMove; readonly status: ProjectStatus }
  | { readonly type: 'move_without_effect'; readonly move: SaleMove; readonly detail: string }
  | {
      readonly type: 'sale_ended';
      readonly projectId: string;
      readonly reason: SaleEndReason;
      readonly endedAtMs: number;
      readonly raisedDrops: Drops;
    };
