import { isTypeEnabled } from '../amendments.ts';
import { isNegative, isPositive, isZero, parseDecimal, sameDecimal } from '../amount.ts';
import { isIssued, isMpt } from '../entries.ts';
import { isCommonField, isTransactionType } from '../formats.ts';
import { addressOfId, delegateIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { NetworkRules } from '../rules.ts';
import { type ReadView, read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { balanceFrom, findLine, limitOf, otherSide, sideOf } from './lines.ts';
import { TF_FULLY_CANONICAL_SIG, TF_INNER_BATCH } from './types.ts';

/** What an account may let another do is a transaction type by its name, or one of these parts of a type. */
type Granular = { readonly type: string; readonly flags: number; readonly fields: readonly string[] };

const DIRECT_PAYMENT = ['Destination', 'Amount', 'SendMax', 'InvoiceID', 'DestinationTag', 'CredentialIDs'];
const LOCK = ['MPTokenIssuanceID', 'Holder'];

const GRANULAR: ReadonlyMap<string, Granular> = new Map([
  ['TrustlineAuthorize', { type: 'TrustSet', flags: 0x00010000, fields: ['LimitAmount'] }],
  ['TrustlineFreeze', { type: 'TrustSet', flags: 0x00100000, fields: ['LimitAmount'] }],
  ['TrustlineUnfreeze', { type: 'TrustSet', flags: 0x00200000, fields: ['LimitAmount'] }],
  ['AccountDomainSet', { type: 'AccountSet', flags: 0, fields: ['Domain'] }],
  ['AccountEmailHashSet', { type: 'AccountSet', flags: 0, fields: ['EmailHash'] }],
  ['AccountMessageKeySet', { type: 'AccountSet', flags: 0, fields: ['MessageKey'] }],
  ['AccountTransferRateSet', { type: 'AccountSet', flags: 0, fields: ['TransferRate'] }],
  ['AccountTickSizeSet', { type: 'AccountSet', flags: 0, fields: ['TickSize'] }],
  ['PaymentMint', { type: 'Payment', flags: 0, fields: DIRECT_PAYMENT }],
  ['PaymentBurn', { type: 'Payment', flags: 0, fields: DIRECT_PAYMENT }],
  ['MPTokenIssuanceLock', { type: 'MPTokenIssuanceSet', flags: 0x00000001, fields: LOCK }],
  ['MPTokenIssuanceUnlock', { type: 'MPTokenIssuanceSet', flags: 0x00000002, fields: LOCK }],
]);
const TYPES_WITH_PARTS: ReadonlySet<string> = new Set([...GRANULAR.values()].map(({ type }) => type));

/** Who could do these could take the account over, or they are another's way to do so. */
const NEVER_DELEGATED =
  /^(?:AccountDelete|AccountSet|Batch|DelegateSet|EnableAmendment|Loan\w*|SetFee|SetRegularKey|SignerListSet|UNLModify|Vault\w*)$/;

function isDelegableType(type: string, rules: NetworkRules): boolean {
  return isTransactionType(type) && isTypeEnabled(type, rules.amendments) && !NEVER_DELEGATED.test(type);
}

/** Whether an account may grant another a permission of that name. */
export function isDelegable(permission: string, rules: NetworkRules): boolean {
  const part = GRANULAR.get(permission);
  return part ? isTypeEnabled(part.type, rules.amendments) : isDelegableType(permission, rules);
}

/** Whether a transaction can be another's to send at all. */
export function checkDelegate(fields: TransactionFields, rules: NetworkRules): ResultName {
  if (!rules.amendments.has('PermissionDelegationV1_1')) return 'temDISABLED';
  if (fields.Delegate === fields.Account) return 'temBAD_SIGNER';
  const delegable = isDelegableType(fields.TransactionType, rules) || TYPES_WITH_PARTS.has(fields.TransactionType);
  return delegable ? 'tesSUCCESS' : 'temINVALID';
}

/** Whether flags and fields all belong to one of the parts that are granted. */
function fits(fields: TransactionFields, parts: readonly Granular[]): boolean {
  const flags = parts.reduce((sum, part) => sum | part.flags, TF_FULLY_CANONICAL_SIG | TF_INNER_BATCH);
  if (((fields.Flags ?? 0) & ~flags) !== 0) return false;
  return Object.keys(fields).every((name) => isCommonField(name) || parts.some((part) => part.fields.includes(name)));
}

/** Parts of TrustSet reach lines that are there, and leave the account's own limit alone. */
function mayChangeLine(view: ReadView, { Account: owner, LimitAmount: limit }: TransactionFields): boolean {
  if (limit === undefined || !isIssued(limit)) return false;
  const line = findLine(view, owner, limit.issuer, limit.currency);
  return line !== undefined && sameDecimal(limitOf(line, sideOf(line, owner)), parseDecimal(limit.value));
}

/** Parts of Payment issue to a holder, or pay back to the issuer, directly. */
function mayPay(view: ReadView, fields: TransactionFields, granted: ReadonlySet<string>): boolean {
  const { Account: payer, Destination: receiver = '', Amount: amount = '0', SendMax: sendMax } = fields;
  if (isMpt(amount)) {
    if (sendMax !== undefined && !(isMpt(sendMax) && sendMax.mpt_issuance_id === amount.mpt_issuance_id)) return false;
    const issuer = addressOfId(amount.mpt_issuance_id.slice(8));
    return (granted.has('PaymentMint') && issuer === payer) || (granted.has('PaymentBurn') && issuer === receiver);
  }
  if (!isIssued(amount) || (amount.issuer !== payer && amount.issuer !== receiver)) return false;
  if (sendMax !== undefined) {
    const same = isIssued(sendMax) && sendMax.currency === amount.currency && sendMax.issuer === amount.issuer;
    if (!same) return false;
  }
  const line = findLine(view, payer, receiver, amount.currency);
  if (!line) return false;
  const own = sideOf(line, payer);
  const held = balanceFrom(line, own);
  const isHolder = !isZero(held) && !isNegative(held);
  if (granted.has('PaymentBurn') && isHolder) return true;
  return granted.has('PaymentMint') && !isHolder && isPositive(limitOf(line, otherSide(own)));
}

/** Whether the account has granted its delegate what this transaction does. */
export function checkPermission(view: ReadView, fields: TransactionFields): ResultName {
  const entry = read(view, 'Delegate', delegateIndex(fields.Account, fields.Delegate ?? ''));
  const names = entry?.Permissions.map(({ Permission: permission }) => permission.PermissionValue) ?? [];
  if (names.includes(fields.TransactionType)) return 'tesSUCCESS';
  const granted = names.filter((name) => GRANULAR.get(name)?.type === fields.TransactionType);
  if (granted.length === 0) return 'terNO_DELEGATE_PERMISSION';
  if (
    !fits(
      fields,
      granted.flatMap((name) => GRANULAR.get(name) ?? []),
    )
  )
    return 'terNO_DELEGATE_PERMISSION';
  if (fields.TransactionType === 'TrustSet' && !mayChangeLine(view, fields)) return 'terNO_DELEGATE_PERMISSION';
  const mayNotPay = fields.TransactionType === 'Payment' && !mayPay(view, fields, new Set(granted));
  return mayNotPay ? 'terNO_DELEGATE_PERMISSION' : 'tesSUCCESS';
}
