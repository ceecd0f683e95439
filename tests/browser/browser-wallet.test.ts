import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import {
  BASE_URL,
  manifest,
  openBrowser,
  openBrowserWithWallet,
  openPage,
  untilLedgerIsRead,
  visit,
  WAIT_MS,
  watch,
} from './browser.ts';
import { act, launched } from './sales.ts';

let sale: ProjectResource;
let context: BrowserContext;
let page: Page;
let wrongs: string[];
/** What the wallet asked its owner, in order; it agrees unless the question is one that is declined. */
let asked: string[];
let declined: RegExp | null;

beforeAll(async () => {
  sale = await launched('browser-wallet');
});
beforeEach(async () => {
  context = await openBrowserWithWallet();
  page = await context.newPage();
  wrongs = watch(page);
  asked = [];
  declined = null;
  page.on('dialog', (dialog) => {
    const question = dialog.message();
    asked.push(question);
    void (declined?.test(question) ? dialog.dismiss() : dialog.accept());
  });
});
afterEach(() => context?.close());

const openPay = async ({ slug }: { slug: string }, amount: number) => {
  await visit(page, `${BASE_URL}/sales/${slug}?amount=${amount}#answer`);
  await page.getByRole('button', { name: 'Pay with a browser wallet' }).click();
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const press = async (name: string) => {
  await button(name).click({ timeout: WAIT_MS });
};

test.each(['GemWallet', 'Crossmark'])(
  'a newcomer with %s buys by two signatures, of which the wallet says what each does, and sees the tokens arrive',
  async (name) => {
    await openPay(sale, 25);
    await press(`Connect ${name}`);
    await button('Sign it').waitFor({ timeout: WAIT_MS });
    // What is bought must first find room.
    expect(await button('Sign the payment').isDisabled()).toBe(true);
    await untilLedgerIsRead(page);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await press('Sign it');
    await button('Sign it').waitFor({ state: 'detached', timeout: WAIT_MS });
    await press('Sign the payment');
    await page.locator('#watch').getByText('50 tokens: Arrived').waitFor({ timeout: WAIT_MS });
    expect(asked).toEqual([
      expect.stringContaining(`Show your account to ${BASE_URL}?`),
      expect.stringContaining(`Trust ${manifest.accounts?.issuer.address} for DMO`),
      expect.stringContaining(`Pay 25 XRP to ${sale.deposit_address}, destination tag ${sale.destination_tag}`),
    ]);
    expect(wrongs).toEqual([]);
  },
);

test('what its owner declines sends nothing, is said, and can be tried again', async () => {
  declined = /Show your account/;
  await openPay(sale, 5);
  await press('Connect GemWallet');
  await page.getByText('You declined it in your wallet. Nothing was sent.').waitFor({ timeout: WAIT_MS });
  declined = /Trust/;
  await press('Connect Crossmark');
  await press('Sign it');
  await page.getByText('You declined it in your wallet. Nothing was sent.').waitFor({ timeout: WAIT_MS });
  declined = /Pay/;
  await press('Sign it');
  await button('Sign it').waitFor({ state: 'detached', timeout: WAIT_MS });
  await press('Sign the payment');
  await page.getByText('You declined it in your wallet. Nothing was sent.').waitFor({ timeout: WAIT_MS });
  expect(await button('Sign the payment').isEnabled()).toBe(true);
  expect(wrongs).toEqual([]);
});

test('a sale that was paused since the page was read asks no wallet to sign', async () => {
  const paused = await launched('paused-meanwhile');
  await openPay(paused, 5);
  await button('Connect GemWallet').waitFor({ timeout: WAIT_MS });
  // The page itself would say it within seconds: it is kept as it was.
  await page.route('**/*', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await act(paused, 'pause');
  await press('Connect GemWallet');
  await page.getByText('The sale takes no payments now: yours would be refunded.').waitFor({ timeout: WAIT_MS });
  expect(asked).toEqual([expect.stringContaining('Show your account')]);
});

test('a browser without a wallet is told which wallets work, and keeps every other way to pay', async () => {
  const browser = await openBrowser();
  const plain = await openPage(browser, { width: 390 });
  await visit(plain.page, `${BASE_URL}/sales/${sale.slug}?amount=5#answer`);
  await plain.page.getByRole('button', { name: 'Pay with a browser wallet' }).click();
  await plain.page.getByText('No wallet answered in this browser').waitFor();
  await plain.page.getByRole('button', { name: 'Look again' }).waitFor();
  await plain.page.getByRole('button', { name: 'Copy destination tag' }).waitFor();
  expect(await violationsInBothThemes(plain.page)).toEqual([]);
  expect(plain.wrongs).toEqual([]);
  await browser.close();
});

test('on a phone, two taps lead from the page to the wallet app, which then stands on the screen with nothing to scroll', async () => {
  const browser = await openBrowser();
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const plain = await phone.newPage();
  await visit(plain, `${BASE_URL}/sales/${sale.slug}`);
  await plain.getByRole('button', { name: 'Continue to payment' }).tap();
  const link = plain.getByRole('link', { name: 'Open in your wallet' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`xrpl://${sale.deposit_address}?dt=${sale.destination_tag}&amount=500`);
  const seen = () => link.boundingBox().then((box) => (box === null ? Number.NaN : box.y + box.height));
  await expect.poll(seen).toBeLessThan(844);
  // An extension is nothing for a phone.
  expect(await plain.getByRole('button', { name: 'Pay with a browser wallet' }).isVisible()).toBe(false);
  await browser.close();
});

interface GemWalletApi {
  isInstalled: () => Promise<{ result: { isInstalled: boolean } }>;
  getAddress: () => Promise<{ result?: { address: string } }>;
  getNetwork: () => Promise<{ result?: { chain: string } }>;
  submitTransaction: (request: object) => Promise<{ result?: { hash: string } }>;
}

test('GemWallet’s own library finds the stand-in wallet, and has it connect and pay: it answers as the real one', async () => {
  const file = new URL('../../node_modules/@gemwallet/api/umd/gemwallet-api.js', import.meta.url);
  await visit(page, `${BASE_URL}/sales/${sale.slug}`);
  await page.evaluate(await readFile(file, 'utf8'));
  const found = await page.evaluate(async () => {
    const api = (globalThis as unknown as { GemWalletApi: GemWalletApi }).GemWalletApi;
    const { isInstalled } = (await api.isInstalled()).result;
    return { isInstalled, network: (await api.getNetwork()).result, address: (await api.getAddress()).result?.address };
  });
  expect(found).toMatchObject({ isInstalled: true, network: { chain: 'XRPL', network: 'Custom' } });
  const transaction = {
    TransactionType: 'Payment',
    Account: found.address,
    Destination: sale.deposit_address,
    DestinationTag: sale.destination_tag,
    Amount: '3000000',
  };
  const pay = () =>
    page.evaluate(
      (payment) =>
        (globalThis as unknown as { GemWalletApi: GemWalletApi }).GemWalletApi.submitTransaction({
          transaction: payment,
        }),
      transaction,
    );
  expect((await pay()).result?.hash).toMatch(/^[0-9A-F]{64}$/);
  declined = /Pay 3 XRP/;
  expect(await pay()).toMatchObject({ type: 'reject' });
});
