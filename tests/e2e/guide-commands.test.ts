import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Wallet } from 'xrpl';
import { registerSecrets } from '#tests/support/secrets.ts';

const { manifest } = inject('sandbox');
const { accounts } = manifest;
if (accounts === null) throw new Error('The sandbox made no accounts');

const ROOT = path.resolve(import.meta.dirname, '../..');
const SHELL = ['bash', 'curl', 'jq'];
/** Holds nothing: what is made for it changes nothing that other suites count on. */
const STRANGER = Wallet.generate().classicAddress;
const isHere = SHELL.every((command) => spawnSync(command, ['--version']).status === 0);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-guides-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const guide = (name: string): Promise<string> => readFile(path.join(ROOT, 'docs', `${name}.md`), 'utf8');

/** The blocks of a guide in a language that hold a text. */
async function blocks(name: string, language: string, holding: string): Promise<string[]> {
  const all = [...(await guide(name)).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  return all.map(([, block = '']) => block).filter((block) => block.includes(holding));
}

const SETTINGS: Record<string, string> = {
  BASE_URL: manifest.base_url,
  ADMIN_TOKEN: manifest.admin_token,
  CRON_SECRET: manifest.cron_secret,
  ACCOUNT: accounts.deposit.address,
};

/** What a block of commands prints, with this sandbox's values in place of `r…` and `proj_…`. */
async function run(block: string, project = 'proj_…'): Promise<string> {
  const script = block.replaceAll('"r…"', `"${STRANGER}"`).replaceAll('proj_…', project);
  const env = { ...process.env, ...SETTINGS };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, wrong] = await Promise.all([text(child.stdout), text(child.stderr)]);
  for (const [key] of printed.matchAll(/tr_(?:live|test)_\w+/g)) registerSecrets(key);
  expect(wrong.replaceAll(/^curl:.*\n?/gm, '')).toBe('');
  return printed;
}

describe.skipIf(!isHere)('the commands of the guides', { timeout: 120_000 }, () => {
  let project: string;

  test('create and launch the first sale of a deployment', async () => {
    const [terms = ''] = await blocks('deploying', 'json', '"First sale"');
    const roles = { issuer: accounts.issuer, distributor: accounts.distributor, deposit_address: accounts.deposit };
    let sale = terms.replace('"treasury": "r…"', `"treasury": "${accounts.issuer.address}"`);
    for (const [field, { address }] of Object.entries(roles))
      sale = sale.replace(`"${field}": "r…"`, `"${field}": "${address}"`);
    await writeFile(path.join(folder, 'sale.json'), sale);
    const [launch = ''] = await blocks('deploying', 'sh', '@sale.json');
    const printed = await run(launch);
    project = /proj_\w+/.exec(printed)?.[0] ?? '';
    expect(project).not.toBe('');
    expect(printed).toContain('"action": "launch"');
    expect(printed).toContain('"terms_hash"');
  });

  test('halt and resume a deposit account', async () => {
    const [halt = ''] = await blocks('runbook', 'sh', '/halt');
    const printed = await run(halt);
    expect(printed).toContain('"halted":true');
    expect(printed).toContain('"halted":false');
  });

  test.each([
    ['access', 'api-keys/create', '"api_key"'],
    ['assistant', 'ai-agent/chat', '"conversation_id"'],
    ['holders', 'sync-holders', '"sync_id"'],
    ['holders', 'holder-stats', '"holders"'],
    ['platform-id', 'platform-id/generate', '"not_eligible"'],
    ['platform-id', 'from-platform-ids', '"dry_run"'],
  ])('%s: %s answers as the guide says', async (name, holding, answer) => {
    const found = (await blocks(name, 'sh', holding)).filter((block) => block.includes('curl'));
    expect(found).not.toEqual([]);
    for (const block of found) expect(await run(block, project)).toContain(answer);
  });
});
