import { z } from 'zod';
import type { Drops } from '#lib/base/money.ts';
import { readDrops } from './drops.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** What stands inside one of `AffectedNodes`, whether it was created, changed or deleted. */
function entryOf(node: unknown): Fields | null {
  if (!isFields(node)) return null;
  const entry = node.ModifiedNode ?? node.CreatedNode ?? node.DeletedNode;
  return isFields(entry) ? entry : null;
}

const fieldsBefore = z.record(z.string(), z.unknown()).default({});

/**
 * What a transaction did to an account's XRP, from its metadata; 0 when it left the balance alone. Only the account's own
 * node is looked into: a feed has hundreds of thousands of others. Throws ZodError when that one has another shape.
 */
export function balanceChange(nodes: readonly unknown[], account: string): Drops {
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
export function ownerOf(nodes: readonly unknown[], entryType: string): string | null {
  for (const node of nodes) {
    const entry = entryOf(node);
    if (entry?.LedgerEntryType !== entryType || !isFields(entry.FinalFields)) continue;
    if (typeof entry.FinalFields.Account === 'string') return entry.FinalFields.Account;
  }
  return null;
}
