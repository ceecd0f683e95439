import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { generateSeed } from 'ripple-keypairs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Client } from 'xrpl';
import { takeDatabaseAway, takeLedgerAway } from './away.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, logFolder, openBrowser, openPage, WAIT_MS } from './browser.ts';
import { connect } from './ledger.ts';

const SALE = `${BASE_URL}/sales/demo-sale`;
const UNKNOWN_HASH = 'F'.repeat(64);
/** What the browser itself says of an answer of 500, and React of the error that stands in it. */
const OF_THE_FAILURE = /status of 500|React error #441/;

let browser: Browser;
let ledger: Client;
let bringBack: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterEach(() => bringBack());
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

test('while the database is away a page says so calmly, the status page says what is down, and to try again brings the page back', async () => {
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  bringBack = await takeDatabaseAway();
  // A page kept from before may still be shown for a moment.
  await expect.poll(async () => (await page.goto(SALE))?.status(), { timeout: WAIT_MS }).toBe(500);
  await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
  await expect.poll(() => page.title(), { timeout: WAIT_MS }).toBe('Error · Tranche');
  expect(await page.getByRole('main').getByRole('alert').innerText()).toMatch(/Payments are safe.*number: \d+/s);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(wrongs.filter((wrong) => !OF_THE_FAILURE.test(wrong))).toEqual([]);
  wrongs.length = 0;

  await page.getByRole('link', { name: 'System status' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'The platform is down' }).waitFor();
  await page.getByText('The database does not answer: nothing works.').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(wrongs).toEqual([]);

  await page.goto(SALE);
  await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
  await bringBack();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Demo Sale' }).waitFor();
  await context.close();
});

test('while the database is away an address that names nothing is not looked for, and no part of it stands in a page or the log', async () => {
  bringBack = await takeDatabaseAway();
  const seed = generateSeed();
  for (const where of [
    `/sales/${seed}`,
    '/sales/x%0a%7B%22level%22%3A%22error%22%7D',
    `/investments/${seed}`,
    '/investments/x',
  ]) {
    const answer = await fetch(`${BASE_URL}${where}`);
    expect({ where, status: answer.status }).toEqual({ where, status: 404 });
    expect(await answer.text()).not.toContain(seed);
  }
  // What has the form is asked for once the readings kept from before are too old, and its failure stands in the log as one line.
  await expect.poll(async () => (await fetch(SALE)).status).toBe(500);
  const log = () => readFileSync(path.join(logFolder, 'app.log'), 'utf8');
  await expect
    .poll(() =>
      log()
        .split('\n')
        .some((line) => /"level":"error".*"digest":"\d+/.test(line)),
    )
    .toBe(true);
  expect(log()).not.toContain(seed);
  expect(log()).not.toMatch(/^\{"level":"error"\}/m);
});

test('while the ledger is away a sale stays readable, a payment is looked for on and on, and found out about once it is back', async () => {
  const { page, context, wrongs } = await openPage(browser);
  bringBack = await takeLedgerAway(ledger);
  // A part of the page goes on asking the ledger until that gives up, and so long the page is not whole.
  await page.goto(`${SALE}?watch=${UNKNOWN_HASH}`, { timeout: WAIT_MS });
  await page.getByRole('heading', { level: 1, name: 'Demo Sale' }).waitFor();
  await page.getByText('The XRP Ledger could not be asked just now').waitFor();
  const status = await context.newPage();
  await status.goto(`${BASE_URL}/status`);
  await status.getByRole('heading', { name: 'Degraded' }).waitFor();
  await status.close();
  await bringBack();
  // Without a touch of the page.
  await page.getByText('Not in a validated ledger yet').waitFor({ timeout: WAIT_MS });
  expect(wrongs).toEqual([]);
  await context.close();
});
