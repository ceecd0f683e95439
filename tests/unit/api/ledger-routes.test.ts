import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { reachableFiles } from '#tests/support/reachable-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Takes the ledger out of a ctx. */
const ASKS =
  /\bctx\.ledger\b|\{[^{}]*\bledger\b[^{}]*\}\s*(?::\s*(?:Pick<)?Ctx\b|=\s*ctx\b)|Pick<Ctx,[^>]*'ledger'|\bledgersApart\(/;
/** Hand it on to who asks. */
const PASSES_ON = ['lib/assistant/reading-ctx.ts'];
const asksLedger = (file: string): boolean =>
  file.startsWith('lib/') &&
  !file.startsWith('lib/api/') &&
  !PASSES_ON.includes(file) &&
  ASKS.test(readFileSync(path.join(ROOT, file), 'utf8'));

const routes = globSync('app/api/**/route.ts', { cwd: ROOT }).map((route) => {
  const files = reachableFiles(route);
  return { route, asks: files.filter(asksLedger), isBound: files.includes('lib/xrpl/lazy.ts') };
});

test('every route whose verbs may ask the ledger is bound to it', () => {
  expect(routes.filter(({ asks, isBound }) => asks.length > 0 && !isBound)).toEqual([]);
  expect(routes.filter(({ isBound }) => isBound).length).toBeGreaterThan(10);
});

test('no route is bound to a ledger that nothing in it asks', () => {
  expect(routes.filter(({ asks, isBound }) => asks.length === 0 && isBound).map(({ route }) => route)).toEqual([]);
});
