import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { BASE_URL, manifest, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';
import { connect, fundedWallet } from './ledger.ts';

let browser: Browser;
let ledger: Client;
let wallet: string;
let key: string;

beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
  wallet = (await fundedWallet(ledger)).classicAddress;
  const made = await fetchOk(`${BASE_URL}/api/api-keys/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address: wallet }),
  });
  ({ api_key: key } = (await made.json()) as { api_key: string });
  registerSecrets(key);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

/** What has the focus: its tag and name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return `${at?.tagName} ${at?.getAttribute('aria-label') ?? at?.id ?? ''}`.trim();
  });
const hasFocus = (element: Locator) => element.evaluate((node) => node === document.activeElement);
const untilFocused = (element: Locator) => expect.poll(() => hasFocus(element), { timeout: WAIT_MS }).toBe(true);

/** Notes each time that the focus is nowhere for longer than a frame or two. */
const watchFocus = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { lostFocus: seen });
    let lost = 0;
    const look = () => {
      lost = document.activeElement === document.body ? lost + 1 : 0;
      if (lost === 3) seen.push(document.body.innerText.slice(0, 80));
      requestAnimationFrame(look);
    };
    look();
  });
const lostFocus = (page: Page) => page.evaluate(() => (globalThis as unknown as { lostFocus: string[] }).lostFocus);

test('a key is taken up, a webhook added, sent to, changed and deleted by keyboard alone, and the focus is never lost', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await visit(page, `${BASE_URL}/developers`);
  await page.getByLabel('API key', { exact: true }).focus();
  await watchFocus(page);
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await untilFocused(page.getByRole('region', { name: 'Keys and webhooks' }));

  // Escape closes the form, and it is as it was when it is opened again.
  const add = page.getByRole('button', { name: 'Add a webhook' });
  await add.focus();
  await page.keyboard.press('Enter');
  const address = page.getByLabel('Address of the receiver');
  await untilFocused(address);
  await page.keyboard.type(manifest.receiver_url);
  await page.keyboard.press('Escape');
  await untilFocused(add);
  expect(await address.isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await untilFocused(address);
  expect(await address.inputValue()).toBe(manifest.receiver_url);
  await page.keyboard.press('Enter');
  const secret = page.getByRole('region', { name: 'The signing secret' });
  await untilFocused(secret);
  registerSecrets(await page.getByTestId('secret').innerText());
  await page.getByRole('button', { name: 'I stored it' }).focus();
  await page.keyboard.press('Enter');
  await untilFocused(add);

  // The keys of the wallet, and a question that is answered with no.
  await page.getByLabel('Wallet address of this key').focus();
  await page.keyboard.type(wallet);
  await page.keyboard.press('Enter');
  const revoke = page.getByRole('button', { name: /^Revoke tr_/ });
  await revoke.waitFor();
  expect(await focused(page)).not.toBe('BODY');
  await revoke.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Revoke it' }).waitFor();
  await page.keyboard.press('Escape');
  await untilFocused(revoke);

  await page.getByRole('link', { name: manifest.receiver_url }).focus();
  await page.keyboard.press('Enter');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.waitFor();
  expect(await focused(page)).not.toBe('BODY');
  await send.focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^(The receiver answered|It did not arrive)/).waitFor();
  expect(await hasFocus(send)).toBe(true);
  const off = page.getByRole('button', { name: 'Switch off' });
  await off.focus();
  await page.keyboard.press('Enter');
  const on = page.getByRole('button', { name: 'Switch on' });
  await on.waitFor();
  expect(await hasFocus(on)).toBe(true);
  const remove = page.getByRole('button', { name: 'Delete…' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete it' }).waitFor();
  await page.keyboard.press('Escape');
  await untilFocused(remove);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${BASE_URL}/developers`);
  await page.getByText('No webhook yet').waitFor();
  expect(await focused(page)).not.toBe('BODY');
  expect(await lostFocus(page)).toEqual([]);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('what is refused is said once, at its own field, which gets the focus, and nothing that was typed is lost', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}/developers`);
  const field = page.getByLabel('Wallet address');
  await field.fill('rWrong');
  await page.getByLabel('Name (optional)').fill('Kept');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.locator('#wallet-fault').waitFor();
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(1);
  await untilFocused(field);
  expect(await field.inputValue()).toBe('rWrong');
  expect(await page.getByLabel('Name (optional)').inputValue()).toBe('Kept');

  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  const address = page.getByLabel('Address of the receiver');
  await address.fill('https://receiver.example.com:99/hook');
  await page.getByLabel('Description (optional)').fill('Kept');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.locator('#webhook-url-fault').waitFor();
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(1);
  await untilFocused(address);
  expect(await page.getByLabel('Description (optional)').inputValue()).toBe('Kept');
  await context.close();
});

test('a wallet that was mistyped stands in the field beside what is wrong with it', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}/wallets`);
  const field = page.getByLabel('Address or Platform ID');
  await field.fill('rMistyped');
  await field.press('Enter');
  await page.locator('#address-fault').waitFor();
  expect(await field.inputValue()).toBe('rMistyped');
  await untilFocused(field);
  await context.close();
});

