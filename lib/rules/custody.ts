import * as z from 'zod';
import { sha256Hex } from '#sha256.ts';
import { hexOfText, textOfHex } from './wire.ts';

/** One signer of the paying accounts' signer lists. */
const signer = () =>
  z.strictObject({
    /** Address of the key. It needs no account on the ledger. */
    account: z.string().regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/),
    weight: z.int().min(1).max(255),
  });
const witness = () =>
  signer().extend({
    name: z.string().min(1).max(60),
    /** Who runs it, as shown to investors. */
    operator: z.string().min(1).max(120),
  });

/**
 * Who must sign what a sale's two paying accounts send, as its terms publish it (docs/custody.md). A sale without it is
 * paid from accounts of one key.
 */
export const custodySchema = z.lazy(() =>
  z.strictObject({
    quorum: z.int().min(2).max(65_535),
    platform: signer(),
    witnesses: z.array(witness()).min(2).max(31),
    /** A transaction is signed for at most so many ledgers ahead: enough to collect signatures and be validated. */
    ledgers_to_live: z.int().min(10).max(100),
    /** The deposit account's feed begins after this ledger: nothing before it decides or has paid anything. */
    from_ledger: z.int().positive(),
    /** Smallest refund of a payment that names no sale of the account, XRP. */
    refund_min_xrp: z.string().regex(/^\d{1,12}\.\d{6}$/),
  }),
);
export type Custody = z.output<typeof custodySchema>;
/** Who signs, and how many of them it takes. */
export type SignerSet = Pick<Custody, 'quorum' | 'platform' | 'witnesses'>;

/** A signer list as the ledger has it: it does not say which key is whose. */
export interface SignerList {
  quorum: number;
  signers: readonly { account: string; weight: number }[];
}

const weightOf = (signers: readonly { weight: number }[]): number =>
  signers.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Why a signer set does not keep what custody promises; empty when it does. With one key or with one witness beside the
 * platform nothing can be moved, the witnesses alone can move nothing, and one witness may be away. Pure.
 */
export function custodyFaults({ quorum, platform, witnesses }: SignerSet): string[] {
  const all = weightOf(witnesses);
  const faults: string[] = [];
  const accounts = signersOf({ platform, witnesses });
  if (new Set(accounts).size < accounts.length) faults.push('names a key twice');
  if (platform.weight >= quorum) faults.push('lets the platform sign alone');
  if (all >= quorum) faults.push('lets the witnesses sign without the platform');
  for (const { name, weight } of witnesses) {
    if (platform.weight + weight >= quorum) faults.push(`lets the platform and ${name} sign without another witness`);
    if (platform.weight + all - weight < quorum) faults.push(`lets nothing be paid while ${name} is away`);
  }
  return faults;
}

/** Every key of a signer set. */
export const signersOf = ({ platform, witnesses }: Omit<SignerSet, 'quorum'>): string[] =>
  [platform, ...witnesses].map(({ account }) => account);

/** Whether two sets ask for the same signatures; names and operators do not count. Pure. */
export const haveSameSigners = (one: SignerSet, other: SignerSet): boolean => signatures(one) === signatures(other);

const signatures = ({ quorum, platform, witnesses }: SignerSet): string =>
  JSON.stringify([quorum, platform.account, ...[platform, ...witnesses].map(weighted).toSorted()]);
const weighted = ({ account, weight }: { account: string; weight: number }): string => `${account}:${weight}`;

/** Whether the ledger's list is exactly this set. Pure. */
export const isListOf = ({ quorum, platform, witnesses }: SignerSet, list: SignerList): boolean =>
  list.quorum === quorum &&
  list.signers.map(weighted).toSorted().join() === [platform, ...witnesses].map(weighted).toSorted().join();

/** Witnesses that may be away at once, whichever they are, and everything can still be paid. Pure. */
export function witnessesThatMayBeAway({ quorum, platform, witnesses }: SignerSet): number {
  const byWeight = witnesses.map(({ weight }) => weight).sort((a, b) => b - a);
  let left = platform.weight + weightOf(witnesses);
  let away = 0;
  for (const weight of byWeight) {
    left -= weight;
    if (left < quorum) break;
    away += 1;
  }
  return away;
}

/** The fewest witnesses that make a quorum with the platform. Pure. */
export function fewestWitnesses({ quorum, platform, witnesses }: SignerSet): number {
  let sum = platform.weight;
  const byWeight = witnesses.map(({ weight }) => weight).sort((a, b) => b - a);
  for (const [index, weight] of byWeight.entries()) {
    sum += weight;
    if (sum >= quorum) return index + 1;
  }
  return Number.POSITIVE_INFINITY;
}

