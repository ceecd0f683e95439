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

/** A process of its own, on a machine that may be busy. */
const SPAWN_TIMEOUT_MS = 60_000;

const COMMANDS = [
  ...['doctor', 'migrate', 'setup', 'admin-token', 'reencrypt-webhooks'],
  ...['verify', 'key'],
  ...['sandbox', 'bench', 'load', 'faults', 'fuzz', 'conformance', 'generate'],
];

test('--help names every command', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  expect([...stdout.matchAll(/^ {2}([a-z][a-z-]+)(?: \[|\s{2,})/gm)].map(([, name]) => name)).toEqual(COMMANDS);
});

// The others of the repository's programs load as much as the campaigns do before they show theirs.
test.each(COMMANDS.filter((command) => command !== 'load' && command !== 'fuzz'))(
  '%s --help shows its own help and does nothing',
  async (command) => {
    const { code, stdout, stderr } = await run(...command.split(' '), '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx tranche [\s\S]*\n {2}-h, --help/);
  },
  SPAWN_TIMEOUT_MS,
);

test(
  'what is not understood ends with 2, says why, and quotes no seed',
  async () => {
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
  },
  SPAWN_TIMEOUT_MS,
);
