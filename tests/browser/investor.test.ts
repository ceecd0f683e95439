import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Client } from 'xrpl';
import { BASE_URL, openBrowser, openPage } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';

const { manifest } = inject('sandbox');
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
  await page.goto(BASE_URL);
  await page.getByRole('link', { name: 'Demo Sale' }).click();
  await page.getByRole('heading', { level: 1, name: 'Demo Sale' }).waitFor();

  // 20 XRP in the first tier at 0.1: 200 tokens, as the quote says too.
  await page.getByLabel('You pay, in XRP').fill('20');
  await page.getByText('200 DMO').first().waitFor();

  // The address and the tag are taken from the page, as an investor takes them.
  await page.getByRole('button', { name: 'Copy address' }).first().click();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy destination tag' }).click();
  const tag = Number(await page.evaluate(() => navigator.clipboard.readText()));
  expect({ address, tag }).toEqual({
    address: manifest.project?.deposit_address,
    tag: manifest.project?.destination_tag,
  });

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
  await page.getByText('Confirmed, allocation final').waitFor({ timeout: 60_000 });
  await page.getByText('200 tokens: Arrived').waitFor({ timeout: 60_000 });

  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('heading', { name: 'What it bought' }).waitFor();
  expect(await page.getByRole('table', { name: 'Allocation by tier' }).innerText()).toContain('200 DMO');

  await page.goto(`${BASE_URL}/wallets/${wallet.classicAddress}`);
  await page.getByText('Ready', { exact: true }).first().waitFor();
  await page.getByText('200 tokens: Arrived').waitFor();
  expect(wrongs).toEqual([]);
  await context.close();
});
