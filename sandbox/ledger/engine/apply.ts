import { isTypeEnabled } from '../amendments.ts';
import { type AccountRoot, type Amount, isMpt, ZERO_ADDRESS, ZERO_HASH } from '../entries.ts';
import type { JsonObject } from '../json.ts';
import { ticketIndex } from '../keylets.ts';
import { isSuccess, isTec, type ResultName } from '../results.ts';
import type { NetworkRules } from '../rules.ts';
import type { LedgerOverlay, ReadView } from '../state.ts';
import { read } from '../state.ts';
import { sequenceKey, type Transaction, type TransactionFields } from '../transaction.ts';
import { deleteCredential } from './credentialEntries.ts';
import { checkDelegate, checkPermission } from './delegation.ts';
import { movesFrozenMoney } from './frozenTransfers.ts';
import { describeChanges } from './metadata.ts';
import { removeOffer } from './offers.ts';
import { TRANSACTION_TYPES } from './registry.ts';
import { checkAuthority, isPublicKey, signedByMaster } from './signature.ts';
import { deleteTicket } from './ticketCreate.ts';
import { hasFlag, TF_FULLY_CANONICAL_SIG, TF_INNER_BATCH, type TransactionType } from './types.ts';
import { account, TransactionView } from './view.ts';

export type ApplyOptions = {
  /** Against the open ledger: no metadata, no threading, and the fee must reach the open ledger cost. */
  readonly open: boolean;
  /** A tec is not taken (the transaction may still do better, or the sender asked for fail_hard). */
  readonly refuseTec: boolean;
  /** Simulation: unsigned, and nothing is kept. */
  readonly dryRun?: boolean;
  /** How many times the usual cost a loaded server asks for; 1 when absent. */
  readonly loadFactor?: number;
  /** The transaction stands in a Batch, which was signed and pays. */
  readonly inBatch?: boolean;
};

export type Applied = {
  readonly result: ResultName;
  readonly applied: boolean;
  readonly affectedNodes: readonly JsonObject[];
  readonly deliveredAmount: Amount | undefined;
};

/** Networks with a higher ID require NetworkID in every transaction, the others refuse it. */
const LAST_LEGACY_NETWORK_ID = 1024;

/** A transaction that is killed removes at most that many offers. */
const MOST_UNFIT_OFFERS = 1000;

function refused(result: ResultName): Applied {
  return { result, applied: false, affectedNodes: [], deliveredAmount: undefined };
}

function checkNetwork(fields: TransactionFields, rules: NetworkRules): ResultName {
  if (rules.networkId <= LAST_LEGACY_NETWORK_ID) {
    return fields.NetworkID === undefined ? 'tesSUCCESS' : 'telNETWORK_ID_MAKES_TX_NON_CANONICAL';
  }
  if (fields.NetworkID === undefined) return 'telREQUIRES_NETWORK_ID';
  return fields.NetworkID === rules.networkId ? 'tesSUCCESS' : 'telWRONG_NETWORK';
}

/** No amount may be more than there ever was of XRP, or can ever be of a token. */
const MAX_DROPS = 100_000_000_000_000_000n;
const MAX_TOKENS = 0x7fff_ffff_ffff_ffffn;
const AMOUNT_FIELDS = ['Amount', 'SendMax', 'DeliverMin', 'TakerGets', 'TakerPays'] as const;

function exceedsMost(amount: Amount): boolean {
  if (typeof amount === 'string') return amount.length > 17 && BigInt(amount) > MAX_DROPS;
  return isMpt(amount) && amount.value.length > 18 && BigInt(amount.value) > MAX_TOKENS;
}

function hasInvalidAmount(fields: TransactionFields): boolean {
  return AMOUNT_FIELDS.some((name) => {
    const amount = fields[name];
    return amount !== undefined && exceedsMost(amount);
  });
}

/** What no transaction of any type may have, in the server's order. */
function preflightCommon(
  type: TransactionType,
  fields: TransactionFields,
  rules: NetworkRules,
  inBatch: boolean,
): ResultName {
  const delegate = fields.Delegate === undefined ? 'tesSUCCESS' : checkDelegate(fields, rules);
  if (!isSuccess(delegate)) return delegate;
  const network = checkNetwork(fields, rules);
  if (!isSuccess(network)) return network;
  if (((fields.Flags ?? 0) & ~(type.flags | TF_FULLY_CANONICAL_SIG | TF_INNER_BATCH)) !== 0) return 'temINVALID_FLAG';
  if (fields.Account === ZERO_ADDRESS) return 'temBAD_SRC_ACCOUNT';
  if (typeof fields.Fee !== 'string' || !/^\d+$/.test(fields.Fee) || exceedsMost(fields.Fee)) return 'temBAD_FEE';
  if (fields.SigningPubKey !== '' && !isPublicKey(fields.SigningPubKey)) return 'temBAD_SIGNATURE';
  if (fields.AccountTxnID !== undefined && sequenceKey(fields).isTicket) return 'temINVALID';
  const isInner = hasFlag(fields, TF_INNER_BATCH);
  if (isInner && !rules.amendments.has('BatchV1_1')) return 'temINVALID_FLAG';
  if (isInner !== inBatch) return 'temINVALID_INNER_BATCH';
  return hasInvalidAmount(fields) ? 'temBAD_AMOUNT' : 'tesSUCCESS';
}

