import * as z from 'zod';
import { parseDecimal, type TokenUnits, WIRE_TOKEN_DECIMALS } from './amounts.ts';
import { parseLedgerValue } from './exact-decimal.ts';
import { rippleSecondsToMs } from './feed-entry.ts';
import { isoTime, tokenAmount } from './wire.ts';

/** A transaction that has created an escrow, and the ledger that holds it. */
const escrowReference = z.strictObject({
  transaction_hash: z.string().regex(/^[0-9A-F]{64}$/),
  ledger_index: z.int().positive(),
});

/** So much of the sale's token cannot move before that time, proven by escrows (docs/verification.md, section 12). */
export const lockSchema = z.strictObject({
  label: z.string().min(1).max(60).meta({ description: 'Whose tokens they are, for investors', example: 'Team' }),
  receiver: z.string().meta({ description: 'Destination of every escrow of the lock' }),
  amount: tokenAmount,
  until: isoTime,
  escrows: z
    .array(escrowReference)
    .meta({ description: 'The EscrowCreate transactions that prove it: together they lock the amount or more' }),
});
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
  owner: string;
  destination: string;
  /** As the ledger writes it: drops, or an amount of tokens. */
  amount: unknown;
  /** Null when a fulfilled condition can release it at any time. */
  finishAfterMs: number | null;
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
    owner: tx.Account,
    destination: tx.Destination,
    amount: tx.Amount,
    finishAfterMs: tx.FinishAfter === undefined ? null : rippleSecondsToMs(tx.FinishAfter),
  };
}

const issued = z.object({ currency: z.string(), issuer: z.string(), value: z.string() });
const multiPurpose = z.object({ mpt_issuance_id: z.string(), value: z.string().regex(/^\d+$/) });

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
