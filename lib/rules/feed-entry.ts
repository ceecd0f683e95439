import * as z from 'zod';
import type { Drops } from './amounts.ts';
import { decodeAssignment, type SignerList } from './custody.ts';
import { quickTest } from './quick-test.ts';
import { textOfHex } from './wire.ts';

interface LedgerPosition {
  hash: string;
  ledgerIndex: number;
  transactionIndex: number;
  /** Close time of the ledger, milliseconds since the Unix epoch. */
  closedAtMs: number;
  /** What the transaction did to the account's XRP, its fee included where the account paid one; negative for what went out. */
  changeDrops: Drops;
  /** The fee, when the account paid it; else 0. */
  feeDrops: Drops;
}

/** A transaction of the account itself, whatever became of it: what custody asks about it (docs/custody.md). */
export interface OwnTransaction {
  transactionType: string;
  succeeded: boolean;
  /** The ticket that it used; null when it used the account's sequence. */
  ticket: number | null;
  /** The keys of the account's signer list that signed it; none when one key did. */
  signers: string[];
  /** Who signed it with the account's permission. */
  delegate: string | null;
  /** Tickets that it created, ascending, and what its memo says each of them is for, in that order. */
  ticketsCreated: number[];
  assigned: string[];
  /** An AccountSet that sets nothing: it carries an action, or only uses up its ticket. */
  setsNothing: boolean;
  /** The signer list that it has set; absent for any other transaction. */
  setSigners?: SignerList;
}

/** XRP that reached the account by a validated tesSUCCESS Payment. */
export interface PaymentEntry extends LedgerPosition {
  kind: 'payment';
  sender: string;
  destinationTag: number | null;
  sourceTag: number | null;
  /** From meta.delivered_amount, never Amount (docs/ledger-facts.md, 1). */
  deliveredDrops: Drops;
}

/** A transaction of the account to itself that may carry an action: AccountSet without flags or a delegate, with memos. */
export interface SelfEntry extends LedgerPosition {
  kind: 'self';
  /** Memo contents as UTF-8 text, in order. */
  memos: string[];
  /** The keys of the account's signer list that signed it; none when one key did. */
  signers: string[];
  /** Always there when read from a ledger. */
  own?: OwnTransaction;
}

/** Anything else that touched the account: the sale ignores it, the records do not. */
export interface OtherEntry extends LedgerPosition {
  kind: 'other';
  transactionType: string;
  /**
   * From whom XRP arrived otherwise than by a Payment (docs/ledger-facts.md, 10): `changeDrops + feeDrops` of it. Null
   * when none did.
   */
  counterparty: string | null;
  /** What the account has paid to somebody by a tesSUCCESS Payment; absent for anything else. */
  sent?: SentPayment;
  /** True for any other successful transaction of the account itself that may have moved or promised something; else absent. */
  movedOtherwise?: true;
  /** Of a transaction of the account itself; absent for anybody else's. */
  own?: OwnTransaction;
}

/** A successful Payment of the account itself. `delivered` is meta.delivered_amount, drops or an object, never Amount. */
export interface SentPayment {
  destination: string;
  destinationTag: number | null;
  delivered: unknown;
}

/** One line of a deposit account's feed, in (ledgerIndex, transactionIndex) order. */
export type FeedEntry = PaymentEntry | SelfEntry | OtherEntry;

const memo = () => z.object({ Memo: z.object({ MemoType: z.string().optional(), MemoData: z.string().optional() }) });
const signer = () => z.object({ Signer: z.object({ Account: z.string() }) });

/** One line of `account_tx`, API version 2. Money is read from `meta` alone. Made for the first line: many routes convert times only. */
export const rawFeedEntry = z.lazy(() =>
  z.object({
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
      TicketSequence: z.int().optional(),
      Destination: z.string().optional(),
      DestinationTag: z.int().optional(),
      SourceTag: z.int().optional(),
      Flags: z.int().optional(),
      SetFlag: z.int().optional(),
      ClearFlag: z.int().optional(),
      Memos: z.array(memo()).optional(),
      Signers: z.array(signer()).optional(),
      SignerQuorum: z.int().optional(),
      SignerEntries: z
        .array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) }))
        .optional(),
      /** Close time of the ledger in the ledger's own seconds. */
      date: z.int(),
    }),
  }),
);
export type RawFeedEntry = z.input<typeof rawFeedEntry>;
type Parsed = z.output<typeof rawFeedEntry>;

let isParsed: ((raw: unknown) => raw is Parsed) | null = null;

