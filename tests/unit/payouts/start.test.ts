import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testEnv } from '../../support/env.ts';

const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
const REGULAR_SEED = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
const OTHER = 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94';

interface Started {
  ledgerLibrary: boolean;
  keyLibrary: boolean;
  log: Record<string, unknown>[];
}

/** What a process of its own has loaded and logged once Next's hook has run in it. */
async function start(SIGNING_KEYS: string): Promise<Started> {
  const program = fileURLToPath(new URL('./started.ts', import.meta.url));
  const env = { ...process.env, ...testEnv({ SIGNING_KEYS, LOG_LEVEL: 'info' }), NEXT_RUNTIME: 'nodejs' };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...lines.at(-1), log: lines.slice(0, -1) };
}

test('a process without signing keys starts with neither the ledger nor the key library', async () => {
  expect(await start('')).toEqual({ ledgerLibrary: false, keyLibrary: false, log: [] });
}, 30_000);

test('a process with signing keys names wrong ones and regular ones by account, and loads no ledger library', async () => {
  const entries = [`${GENESIS}=ed25519:${SEED}`, `${OTHER}=ed25519:${REGULAR_SEED}`];
  const started = await start(entries.join(','));
  expect(started).toMatchObject({
    ledgerLibrary: false,
    keyLibrary: true,
    log: [
      { level: 'error', account: GENESIS, fault: 'algorithm_differs' },
      { level: 'info', account: OTHER, regular_key: 'rG31cLyErnqeVj2eomEjBZtq7PYaupGYzL' },
    ],
  });
  expect(JSON.stringify(started)).not.toContain(SEED);
  expect(JSON.stringify(started)).not.toContain(REGULAR_SEED);
}, 30_000);

test('a process with settings that are not valid does not start, and names the setting, not its value', async () => {
  await expect(start(`${GENESIS}=${SEED}`)).rejects.toSatisfy(
    (error: Error & { stderr: string }) => error.stderr.includes('SIGNING_KEYS') && !error.stderr.includes(SEED),
  );
}, 30_000);