/** Whether these keys make a quorum that the platform's key is part of; of others than the set's there is none. Pure. */
export function isQuorum({ quorum, platform, witnesses }: SignerSet, keys: readonly string[]): boolean {
  const weights = new Map([platform, ...witnesses].map(({ account, weight }) => [account, weight]));
  const signed = new Set(keys);
  if (signed.size < keys.length || !signed.has(platform.account)) return false;
  if (keys.some((key) => !weights.has(key))) return false;
  return weightOf(keys.map((key) => ({ weight: weights.get(key) ?? 0 }))) >= quorum;
}

/** Where a payment stands on the ledger: no two of an account's history have one place. */
export interface Place {
  ledgerIndex: number;
  /** `TransactionIndex` of its metadata. */
  transactionIndex: number;
}

/** What an account may pay: a ticket is created for it and pays nothing else. */
export type Purpose =
  /** A part of a distribution, or a refund, of the payment in this place. */
  | { kind: 'distribution' | 'refund'; payment: Place; part: number }
  /** Raised XRP to the treasury of the terms. Releases of an account take turns, also those of different sales. */
  | { kind: 'release'; projectId: string };

/**
 * In the memo of a TicketCreate a purpose has nine bytes: its kind; then ledger index (4), transaction index (2) and part (2)
 * of the payment, or the first eight of the SHA-256 of the project's id.
 */
const KINDS = { distribution: '01', refund: '02', release: '03' } as const satisfies Record<Purpose['kind'], string>;
const ENTRY_DIGITS = 18;
/** A memo holds 1,024 bytes at most. */
export const MAX_ASSIGNED = 100;
export const ASSIGNMENT_TYPE = 'tranche/tickets';

function bytes(value: number, count: number): string {
  const digits = value
    .toString(16)
    .toUpperCase()
    .padStart(2 * count, '0');
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > 2 * count) {
    throw new RangeError(`${value} does not fit into ${count} bytes`);
  }
  return digits;
}

/**
 * A purpose as the memo of a TicketCreate has it, upper-case hexadecimal. An `assign` action uses a ticket of the refund,
 * part 1, of the payment that it credits. Throws RangeError for a place that no ledger has.
 */
export function purposeId(purpose: Purpose): string {
  const kind = KINDS[purpose.kind];
  if (purpose.kind === 'release') return kind + sha256Hex(purpose.projectId).slice(0, 16).toUpperCase();
  const { payment, part } = purpose;
  return kind + bytes(payment.ledgerIndex, 4) + bytes(payment.transactionIndex, 2) + bytes(part, 2);
}

export type DebtPurpose = Purpose & { kind: 'distribution' | 'refund' };

/** The debt that a ticket with this `purposeId` was created for; null for a release, which is named by its sale alone. Pure. */
export function debtOf(id: string): DebtPurpose | null {
  const kind = id.startsWith(KINDS.distribution) ? 'distribution' : id.startsWith(KINDS.refund) ? 'refund' : null;
  if (kind === null) return null;
  const number = (from: number, to: number): number => Number.parseInt(id.slice(from, to), 16);
  return { kind, payment: { ledgerIndex: number(2, 10), transactionIndex: number(10, 14) }, part: number(14, 18) };
}

export const isReleaseId = (id: string): boolean => id.startsWith(KINDS.release);

export interface TransactionMemo {
  Memo: { MemoType: string; MemoData: string };
}

/** The memo of a TicketCreate whose tickets, in ascending order, are for these purposes. At most MAX_ASSIGNED. */
export const encodeAssignment = (ids: readonly string[]): TransactionMemo => ({
  Memo: { MemoType: hexOfText(ASSIGNMENT_TYPE), MemoData: ids.join('') },
});

// Made once: every transaction of a feed is asked.
const memoList = z.lazy(() => z.array(z.object({ Memo: z.object({ MemoType: z.string(), MemoData: z.string() }) })));

/** The purposes that a TicketCreate's memos assign its tickets to, in their order; none when no memo does. Pure. */
export function decodeAssignment(memos: unknown): string[] {
  const parsed = memoList.safeParse(memos);
  const [only] = parsed.data ?? [];
  if (only === undefined || parsed.data?.length !== 1 || textOfHex(only.Memo.MemoType) !== ASSIGNMENT_TYPE) return [];
  const data = only.Memo.MemoData;
  if (!/^(?:0[123][0-9A-F]{16})+$/.test(data)) return [];
  return data.match(new RegExp(`.{${ENTRY_DIGITS}}`, 'g')) ?? [];
}
