import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec';

/** How one field is written: its type, its place in the canonical order, and its header bytes in hex. */
export type FieldSpec = {
  readonly name: string;
  readonly type: string;
  readonly ordinal: number;
  readonly headerHex: string;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

const known = new Map<string, FieldSpec | undefined>();

/** The field of that name; undefined for names that are never serialized (`hash`, `index`, `delivered_amount` …). */
export function fieldSpec(name: string): FieldSpec | undefined {
  if (known.has(name)) return known.get(name);
  let spec: FieldSpec | undefined;
  if (name in DEFAULT_DEFINITIONS.field) {
    const { type, ordinal, header, isSerialized } = DEFAULT_DEFINITIONS.field.fromString(name);
    if (isSerialized) spec = { name, type: type.name, ordinal, headerHex: hexOf(header) };
  }
  known.set(name, spec);
  return spec;
}

/** The numbers of names that are written as numbers: transaction types, entry types and results. */
export function numberOfName(field: string, name: string): number {
  if (field === 'TransactionType') return DEFAULT_DEFINITIONS.transactionType.from(name).ordinal;
  if (field === 'LedgerEntryType') return DEFAULT_DEFINITIONS.ledgerEntryType.from(name).ordinal;
  return DEFAULT_DEFINITIONS.transactionResult.from(name).ordinal;
}
