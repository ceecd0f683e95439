import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from 'xrpl';
import { BASE_URL, clipboardOf, manifest, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';
import { untilShown } from './operator-desk.ts';

let browser: Browser;
let ledger: Client;

beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

test('an investor finds the sale, reads what an amount buys, pays on the ledger with the page open, and sees the tokens arrive', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await visit(page, BASE_URL);
  await page.getByRole('link', { name: 'Demo Sale' }).click();
  await page.getByRole('heading', { level: 1, name: 'Demo Sale' }).waitFor();

  // 20 XRP in the first tier at 0.1: 200 tokens, as the quote says too.
  await page.getByLabel('You pay, in XRP').fill('20');
  await page.locator('output').getByText('200 DMO', { exact: true }).waitFor();

  // The address and the tag are taken from the page, as an investor takes them.
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  const howTo = page.getByRole('region', { name: 'Pay', exact: true });
  await howTo.getByRole('button', { name: 'Copy address' }).click();
  await expect.poll(() => clipboardOf(page), { timeout: WAIT_MS }).toBe(manifest.project?.deposit_address);
  const address = await clipboardOf(page);
  await howTo.getByRole('button', { name: 'Copy destination tag' }).click();
  await expect.poll(() => clipboardOf(page), { timeout: WAIT_MS }).toBe(String(manifest.project?.destination_tag));
  const tag = Number(await clipboardOf(page));

  const wallet = await fundedWallet(ledger);
  await page.getByLabel('Your wallet’s address, or the hash of your payment').fill(wallet.classicAddress);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByText('Nothing from this wallet yet').waitFor();

  await send(ledger, wallet, {
    TransactionType: 'TrustSet',
    Account: wallet.classicAddress,
    LimitAmount: { currency: 'DMO', issuer: manifest.accounts?.issuer.address ?? '', value: '1000000' },
  });
  await send(ledger, wallet, {
    TransactionType: 'Payment',
    Account: wallet.classicAddress,
    Destination: address,
    DestinationTag: tag,
    Amount: drops('20'),
  });
  // Without a touch of the page: it keeps looking by itself.
  await page.getByText('Confirmed, allocation final').waitFor({ timeout: WAIT_MS });
  await page.getByText('200 tokens: Arrived').waitFor({ timeout: WAIT_MS });

  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('heading', { name: 'What it bought' }).waitFor();
  expect(await page.getByRole('table', { name: 'Allocation by tier' }).innerText()).toContain('200 DMO');

  await page.goto(`${BASE_URL}/wallets/${wallet.classicAddress}`);
  // Of the sales that are shown, which one stands first depends on what else is open; the token is the same.
  const lines = page.getByRole('region', { name: 'Ready to receive' }).getByRole('listitem');
  const ready = lines.filter({ hasText: 'DMO of' }).first().getByText('Ready', { exact: true });
  await untilShown(page, () => ready.isVisible());
  await page.getByText('200 tokens: Arrived').waitFor();
  expect(wrongs).toEqual([]);
  await context.close();
});
