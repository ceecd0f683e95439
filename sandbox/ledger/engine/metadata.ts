import type { Amount, Entry } from '../entries.ts';
import { type Json, type JsonDraft, type JsonObject, sameJson } from '../json.ts';
import { accountIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { TransactionView } from './view.ts';

/** Metadata as stored with a validated transaction; `delivered_amount` is added when it is shown. */
export type Metadata = {
  readonly AffectedNodes: readonly JsonObject[];
  readonly DeliveredAmount?: Amount;
  /** The Batch that it stood in. */
  readonly ParentBatchID?: string;
  readonly TransactionIndex: number;
  readonly TransactionResult: ResultName;
};

/** Fields that metadata never shows. */
const HIDDEN = new Set(['LedgerEntryType', 'Indexes']);
/** Fields of the entry's thread: shown beside the fields, and among them only when the entry is deleted. */
const THREAD = new Set(['PreviousTxnID', 'PreviousTxnLgrSeq']);
/** 64-bit fields, whose default is the text "0". */
const WIDE = new Set([
  'OwnerNode',
  'IssuerNode',
  'SubjectNode',
  'DestinationNode',
  'HighNode',
  'LowNode',
  'OutstandingAmount',
  'MPTAmount',
  'LockedAmount',
  'BookNode',
]);

/** What a field of 160 bits shows when nothing is in it: XRP, or the issuer that XRP has not. */
const ZERO_160 = '0'.repeat(40);

function isDefault(name: string, value: Json | undefined): boolean {
  return (
    value === 0 ||
    value === ZERO_160 ||
    value === undefined ||
    (value === '0' && (WIDE.has(name) || name === 'Balance'))
  );
}

function shownFields(entry: Entry, keep: (name: string, value: Json | undefined) => boolean): JsonDraft {
  const shown: JsonDraft = {};
  for (const [name, value] of Object.entries(entry) as [string, Json | undefined][]) {
    if (!HIDDEN.has(name) && keep(name, value)) shown[name] = value;
  }
  return shown;
}

function previousFields(before: Entry, after: Entry): JsonDraft {
  const now: JsonObject = after;
  return shownFields(before, (name, value) => !THREAD.has(name) && !sameJson(value, now[name]));
}

/** Whether a shown field is new: the server then lists PreviousFields even when nothing stands in it. */
function gainedField(before: Entry, after: Entry): boolean {
  return Object.keys(after).some((name) => !(name in before) && !HIDDEN.has(name) && !THREAD.has(name));
}

/** The accounts whose thread an entry's creation or deletion continues. */
function owners(entry: Entry): string[] {
  switch (entry.LedgerEntryType) {
    case 'AccountRoot':
      return [];
    case 'RippleState':
      return [entry.LowLimit.issuer, entry.HighLimit.issuer];
    default:
      return ['Account', 'Destination'].flatMap((name) => {
        const address = (entry as JsonObject)[name];
        return typeof address === 'string' ? [address] : [];
      });
  }
}

/**
 * Describes what a transaction changed and threads every touched entry to it (PreviousTxnID). Call once, before the
 * view is committed to a ledger that is being closed.
 */
export function describeChanges(view: TransactionView, transactionHash: string): JsonObject[] {
  const nodes = new Map<string, JsonDraft>();
  const kinds = new Map<string, string>();
  const node = (index: string, kind: string, type: string): JsonDraft => {
    const existing = nodes.get(index);
    if (existing) return existing;
    const draft: JsonDraft = { LedgerEntryType: type, LedgerIndex: index };
    nodes.set(index, draft);
    kinds.set(index, kind);
    return draft;
  };
  const thread = (index: string, entry: Entry): void => {
    if (!('PreviousTxnID' in entry) || entry.PreviousTxnID === transactionHash) return;
    if (entry.PreviousTxnLgrSeq !== 0) {
      const draft = node(index, 'ModifiedNode', entry.LedgerEntryType);
      draft.PreviousTxnID = entry.PreviousTxnID;
      draft.PreviousTxnLgrSeq = entry.PreviousTxnLgrSeq;
    }
    entry.PreviousTxnID = transactionHash;
    entry.PreviousTxnLgrSeq = view.ledgerIndex;
  };
  const changed = [...view.changes].filter(
    ([, { before, after }]) => before === undefined || after === undefined || !sameJson(before, after),
  );
  for (const [index, { before, after, last }] of changed) {
    if (after && before) {
      const draft = node(index, 'ModifiedNode', after.LedgerEntryType);
      const previous = previousFields(before, after);
      if (Object.keys(previous).length > 0 || gainedField(before, after)) draft.PreviousFields = previous;
      draft.FinalFields = shownFields(after, (name) => !THREAD.has(name));
    } else if (after) {
      const draft = node(index, 'CreatedNode', after.LedgerEntryType);
      draft.NewFields = shownFields(after, (name, value) => !THREAD.has(name) && !isDefault(name, value));
    } else if (before && last) {
      const draft = node(index, 'DeletedNode', before.LedgerEntryType);
      const previous = previousFields(before, last);
      if (Object.keys(previous).length > 0) draft.PreviousFields = previous;
      draft.FinalFields = shownFields(last, () => true);
    }
  }
  // After the fields, because threading changes the entries that the fields are read from.
  for (const [index, { before, after }] of changed) {
    if (after) thread(index, after);
    const subject = after && !before ? after : after ? undefined : before;
    for (const owner of subject ? owners(subject) : []) {
      const root = view.editAccount(owner);
      if (root) thread(accountIndex(owner), root);
    }
  }
  return [...nodes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([index, draft]) => ({ [kinds.get(index) ?? 'ModifiedNode']: draft }));
}
