import type { Place } from '@tranche/rules/custody.ts';
import type { ProjectState, SaleState } from '@tranche/rules/types.ts';
import { type Findings, noFindings } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { DueOnDays } from './obligations.ts';
import type { PublishedPayout } from './published.ts';
import type { ParsedTerms } from './terms.ts';
import type { Difference, LedgerSource, PublishedSource, Unmatched } from './types.ts';

export type Phase = 'ledger' | 'payouts' | 'unexplained' | 'done';

/** How far an account's history has been read. */
export interface HistoryPosition {
  afterLedger: number;
  afterHash: string | null;
}

/** The last row taken of each stream. */
interface Cursors {
  payments: string | null;
  allocations: string | null;
  payouts: string | null;
  /** Validated payouts of either account, as the ledger shows them. */
  paidByDeposit: string | null;
  paidByDistributor: string | null;
}
export const NO_CURSORS: Cursors = {
  payments: null,
  allocations: null,
  payouts: null,
  paidByDeposit: null,
  paidByDistributor: null,
};

/** What is not as custody wants it, by an account's own transaction. It is a difference unless custody was over by then. */
export interface CustodyFinding extends Pick<Difference, 'kind' | 'message'> {
  account: string;
  hash: string;
  ledgerIndex: number;
  closedAtMs: number;
}

/** What is kept of custody between two pages. */
export interface CustodyProgress {
  /** What each unused ticket of an account is for: 250 of them at most. */
  tickets: Map<string, Map<number, string>>;
  /** Transactions looked at, and how many of them each key has signed. */
  transactions: number;
  signatures: Map<string, number>;
  found: CustodyFinding[];
  /** Further ones that are counted only. */
  foundMore: number;
  /** Of the payments that payouts of the sale name. */
  lastPaidLedger: number;
  /** Payments that an action has credited to a sale, and where they stand themselves. */
  assigned: Map<string, { payment: Place; by: string }>;
}

const noCustody = (): CustodyProgress => ({
  tickets: new Map(),
  transactions: 0,
  signatures: new Map(),
  found: [],
  foundMore: 0,
  lastPaidLedger: 0,
  assigned: new Map(),
});

/** A lock of the terms, how many tokens its escrows lock, and how many they still hold; null when no server tells. */
export interface LockFound {
  label: string;
  receiver: string;
  amount: string;
  until: string;
  locked: string | null;
  in_escrow: string | null;
}

/** The lock of unsold tokens: how many are owed, null before the sale's end, and what the ledger shows as of a lock of the terms. */
export interface UnsoldFound {
  receiver: string;
  until: string;
  amount: string | null;
  transaction_hash: string | null;
  locked: string | null;
  in_escrow: string | null;
}

/** The locks of what vesting owes, together: null before the sale's end, and when nothing is owed. */
export interface VestingFound {
  receiver: string;
  /** One lock each. */
  days: number | null;
  amount: string | null;
  /** The last day. */
  until: string | null;
  locked: string | null;
  in_escrow: string | null;
}

/** Where a verification stands between two pages: all it needs to go on, beside what is published. */
export interface Progress {
  asOf: number;
  /** Close time of that ledger. */
  asOfClosedAtMs: number;
  phase: Phase;
  deposit: HistoryPosition;
  /** Null until the launch is found: nothing is distributed before it. */
  distributor: HistoryPosition | null;
  /** The last ledger that can be read without a hole. */
  through: number;
  /** Without lists and credentials: they are read again. */
  sale: SaleState;
  cursors: Cursors;
  /** Payouts are compared beside their payments, as long as nothing that comes later can change what is owed. */
  payoutsEarly: boolean;
  /** Of what is owed; joins the others when the payouts were compared as far as they can be. */
  payoutFindings: Findings;
  /** The same of a first reading that left something open; null without one. */
  firstPayoutFindings: Findings | null;
  /** Of the rows of `/payments` in the first reading and in the second, which must be the same. */
  paymentsRead: string;
  paymentsReadAgain: string;
  /** Drawn for this verification: the two digests that follow can only be compared because nobody could foresee them. */
  digestKey: string;
  /** Of validated payouts in either order. */
  paidDigest: bigint;
  validatedDigest: bigint;
  /** Refunds of the account that are no project's, or another's, and not paid yet, by what they pay; and what other arrivals would give back. */
  otherRefunds: Map<string, number>;
  unmatched: Unmatched[];
  assignsFound: Set<string>;
  /** Payments whose assign to the sale was passed over, because an exception says that they were sent back before. */
  spentPayments: string[];
  /** Of the sale's payments, held and not refunded. */
  heldDrops: bigint;
  /** Operators' refunds among the payouts, with their payments. */
  refundsFound: Map<string, string>;
  /** Those that had an exception before the last reading, by their payments. */
  publishedRefunds: Map<string, string>;
  /** Hashes of allowlists that were found to differ or to be missing. */
  listsReported: Set<string>;
  launch: { transaction_hash: string; ledger_index: number; terms_hash: string } | null;
  listActions: { transaction_hash: string; ledger_index: number; list_hash: string }[];
  releasedDrops: bigint;
  custody: CustodyProgress;
  /** What the ledger shows of the terms' locks, in their order, once the histories were read. */
  locks: LockFound[];
  /** What vesting makes due, kept where the terms promise to lock it. */
  dueOnDays: DueOnDays;
  /** Published locks. */
  lockRows: PublishedPayout[];
  /** Escrows that the distributor has created, and that no other sale names: kept where the terms promise locks at the end. */
  ownEscrows: { hash: string; ledgerIndex: number }[];
  /** What the ledger shows of the lock of unsold tokens; null when the terms promise none. */
  unsold: UnsoldFound | null;
  /** The same of what vesting owes. */
  vesting: VestingFound | null;
  findings: Findings;
}