test('what was typed is there after another page and back', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}/developers`);
  await page.getByLabel('Wallet address').fill(wallet);
  const links = page.getByRole('navigation').first();
  await links.getByRole('link', { name: 'Status', exact: true }).click();
  await page.waitForURL(`${BASE_URL}/status`);
  await page.goBack();
  await expect.poll(() => page.getByLabel('Wallet address').inputValue(), { timeout: WAIT_MS }).toBe(wallet);
  await page.getByRole('link', { name: 'Quick start' }).click();
  await page.waitForURL(`${BASE_URL}/docs/quickstart`);
  await page.goBack();
  await expect.poll(() => page.getByLabel('Wallet address').inputValue(), { timeout: WAIT_MS }).toBe(wallet);

  await visit(page, `${BASE_URL}/wallets`);
  await page.getByLabel('Address or Platform ID').fill(wallet);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${BASE_URL}/wallets/${wallet}`);
  await page.goBack();
  await expect.poll(() => page.getByLabel('Address or Platform ID').inputValue(), { timeout: WAIT_MS }).toBe(wallet);
  await context.close();
});

test('what is typed before the page is alive is kept', async () => {
  const { page, context } = await openPage(browser);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.js*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${BASE_URL}/developers`, { waitUntil: 'commit' });
  await page.getByLabel('Wallet address').fill(wallet);
  await page.getByLabel('Name (optional)').fill('Typed early');
  release();
  const create = page.getByRole('button', { name: 'Create the key' });
  await expect.poll(() => create.isEnabled(), { timeout: WAIT_MS }).toBe(true);
  expect(await page.getByLabel('Wallet address').inputValue()).toBe(wallet);
  expect(await page.getByLabel('Name (optional)').inputValue()).toBe('Typed early');
  await create.click();
  await page.getByTestId('secret').waitFor();
  registerSecrets(await page.getByTestId('secret').innerText());
  await context.close();
});

test('the assistant takes what is typed from the click on, keeps it when Escape closes it, and gives the focus back', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}/developers`);
  // Everything that the panel would still have to load comes late.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\.js|suggestions/, async (route) => {
    await released;
    await route.continue();
  });
  const ask = page.getByRole('button', { name: 'Ask', exact: true });
  await ask.click();
  await page.keyboard.type('How do I verify a signature?');
  const question = page.getByRole('dialog', { name: 'Assistant' }).getByLabel('Your question');
  expect(await question.inputValue()).toBe('How do I verify a signature?');
  await page.keyboard.press('Enter');
  release();
  await page.getByRole('button', { name: 'Copy the answer' }).waitFor({ timeout: WAIT_MS });
  await question.fill('And in Go?');
  await page.keyboard.press('Escape');
  expect(await hasFocus(ask)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await question.inputValue()).toBe('And in Go?');
  await page.getByRole('log').getByText('How do I verify a signature?').waitFor();
  await context.close();
});
