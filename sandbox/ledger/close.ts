import { encodeObject, prefixed } from './binary/encode.ts';
import { type Applied, applyTransaction } from './engine/apply.ts';
import { BATCH_MODE } from './engine/batch.ts';
import type { Metadata } from './engine/metadata.ts';
import { hasFlag } from './engine/types.ts';
import { sha512HalfHex } from './hashing.ts';
import { treeHash } from './hashTree.ts';
import { type ClosedLedger, type LedgerHeader, sealHeader, type ValidatedTransaction } from './history.ts';
import { accountIdHex, hashesIndex, RECENT_HASHES_INDEX } from './keylets.ts';
import { isFinalRefusal, isSuccess } from './results.ts';
import type { NetworkRules } from './rules.ts';
import { LedgerOverlay, read, type ValidatedState } from './state.ts';
import { innerTransactions, sequenceKey, type Transaction } from './transaction.ts';

/** Passes over the transactions of a ledger; in the first ones a tec is put off, as it may yet succeed. */
const TOTAL_PASSES = 3;
const LAST_RETRY_PASS = 1;

/**
 * The order in which a ledger applies its transactions: by account XOR salt (the hash of the set, so nobody can
 * choose a place), then sequences before tickets, each ascending.
 */
export function canonicalOrder(transactions: readonly Transaction[]): Transaction[] {
  const salt = BigInt(`0x${treeHash(transactions.map(({ hash }) => ({ key: hash, leafHash: hash }))).slice(0, 40)}`);
  const salted = new Map<string, string>();
  const accountKey = (address: string): string => {
    let key = salted.get(address);
    if (key === undefined) {
      key = (BigInt(`0x${accountIdHex(address)}`) ^ salt).toString(16).padStart(40, '0');
      salted.set(address, key);
    }
    return key;
  };
  return transactions
    .map((tx) => ({ tx, account: accountKey(tx.fields.Account), sequence: sequenceKey(tx.fields) }))
    .sort((a, b) => {
      if (a.account !== b.account) return a.account < b.account ? -1 : 1;
      if (a.sequence.isTicket !== b.sequence.isTicket) return a.sequence.isTicket ? 1 : -1;
      if (a.sequence.value !== b.sequence.value) return a.sequence.value - b.sequence.value;
      return a.tx.hash < b.tx.hash ? -1 : 1;
    })
    .map(({ tx }) => tx);
}

export type Done = { readonly tx: Transaction; readonly meta: Metadata };

function metadataOf(applied: Applied, transactionIndex: number, parentBatchId?: string): Metadata {
  return {
    AffectedNodes: applied.affectedNodes,
    ...(applied.deliveredAmount === undefined ? {} : { DeliveredAmount: applied.deliveredAmount }),
    ...(parentBatchId === undefined ? {} : { ParentBatchID: parentBatchId }),
    TransactionIndex: transactionIndex,
    TransactionResult: applied.result,
  };
}

/**
 * Applies the transactions inside a Batch that was applied, as far as its mode says, and returns those that count: also
 * ones that failed with a tec, unless all had to succeed.
 */
export function applyInner(ledger: LedgerOverlay, batch: Transaction, rules: NetworkRules, firstIndex: number): Done[] {
  const trial = new LedgerOverlay(ledger, ledger);
  const has = (mode: number): boolean => hasFlag(batch.fields, mode);
  const done: Done[] = [];
  for (const tx of innerTransactions(batch.fields)) {
    const applied = applyTransaction(trial, tx, rules, { open: false, refuseTec: false, inBatch: true });
    if (applied.applied) done.push({ tx, meta: metadataOf(applied, firstIndex + done.length, batch.hash) });
    const succeeded = isSuccess(applied.result);
    if (!succeeded && has(BATCH_MODE.allOrNothing)) return [];
    if (succeeded ? has(BATCH_MODE.onlyOne) : has(BATCH_MODE.untilFailure)) break;
  }
  ledger.absorb(trial);
  return done;
}