/** The type of a transaction, when the sandbox has it and the amendment that brought it, if any did, is enabled. */
function enabledType({ TransactionType: name }: TransactionFields, rules: NetworkRules): TransactionType | undefined {
  return isTypeEnabled(name, rules.amendments) ? TRANSACTION_TYPES[name] : undefined;
}

function preflight(type: TransactionType, fields: TransactionFields, rules: NetworkRules, inBatch = false): ResultName {
  const common = preflightCommon(type, fields, rules, inBatch);
  if (!isSuccess(common) || !type.preflight) return common;
  return type.preflight(fields, rules, (inner) => {
    const innerType = enabledType(inner, rules);
    return innerType ? preflight(innerType, inner, rules, true) : 'temDISABLED';
  });
}

/** What this transaction costs in an idle ledger, in drops. */
export function transactionCostDrops(fields: TransactionFields, rules: NetworkRules, view: ReadView): bigint {
  const type = TRANSACTION_TYPES[fields.TransactionType];
  const whole = type?.wholeCostDrops?.(rules, fields, view, (inner) => transactionCostDrops(inner, rules, view));
  if (whole !== undefined) return whole;
  const own = type?.baseFeeDrops?.(rules, fields, view) ?? rules.baseFeeDrops;
  return own + rules.baseFeeDrops * BigInt(fields.Signers?.length ?? 0);
}

function checkSequence(view: ReadView, sequence: number, fields: TransactionFields): ResultName {
  const key = sequenceKey(fields);
  if (!key.isTicket && fields.TicketSequence !== undefined) return 'temSEQ_AND_TICKET';
  if (key.isTicket) {
    if (sequence <= key.value) return 'terPRE_TICKET';
    return read(view, 'Ticket', ticketIndex(fields.Account, key.value)) ? 'tesSUCCESS' : 'tefNO_TICKET';
  }
  if (key.value === sequence) return 'tesSUCCESS';
  return key.value > sequence ? 'terPRE_SEQ' : 'tefPAST_SEQ';
}

function checkFee(
  view: ReadView,
  payer: AccountRoot,
  fields: TransactionFields,
  rules: NetworkRules,
  options: ApplyOptions,
): ResultName {
  const feeDrops = BigInt(String(fields.Fee));
  const costDrops = options.open ? transactionCostDrops(fields, rules, view) : 0n;
  if (feeDrops < costDrops * BigInt(Math.ceil(options.loadFactor ?? 1))) return 'telINSUF_FEE_P';
  const balanceDrops = BigInt(payer.Balance);
  if (balanceDrops >= feeDrops) return 'tesSUCCESS';
  return balanceDrops > 0n && !options.open ? 'tecINSUFF_FEE' : 'terINSUF_FEE_B';
}

function preclaim(
  view: ReadView,
  type: TransactionType,
  fields: TransactionFields,
  rules: NetworkRules,
  options: ApplyOptions,
): ResultName {
  const root = account(view, fields.Account);
  if (!root) return 'terNO_ACCOUNT';
  const sequence = checkSequence(view, root.Sequence, fields);
  if (!isSuccess(sequence)) return sequence;
  // An account that does not keep its last transaction counts as one whose last was of zeros.
  const { AccountTxnID: prior } = fields;
  if (prior !== undefined && prior !== (root.AccountTxnID ?? ZERO_HASH)) return 'tefWRONG_PRIOR';
  if (fields.LastLedgerSequence !== undefined && view.ledgerIndex > fields.LastLedgerSequence) return 'tefMAX_LEDGER';
  const permission = fields.Delegate === undefined ? 'tesSUCCESS' : checkPermission(view, fields);
  if (!isSuccess(permission)) return permission;
  // Who signs also pays.
  const sender = fields.Delegate === undefined ? root : account(view, fields.Delegate);
  if (!sender) return 'terNO_ACCOUNT';
  // Nothing may cost a fee before it is certain that the sender wants it.
  const isUnsigned = fields.SigningPubKey === '' && fields.Signers === undefined;
  if (!options.inBatch && !(options.dryRun && isUnsigned)) {
    const authority = checkAuthority(view, sender, fields);
    if (!isSuccess(authority)) return authority;
    const others = type.checkSigners?.(view, fields) ?? 'tesSUCCESS';
    if (!isSuccess(others)) return others;
  }
  const fee = options.inBatch ? 'tesSUCCESS' : checkFee(view, sender, fields, rules, options);
  if (!isSuccess(fee)) return fee;
  return (
    type.preclaim?.({ view, fields, rules, open: options.open, signedByMaster: signedByMaster(fields) }) ?? 'tesSUCCESS'
  );
}

