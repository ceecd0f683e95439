import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from 'xrpl';
import { Wallet } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import {
  BASE_URL,
  clipboardOf,
  manifest,
  openBrowser,
  openPage,
  untilAlive,
  untilLedgerIsRead,
  visit,
  WAIT_MS,
} from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';
import { act, launched, lookAgain } from './sales.ts';

const HOUR_MS = 3_600_000;
const CAN_TRANSFER = 0x20;
let browser: Browser;
let ledger: Client;
beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

const { accounts } = manifest;
if (accounts === null) throw new Error('The sandbox made no accounts');
const seedWallet = (seed: string) => Wallet.fromSeed(seed);

const pay = (wallet: Wallet, sale: { deposit_address: string; destination_tag: number | undefined }, xrp: string) =>
  send(ledger, wallet, {
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: sale.deposit_address,
    ...(sale.destination_tag !== undefined && { DestinationTag: sale.destination_tag }),
    Amount: drops(xrp),
  });

/** An issuance of two decimals, of which the distributor holds enough. */
async function issueMpt(): Promise<string> {
  const issuer = seedWallet(accounts?.issuer.seed ?? '');
  const distributor = seedWallet(accounts?.distributor.seed ?? '');
  const made = await send(ledger, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    AssetScale: 2,
    Flags: CAN_TRANSFER,
  });
  const { meta } = made.result;
  const id = typeof meta === 'object' && 'mpt_issuance_id' in meta ? String(meta.mpt_issuance_id) : '';
  await send(ledger, distributor, {
    TransactionType: 'MPTokenAuthorize',
    Account: distributor.address,
    MPTokenIssuanceID: id,
  });
  await send(ledger, issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: distributor.address,
    Amount: { mpt_issuance_id: id, value: '1000000' },
  });
  return id;
}

test('a sale of an MPT asks to authorise it by its id, waits for a wallet that has not, and pays once it has', async () => {
  const issuance_id = await issueMpt();
  const token = { kind: 'mpt', issuance_id, decimals: 2 };
  const sale = await launched('mpt-sale', { token });
  const wallet = await fundedWallet(ledger);
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  await visit(page, `${BASE_URL}/sales/${sale.slug}?watch=${wallet.address}`);
  await page.getByText('Authorise the token', { exact: true }).click();
  await page.getByRole('button', { name: 'Copy issuance id' }).click();
  await expect.poll(() => clipboardOf(page), { timeout: WAIT_MS }).toBe(issuance_id);
  await page.getByText('The transaction to sign').click();
  const shown = await page.getByRole('region', { name: 'the transaction', exact: true }).innerText();
  expect(JSON.parse(shown)).toEqual({ TransactionType: 'MPTokenAuthorize', MPTokenIssuanceID: issuance_id });
  await page.getByText('Lock holders').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/trust line/i);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);

  await pay(wallet, sale, '20');
  await page
    .getByText(
      '40 tokens: Waiting, because your wallet has not authorised the token yet; once it has, the tokens are sent',
    )
    .waitFor({ timeout: WAIT_MS });
  // The transaction as the page shows it, of the wallet's own account.
  await send(ledger, wallet, { ...JSON.parse(shown), Account: wallet.address });
  await lookAgain(sale);
  await page.getByText('40 tokens: Arrived').waitFor({ timeout: WAIT_MS });
  expect(wrongs).toEqual([]);
  await context.close();
});

