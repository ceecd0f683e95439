import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountSetAsfFlags, type Client, Wallet } from 'xrpl';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilAlive, visit, WAIT_MS } from './browser.ts';
import { connect, drops, fundedWallet, send as submit } from './ledger.ts';
import { actWithReason, signIn, untilShown } from './operator-desk.ts';
import { newWallet, send, signInAsOwner } from './owner-desk.ts';

const NAME = 'Harbour Light';
const CURRENCY = 'HRB';
const WHOLE_XRP = '50';
let browser: Browser;
let ledger: Client;

beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

/** The owner's token, which its issuer pays out itself: transferable between holders. */
async function prepareToken(): Promise<string> {
  const own = manifest.owner_accounts;
  if (own === null) throw new Error('The sandbox made no accounts for owners');
  const issuer = Wallet.fromSeed(own.distributor.seed);
  await submit(ledger, issuer, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    SetFlag: AccountSetAsfFlags.asfDefaultRipple,
  });
  return issuer.address;
}

/** All that an operator does: reads what is asked for, and approves it. */
async function approve(operator: Page, noun: string): Promise<void> {
  await visit(operator, `${BASE_URL}/operator`);
  const waiting = operator.getByRole('table', { name: 'Open requests, the newest first' });
  await waiting
    .getByRole('row', { name: new RegExp(NAME) })
    .getByRole('link')
    .first()
    .click();
  await operator.getByRole('region', { name: `Request for ${noun}` }).waitFor({ timeout: WAIT_MS });
  await untilAlive(operator);
  await actWithReason(operator, `Approve ${noun}`, 'compared with the contract');
  await operator.getByText('Approved.').first().waitFor({ timeout: WAIT_MS });
}

async function isSound(page: Page): Promise<void> {
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
}

test('a project comes from a new wallet to its released treasury, on a phone, with no operator’s hand but the two approvals', async () => {
  const issuer = await prepareToken();
  const treasury = await fundedWallet(ledger);
  const before = await ledger.getXrpBalance(treasury.address);
  const { page, wrongs } = await openPage(browser, { width: 390 });
  const { page: operator } = await openPage(browser);
  await signIn(operator);

  await signInAsOwner(page, newWallet());
  await page.getByRole('link', { name: 'New draft' }).click();
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByLabel('Currency', { exact: true }).fill(CURRENCY);
  await page.getByLabel('Issuer', { exact: true }).fill(issuer);
  await page.getByLabel('Distributor').fill(issuer);
  await page.getByLabel('Treasury').fill(treasury.address);
  await page.getByLabel('XRP a token').fill('0.5');
  await page.getByLabel('Tokens', { exact: true }).fill('100');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByRole('heading', { level: 1, name: NAME, exact: true }).waitFor({ timeout: WAIT_MS });
  await untilAlive(page);
  const sale = page.url();
  await page.getByText('Everything is ready').waitFor({ timeout: WAIT_MS });
  const preview = await page.getByRole('link', { name: 'Preview, for who has this link' }).getAttribute('href');

  // Asked for, withdrawn, and asked for again.
  const because = (text: string) => () => page.getByLabel('Reason', { exact: true }).fill(text);
  await send(page, 'Ask for the launch', because('all is signed'), 'It is asked for.');
  await page.getByRole('region', { name: 'Request for the launch' }).waitFor();
  await isSound(page);
  await send(page, 'Withdraw the launch', because('one look more'), 'The request is withdrawn.');
  await visit(page, sale);
  await page.getByText('one look more').waitFor();
  await send(page, 'Ask for the launch', because('all is signed now'), 'It is asked for.');
  await approve(operator, 'the launch');
  await untilShown(page, async () => (await page.getByText('As everybody sees it').count()) > 0);
  await page.getByText(/approved by An administrator/).waitFor();
  await isSound(page);

  // Somebody buys everything, as the sale's own page says where to.
  const tag = await page.locator('dt', { hasText: 'Destination tag' }).locator('xpath=../dd').innerText();
  const buyer = await fundedWallet(ledger);
  const limit = { currency: CURRENCY, issuer, value: '1000000' };
  await submit(ledger, buyer, { TransactionType: 'TrustSet', Account: buyer.address, LimitAmount: limit });
  await submit(ledger, buyer, {
    TransactionType: 'Payment',
    Account: buyer.address,
    Destination: manifest.owner_accounts?.deposit.address ?? '',
    DestinationTag: Number(tag.replaceAll(',', '')),
    Amount: drops(WHOLE_XRP),
  });
  await visit(page, `${sale}/investors`);
  await untilShown(page, async () => (await page.getByText(buyer.address).count()) > 0);
  await isSound(page);
  await visit(page, `${sale}/payments`);
  await untilShown(
    page,
    async () =>
      (await page.getByRole('table', { name: 'Payouts of the sale' }).getByText('paid', { exact: true }).count()) > 0,
  );
  await page.getByRole('table', { name: 'Payments' }).getByText('invested', { exact: true }).waitFor();
  await isSound(page);

  await visit(page, sale);
  await untilShown(page, async () => (await page.getByRole('button', { name: 'Ask for a release…' }).count()) > 0);
  await send(page, 'Ask for a release', because('the sale is over'), 'It is asked for.');
  await approve(operator, 'the release');
  // The deposit account keeps what its reserve asks for.
  await expect
    .poll(() => ledger.getXrpBalance(treasury.address), { timeout: WAIT_MS, interval: 500 })
    .toBeGreaterThan(before);
  await untilShown(page, async () => (await page.getByText(/asked for the release: approved by/).count()) > 0);
  await isSound(page);

  await visit(page, `${BASE_URL}/owner/audit`);
  for (const act of ['project.create', 'approval.ask', 'project.launch', 'project.release']) {
    await page.getByText(act, { exact: true }).first().waitFor();
  }
  await isSound(page);
  expect(preview).toMatch(/^\/sales\/proj_/);
  expect(wrongs).toEqual([]);
});
