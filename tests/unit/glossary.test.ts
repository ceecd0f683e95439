import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The cells of each row: term, meaning, code, source. */
const ROWS = [...read('docs/glossary.md').matchAll(/^\| (?!term |---)(.+) \|$/gm)].map(([, row = '']) =>
  row.split(' | '),
);

test('the glossary has each term once, with its meaning, its place in the code and its source', () => {
  expect(ROWS.length).toBeGreaterThan(100);
  expect(ROWS.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  const terms = ROWS.map(([term = '']) => term.toLowerCase());
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});

test('the tables that the glossary names are tables of the schema', () => {
  const schema = readdirSync(new URL('../../drizzle/schema', import.meta.url)).map((file) =>
    read(`drizzle/schema/${file}`),
  );
  const named = ROWS.flatMap(([, , code = '']) => [...code.matchAll(/table `(\w+)`/g)].map(([, table]) => table));
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((table) => !schema.some((text) => text.includes(`'${table}'`)))).toEqual([]);
});
