import * as z from 'zod';
import { parseDecimal, type TokenUnits, WIRE_TOKEN_DECIMALS } from './amounts.ts';
import { parseLedgerValue } from './exact-decimal.ts';
import { rippleSecondsToMs } from './feed-entry.ts';
import { isoTime, tokenAmount } from './wire.ts';

/** A transaction that has created an escrow, and the ledger that holds it. */
const escrowReference = () =>
  z.strictObject({
    transaction_hash: z.string().regex(/^[0-9A-F]{64}$/),
    ledger_index: z.int().positive(),
  });

/** So much of the sale's token cannot move before that time, proven by escrows (docs/verification.md, section 12). */
export const lockSchema = z.lazy(() =>
  z.strictObject({
    label: z.string().min(1).max(60).meta({ description: 'Whose tokens they are, for investors', example: 'Team' }),
    receiver: z.string().meta({ description: 'Destination of every escrow of the lock' }),
    amount: tokenAmount,
    until: isoTime,
    escrows: z
      .array(escrowReference())
      .meta({ description: 'The EscrowCreate transactions that prove it: together they lock the amount or more' }),
  }),
);
export type Lock = z.output<typeof lockSchema>;

/** The token that a sale's locks are of. */
export type LockedToken =
  | { kind: 'iou'; currency: string; issuer: string; decimals: number }
  | { kind: 'mpt'; issuance_id: string; decimals: number };

/** An escrow as the validated, successful EscrowCreate shows it. Nobody can change it afterwards. */
export interface CreatedEscrow {
  ledgerIndex: number;
  /** Key of the entry on the ledger. */
  escrowId: string;
  /** Sequence or ticket of the transaction: an EscrowFinish names the escrow by its owner and this. */
  sequence: number;
  owner: string;
  destination: string;
  /** As the ledger writes it: drops, or an amount of tokens. */
  amount: unknown;
  /** Null when a fulfilled condition can release it at any time. */
  finishAfterMs: number | null;
  /** Whoever finishes it needs the fulfilment of a condition. */
  hasCondition: boolean;
  /** From then on nobody can finish it, and anybody can cancel it: it goes back to its owner. Null when it never lapses. */
  cancelAfterMs: number | null;
}

const created = z.lazy(() =>
  z.object({
    hash: z.string(),
    validated: z.literal(true),
    ledger_index: z.int(),
    meta: z.object({
      TransactionResult: z.literal('tesSUCCESS'),
      AffectedNodes: z.array(
        z.object({ CreatedNode: z.object({ LedgerEntryType: z.string(), LedgerIndex: z.string() }).optional() }),
      ),
    }),
    tx_json: z.object({
      TransactionType: z.literal('EscrowCreate'),
      Account: z.string(),
      Destination: z.string(),
      Amount: z.unknown(),
      FinishAfter: z.int().optional(),
      CancelAfter: z.int().optional(),
      Condition: z.string().optional(),
      Sequence: z.int(),
      TicketSequence: z.int().optional(),
    }),
  }),
);

/** Reads an answer to `tx`, API version 2; null when it is not this transaction, or no validated, successful EscrowCreate. Pure. */
export function readCreated(answer: unknown, hash: string): CreatedEscrow | null {
  const read = created.safeParse(answer);
  if (!read.success || read.data.hash !== hash) return null;
  const { ledger_index: ledgerIndex, meta, tx_json: tx } = read.data;
  const entry = meta.AffectedNodes.find(({ CreatedNode: node }) => node?.LedgerEntryType === 'Escrow')?.CreatedNode;
  if (entry === undefined) return null;
  return {
    ledgerIndex,
    escrowId: entry.LedgerIndex,
    sequence: tx.TicketSequence ?? tx.Sequence,
    owner: tx.Account,
    destination: tx.Destination,
    amount: tx.Amount,
    finishAfterMs: tx.FinishAfter === undefined ? null : rippleSecondsToMs(tx.FinishAfter),
    hasCondition: tx.Condition !== undefined,
    cancelAfterMs: tx.CancelAfter === undefined ? null : rippleSecondsToMs(tx.CancelAfter),
  };
}

