import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { differences } from '#sandbox/conformance/compare.ts';

const project = resolve(import.meta.dirname, '../../..');

async function run(...flags: string[]) {
  const main = join(project, 'sandbox/conformance/main.ts');
  return promisify(execFile)(process.execPath, [main, ...flags], { cwd: project }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test('the sandbox ledger answers as the recorded server did', async () => {
  const { code, stdout } = await run();
  expect(stdout).toMatch(/^matched \d+ of \d+ compared, \d+ not compared$/m);
  expect(code, stdout).toBe(0);
});

test('without recordings it says what is missing and ends with 2', async () => {
  expect(await run('--recordings', '/no/such/folder')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('/no/such/folder'),
  });
});

test('keys, types and values must be the same, but for the values that no two runs share', () => {
  const real = { a: 1, list: ['x', { hash: 'A'.repeat(64) }] };
  const hash = '.list[1].hash';
  expect(differences(real, { a: 1, list: ['x', { hash: 'B'.repeat(64) }] }, new Set([hash]))).toEqual([]);
  expect(differences(real, { a: '1', list: ['x', { hash: 'short' }] }, new Set([hash]))).toEqual([
    { path: '.a', real: 1, here: '1' },
    { path: hash, real: 'A'.repeat(64), here: 'short' },
  ]);
  expect(differences(real, { list: [], more: true }, new Set())).toEqual([
    { path: '.a', real: 1, here: undefined },
    { path: '.list', real: '2 items', here: '0 items' },
    { path: '.more', real: undefined, here: true },
  ]);
});
