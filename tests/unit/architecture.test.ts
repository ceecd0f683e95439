import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');

const sourcesIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'));

test('each table of the schema has exactly one owner on the architecture page', () => {
  const owners = page.slice(page.indexOf('## Tables and their owners'), page.indexOf('## Rules that hold everywhere'));
  const rows = owners.split('\n').filter((line) => line.startsWith('| `lib/'));
  const owned = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+)`/g)].map(([, table]) => table));
  const tables = sourcesIn('drizzle/schema').flatMap((source) =>
    [...source.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table]) => table),
  );
  expect(owned.sort()).toEqual(tables.sort());
});

test('each function on the ways through the architecture is exported', () => {
  const sources = sourcesIn('lib');
  const named = new Set([...page.matchAll(/`(\w+)\(\)`/g)].map(([, name]) => name));
  expect(named.size).toBeGreaterThan(15);
  const missing = [...named].filter(
    (name) => !sources.some((source) => new RegExp(`export (?:async )?(?:function|const) ${name}\\b`).test(source)),
  );
  expect(missing).toEqual([]);
});