/** Whether a transaction would be let into that ledger: everything that is checked before it is applied. */
export function checkTransaction(view: ReadView, { fields }: Transaction, rules: NetworkRules): ResultName {
  const type = enabledType(fields, rules);
  if (!type) return 'temDISABLED';
  const early = preflight(type, fields, rules);
  return isSuccess(early) ? preclaim(view, type, fields, rules, { open: true, refuseTec: false }) : early;
}

/** Credentials that a transaction removed because they had expired: they stay removed though it fails. */
function removedCredentials(view: TransactionView): string[] {
  return [...view.changes].flatMap(([index, { before, after }]) =>
    before?.LedgerEntryType === 'Credential' && !after ? [index] : [],
  );
}

/** Takes the fee and uses up the sequence or ticket; returns the account and its balance before. */
function chargeSender(view: TransactionView, tx: Transaction) {
  const { fields } = tx;
  const root = view.editAccount(fields.Account);
  if (!root) throw new Error(`account ${fields.Account} vanished during its own transaction`);
  const priorBalanceDrops = BigInt(root.Balance);
  const payer = fields.Delegate === undefined ? root : view.editAccount(fields.Delegate);
  if (!payer) throw new Error(`account ${fields.Delegate} vanished during its own transaction`);
  const balanceDrops = BigInt(payer.Balance);
  const askedDrops = BigInt(String(fields.Fee));
  const feeDrops = askedDrops < balanceDrops ? askedDrops : balanceDrops;
  payer.Balance = String(balanceDrops - feeDrops);
  const key = sequenceKey(fields);
  if (key.isTicket) deleteTicket(view, root, key.value);
  else root.Sequence = key.value + 1;
  return { root, priorBalanceDrops, feeDrops };
}

/**
 * Runs one transaction against a ledger being built. On tesSUCCESS or a tec that is taken, the changes go into the
 * ledger; in a ledger that is being closed every touched entry is threaded and the changes are described.
 * Signatures are not verified here (see `signatureProblem`), only whether their keys may act.
 */
export function applyTransaction(
  ledger: LedgerOverlay,
  tx: Transaction,
  rules: NetworkRules,
  options: ApplyOptions,
): Applied {
  try {
    return run(ledger, tx, rules, options);
  } catch {
    // As on the server, a transaction that breaks the engine (an amount out of range, say) is refused and changes nothing.
    return refused('tefEXCEPTION');
  }
}

/** No later pass can bring back what has expired, was killed, or broke an invariant. */
const NEVER_PUT_OFF: ReadonlySet<ResultName> = new Set(['tecEXPIRED', 'tecKILLED', 'tecINVARIANT_FAILED']);

function run(ledger: LedgerOverlay, tx: Transaction, rules: NetworkRules, options: ApplyOptions): Applied {
  const { fields } = tx;
  const type = enabledType(fields, rules);
  if (!type) return refused('temDISABLED');
  const early = preflight(type, fields, rules, options.inBatch);
  if (!isSuccess(early)) return refused(early);
  let result = preclaim(ledger, type, fields, rules, options);
  if (!isSuccess(result) && (!isTec(result) || options.refuseTec)) return refused(result);

  const view = new TransactionView(ledger);
  let deliveredAmount: Amount | undefined;
  const unfitOffers: string[] = [];
  let charged = chargeSender(view, tx);
  if (isSuccess(result)) {
    if (charged.root.AccountTxnID !== undefined) charged.root.AccountTxnID = tx.hash;
    result = type.apply({
      view,
      fields,
      rules,
      account: charged.root,
      priorBalanceDrops: charged.priorBalanceDrops,
      signedByMaster: signedByMaster(fields),
      deliver: (amount) => {
        deliveredAmount = amount;
      },
      removeThoughKilled: (offers) => {
        unfitOffers.push(...offers);
      },
    });
    if (isSuccess(result) && movesFrozenMoney(view)) result = 'tecINVARIANT_FAILED';
    if (!isSuccess(result)) {
      const isPutOff = options.refuseTec && (options.open || !NEVER_PUT_OFF.has(result));
      if (!isTec(result) || isPutOff) return refused(result);
      const expired = result === 'tecEXPIRED' ? removedCredentials(view) : [];
      view.reset();
      deliveredAmount = undefined;
      charged = chargeSender(view, tx);
      for (const index of expired) deleteCredential(view, index);
      if (result === 'tecKILLED') for (const index of unfitOffers.slice(0, MOST_UNFIT_OFFERS)) removeOffer(view, index);
    }
  }
  const affectedNodes = options.open ? [] : describeChanges(view, tx.hash);
  if (!options.dryRun) {
    view.commit();
    ledger.burnedDrops += charged.feeDrops;
  }
  return { result, applied: true, affectedNodes, deliveredAmount };
}
