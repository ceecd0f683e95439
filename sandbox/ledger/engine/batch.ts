import { isIssued } from '../entries.ts';
import { accountIdHex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { innerTransactions, type TransactionFields } from '../transaction.ts';
import { checkBatchSigners, MAX_BATCH_SIGNERS } from './signature.ts';
import { TF_INNER_BATCH, type TransactionType } from './types.ts';

/** What a failure of one of its transactions means for a batch; it has exactly one of these flags. */
export const BATCH_MODE = {
  allOrNothing: 0x00010000,
  onlyOne: 0x00020000,
  untilFailure: 0x00040000,
  independent: 0x00080000,
} as const;
const MODES: readonly number[] = Object.values(BATCH_MODE);
const ALL_MODES = MODES.reduce((sum, mode) => sum | mode, 0);

/** These never come in a batch. */
const NEVER_INNER = /^(?:Loan|Vault)/;
const MIN_INNER = 2;
const MAX_INNER = 8;

function checkUnsigned(
  fields: Pick<TransactionFields, 'Signers' | 'TxnSignature'> & { SigningPubKey?: string },
): ResultName {
  if (fields.TxnSignature !== undefined) return 'temBAD_SIGNATURE';
  if (fields.Signers !== undefined) return 'temBAD_SIGNER';
  return fields.SigningPubKey ? 'temBAD_REGKEY' : 'tesSUCCESS';
}

function isFree({ Fee: fee }: TransactionFields): boolean {
  return typeof fee === 'string' && !isIssued(fee) && /^0+$/.test(fee);
}

/** What a transaction must be to stand in a batch, in the server's order. */
function checkInner(inner: TransactionFields, preflightInner: (fields: TransactionFields) => ResultName): ResultName {
  if (NEVER_INNER.test(inner.TransactionType)) return 'temINVALID_INNER_BATCH';
  if (((inner.Flags ?? 0) & TF_INNER_BATCH) === 0) return 'temINVALID_FLAG';
  const unsigned = checkUnsigned(inner);
  if (!isSuccess(unsigned)) return unsigned;
  if (!isFree(inner)) return 'temBAD_FEE';
  if (!isSuccess(preflightInner(inner))) return 'temINVALID_INNER_BATCH';
  return (inner.TicketSequence === undefined) === (inner.Sequence === 0) ? 'temSEQ_AND_TICKET' : 'tesSUCCESS';
}

/** Those whose transactions it holds must have signed, in ascending order, and nobody else. */
function checkCoverage(fields: TransactionFields): ResultName {
  const senders = innerTransactions(fields).map(({ fields: inner }) => inner.Delegate ?? inner.Account);
  const needed = new Set(senders.filter((sender) => sender !== fields.Account));
  let previousId = '';
  for (const { BatchSigner: signer } of fields.BatchSigners ?? []) {
    const id = accountIdHex(signer.Account);
    if (id <= previousId || !needed.delete(signer.Account)) return 'temBAD_SIGNER';
    previousId = id;
  }
  return needed.size === 0 ? 'tesSUCCESS' : 'temBAD_SIGNER';
}

function preflight(fields: TransactionFields, preflightInner: (inner: TransactionFields) => ResultName): ResultName {
  const mode = (fields.Flags ?? 0) & ALL_MODES;
  if (!MODES.includes(mode)) return 'temINVALID_FLAG';
  const inner = innerTransactions(fields);
  if (inner.length < MIN_INNER) return 'temARRAY_EMPTY';
  if (inner.length > MAX_INNER || (fields.BatchSigners?.length ?? 0) > MAX_BATCH_SIGNERS) return 'temARRAY_TOO_LARGE';
  const distinctSequences = mode === BATCH_MODE.allOrNothing || mode === BATCH_MODE.untilFailure;
  const hashes = new Set<string>();
  const sequences = new Set<string>();
  for (const { hash, fields: each } of inner) {
    if (hashes.has(hash)) return 'temREDUNDANT';
    hashes.add(hash);
    const result = checkInner(each, preflightInner);
    if (!isSuccess(result)) return result;
    const used = `${each.Account} ${each.TicketSequence ?? each.Sequence}`;
    if (distinctSequences && sequences.has(used)) return 'temREDUNDANT';
    sequences.add(used);
  }
  return checkCoverage(fields);
}

/** Batch: transactions that apply together; by itself it pays for all of them and does nothing else. */
export const batch: TransactionType = {
  flags: ALL_MODES,
  wholeCostDrops(rules, fields, _view, costOf) {
    const inner = innerTransactions(fields).reduce((sum, { fields: each }) => sum + costOf(each), 0n);
    const signatures = (fields.BatchSigners ?? []).reduce(
      (sum, { BatchSigner: signer }) => sum + (signer.TxnSignature === undefined ? (signer.Signers?.length ?? 0) : 1),
      fields.Signers?.length ?? 0,
    );
    return inner + rules.baseFeeDrops * BigInt(2 + signatures);
  },
  preflight: (fields, _rules, preflightInner) => preflight(fields, preflightInner),
  checkSigners: checkBatchSigners,
  apply: () => 'tesSUCCESS',
};