function applyAll(
  ledger: LedgerOverlay,
  transactions: readonly Transaction[],
  rules: NetworkRules,
): { done: Done[]; left: Transaction[] } {
  const done: Done[] = [];
  let left = canonicalOrder(transactions);
  let retrying = true;
  for (let pass = 0; pass < TOTAL_PASSES && left.length > 0; pass++) {
    const again: Transaction[] = [];
    const doneBefore = done.length;
    for (const tx of left) {
      const applied = applyTransaction(ledger, tx, rules, { open: false, refuseTec: retrying });
      if (applied.applied) {
        done.push({ tx, meta: metadataOf(applied, done.length) });
        const isBatch = tx.fields.TransactionType === 'Batch' && isSuccess(applied.result);
        if (isBatch) done.push(...applyInner(ledger, tx, rules, done.length));
      } else if (!isFinalRefusal(applied.result)) again.push(tx);
    }
    left = again;
    const changed = done.length > doneBefore;
    if (!changed && !retrying) break;
    if (!changed || pass >= LAST_RETRY_PASS) retrying = false;
  }
  return { done, left };
}

/** Root of the tree of transactions; a leaf covers the signed transaction and its metadata, both in binary. */
export function transactionTreeHash(done: readonly Done[]): string {
  return treeHash(
    done.map(({ tx, meta }) => ({
      key: tx.hash,
      leafHash: sha512HalfHex('534E4400', prefixed(tx.blob), prefixed(encodeObject(meta)), tx.hash),
    })),
  );
}

const KEPT_HASHES = 256;

/** Every ledger writes its parent's hash down: among the last 256, and every 256th for good. */
function rememberParent(ledger: LedgerOverlay, parent: LedgerHeader): void {
  const append = (index: string, most: number): void => {
    const hashes = read(ledger, 'LedgerHashes', index)?.Hashes ?? [];
    ledger.changes.set(index, {
      LedgerEntryType: 'LedgerHashes',
      Flags: 0,
      Hashes: [...hashes, parent.hash].slice(-most),
      LastLedgerSequence: parent.ledgerIndex,
    });
  };
  if (parent.ledgerIndex % KEPT_HASHES === 0) append(hashesIndex(parent.ledgerIndex), Number.POSITIVE_INFINITY);
  append(RECENT_HASHES_INDEX, KEPT_HASHES);
}

/** The ledger that follows a closed one, still without changes of its own. */
export function openLedgerAfter(state: ValidatedState, { ledgerIndex, closeTime }: LedgerHeader): LedgerOverlay {
  return new LedgerOverlay(state, { ledgerIndex: ledgerIndex + 1, parentCloseTime: closeTime });
}

/**
 * Closes a ledger: applies the transactions in canonical order to the parent's state, commits what they changed and
 * seals the header. `left` are transactions that may still apply later; `prepare` may write before any of them.
 */
export function closeLedger(
  state: ValidatedState,
  parent: LedgerHeader,
  transactions: readonly Transaction[],
  closeTime: number,
  rules: NetworkRules,
  prepare?: (ledger: LedgerOverlay) => void,
): { ledger: ClosedLedger; left: readonly Transaction[] } {
  const ledger = openLedgerAfter(state, parent);
  rememberParent(ledger, parent);
  prepare?.(ledger);
  const { done, left } = applyAll(ledger, transactions, rules);
  state.commit(ledger.changes, ledger.ledgerIndex);
  const header = sealHeader({
    ledgerIndex: ledger.ledgerIndex,
    parentHash: parent.hash,
    transactionHash: transactionTreeHash(done),
    accountHash: state.rootHash,
    totalDrops: parent.totalDrops - ledger.burnedDrops,
    closeTime,
    parentCloseTime: parent.closeTime,
  });
  const validated: ValidatedTransaction[] = done.map(({ tx, meta }) => ({ tx, meta, ledger: header }));
  return { ledger: { header, transactions: validated }, left };
}
