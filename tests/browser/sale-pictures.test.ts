import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, openBrowser, openPage, untilLedgerIsRead, visit, WAIT_MS } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';
import { signIn } from './operator-desk.ts';
import { launched } from './sales.ts';

const TIERS = [
  { price_per_token: '0.5', total_tokens: '100' },
  { price_per_token: '1', total_tokens: '400' },
];

let browser: Browser;
let ledger: Client;
beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

test('what was raised is said point by point to who goes through it by keyboard, and stands in a table', async () => {
  const sale = await launched('pictures-raised', { tiers: TIERS, soft_cap_xrp: '400', distribution: 'at_end' });
  const wallet = await fundedWallet(ledger);
  await send(ledger, wallet, {
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: sale.deposit_address,
    DestinationTag: sale.destination_tag,
    Amount: drops('60'),
  });
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  const figure = page.getByRole('slider', { name: 'Raised over time' });
  await vi.waitFor(
    async () => {
      await visit(page, `${BASE_URL}/sales/${sale.slug}`);
      expect(await figure.count()).toBe(1);
    },
    { timeout: WAIT_MS, interval: 1_000 },
  );
  await figure.focus();
  const said = () => figure.getAttribute('aria-valuetext');
  await expect.poll(said, { timeout: WAIT_MS }).toMatch(/^60 XRP, \d+ \w+ \d{4}, /);
  await page.keyboard.press('Home');
  await expect.poll(said, { timeout: WAIT_MS }).toMatch(/^0 XRP, /);
  // What is said is seen, too.
  await page.getByText((await said()) ?? 'nothing').waitFor();
  await page.keyboard.press('ArrowRight');
  await expect.poll(said, { timeout: WAIT_MS }).toMatch(/^60 XRP, /);
  const picture = page.getByRole('img', { name: /^Raised over time: 0 XRP on .* 60 XRP on / });
  expect(await picture.getAttribute('aria-label')).toContain('Soft cap: 400 XRP.');
  await page.getByText('The same as a table').click();
  await page.getByRole('table', { name: 'Raised over time' }).getByText('60 XRP').waitFor();
  await untilLedgerIsRead(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('the stairs say where the next payment lies and how far an amount would reach, also without a script', async () => {
  const sale = await launched('pictures-stairs', { tiers: TIERS });
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${BASE_URL}/sales/${sale.slug}?amount=150`);
    const stairs = page.getByRole('img', {
      name: /^Price tiers: from 0\.5 XRP a token in tier 1 to 1 XRP in tier 2\./,
    });
    expect(await stairs.getAttribute('aria-label')).toContain('The next payment buys in tier 1 at 0.5 XRP.');
    expect(await stairs.getAttribute('aria-label')).toContain('150 XRP would buy 200 DMO, up to tier 2.');
    await stairs.getByText('Your 150 XRP').waitFor();
    await stairs.getByText('You are here').waitFor();
    await context.close();
  }
});

test('tabs go by the arrow keys, leave out what has no content, and are all seen without a script', async () => {
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  await visit(page, `${BASE_URL}/sales/demo-sale`);
  await untilLedgerIsRead(page);
  const tabs = page.getByRole('tablist', { name: 'Token and project' }).getByRole('tab');
  expect(await tabs.allInnerTexts()).toEqual(['Issuer', 'Supply', 'Custody', 'Team', 'Links', 'Documents']);
  await tabs.first().focus();
  await page.keyboard.press('End');
  const documents = page.getByRole('tabpanel', { name: 'Documents' });
  await documents.getByText('White paper').waitFor();
  expect(await documents.getByRole('link', { name: 'White paper' }).getAttribute('rel')).toBe(
    'noopener noreferrer nofollow ugc',
  );
  // Where a link leads is said beside it.
  await documents.getByText('demo-sale.example').first().waitFor();
  await documents.getByText('SHA-256').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('tabpanel', { name: 'Links' }).getByText('Source code').waitFor();
  expect(await documents.isVisible()).toBe(false);
  for (const label of ['Supply', 'Team']) {
    await page.getByRole('tab', { name: label, exact: true }).click();
    expect(await violationsInBothThemes(page)).toEqual([]);
  }
  expect(wrongs).toEqual([]);
  await context.close();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${BASE_URL}/sales/demo-sale`);
  for (const text of [
    'What the issuer can still do',
    'Where the tokens are',
    'Ada Example',
    'Source code',
    'White paper',
  ]) {
    await still.getByText(text, { exact: true }).waitFor();
  }
  expect(await still.getByRole('tab').count()).toBe(0);
  await plain.close();
});

test('a sale that tells nothing of itself has tabs for what the ledger shows alone', async () => {
  const sale = await launched('pictures-silent');
  const answer = await fetchOk(`${BASE_URL}/sales/${sale.slug}`);
  const html = await answer.text();
  expect([...html.matchAll(/role="tab"[^>]*>([^<]*)</g)].map(([, label]) => label)).toEqual([
    'Issuer',
    'Supply',
    'Custody',
  ]);
});

test('links that an operator enters in the form stand on the sale’s page, and a wrong one is refused at its field', async () => {
  const sale = await launched('pictures-form');
  const { page, context } = await openPage(browser);
  await signIn(page);
  await visit(page, `${BASE_URL}/operator/projects/${sale.id}/edit`);
  await page.getByRole('button', { name: 'Add a link' }).click();
  const links = page.getByRole('group', { name: 'Links' });
  await page.getByRole('button', { name: 'Add a link' }).click();
  await page.getByRole('button', { name: 'Remove link 2' }).click();
  // Nobody who goes by keyboard is thrown back to the top of the page.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent), { timeout: WAIT_MS })
    .toBe('Add a link');
  await links.getByLabel('Text').fill('Source code');
  await links.getByLabel('Address').fill('http://code.example/');
  await page.getByLabel('Reason').fill('the owner asked');
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await expect.poll(() => links.getByLabel('Address').getAttribute('aria-invalid'), { timeout: WAIT_MS }).toBe('true');
  await links.getByLabel('Address').fill('https://code.example/');
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.waitForURL(new RegExp(`/operator/projects/${sale.id}$`));
  await visit(page, `${BASE_URL}/sales/${sale.slug}`);
  await page.getByRole('tab', { name: 'Links' }).click();
  await page.getByRole('link', { name: 'Source code' }).waitFor();
  await context.close();
});
