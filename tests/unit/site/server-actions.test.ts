import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const APP = path.resolve(import.meta.dirname, '../../../app');
const files = globSync('**/*.{ts,tsx}', { cwd: APP })
  .map((file) => [file, readFileSync(path.join(APP, file), 'utf8')] as const)
  .filter(([, text]) => text.includes("'use server'"));

test('every file of server actions says when one has begun: else a failure of ours would be answered as the client’s', () => {
  expect(files.length).toBeGreaterThan(5);
  // `act` says so for those that do what an operation of the interface does.
  expect(files.filter(([, text]) => !/\b(?:act|beginAction)\(/.test(text)).map(([file]) => file)).toEqual([]);
});
