import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Edit {
  passage: string;
  by: string;
}

const edit = (passage: string, by: string): Edit => ({ passage, by });

/** Passages of the witness, and what takes their place: what each of them lets through must be found. */
export const PLANTED = {
  'any ticket': [edit('return first === ticket ? null : refuse(', 'return first !== null ? null : refuse(')],
  'ticket of another purpose': [
    edit('if (found.purpose !== id) {', 'if (found.purpose === null) {'),
    edit(
      'return first === ticket ? null : refuse(',
      'return first === ticket || found.purpose !== id ? null : refuse(',
    ),
  ],
  'open tickets not looked for': [
    edit('if (open !== undefined) return refuse(', 'if (open === 0) return refuse('),
    edit('return first === ticket ? null : refuse(', 'return account.openFor(id).at(-1) === ticket ? null : refuse('),
  ],
  'refunds never paid': [
    edit(
      'account.paid.set(id, hash);',
      "account.paid.set(id, hash); if (debt.kind === 'refund') account.paid.delete(id);",
    ),
  ],
  'tokens never paid': [
    edit(
      'account.paid.set(id, hash);',
      "account.paid.set(id, hash); if (debt.kind === 'distribution') account.paid.delete(id);",
    ),
  ],
  'held in other parts': [edit('if (part === 1 && heldDrops > 0n)', 'if (part <= 3 && heldDrops > 0n)')],
  'sent back and credited': [
    edit(
      'const wrongTicket = checkTicket(account, ticket ?? 0, {',
      'const wrongTicket = account.tickets.has(ticket ?? 0) ? null : checkTicket(account, ticket ?? 0, {',
    ),
  ],
  'one drop too many': [edit('return back(heldDrops, decidedAtMs);', 'return back(heldDrops + 1n, decidedAtMs);')],
  'no destination tag': [edit('destinationTag: row.source_tag,', 'destinationTag: null,')],
  'refund of a running sale': [
    edit(
      "if (final?.status !== 'cancelled' || target === undefined ||",
      'if (target === undefined || final === null ||',
    ),
    edit(
      'this.cancelledAt.get(target.projectId) ?? Number.POSITIVE_INFINITY',
      'this.cancelledAt.get(target.projectId) ?? 0',
    ),
  ],
  'no wait after a cancellation': [
    edit('if (asOf !== null && asOf.ledgerIndex < finalFrom) {', 'if (asOf !== null && finalFrom < 0) {'),
  ],
  'tokens of a cancelled sale': [
    edit("if (asOf !== null && final.status === 'cancelled') {", "if (asOf !== null && final.status === 'draft') {"),
  ],
  'what was distributed not counted': [
    edit(
      'const distributed = this.distributed.get(row.transaction_hash) ?? 0n;',
      'const distributed = 0n * (this.distributed.get(row.transaction_hash) ?? 0n);',
    ),
  ],
  'releases not counted': [
    edit(
      'return (this.releases.get(projectId) ?? []).reduce((sum, { amountDrops }) => sum + amountDrops, 0n);',
      'return this.releases.has(projectId) && projectId.length === 0 ? 1n : 0n;',
    ),
  ],
  'any release': [
    edit('if (released + amount > earned) {', 'if (released + amount < 0n) {'),
    edit('if (released >= earned) {', 'if (released < 0n) {'),
  ],
  'release before the end': [
    edit(
      "if (!runs || target.terms.distribution !== 'immediate') return 0n;",
      'if (!runs) return 0n; else return project.raisedDrops;',
    ),
  ],
  'earned with the first part': [
    edit(
      'const left = units - (this.distributed.get(row.transaction_hash) ?? 0n);',
      'const left = this.distributed.has(row.transaction_hash) ? 0n : units;',
    ),
  ],
  'before it is due': [edit('if (owed.dueAtMs > view.closedAtMs) {', 'if (owed.dueAtMs < 0) {')],
  'by its own clock': [edit('if (owed.dueAtMs > view.closedAtMs) {', 'if (owed.dueAtMs > Date.now()) {')],
  'any fee': [edit('if (feeDrops > limits.maxFeeDrops)', 'if (feeDrops < 0n)')],
  'fees of a day': [edit('if (fees + spent.feeDrops > feesOfDayDrops[pot]) {', 'if (fees < 0n) {')],
  'fees in flight not counted': [
    edit(
      'const fees = pending.reduce((sum, each) => (each.pot === pot ? sum + each.feeDrops : sum), account.feesOfDay[pot]);',
      'const fees = account.feesOfDay[pot];',
    ),
  ],
  'signed for too long': [edit('return last > latest ? refuse(', 'return last > latest + 4_000 ? refuse(')],
  'any launch': [
    edit('if (memo.terms_hash !== sale.hash) {', 'if (memo.terms_hash === undefined) {'),
    edit(
      "return without?.type === 'action_without_effect' ? refuse(",
      "return without?.type === 'action_without_effect' && memo.move !== 'launch' ? refuse(",
    ),
  ],
  'other terms launched': [
    edit(
      'const isOther = sale === undefined || (this.#counts(action) && action.termsHash !== sale.hash);',
      'const isOther = sale === undefined;',
    ),
  ],
  'unknown sale launched': [
    edit(
      'const isOther = sale === undefined || (this.#counts(action) && action.termsHash !== sale.hash);',
      'const isOther = sale !== undefined && this.#counts(action) && action.termsHash !== sale.hash;',
    ),
  ],
  'two sales with one tag': [edit('if (sharing.length < 2) continue;', 'if (sharing.length < 99) continue;')],
  'list that it lacks': [
    edit(
      'if (list !== null && !book.hasList(memo.project, list)) {',
      "if (list === '' && !book.hasList(memo.project, list)) {",
    ),
  ],
  'list in force not read': [
    edit(
      "if (status === 'active' && listHash !== null && !lists.has(listHash))",
      "if (status === 'draft' && listHash !== null && !lists.has(listHash))",
    ),
  ],
  'credential by one server': [
    edit('const differs = answers.some(', 'const differs = answers.length > 99 && answers.some('),
  ],
  'servers that disagree': [
    edit('if (cut.some((entries) => textOf(entries) !== textOf(first))) {', 'if (cut.length === 0) {'),
  ],
  'narrowed history': [
    edit('reached = Math.min(reached, answer.ledger_index_max);', 'reached = Math.min(reached, through);'),
  ],
  'history unexplained': [edit('else if (!this.#isBeforeLaunches(account, payment))', "else if (hash === '')")],
  'other signer list': [
    edit(
      'const [difference] = custody === null ? [] : custodyDifferences(custody, control);',
      'const [difference] = custody === null ? [] : custodyDifferences(custody, control).slice(99);',
    ),
  ],
  'signed by others': [edit('if (!isSigned) this.#unsigned', "if (!isSigned && hash === '') this.#unsigned")],
  'a way in kept': [
    edit('account.claims = root.ownsMore', 'account.claims = root.ownsMore && address.length === 0'),
    edit(
      'const control = root === null ? null : { ...root, claims: account.claims };',
      'const control = root === null ? null : { ...root, claims: [] };',
    ),
  ],
} as const satisfies Record<string, readonly Edit[]>;
export type Planted = keyof typeof PLANTED;

