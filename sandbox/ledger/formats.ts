import { createRequire } from 'node:module';
import { isObject, type Json, type JsonObject } from './json.ts';

/** How a format names a field: it must stand there, may stand there, or may but never with its default value. */
type Presence = 'required' | 'optional' | 'default';
/** The fields of one transaction type or of one object inside a transaction; any other field is refused. */
type Format = { readonly fields: ReadonlyMap<string, Presence>; readonly requiredCount: number };
type Published = {
  readonly TRANSACTION_FORMATS: Record<string, readonly { readonly name: string; readonly optionality: number }[]>;
  readonly TRANSACTION_TYPES: Record<string, number>;
};

const PRESENCES: readonly Presence[] = ['required', 'optional', 'default'];

// The codec package exports its tables only in a form of its own; the file is the one that servers publish.
const published: Published = createRequire(import.meta.url)('ripple-binary-codec/dist/enums/definitions.json');

/** Fields and types that the codec knows of later releases than the one the sandbox answers as. */
const LATER_FIELDS = new Set([
  'AmountCommitment',
  'AuditorEncryptedAmount',
  'AuditorEncryptedBalance',
  'AuditorEncryptionKey',
  'AuditorKeyEpoch',
  'AuditorKeyMirrorEpoch',
  'BalanceCommitment',
  'BlindingFactor',
  'ConfidentialBalanceInbox',
  'ConfidentialBalanceSpending',
  'ConfidentialBalanceVersion',
  'ConfidentialOutstandingAmount',
  'ContractResult',
  'CounterpartySponsor',
  'DestinationEncryptedAmount',
  'FeeAmount',
  'FeeAmountDelta',
  'HighSponsor',
  'HolderEncryptedAmount',
  'HolderEncryptionKey',
  'IssuerEncryptedAmount',
  'IssuerEncryptedBalance',
  'IssuerEncryptionKey',
  'IssuerKeyEpoch',
  'IssuerKeyMirrorEpoch',
  'LEVersion',
  'LowSponsor',
  'MaxFee',
  'ObjectID',
  'RedemptionDate',
  'RemainingOwnerCount',
  'RemainingOwnerCountDelta',
  'SenderEncryptedAmount',
  'Sponsee',
  'SponseeNode',
  'Sponsor',
  'SponsorFlags',
  'SponsorSignature',
  'SponsoredOwnerCount',
  'SponsoringAccountCount',
  'SponsoringOwnerCount',
  'SubscriptionDate',
  'VaultKind',
  'ZKProof',
]);
const LATER_TYPES = /^(?:ConfidentialMPT|Sponsorship)/;

function format(entries: Iterable<readonly [string, Presence]>): Format {
  const fields = new Map(entries);
  return { fields, requiredCount: [...fields.values()].filter((presence) => presence === 'required').length };
}

function publishedFields(name: string): (readonly [string, Presence])[] {
  return (published.TRANSACTION_FORMATS[name] ?? [])
    .filter((field) => !LATER_FIELDS.has(field.name))
    .map((field) => [field.name, PRESENCES[field.optionality] ?? 'optional'] as const);
}

const COMMON = publishedFields('common');

/** A type's own fields come before those that every transaction has: in that order missing ones are reported. */
const TRANSACTIONS = new Map<string, Format>(
  Object.keys(published.TRANSACTION_FORMATS)
    .filter((name) => name !== 'common' && !LATER_TYPES.test(name))
    .map((name) => [name, format([...publishedFields(name), ...COMMON])]),
);

const COMMON_NAMES: ReadonlySet<string> = new Set(COMMON.map(([name]) => name));

/** Whether every transaction may have a field of that name. */
export const isCommonField = (name: string): boolean => COMMON_NAMES.has(name);

/** Whether there is a transaction type of that name in the release the sandbox answers as. */
export const isTransactionType = (name: string): boolean => TRANSACTIONS.has(name);

/** The numbers under which transactions name their type. */
export const TYPE_NUMBERS: ReadonlySet<number> = new Set(Object.values(published.TRANSACTION_TYPES));