export const newProgress = (
  asOf: number,
  asOfClosedAtMs: number,
  position: { afterLedger: number; through: number },
  sale: SaleState,
): Progress => ({
  asOf,
  asOfClosedAtMs,
  phase: 'ledger',
  deposit: { afterLedger: position.afterLedger, afterHash: null },
  distributor: null,
  through: position.through,
  sale,
  cursors: NO_CURSORS,
  payoutsEarly: true,
  payoutFindings: noFindings(),
  firstPayoutFindings: null,
  paymentsRead: '',
  paymentsReadAgain: '',
  digestKey: crypto.getRandomValues(new Uint32Array(8)).join('-'),
  paidDigest: 0n,
  validatedDigest: 0n,
  otherRefunds: new Map(),
  unmatched: [],
  assignsFound: new Set(),
  spentPayments: [],
  heldDrops: 0n,
  refundsFound: new Map(),
  publishedRefunds: new Map(),
  listsReported: new Set(),
  launch: null,
  listActions: [],
  releasedDrops: 0n,
  custody: noCustody(),
  locks: [],
  dueOnDays: new Map(),
  lockRows: [],
  ownEscrows: [],
  unsold: null,
  vesting: null,
  findings: noFindings(),
});

/** All that was compared of the payouts is compared anew, from the first row on. */
export function restartPayouts(progress: Progress): void {
  progress.payoutsEarly = false;
  progress.payoutFindings = noFindings();
  progress.validatedDigest = 0n;
  progress.releasedDrops = 0n;
  progress.heldDrops = 0n;
  progress.refundsFound = new Map();
  progress.dueOnDays = new Map();
  progress.lockRows = [];
}

/** What every phase of a verification works with. */
export interface VerificationWork {
  source: PublishedSource;
  ledger: LedgerSource;
  inputs: Inputs;
  progress: Progress;
  /** Called after every page; false stops there. */
  pageDone: () => Promise<boolean>;
}

/** The sale as the feed has left it so far. */
export function stateOf({ projectId, terms }: ParsedTerms, { sale }: Progress): ProjectState {
  const state = sale.projects.get(terms.destination_tag);
  if (state === undefined) throw new Error(`${projectId} has no state`);
  return state;
}

/** Goes up with each change of `Progress`, or of what it means: what an older program has kept is not gone on with. */
const STORED_FORMAT = 14;

interface Kept {
  format: number;
  projectId: string;
  progress: Progress;
}

/** What a verification keeps between two pages, as text. */
export const encodeProgress = (projectId: string, progress: Progress): string =>
  pack({ format: STORED_FORMAT, projectId, progress } satisfies Kept);

/**
 * Where a verification of `projectId` stood; null when another version of this program has kept it, so that it begins anew.
 *
 * @throws Error when it belongs to another sale
 */
export function readProgress(text: string, projectId: string): Progress | null {
  const kept = unpack(text) as Partial<Kept> | null;
  if (kept?.format !== STORED_FORMAT || kept.progress === undefined) return null;
  if (kept.projectId !== projectId) throw new Error(`it belongs to ${kept.projectId}: name another file`);
  return kept.progress;
}

/** A value of plain objects, arrays, maps, sets and bigints as JSON, and back: what a verification keeps between two slices. */
export const pack = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return { $bigint: each.toString() };
    if (each instanceof Map) return { $map: [...each] };
    if (each instanceof Set) return { $set: [...each] };
    return each;
  });

export const unpack = (text: string): unknown =>
  JSON.parse(text, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if ('$bigint' in each) return BigInt(String(each.$bigint));
    if ('$map' in each) return new Map(each.$map as [unknown, unknown][]);
    if ('$set' in each) return new Set(each.$set as unknown[]);
    return each;
  });
