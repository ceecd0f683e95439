import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Wallet } from 'xrpl';

const TRANCHE = path.resolve(import.meta.dirname, '../../../lib/cli/tranche.cjs');

/** One run without any settings, elsewhere than in the project's folder. */
const run = (...args: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'test' as const,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    };
    execFile(process.execPath, [TRANCHE, ...args], { cwd: '/', env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

test('every command, and every benchmark and campaign, shows its own help and does nothing', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]+)(?: \[|\s{2,})/gm)].map(([, name = '']) => [name]);
  expect(commands.flat()).toEqual(
    expect.arrayContaining([
      'sandbox',
      'doctor',
      'migrate',
      'setup',
      'admin-token',
      'verify',
      'key',
      'bench',
      'faults',
    ]),
  );
  const parts = ['system', 'payouts', 'webhooks'].map((part) => ['faults', part]);
  for (const command of [...commands, ...parts, ['bench', 'webhooks']]) {
    const help = await run(...command, '--help');
    expect({ command, code: help.code, stderr: help.stderr }).toEqual({ command, code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: npx tranche [\s\S]*\n {2}-h, --help/);
  }
});

test('what is not understood ends with 2, says why, and quotes no seed', async () => {
  for (const [args, reason] of [
    [['docter'], "unknown command 'docter'"],
    [['doctor', '--jsn'], "unknown option '--jsn'"],
    [['verify'], "required option '--base-url <url>' not specified"],
    [['verify', '--base-url', 'x', '--project', 'y', '--ledger', 'z', '--as-of', 'soon'], 'Give a ledger index'],
    [['key', '--base-url', 'x', '--seed-file', 'y', '--algorithm', 'rsa'], 'Allowed choices are ed25519, secp256k1'],
    [['faults', 'everything'], 'choose from system, payouts, webhooks'],
  ] as const) {
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  }
  const { seed = '' } = Wallet.generate();
  for (const args of [['key', seed], ['doctor', `--settings=${seed}`], [seed]]) {
    const refused = await run(...args);
    expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('contains a seed') });
    expect(refused.stderr).not.toContain(seed);
  }
});