/** The objects that transactions hold; servers do not publish these formats. */
const INNER = new Map<string, Format>(
  (
    [
      ['AuthAccount', ['Account'], []],
      ['BatchSigner', ['Account'], ['SigningPubKey', 'TxnSignature', 'Signers']],
      ['CounterpartySignature', [], ['SigningPubKey', 'TxnSignature', 'Signers']],
      ['Credential', ['Issuer', 'CredentialType'], []],
      ['Permission', ['PermissionValue'], []],
      ['PriceData', ['BaseAsset', 'QuoteAsset'], ['AssetPrice'], ['Scale']],
      ['Signer', ['Account', 'SigningPubKey', 'TxnSignature'], []],
      ['SignerEntry', ['Account', 'SignerWeight'], ['WalletLocator']],
    ] as const
  ).map(([name, required, optional, byDefault = []]) => [
    name,
    format([
      ...required.map((field) => [field, 'required'] as const),
      ...optional.map((field) => [field, 'optional'] as const),
      ...byDefault.map((field) => [field, 'default'] as const),
    ]),
  ]),
);

/** Zero and lists of nothing are what a field is taken for where it is left out. */
const isDefault = (value: Json | undefined): boolean => value === 0 || (Array.isArray(value) && value.length === 0);

/** What is wrong with the fields that a format names, the first in the format's order. */
function wrongField(object: JsonObject, { fields }: Format): string | undefined {
  for (const [name, presence] of fields) {
    const value = object[name];
    if (presence === 'required' && value === undefined) return `Field '${name}' is required but missing.`;
    if (presence === 'default' && isDefault(value)) return `Field '${name}' may not be explicitly set to default.`;
  }
  return undefined;
}

function mismatch(object: JsonObject, format: Format): string | undefined {
  let missing = format.requiredCount;
  let foreign: string | undefined;
  let hasDefault = false;
  for (const name in object) {
    const presence = format.fields.get(name);
    if (presence === 'required') missing -= 1;
    else if (presence === 'default') hasDefault ||= isDefault(object[name]);
    else if (presence === undefined) {
      if (LATER_FIELDS.has(name)) return 'Unknown field';
      foreign ??= name;
    }
  }
  if (missing > 0 || hasDefault) return wrongField(object, format);
  return foreign === undefined ? undefined : `Field '${foreign}' found in disallowed location.`;
}

/** What the items of a list are called, where the engine reads them. */
const ITEMS = new Map([
  ['AcceptedCredentials', 'Credential'],
  ['AuthorizeCredentials', 'Credential'],
  ['BatchSigners', 'BatchSigner'],
  ['Permissions', 'Permission'],
  ['PriceDataSeries', 'PriceData'],
  ['RawTransactions', 'RawTransaction'],
  ['SignerEntries', 'SignerEntry'],
  ['Signers', 'Signer'],
  ['UnauthorizeCredentials', 'Credential'],
]);

/** An item of a list that is called as none of that list is. */
function foreignItem(object: JsonObject): string | undefined {
  for (const name in object) {
    const list = object[name];
    const wanted = Array.isArray(list) ? ITEMS.get(name) : undefined;
    if (wanted === undefined || !Array.isArray(list)) continue;
    const foreign = list.find((item: Json) => !isObject(item) || item[wanted] === undefined);
    if (foreign !== undefined) return `Field '${Object.keys(Object(foreign))[0]}' found in disallowed location.`;
  }
  return undefined;
}

/** Inner objects are read, and refused, before the transaction that holds them. */
function innerMismatch(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isObject(item)) continue;
    for (const name in item) {
      const inner = item[name];
      if (!isObject(inner)) continue;
      const known = INNER.get(name);
      const problem = insideMismatch(inner) ?? (known && mismatch(inner, known));
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function insideMismatch(object: JsonObject): string | undefined {
  const foreign = foreignItem(object);
  if (foreign !== undefined) return foreign;
  for (const name in object) {
    const problem = innerMismatch(object[name]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Why an object inside a transaction has not the fields that objects of its name have; undefined when it has. */
export function innerProblem(name: string, object: JsonObject): string | undefined {
  const known = INNER.get(name);
  return known && mismatch(object, known);
}

/** Why a transaction of a type the server knows has not that type's fields, in the server's words. */
export function formatProblem(transaction: JsonObject): string | undefined {
  const type = transaction.TransactionType;
  if (typeof type !== 'string') return 'Field not found: TransactionType';
  const inside = insideMismatch(transaction);
  if (inside !== undefined) return inside;
  const known = TRANSACTIONS.get(type);
  return known ? mismatch(transaction, known) : `Invalid transaction type ${published.TRANSACTION_TYPES[type]}`;
}
