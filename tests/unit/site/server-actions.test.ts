import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const APP = path.resolve(import.meta.dirname, '../../../app');
const files = globSync('**/*.{ts,tsx}', { cwd: APP })
  .map((file) => [file, readFileSync(path.join(APP, file), 'utf8')] as const)
  .filter(([, text]) => text.includes("'use server'"));

const BEGINS = /\b(?:act|actAt|beginAction)\(/;
/** What both consoles share of their forms stands beside the actions. */
const SHARED = /import \* as forms from '(.+)'/;

function begins([file, text]: readonly [string, string]): boolean {
  const shared = SHARED.exec(text)?.[1];
  return (
    BEGINS.test(text) || (shared !== undefined && BEGINS.test(readFileSync(path.join(APP, file, '..', shared), 'utf8')))
  );
}

test('every file of server actions says when one has begun: else a failure of ours would be answered as the client’s', () => {
  expect(files.length).toBeGreaterThan(5);
  // `act` says so for those that do what an operation of the interface does.
  expect(files.filter((file) => !begins(file)).map(([file]) => file)).toEqual([]);
});
