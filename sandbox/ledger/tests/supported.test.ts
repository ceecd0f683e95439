import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec';
import { expect, test } from 'vitest';
import { TRANSACTION_TYPES } from '../engine/registry.ts';
import { METHODS } from '../rpc/methods.ts';

const readme = readFileSync(path.resolve(import.meta.dirname, '../README.md'), 'utf8');

/** The names in the first column of the table that begins with that heading, sorted. */
function listed(heading: string): string[] {
  const [, rows = ''] = readme.split(`\n| ${heading}`)[1]?.match(/^[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/) ?? [];
  return rows
    .split('\n')
    .flatMap((row) => row.split('|')[1]?.split(',') ?? [])
    .map((name) => name.replaceAll('`', '').trim())
    .filter((name) => name !== '')
    .toSorted();
}

/** Made by validators; nobody submits them. */
const PSEUDO = new Set(['EnableAmendment', 'SetFee', 'UNLModify', 'Invalid', 'ordinalWidth']);

test('the README names every transaction type that is supported, and every one that is not', () => {
  const supported = Object.keys(TRANSACTION_TYPES);
  // The codec lists every type by its number, too.
  const others = Object.keys(DEFAULT_DEFINITIONS.transactionType).filter(
    (name) => /^[A-Z]/.test(name) && !PSEUDO.has(name) && !supported.includes(name),
  );
  expect(listed('Transactions')).toEqual(supported.toSorted());
  expect(listed('Not supported')).toEqual(others.toSorted());
});

test('the README names every command that is there', () => {
  expect(listed('Commands')).toEqual([...METHODS.keys()].toSorted());
});
