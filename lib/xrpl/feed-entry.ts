import { z } from 'zod';
import type { Drops } from '#lib/base/money.ts';
import { balanceChange, ownerOf } from './affected-nodes.ts';
import { readDrops } from './drops.ts';
import { MOVES_NOTHING } from './ticket-uses.ts';
import { rippleSecondsToMs } from './time.ts';
import type { FeedEntry, OtherEntry } from './types.ts';

const memo = z.object({ Memo: z.object({ MemoData: z.string().optional() }) });

/** One line of `account_tx`, API version 2. Money is read from `meta` alone. */
export const rawFeedEntry = z.object({
  hash: z.string().regex(/^[0-9A-F]{64}$/),
  ledger_index: z.int(),
  validated: z.literal(true),
  meta: z.object({
    TransactionIndex: z.int(),
    TransactionResult: z.string(),
    delivered_amount: z.unknown().optional(),
    AffectedNodes: z.array(z.unknown()),
  }),
  tx_json: z.object({
    TransactionType: z.string(),
    Account: z.string(),
    /** Who signed for the account with its permission, and pays the fee then. */
    Delegate: z.string().optional(),
    Fee: z.string().optional(),
    Destination: z.string().optional(),
    DestinationTag: z.int().optional(),
    SourceTag: z.int().optional(),
    Flags: z.int().optional(),
    SetFlag: z.int().optional(),
    ClearFlag: z.int().optional(),
    Memos: z.array(memo).optional(),
    /** Close time of the ledger in the ledger's own seconds. */
    date: z.int(),
  }),
});
export type RawFeedEntry = z.input<typeof rawFeedEntry>;
type Parsed = z.output<typeof rawFeedEntry>;

/** Old libraries set it on every transaction; it says nothing. */
const FULLY_CANONICAL_SIGNATURE = 0x8000_0000;

/** Drops when XRP was delivered; null for tokens (objects) and for "unavailable" (docs/ledger-facts.md, 1). */
function deliveredDrops(raw: Parsed): bigint | null {
  const delivered = raw.meta.delivered_amount;
  if (typeof delivered !== 'string' || !/^[1-9]\d*$/.test(delivered)) return null;
  return BigInt(delivered);
}

const memoTexts = (raw: Parsed): string[] =>
  (raw.tx_json.Memos ?? []).map((item) => Buffer.from(item.Memo.MemoData ?? '', 'hex').toString('utf8'));

const isPlainAccountSet = ({ tx_json: tx }: Parsed): boolean =>
  tx.TransactionType === 'AccountSet' &&
  tx.SetFlag === undefined &&
  tx.ClearFlag === undefined &&
  ((tx.Flags ?? 0) & ~FULLY_CANONICAL_SIGNATURE) === 0;

/** Drops that the account paid as the transaction's fee. */
const feePaidBy = (account: string, { tx_json: tx }: Parsed): Drops =>
  (tx.Delegate ?? tx.Account) === account ? readDrops(tx, 'Fee') : 0n;

/** Ledger entries that hold somebody's XRP, by the transactions that take it out. */
const RELEASED_FROM: Readonly<Record<string, string>> = {
  CheckCash: 'Check',
  EscrowFinish: 'Escrow',
  EscrowCancel: 'Escrow',
  PaymentChannelClaim: 'PayChannel',
  PaymentChannelFund: 'PayChannel',
};

/** Whose XRP the transaction brings: not always the sender's, who may only have cashed or finished what another owns. */
function sourceOf({ tx_json: tx, meta }: Parsed): string {
  const released = RELEASED_FROM[tx.TransactionType];
  return (released === undefined ? null : ownerOf(meta.AffectedNodes, released)) ?? tx.Account;
}

/** What the account has paid to somebody else, or moved otherwise; nothing for any other transaction. */
function sentBy(account: string, { tx_json: tx, meta }: Parsed): Pick<OtherEntry, 'sent' | 'movedOtherwise'> {
  if (tx.Account !== account || meta.TransactionResult !== 'tesSUCCESS') return {};
  if (tx.TransactionType !== 'Payment' || tx.Destination === undefined || tx.Destination === account) {
    return MOVES_NOTHING.has(tx.TransactionType) ? {} : { movedOtherwise: true };
  }
  const { Destination: destination, DestinationTag: destinationTag = null } = tx;
  return { sent: { destination, destinationTag, delivered: meta.delivered_amount } };
}

/**
 * Reads one validated transaction as `account` sees it (docs/ledger-facts.md, 1, 9, 10, 11): XRP that a successful
 * Payment of somebody else delivered to it, a transaction of its own that may carry a move, or anything else; and what
 * it did to the account's XRP. Inner transactions of a Batch come as lines of their own, so an outer one is but its
 * fee. Throws ZodError when the server's line has another shape, also when it is not validated.
 */
export function toFeedEntry(account: string, raw: unknown): FeedEntry {
  const parsed = rawFeedEntry.parse(raw);
  const { tx_json: tx, meta } = parsed;
  const place = {
    hash: parsed.hash,
    ledgerIndex: parsed.ledger_index,
    transactionIndex: meta.TransactionIndex,
    closedAtMs: rippleSecondsToMs(tx.date),
    changeDrops: balanceChange(meta.AffectedNodes, account),
    feeDrops: feePaidBy(account, parsed),
  };
  const succeeded = meta.TransactionResult === 'tesSUCCESS';
  const drops = deliveredDrops(parsed);
  // A payment of the account to itself turns its own tokens into XRP: nobody paid.
  const received = tx.TransactionType === 'Payment' && tx.Destination === account && tx.Account !== account;
  if (succeeded && received && drops !== null) {
    return {
      kind: 'payment',
      ...place,
      sender: tx.Account,
      destinationTag: tx.DestinationTag ?? null,
      sourceTag: tx.SourceTag ?? null,
      deliveredDrops: drops,
    };
  }
  const memos = memoTexts(parsed);
  if (succeeded && tx.Account === account && isPlainAccountSet(parsed) && memos.length > 0) {
    return { kind: 'self', ...place, memos };
  }
  const source = place.changeDrops + place.feeDrops > 0n ? sourceOf(parsed) : account;
  // What the account takes back of its own (an escrow, a trade) came from nobody.
  const counterparty = source === account ? null : source;
  return { kind: 'other', ...place, transactionType: tx.TransactionType, counterparty, ...sentBy(account, parsed) };
}
