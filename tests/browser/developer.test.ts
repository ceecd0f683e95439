import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, WAIT_MS } from './browser.ts';
import { connect, fundedWallet, send } from './ledger.ts';

let browser: Browser;
let ledger: Client;

beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

/** How the sandbox's receiver answers the next verified events. */
const receiver = (path: string, body: object) =>
  fetchOk(`${manifest.receiver_url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function invest(xrp: number): Promise<void> {
  const wallet = await fundedWallet(ledger);
  await send(ledger, wallet, {
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: manifest.project?.deposit_address ?? '',
    DestinationTag: manifest.project?.destination_tag ?? 0,
    Amount: String(xrp * 1_000_000),
  });
}

test('a developer makes a key, registers a webhook, sees real events delivered, rotates its secret, sends one again and replays what was delivered', async () => {
  const { page, context, wrongs } = await openPage(browser);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  const wallet = await fundedWallet(ledger);
  await page.goto(`${BASE_URL}/developers`);
  await page.getByLabel('Wallet address').fill(wallet.classicAddress);
  await page.getByLabel('Name (optional)').fill('Browser test');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const shown = page.getByTestId('secret');
  await shown.waitFor();
  const key = await shown.innerText();
  registerSecrets(key);
  expect(key).toMatch(/^tr_(live|test)_/);
  await page.getByRole('button', { name: /continue to webhooks/ }).click();

  const url = manifest.receiver_url;
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByLabel('Address of the receiver').fill(url);
  await page.getByRole('button', { name: 'Register' }).click();
  await shown.waitFor();
  const secret = await shown.innerText();
  registerSecrets(secret);
  expect(secret).toMatch(/^whsec_/);
  await receiver('/secret', { secret });
  await page.getByRole('button', { name: 'I stored it' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  await page.getByText('this key', { exact: true }).waitFor();
  await page.getByText('Browser test').waitFor();
  await page.getByRole('link', { name: url }).click();

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText(/The receiver answered 200/).waitFor();
  await page.getByText('Attempt 1').first().waitFor();

  // Real events of a payment on the ledger; the receiver verifies each signature.
  await invest(5);
  const log = page.getByRole('region', { name: 'Deliveries', exact: true });
  // Until the filter has its answer the test event above is listed too, and it was delivered.
  const confirmed = log
    .getByRole('listitem')
    .filter({ hasText: 'success 200' })
    .filter({ hasText: 'investment.confirmed' });
  await log.getByLabel('Type of event').selectOption('investment.confirmed');
  await confirmed.first().waitFor({ timeout: WAIT_MS });
  await confirmed
    .first()
    .getByRole('button', { name: /investment\.confirmed/ })
    .click();
  await log.getByRole('region', { name: 'the body that was sent' }).waitFor();
  await log.getByText('Request headers').first().click();
  expect(await log.getByRole('region', { name: 'request headers of attempt 1' }).innerText()).toContain(
    'x-platform-signature',
  );
  await log.getByRole('button', { name: 'Send again' }).first().click();
  await log.getByText('sent again').first().waitFor();

  // A rotation: begun and taken back, then begun and committed.
  const signing = page.getByRole('region', { name: 'Signing secret' });
  await signing.getByRole('button', { name: 'Rotate the secret' }).click();
  const rotated = await shown.innerText();
  registerSecrets(rotated);
  expect(rotated).not.toBe(secret);
  await signing.getByRole('button', { name: 'Keep the old one' }).click();
  await signing.getByRole('button', { name: 'Rotate the secret' }).click();
  const committed = await shown.innerText();
  registerSecrets(committed);
  expect([secret, rotated]).not.toContain(committed);
  await receiver('/secret', { secret: committed });
  await signing.getByRole('button', { name: 'Commit the new one' }).click();
  await signing.getByRole('button', { name: 'Rotate the secret' }).waitFor();

  // A replay of everything since yesterday: counted, started, and followed until its deliveries have ended.
  const replay = page.getByRole('region', { name: 'Replay' });
  const yesterday = new Date(Date.now() - 86_400_000 - new Date().getTimezoneOffset() * 60_000);
  await replay.getByLabel('Since (your time)').fill(yesterday.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length));
  await replay.getByRole('combobox', { name: /^Events/ }).selectOption('investment.created');
  await replay.getByLabel('Include delivered events').check();
  await replay.getByRole('button', { name: 'Count events' }).click();
  await replay.getByText(/[1-9]\d* deliver(y|ies) would be made/).waitFor();
  await replay.getByRole('button', { name: 'Start the replay' }).click();
  await replay.getByText('finished').waitFor({ timeout: WAIT_MS });
  await replay.getByText(/([1-9]\d*) of \1 written, \1 delivered/).waitFor({ timeout: WAIT_MS });

  // The key was in no address, in no cookie and in nothing the server made; it is gone with the tab's session.
  expect(asked.filter((address) => address.includes(key))).toEqual([]);
  expect(JSON.stringify(await context.cookies())).not.toContain(key);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
  const made = await (await context.request.get(page.url())).text();
  expect(made).not.toContain(key);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByText('No API key in this tab').waitFor();
  await other.close();

  await page.getByRole('link', { name: 'All webhooks' }).click();
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await page.getByRole('heading', { name: 'Create an API key' }).waitFor();
  const refused = await fetch(`${BASE_URL}/api/webhooks`, { headers: { authorization: `Bearer ${key}` } });
  expect(refused.status).toBe(401);
  expect(wrongs).toEqual([]);
  await context.close();
});

test.each([390, 1440])(
  'the desk of a developer and of a webhook are accessible in both themes and fit %d pixels',
  async (width) => {
    const { page, context, wrongs } = await openPage(browser, { width });
    const wallet = await fundedWallet(ledger);
    const made = await fetchOk(`${BASE_URL}/api/api-keys/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wallet_address: wallet.classicAddress }),
    });
    const { api_key: key } = (await made.json()) as { api_key: string };
    registerSecrets(key);
    await page.goto(`${BASE_URL}/developers`);
    await page.locator('input#have-key').fill(key);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address of the receiver').fill(`${manifest.receiver_url}/${'a-long-path/'.repeat(8)}`);
    // With all that the form reads: the sales to choose from come last.
    await page.locator('option').filter({ hasText: 'Demo Sale' }).waitFor({ state: 'attached' });
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByTestId('secret').waitFor();
    registerSecrets(await page.getByTestId('secret').innerText());
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.getByRole('link', { name: /a-long-path/ }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Attempt 1').first().waitFor();
    await page.getByText('Reading…').first().waitFor({ state: 'detached' });
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrongs).toEqual([]);
    await context.close();
    // The webhook goes with its key: nothing that later tests bring about is sent to a receiver that refuses it.
    await fetchOk(`${BASE_URL}/api/api-keys/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: key }),
    });
  },
);