test('between two tiers the page asks nobody to pay, reckons as of the next start, and shows what went back of the payment that filled the tier', async () => {
  const sale = await launched('between-tiers', {
    tiers: [
      { price_per_token: '0.5', total_tokens: '10' },
      { price_per_token: '1', total_tokens: '100', starts_at: new Date(Date.now() + 30 * HOUR_MS).toISOString() },
    ],
  });
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  await visit(page, `${BASE_URL}/sales/${sale.slug}`);
  // Of 8 XRP the open tier takes 5; the next one has not started.
  await page.getByLabel('You pay, in XRP').fill('8');
  await page.getByText('3 XRP is refunded to you, since the next tier has not started by then').waitFor();
  const wallet = await fundedWallet(ledger);
  const { result } = await pay(wallet, sale, '8');
  await visit(page, `${BASE_URL}/sales/${sale.slug}?watch=${result.hash}`);
  await page.getByText('3 XRP back: Arrived').waitFor({ timeout: WAIT_MS });

  await page.getByText('Next tier soon').waitFor();
  await page.getByText('A payment before the next tier starts is refunded.').waitFor();
  const calendar = await page.getByRole('link', { name: 'Add to your calendar' }).getAttribute('href');
  const file = await fetchOk(`${BASE_URL}${calendar}`);
  expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const start = sale.tiers[1]?.starts_at?.replace(/[-:]|\.\d+/g, '');
  expect(await file.text()).toContain(`DTSTART:${start}`);
  expect(await page.getByRole('region', { name: 'Pay', exact: true }).isVisible()).toBe(false);
  await page.getByLabel('You pay, in XRP').fill('8');
  await expect
    .poll(() => page.locator('output').innerText(), { timeout: WAIT_MS })
    .toMatch(/You would receive\s+8 DMO/);
  await page.getByText(/Payments count from .* UTC\. A payment now would be refunded\./).waitFor();
  await untilLedgerIsRead(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);

  // Whoever looks for it on another sale's page is led to its receipt.
  await page.goto(`${BASE_URL}/sales/demo-sale?watch=${result.hash}`);
  await page.getByText('This payment went to another sale').waitFor();
  await page.getByRole('link', { name: 'Its receipt' }).click();
  await page.getByRole('heading', { name: 'What it bought' }).waitFor();
  await page.getByText(`Sale ${sale.slug}`).waitFor();
  expect(wrongs).toEqual([]);
  await context.close();
});

test('of a cancelled sale the page says that everything goes back, and an investment that it is refunded, not that it bought', async () => {
  const sale = await launched('cancelled-sale', {
    distribution: 'at_end',
    ends_at: new Date(Date.now() + 30 * HOUR_MS).toISOString(),
  });
  const wallet = await fundedWallet(ledger);
  await pay(wallet, sale, '8');
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  await page.goto(`${BASE_URL}/sales/${sale.slug}?watch=${wallet.address}`);
  // Of the investment: how to invest says the same of every one.
  const watched = page.locator('#watch');
  await watched.getByText('Tokens are sent when the sale has ended').waitFor({ timeout: WAIT_MS });
  await act(sale, 'cancel');
  await watched.getByText('8 XRP back: Arrived').waitFor({ timeout: WAIT_MS });
  await page.reload();
  await untilAlive(page);
  await untilLedgerIsRead(page);
  await page.getByText('The sale was cancelled: XRP').waitFor();
  await watched.getByText('Refunded, because the sale was cancelled').waitFor();
  expect(await watched.innerText()).not.toContain('DMO');
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('heading', { name: 'What it had bought' }).waitFor();
  expect(wrongs).toEqual([]);
  await context.close();
});

test('payments with a wrong tag, without one, and too small to be refunded are found by their wallet, each with what becomes of it', async () => {
  const sale = await launched('wrong-tag');
  const wallet = await fundedWallet(ledger);
  const tag = sale.destination_tag + 1_000_000;
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  await visit(page, `${BASE_URL}/sales/${sale.slug}?watch=${wallet.address}`);
  await page.getByText('Nothing from this wallet yet').waitFor();
  await pay(wallet, { ...sale, destination_tag: tag }, '7');
  // Without a touch of the page: it keeps looking by itself.
  const watched = page.locator('#watch');
  await watched.getByText(`7 XRP with the destination tag ${tag}`).waitFor({ timeout: WAIT_MS });
  await watched.getByText('In no sale, because its destination tag belongs to no sale').waitFor({ timeout: WAIT_MS });
  await watched.getByText('7 XRP back: Arrived').waitFor({ timeout: WAIT_MS });
  await pay(wallet, { ...sale, destination_tag: undefined }, '6');
  await watched.getByText('6 XRP without a destination tag').waitFor({ timeout: WAIT_MS });
  await watched.getByText('6 XRP back: Arrived').waitFor({ timeout: WAIT_MS });
  await pay(wallet, { ...sale, destination_tag: tag }, '0.000020');
  await watched.getByText('0.00002 XRP held: too little to be refunded').waitFor({ timeout: WAIT_MS });
  await untilLedgerIsRead(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await visit(page, `${BASE_URL}/wallets/${wallet.address}`);
  const own = page.getByRole('region', { name: 'Payments in no sale' });
  await own.getByText('7 XRP back: Arrived').waitFor();
  await own.getByText('6 XRP back: Arrived').waitFor();
  await own.getByText('0.00002 XRP held: too little to be refunded').waitFor();
  expect(wrongs).toEqual([]);
  await context.close();
});
