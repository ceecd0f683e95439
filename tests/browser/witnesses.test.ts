import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningSandbox } from '#tests/support/sandbox.ts';
import { startSandbox } from '#tests/support/sandbox.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { openBrowserWithWallet, untilAlive, visit, WAIT_MS } from './browser.ts';

// A sandbox of its own, with witnesses as `npm run sandbox` has them: those of other files have one key for each account.
const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let sandbox: RunningSandbox;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  sandbox = await startSandbox(['--no-crowd', '--witnesses', '3', '--ledger-interval', '1000']);
  registerSecrets(sandbox.manifest.admin_token);
  context = await openBrowserWithWallet();
  page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
}, 600_000);
afterAll(async () => {
  await context?.close();
  await sandbox?.stop();
});

/** What the operator of a witness types, as docs/sandbox.md says. */
async function witness(command: 'halt' | 'resume', name: string): Promise<void> {
  const folder = `.sandbox/witnesses/${new URL(sandbox.manifest.base_url).port}/${name}`;
  const reason = command === 'halt' ? ['--reason', 'to see what happens'] : [];
  const args = ['lib/cli/tranche.cjs', 'witness', command, '--config', `${folder}/witness.json`, ...reason];
  await run(process.execPath, args, { cwd: ROOT });
}

/** Buys 250 tokens of the demo sale with the sandbox's wallet, up to what follows on the page. */
async function buy(): Promise<void> {
  const { base_url: base, project } = sandbox.manifest;
  await visit(page, `${base}/sales/${project?.id}?amount=25#answer`);
  await page.getByRole('button', { name: 'Pay with a browser wallet' }).click();
  await page.getByRole('button', { name: 'Connect GemWallet', exact: true }).click({ timeout: WAIT_MS });
  const trust = page.getByRole('button', { name: 'Sign it', exact: true });
  const payment = page.getByRole('button', { name: 'Sign the payment', exact: true });
  await expect
    .poll(async () => (await trust.isVisible()) || (await payment.isEnabled()), { timeout: WAIT_MS })
    .toBe(true);
  if (await trust.isVisible()) await trust.click();
  await payment.click({ timeout: WAIT_MS });
}
const watched = (text: string | RegExp) =>
  page
    .locator('#watch')
    .getByText(text)
    .waitFor({ timeout: 2 * WAIT_MS });

async function consoleShows(text: RegExp): Promise<void> {
  const { base_url: base, admin_token: token } = sandbox.manifest;
  const desk = await context.newPage();
  await desk.goto(`${base}/operator/login`);
  if (await desk.getByLabel('Token').isVisible()) {
    await desk.getByLabel('Token').fill(token);
    await desk.getByRole('button', { name: 'Sign in' }).click();
    await desk.getByRole('heading', { level: 1, name: 'Needs attention' }).waitFor();
  } else await desk.goto(`${base}/operator`);
  await untilAlive(desk);
  await desk.getByRole('region', { name: 'Custody' }).getByText(text).first().waitFor({ timeout: WAIT_MS });
  await desk.close();
}

test('with one witness stopped a payment is paid, with two it waits and says so, and once one is back it is paid', async () => {
  await buy();
  await watched('250 tokens: Arrived');
  await consoleShows(/ready/);

  await witness('halt', 'witness-1');
  await buy();
  await watched('250 tokens: Arrived');
  await consoleShows(/halted/);

  await witness('halt', 'witness-2');
  await buy();
  await watched(/witnesses/);
  await witness('resume', 'witness-1');
  await watched('250 tokens: Arrived');
});
