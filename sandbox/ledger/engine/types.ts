import type { AccountRoot, Amount } from '../entries.ts';
import type { ResultName } from '../results.ts';
import type { NetworkRules } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import type { TransactionView } from './view.ts';

/** What `preclaim` may look at: the ledger before the transaction. */
export type PreclaimContext = {
  readonly view: ReadView;
  readonly fields: TransactionFields;
  readonly rules: NetworkRules;
  /** Whether the transaction is tried against the open ledger (some `tel` results exist only there). */
  readonly open: boolean;
  /** Whether the account's own master key signed. */
  readonly signedByMaster: boolean;
};

/** What `apply` works on: the fee is paid and the sequence or ticket is used. */
export type ApplyContext = {
  readonly view: TransactionView;
  readonly fields: TransactionFields;
  readonly rules: NetworkRules;
  readonly account: AccountRoot;
  /** Balance before the fee: reserves are measured against it. */
  readonly priorBalanceDrops: bigint;
  readonly signedByMaster: boolean;
  /** Records what was delivered when it is not what Amount says. */
  readonly deliver: (amount: Amount) => void;
  /** Names offers that are removed even if the transaction ends with tecKILLED: they were found unfit to be met. */
  readonly removeThoughKilled: (offers: Iterable<string>) => void;
};

/** One transaction type. Checks run in this order; the first that is not tesSUCCESS ends them. */
export type TransactionType = {
  /** Flags it knows, besides the universal ones. */
  readonly flags: number;
  /** Its own cost where it is not the base fee; each signer adds a base fee to it. */
  readonly baseFeeDrops?: (rules: NetworkRules, fields: TransactionFields, view: ReadView) => bigint;
  /** Its whole cost, where signers add nothing; undefined where they do. */
  readonly wholeCostDrops?: (
    rules: NetworkRules,
    fields: TransactionFields,
    view: ReadView,
    costOf: (inner: TransactionFields) => bigint,
  ) => bigint | undefined;
  /** Whether the fields make sense by themselves: tem results. */
  readonly preflight?: (
    fields: TransactionFields,
    rules: NetworkRules,
    preflightInner: (inner: TransactionFields) => ResultName,
  ) => ResultName;
  /** Whether those who signed besides the sender may: ter and tef results. */
  readonly checkSigners?: (view: ReadView, fields: TransactionFields) => ResultName;
  /** Whether the ledger allows it: ter, tef and tec results. */
  readonly preclaim?: (context: PreclaimContext) => ResultName;
  readonly apply: (context: ApplyContext) => ResultName;
};

export const TF_FULLY_CANONICAL_SIG = 0x80000000;
/** Of a transaction inside a Batch. */
export const TF_INNER_BATCH = 0x40000000;
export const TF_PARTIAL_PAYMENT = 0x00020000;
export const TF_LIMIT_QUALITY = 0x00040000;

export function hasFlag(fields: TransactionFields, flag: number): boolean {
  return ((fields.Flags ?? 0) & flag) !== 0;
}
