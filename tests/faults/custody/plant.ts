import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Passages of the witness, and what takes their place: what each of them lets through must be found. */
export const PLANTED = {
  'any ticket': {
    file: 'decide.ts',
    passage: 'return first === ticket ? null : refuse(',
    by: 'return first !== null ? null : refuse(',
  },
  'ticket of another purpose': {
    file: 'decide.ts',
    passage: 'if (found.purpose !== id) {',
    by: 'if (found.purpose === null) {',
  },
  'no wait after a cancellation': {
    file: 'deposit-book.ts',
    passage: 'if (asOf !== null && asOf.ledgerIndex < finalFrom) {',
    by: 'if (asOf !== null && finalFrom < 0) {',
  },
  'tokens of a cancelled sale': {
    file: 'deposit-book.ts',
    passage: "if (asOf !== null && final.status === 'cancelled') {",
    by: "if (asOf !== null && final.status === 'draft') {",
  },
  'never paid': {
    file: 'derive.ts',
    passage: 'account.paid.set(id, hash);',
    by: "account.paid.set(id, hash); if (debt.kind === 'refund') account.paid.delete(id);",
  },
  'releases not counted': {
    file: 'deposit-book.ts',
    passage: 'return (this.releases.get(projectId) ?? []).reduce((sum, { amountDrops }) => sum + amountDrops, 0n);',
    by: 'return this.releases.has(projectId) && projectId.length === 0 ? 1n : 0n;',
  },
  'any launch': {
    file: 'decide.ts',
    passage: 'if (memo.terms_hash !== sale.hash) {',
    by: 'if (memo.terms_hash === undefined) {',
  },
  'sent back and credited': {
    file: 'decide.ts',
    passage: 'const wrongTicket = checkTicket(account, ticket ?? 0, {',
    by: 'const wrongTicket = account.tickets.has(ticket ?? 0) ? null : checkTicket(account, ticket ?? 0, {',
  },
} as const satisfies Record<string, { file: string; passage: string; by: string }>;
export type Planted = keyof typeof PLANTED;

/** Set for a witness's process that is to have a fault. */
export const PLANT = 'WITNESS_PLANTED_FAULT';

const WITNESS = path.resolve(import.meta.dirname, '../../../lib/witness');

const planted = process.env[PLANT];
if (planted !== undefined) {
  const { file, passage, by } = PLANTED[planted as Planted];
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith('file:') || fileURLToPath(url) !== path.join(WITNESS, file)) return loaded;
      const parts = readFileSync(fileURLToPath(url), 'utf8').split(passage);
      if (parts.length !== 2) throw new Error(`${file} has the passage ${parts.length - 1} times: ${passage}`);
      return { ...loaded, source: parts.join(by) };
    },
  });
}