/** Set for a witness's process that is to have a fault. */
export const PLANT = 'WITNESS_PLANTED_FAULT';

const LIB = path.resolve(import.meta.dirname, '../../../lib');
/** What a witness runs of its own, and how it reads the ledger. */
const FILES = [...globSync('witness/*.ts', { cwd: LIB }), 'verifier/read-feed.ts'].map((file) => path.join(LIB, file));

/** By file, what takes whose place in it. Throws when a passage does not stand in just one place. */
export function placesOf(planted: Planted): Map<string, Edit[]> {
  const texts = FILES.map((file) => [file, readFileSync(file, 'utf8')] as const);
  const places = new Map<string, Edit[]>();
  for (const each of PLANTED[planted]) {
    const found = texts.flatMap(
      ([file, text]) => new Array(text.split(each.passage).length - 1).fill(file) as string[],
    );
    const [file] = found;
    if (file === undefined || found.length > 1) {
      throw new Error(`${planted}: ${found.length} places have the passage ${each.passage}`);
    }
    places.set(file, [...(places.get(file) ?? []), each]);
  }
  return places;
}

const planted = process.env[PLANT];
if (planted !== undefined) {
  const places = placesOf(planted as Planted);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const file = url.startsWith('file:') ? fileURLToPath(url) : '';
      const edits = places.get(file);
      if (edits === undefined) return loaded;
      const source = edits.reduce(
        (text, { passage, by }) => text.replace(passage, () => by),
        readFileSync(file, 'utf8'),
      );
      return { ...loaded, source };
    },
  });
}