/** The line by its schema; what it holds beside the fields that are read stays in it. Throws ZodError for another shape. */
function parseLine(raw: unknown): Parsed {
  isParsed ??= quickTest(rawFeedEntry, { otherFields: 'ignored' });
  return isParsed(raw) ? raw : rawFeedEntry.parse(raw);
}

/** The ledger counts seconds from 2000-01-01T00:00:00Z. */
const RIPPLE_EPOCH_SECONDS = 946_684_800;

export const rippleSecondsToMs = (seconds: number): number => (seconds + RIPPLE_EPOCH_SECONDS) * 1000;

/** The first second of the ledger that is not before this time. */
export const rippleSecondsCeil = (ms: number): number => Math.ceil(ms / 1000) - RIPPLE_EPOCH_SECONDS;

const DIGITS = /^\d+$/;

/** A field of drops as the ledger writes it. Throws ZodError for anything else: the schema is asked only then, for its words. */
function readDrops<Name extends string>(fields: Readonly<Partial<Record<Name, unknown>>>, name: Name): Drops {
  const value: unknown = fields[name];
  if (typeof value === 'string' && DIGITS.test(value)) return BigInt(value);
  return BigInt(z.object({ [name]: z.string().regex(DIGITS) }).parse(fields)[name] ?? '');
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** What stands inside one of `AffectedNodes`, whether it was created, changed or deleted. */
function entryOf(node: unknown): Fields | null {
  if (!isFields(node)) return null;
  const entry = node.ModifiedNode ?? node.CreatedNode ?? node.DeletedNode;
  return isFields(entry) ? entry : null;
}

const fieldsBefore = z.lazy(() => z.record(z.string(), z.unknown()).default({}));

/**
 * What a transaction did to an account's XRP, from its metadata; 0 when it left the balance alone. Only the account's own
 * node is looked into: a feed has hundreds of thousands of others. Throws ZodError when that one has another shape.
 */
function balanceChange(nodes: readonly unknown[], account: string): Drops {
  for (const node of nodes) {
    const entry = entryOf(node);
    if (entry?.LedgerEntryType !== 'AccountRoot') continue;
    const fields = entry.NewFields ?? entry.FinalFields;
    if (!isFields(fields) || fields.Account !== account) continue;
    if (entry.NewFields !== undefined) return fields.Balance === undefined ? 0n : readDrops(fields, 'Balance');
    const after = readDrops(fields, 'Balance');
    const before = isFields(entry.PreviousFields) ? entry.PreviousFields : fieldsBefore.parse(entry.PreviousFields);
    return before.Balance === undefined ? 0n : after - readDrops(before, 'Balance');
  }
  return 0n;
}

/** The account that an affected Check, Escrow or PayChannel belongs to: who put the XRP in. Null when there is none. */
function ownerOf(nodes: readonly unknown[], entryType: string): string | null {
  for (const node of nodes) {
    const entry = entryOf(node);
    if (entry?.LedgerEntryType !== entryType || !isFields(entry.FinalFields)) continue;
    if (typeof entry.FinalFields.Account === 'string') return entry.FinalFields.Account;
  }
  return null;
}

/** What says or allows something about an account and can move nothing. Any type that is not among them may. */
export const MOVES_NOTHING: ReadonlySet<string> = new Set([
  'AccountSet',
  'CredentialAccept',
  'CredentialCreate',
  'CredentialDelete',
  'DelegateSet',
  'DepositPreauth',
  'MPTokenAuthorize',
  'MPTokenIssuanceCreate',
  'MPTokenIssuanceSet',
  'PermissionedDomainDelete',
  'PermissionedDomainSet',
  'SetRegularKey',
  'SignerListSet',
  'TicketCreate',
  'TrustSet',
]);

/** Old libraries set it on every transaction; it says nothing. */
const FULLY_CANONICAL_SIGNATURE = 0x8000_0000;

/** Drops when XRP was delivered; null for tokens (objects) and for "unavailable" (docs/ledger-facts.md, 1). */
function deliveredDrops(raw: Parsed): bigint | null {
  const delivered = raw.meta.delivered_amount;
  if (typeof delivered !== 'string' || !/^[1-9]\d*$/.test(delivered)) return null;
  return BigInt(delivered);
}

const memoTexts = (raw: Parsed): string[] =>
  (raw.tx_json.Memos ?? []).map((item) => textOfHex(item.Memo.MemoData ?? ''));

const signersOf = (raw: Parsed): string[] => (raw.tx_json.Signers ?? []).map(({ Signer }) => Signer.Account);

/** A delegate who may set one field of the account must not decide over its sale (docs/ledger-facts.md, 34). */
const isPlainAccountSet = ({ tx_json: tx }: Parsed): boolean =>
  tx.TransactionType === 'AccountSet' &&
  tx.Delegate === undefined &&
  tx.SetFlag === undefined &&
  tx.ClearFlag === undefined &&
  ((tx.Flags ?? 0) & ~FULLY_CANONICAL_SIGNATURE) === 0;

/** Fields that a transaction has beside what it does; what the server adds to its answer among them. */
const BESIDE: ReadonlySet<string> = new Set([
  'Account',
  'AccountTxnID',
  'Fee',
  'Flags',
  'LastLedgerSequence',
  'Memos',
  'NetworkID',
  'Sequence',
  'Signers',
  'SigningPubKey',
  'SourceTag',
  'TicketSequence',
  'TransactionType',
  'TxnSignature',
  'ctid',
  'date',
  'hash',
  'inLedger',
  'ledger_index',
]);

const newTicket = z.lazy(() => z.object({ NewFields: z.object({ Account: z.string(), TicketSequence: z.int() }) }));

/** Tickets that a transaction created for the account, ascending. Throws ZodError when such an entry has another shape. */
function ticketsCreated(nodes: readonly unknown[], account: string): number[] {
  const tickets: number[] = [];
  for (const node of nodes) {
    const created = isFields(node) ? node.CreatedNode : undefined;
    if (!isFields(created) || created.LedgerEntryType !== 'Ticket') continue;
    const { NewFields: fields } = newTicket.parse(created);
    if (fields.Account === account) tickets.push(fields.TicketSequence);
  }
  return tickets.sort((a, b) => a - b);
}

function signersSetBy({ tx_json: tx, meta }: Parsed): Pick<OwnTransaction, 'setSigners'> {
  if (tx.TransactionType !== 'SignerListSet' || meta.TransactionResult !== 'tesSUCCESS') return {};
  const signers = (tx.SignerEntries ?? []).map(({ SignerEntry }) => ({
    account: SignerEntry.Account,
    weight: SignerEntry.SignerWeight,
  }));
  return { setSigners: { quorum: tx.SignerQuorum ?? 0, signers } };
}

/** What custody asks about a transaction of the account itself; nothing for anybody else's. */
function ownOf(account: string, parsed: Parsed, raw: unknown): { own?: OwnTransaction } {
  const { tx_json: tx, meta } = parsed;
  if (tx.Account !== account) return {};
  const creates = tx.TransactionType === 'TicketCreate' ? ticketsCreated(meta.AffectedNodes, account) : [];
  return {
    own: {
      transactionType: tx.TransactionType,
      succeeded: meta.TransactionResult === 'tesSUCCESS',
      ticket: tx.TicketSequence ?? null,
      signers: signersOf(parsed),
      delegate: tx.Delegate ?? null,
      ticketsCreated: creates,
      assigned: creates.length === 0 ? [] : decodeAssignment(tx.Memos),
      setsNothing:
        isPlainAccountSet(parsed) && Object.keys((raw as RawFeedEntry).tx_json).every((field) => BESIDE.has(field)),
      ...signersSetBy(parsed),
    },
  };
}

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
 * Payment of somebody else delivered to it, a transaction of its own that may carry an action, or anything else; and what
 * it did to the account's XRP. Inner transactions of a Batch come as lines of their own, so an outer one is but its
 * fee. Throws ZodError when the server's line has another shape, also when it is not validated.
 */
export function toFeedEntry(account: string, raw: unknown): FeedEntry {
  const parsed = parseLine(raw);
  const { tx_json: tx, meta } = parsed;
  const position = {
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
      ...position,
      sender: tx.Account,
      destinationTag: tx.DestinationTag ?? null,
      sourceTag: tx.SourceTag ?? null,
      deliveredDrops: drops,
    };
  }
  const memos = memoTexts(parsed);
  if (succeeded && tx.Account === account && isPlainAccountSet(parsed) && memos.length > 0) {
    return { kind: 'self', ...position, memos, signers: signersOf(parsed), ...ownOf(account, parsed, raw) };
  }
  const source = position.changeDrops + position.feeDrops > 0n ? sourceOf(parsed) : account;
  // What the account takes back of its own (an escrow, a trade) came from nobody.
  const counterparty = source === account ? null : source;
  return {
    kind: 'other',
    ...position,
    transactionType: tx.TransactionType,
    counterparty,
    ...sentBy(account, parsed),
    ...ownOf(account, parsed, raw),
  };
}
