import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import type { Diagnosis } from '#lib/ops/doctor/examine.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('the doctor finds nothing wrong with the sandbox, by the settings that it leaves for it', async () => {
  const { ledger_rpc } = inject('sandbox').manifest;
  // Ledgers close on demand here, and a ledger that stands still is a fault.
  await fetch(String(ledger_rpc), { method: 'POST', body: JSON.stringify({ method: 'ledger_accept', params: [{}] }) });
  const args = ['lib/cli/tranche.cjs', 'doctor', '--settings', '.sandbox/settings.env', '--json'];
  // The command ends with 1 when there is a fault, and this throws then.
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { NODE_ENV: 'production', PATH: process.env.PATH },
  });
  const { findings } = JSON.parse(stdout) as Diagnosis;
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['database', 'migrations', 'redis', 'qstash signing keys', 'base url', 'scheduler secret']),
  );
});