const issued = z.lazy(() => z.object({ currency: z.string(), issuer: z.string(), value: z.string() }));
const multiPurpose = z.lazy(() => z.object({ mpt_issuance_id: z.string(), value: z.string().regex(/^\d+$/) }));

/** Units of the token in an amount of the ledger, rounded down; null for any other asset. */
function unitsOf(amount: unknown, token: LockedToken): TokenUnits | null {
  if (token.kind === 'mpt') {
    const mpt = multiPurpose.safeParse(amount);
    return mpt.success && mpt.data.mpt_issuance_id === token.issuance_id ? BigInt(mpt.data.value) : null;
  }
  const iou = issued.safeParse(amount);
  if (!iou.success || iou.data.currency !== token.currency || iou.data.issuer !== token.issuer) return null;
  return parseLedgerValue(iou.data.value, token.decimals);
}

/** What an escrow locks for a lock, or why it counts for nothing. Its own hash and ledger are the caller's to compare. Pure. */
export function countEscrow(
  { receiver, until }: Pick<Lock, 'receiver' | 'until'>,
  token: LockedToken,
  escrow: CreatedEscrow,
): { units: TokenUnits } | { fault: string } {
  const units = unitsOf(escrow.amount, token);
  if (units === null) return { fault: 'holds another asset than the token of the sale' };
  if (escrow.destination !== receiver) return { fault: `goes to ${escrow.destination}, and the lock to ${receiver}` };
  if (escrow.finishAfterMs === null) {
    return {
      fault: 'has no FinishAfter: anybody who knows the fulfilment of its condition can release it at any time',
    };
  }
  if (escrow.finishAfterMs < Date.parse(until)) {
    return { fault: `can be finished after ${new Date(escrow.finishAfterMs).toISOString()}, before ${until}` };
  }
  return { units };
}

/** What a lock promises, in units of the token. Pure. */
export function promisedUnits({ amount }: Pick<Lock, 'amount'>, { decimals }: LockedToken): TokenUnits {
  const wire = parseDecimal(amount, WIRE_TOKEN_DECIMALS);
  if (wire === null) throw new Error('A lock has no amount');
  return wire / 10n ** BigInt(WIRE_TOKEN_DECIMALS - decimals);
}

/** Tokens that vesting still owes at a sale's end, to be held in escrow by its distributor until the day on which they are due. */
export interface VestingLock {
  part: number;
  units: TokenUnits;
  untilMs: number;
}

/** Parts of a sale's locks from here on hold what vesting owes; the one before holds what was not sold. */
export const FIRST_VESTING_PART = 2;

const MS_PER_DAY = 86_400_000;
/** What is due sooner after the sale's end is paid from the balance. */
const LEAST_LOCKED_MS = 2 * MS_PER_DAY;

/**
 * What vesting owes at a sale's end, in one lock for each UTC day on which any of it is due: all that is due that day, until the day
 * begins. Days that begin less than two days after the end have none. In the order of the days. Pure.
 */
export function vestingLocks(owed: Iterable<{ units: TokenUnits; dueAtMs: number }>, endedAtMs: number): VestingLock[] {
  const unitsOfDay = new Map<number, TokenUnits>();
  for (const { units, dueAtMs } of owed) {
    const untilMs = Math.floor(dueAtMs / MS_PER_DAY) * MS_PER_DAY;
    if (units > 0n && untilMs >= endedAtMs + LEAST_LOCKED_MS) {
      unitsOfDay.set(untilMs, (unitsOfDay.get(untilMs) ?? 0n) + units);
    }
  }
  return [...unitsOfDay]
    .sort(([a], [b]) => a - b)
    .map(([untilMs, units], index) => ({ part: FIRST_VESTING_PART + index, units, untilMs }));
}
