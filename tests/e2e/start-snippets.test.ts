import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Wallet } from 'xrpl';
import { registerSecrets } from '#tests/support/secrets.ts';
import { startSnippets } from '../../app/(site)/developers/snippets.ts';

const { manifest } = inject('sandbox');
const SNIPPETS = startSnippets(manifest.base_url, Wallet.generate().classicAddress, manifest.receiver_url);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, wrong] = await Promise.all([text(child.stdout), text(child.stderr)]);
  registerSecrets(printed.trim());
  expect(wrong).toBe('');
  return printed.trim();
}

const LANGUAGES = [
  {
    tab: 'curl',
    file: 'start.sh',
    command: 'sh',
    args: ['start.sh'],
    isHere: has('curl', '-V') && has('jq', '--version'),
  },
  {
    tab: 'TypeScript',
    file: 'start.mts',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', 'start.mts'],
    isHere: true,
  },
  { tab: 'Python', file: 'start.py', command: 'python3', args: ['start.py'], isHere: has('python3', '--version') },
  { tab: 'Go', file: 'start.go', command: 'go', args: ['run', 'start.go'], isHere: has('go', 'version') },
];

test('there is a program in each language', () => {
  expect(SNIPPETS.map(({ tab }) => tab)).toEqual(LANGUAGES.map(({ tab }) => tab));
});

for (const { tab, file, command, args, isHere } of LANGUAGES) {
  test.skipIf(!isHere)(
    `the developers’ page’s program in ${tab} makes a key and a webhook and prints its secret`,
    async () => {
      const snippet = SNIPPETS.find((one) => one.tab === tab);
      await writeFile(path.join(folder, file), snippet?.text ?? '');
      expect(await run(command, args)).toMatch(/^whsec_/);
    },
  );
}
