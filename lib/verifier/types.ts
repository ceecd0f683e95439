import type { CredentialQuestion } from '@tranche/rules/credentials.ts';
import type { CreatedEscrow } from '@tranche/rules/locks.ts';
import type {
  DepositAccount,
  ExceptionResource,
  ProjectResource,
  PublishedAllocation,
  PublishedPayment,
  PublishedPayout,
} from './published.ts';
import type { AccountControl } from './read-control.ts';
import type { ReadCredential } from './read-credentials.ts';
import type { FeedPage, FeedRequest, LedgerHistory } from './read-feed.ts';

export interface PublishedTerms {
  canonical: string;
  sha256: string;
  anchor: { transaction_hash: string; ledger_index: number } | null;
}

type Pages<Row> = AsyncIterable<readonly Row[]>;

/**
 * Everything that a platform publishes about its sales, over HTTP or from its own verbs. Rows come in the documented order,
 * from the first or after the row whose cursor is given.
 */
export interface PublishedSource {
  depositAccount(projectId: string): Promise<DepositAccount>;
  project(projectId: string): Promise<ProjectResource>;
  /** Launched projects, all of them. */
  projects(): Promise<ProjectResource[]>;
  terms(projectId: string): Promise<PublishedTerms>;
  lists(projectId: string): Promise<{ id: string; hash: string | null }[]>;
  listText(projectId: string, listId: string): AsyncIterable<string>;
  exceptions(projectId: string): Promise<ExceptionResource[]>;
  payments(projectId: string, asOf: number, cursor: string | null): Pages<PublishedPayment>;
  allocations(projectId: string, asOf: number, cursor: string | null): Pages<PublishedAllocation>;
  payouts(projectId: string, asOf: number, cursor: string | null): Pages<PublishedPayout>;
  /** Validated ones of one paying account, as the ledger shows them. */
  paid(projectId: string, asOf: number, account: string, cursor: string | null): Pages<PublishedPayout>;
}

/** What a verifier needs of a ledger server: which of its history a server holds, and what happened in it. */
export interface LedgerSource {
  serverState(): Promise<LedgerHistory>;
  readFeed(request: FeedRequest): Promise<FeedPage>;
  closedAtMs(ledgerIndex: number): Promise<number>;
  /** Null when the account did not exist there. A source without it leaves who could sign unchecked. */
  accountControl?(account: string, ledgerIndex: number): Promise<AccountControl | null>;
  /** In the order of the questions. A source without it leaves unchecked what depends on a credential. */
  credentials?(questions: readonly CredentialQuestion[]): Promise<ReadCredential[]>;
  /** Null when the transaction has created no escrow in that ledger. A source without it leaves locks unchecked. */
  createdEscrow?(hash: string, ledgerIndex: number): Promise<CreatedEscrow | null>;
  /** Whether that ledger holds the escrow. A source without it does not tell what was released. */
  escrowStands?(escrowId: string, ledgerIndex: number): Promise<boolean>;
}

export const DIFFERENCE_KINDS = [
  'terms_differ',
  'terms_shown_differ',
  'anchor_differs',
  'list_differs',
  'list_not_published',
  'exception_not_published',
  'exception_not_on_ledger',
  'payment_missing',
  'payment_extra',
  'payment_differs',
  'allocation_missing',
  'allocation_extra',
  'allocation_differs',
  'payout_missing',
  'payout_extra',
  'payout_differs',
  'payout_not_on_ledger',
  'payout_misdirected',
  'payout_paid_otherwise',
  'payout_paid_twice',
  'transaction_used_twice',
  'unexplained_payment',
  'released_too_much',
  'answers_differ',
  'custody_not_signed',
  'custody_changed',
  'custody_state_differs',
  'custody_ended_early',
  'ticket_for_other_purpose',
  'lock_not_kept',
] as const;

/** One thing that does not agree, named. */
export interface Difference {
  kind: (typeof DIFFERENCE_KINDS)[number];
  /** The transaction, payout, list or project that it is about. */
  subject: string;
  ledger_index: number | null;
  field: string | null;
  /** What the ledger and the rules give. */
  expected: string | null;
  /** What the platform says, or what was found. */
  found: string | null;
  message: string;
}

/** Ledgers of an account that could not be read, and why. */
export interface Unchecked {
  account: string;
  from_ledger: number;
  through_ledger: number;
  reason: string;
}

/** A payment of the platform on the ledger that no published payout of the sale stands for. */
export interface Unmatched {
  account: string;
  hash: string;
  ledgerIndex: number;
  destination: string;
  destinationTag: number | null;
  /** meta.delivered_amount. */
  delivered: unknown;
  /** What its ticket was created for; null for nothing, or in a sale without custody. */
  purpose: string | null;
  /** The payout, or the held payment that it sends back, that stands for it after all. */
  explainedBy: string | null;
  /** Some payout that was paid already owes just this, or its ticket was created for that payout. */
  paidAlready: string | null;
  /** The latter: nothing else explains it then. */
  isSamePurpose: boolean;
  /** The destination has paid to the sale. */
  isInvestor: boolean;
}

export interface Counts {
  ledgers: number;
  entries: number;
  payments: number;
  allocations: number;
  payouts: number;
  payouts_validated: number;
  payouts_owed: number;
  payouts_cancelled: number;
  /** Refunds or parts that an end or a cancellation of the last hour still has to make rows for. */
  payouts_to_come: number;
}
