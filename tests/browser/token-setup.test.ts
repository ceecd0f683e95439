import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, Wallet } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowserWithWallet, visit, WAIT_MS, watch } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';
import { actWithReason, signIn } from './operator-desk.ts';
import { draft } from './sales.ts';

const { accounts } = manifest;
if (accounts === null) throw new Error('The sandbox made no accounts');

let ledger: Client;
let context: BrowserContext;
let page: Page;
let wrongs: string[];
/** What the wallet asked its owner, in order; it agrees unless the question is one that is declined. */
let asked: string[];
let declined: RegExp | null;

beforeAll(async () => {
  ledger = await connect();
});
afterAll(() => ledger?.disconnect());
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
  await signIn(page);
});
afterEach(async () => {
  await context?.close();
  expect(wrongs).toEqual([]);
});

const openStep = () => page.locator('li[aria-current="step"]');
const heading = (name: string) => openStep().getByRole('heading', { name });

/** Opens the page for a kind of token, connects the wallet, and takes its account for the issuer. */
async function connectIssuer(kind: 'iou' | 'mpt', wallet: string): Promise<void> {
  await visit(page, `${BASE_URL}/operator/tokens?kind=${kind}`);
  await page.getByRole('button', { name: 'Connect a browser wallet' }).click();
  await page.getByRole('button', { name: `Connect ${wallet}` }).click();
  await page.getByRole('button', { name: `Use the account of ${wallet}` }).click();
}

async function showSteps(): Promise<void> {
  await page.getByLabel('Distributor', { exact: true }).fill(accounts?.distributor.address ?? '');
  await page.getByRole('button', { name: 'Show the steps' }).click();
}

/** Until the page has been rendered anew by itself; the one before is on the screen when the next one is asked for. */
const refreshed = () =>
  page.waitForResponse((answer) => answer.request().method() === 'GET' && answer.url().includes('_rsc='), {
    timeout: WAIT_MS,
  });

/** The platform signs for the distributor, once it has shown what. */
async function openDistributor(label: string): Promise<void> {
  await openStep()
    .getByRole('button', { name: `${label}…` })
    .click();
  await page.getByLabel('Reason', { exact: true }).fill('the sale begins in May');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('The platform signs this transaction').waitFor({ timeout: WAIT_MS });
  await page.getByText('LastLedgerSequence').waitFor();
  await page.getByRole('button', { name: label, exact: true }).click();
}

test('an operator leads an empty issuer by the steps to a launched sale, watches it without a reload, ends it and releases what it raised', async () => {
  const treasury = await fundedWallet(ledger, 10);
  await connectIssuer('iou', 'GemWallet');
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.getByLabel('Currency').fill('STP');
  await page.getByLabel('Supply for the distributor').fill('1,000.00');
  await showSteps();

  await heading('Let the token move between holders').waitFor({ timeout: WAIT_MS });
  await openStep().getByText('"SetFlag": 8').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  declined = /AccountSet/;
  await openStep().getByRole('button', { name: 'Sign with GemWallet' }).click();
  await openStep().getByText('You declined it in your wallet. Nothing was sent.').waitFor({ timeout: WAIT_MS });
  declined = null;
  await openStep().getByRole('button', { name: 'Sign with GemWallet' }).click();

  await heading('Set the distributor’s trust line').waitFor({ timeout: WAIT_MS });
  await openDistributor('Set the trust line');
  await heading('Send the supply to the distributor').waitFor({ timeout: WAIT_MS });
  await openStep().getByRole('button', { name: 'Sign with GemWallet' }).click();
  await page.getByText('The token is ready for a sale').waitFor({ timeout: WAIT_MS });
  expect(asked).toEqual([
    expect.stringContaining('Show your account'),
    expect.stringContaining('AccountSet {"SetFlag":8'),
    expect.stringContaining('AccountSet {"SetFlag":8'),
    expect.stringContaining(`Pay 1000 STP to ${accounts.distributor.address}`),
  ]);

  await page.getByRole('link', { name: 'Create a project with this token' }).click();
  await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor({ timeout: WAIT_MS });
  expect(await page.getByRole('textbox', { name: 'Currency' }).inputValue()).toBe('STP');
  await page.getByLabel('Name', { exact: true }).fill('Set up by steps');
  await page.getByLabel('Deposit account, which receives XRP').fill(accounts.deposit.address);
  await page.getByLabel('Treasury, which receives what was raised').fill(treasury.address);
  await page.getByLabel('XRP a token').fill('0.5');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByText('Everything is ready').waitFor({ timeout: WAIT_MS });
  await actWithReason(page, 'Launch', 'all is ready');
  await page.getByRole('button', { name: 'Pause…' }).waitFor({ timeout: WAIT_MS });

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const sale = (await (await fetchOk(`${BASE_URL}/api/projects/${id}`)).json()) as {
    deposit_address: string;
    destination_tag: number;
    token: { issuer: string };
  };
  // A form that is open keeps what is typed and the focus while the figures around it change.
  await page.getByRole('button', { name: 'End the sale…' }).click();
  const reason = page.getByLabel('Reason', { exact: true });
  await reason.fill('the owner ends');
  const investor = await fundedWallet(ledger, 100);
  await send(ledger, investor, {
    TransactionType: 'TrustSet',
    Account: investor.address,
    LimitAmount: { currency: 'STP', issuer: sale.token.issuer, value: '1000' },
  });
  const payment = await send(ledger, investor, {
    TransactionType: 'Payment',
    Account: investor.address,
    Destination: sale.deposit_address,
    DestinationTag: sale.destination_tag,
    Amount: drops('20'),
  });
  const summary = page.getByRole('region', { name: 'The sale' });
  await summary.getByText('20 XRP').waitFor({ timeout: WAIT_MS });
  expect(await reason.inputValue()).toBe('the owner ends');
  expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByRole('region', { name: 'Release to the treasury' }).getByText('20 XRP').first().waitFor();

  await reason.fill('the owner ends it early');
  await page.getByRole('button', { name: 'End the sale', exact: true }).click();
  await page
    .getByText('The sale is over: it can no longer be paused, ended or cancelled.')
    .waitFor({ timeout: WAIT_MS });
  // The form is gone with its button: its answer is still said, and the keyboard stays in the page.
  await page.getByRole('status').getByText('The action is submitted.').waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page
    .getByText('Everything that the sale has earned')
    .or(page.getByRole('button', { name: 'Release…' }))
    .waitFor();
  await page.getByRole('button', { name: 'Release…' }).click();
  // Sent twice it must stay one release: its id is that of the form, however often the page is rendered anew around it.
  const releaseId = page.locator('input[name="release_id"]');
  const opened = await releaseId.inputValue();
  await refreshed();
  await refreshed();
  expect(await releaseId.inputValue()).toBe(opened);
  await page.getByLabel('Reason', { exact: true }).fill('all of it');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Releases 20 XRP for good.').waitFor({ timeout: WAIT_MS });
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByRole('status').getByText('The release is scheduled.').waitFor({ timeout: WAIT_MS });
  await expect.poll(() => ledger.getXrpBalance(treasury.address), { timeout: WAIT_MS }).toBe(30);

  await visit(page, `${BASE_URL}/operator/projects/${id}/investors`);
  await page.getByRole('link', { name: investor.address }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.getByLabel('Wallet, or hash of a payment').fill(payment.result.hash);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: investor.address }).waitFor();
  await visit(page, `${BASE_URL}/operator/projects/${id}/investors?search=${Wallet.generate().address}`);
  await page.getByText('No investor found').waitFor();
  await visit(page, `${BASE_URL}/operator/activity`);
  await page.getByRole('img', { name: /^Payouts by the hour: [1-9]/ }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
});

test('an MPT is created with what was chosen, found again with its issuer, and sent to a distributor that opted in', async () => {
  await connectIssuer('mpt', 'Crossmark');
  await page.getByLabel('Decimals').fill('2');
  await page.getByLabel('Supply for the distributor').fill('5000');
  await page.getByLabel('Maximum ever issued').fill('9000');
  await page.getByLabel('Can be traded').uncheck();
  await page.getByLabel('Ticker').fill('MSTP');
  await showSteps();
  // Metadata is whole or left out.
  await page.getByText('is needed: metadata is whole or left out').first().waitFor({ timeout: WAIT_MS });
  expect(await page.getByLabel('Can be traded').isChecked()).toBe(false);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByLabel('Token name').fill('Stepped');
  await page.getByLabel('Issuer’s name').fill('Step Ltd');
  await page.getByLabel('Icon').fill('https://example.com/icon.png');
  await showSteps();

  await heading('Create the token').waitFor({ timeout: WAIT_MS });
  await openStep().getByText('"MaximumAmount": "900000"').waitFor();
  await openStep().getByText('"Flags": 40').waitFor();
  await openStep().getByRole('button', { name: 'Sign with Crossmark' }).click();
  await page.getByRole('link', { name: 'Use this token' }).click({ timeout: WAIT_MS });
  await heading('Have the distributor opt in').waitFor({ timeout: WAIT_MS });
  await openDistributor('Opt in');
  await heading('Send the supply to the distributor').waitFor({ timeout: WAIT_MS });
  await openStep().getByRole('button', { name: 'Sign with Crossmark' }).click();
  await page.getByText('The token is ready for a sale').waitFor({ timeout: WAIT_MS });
  expect(await overflowOf(page)).toBe(0);
});

test('a draft leads to the steps of its own token, and these back to it', async () => {
  const { id, name } = await draft('steps-of-a-draft');
  await visit(page, `${BASE_URL}/operator/projects/${id}`);
  await page.getByRole('link', { name: 'Set up the token step by step' }).click();
  // The sandbox's distributor holds enough already.
  await page.getByText('The token is ready for a sale').waitFor({ timeout: WAIT_MS });
  await page.getByRole('link', { name: 'Back to the draft' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor({ timeout: WAIT_MS });
});

test('a wallet on another account signs nothing, a read-only token does nothing, and what is typed stays when the kind changes', async () => {
  const issuer = await fundedWallet(ledger);
  const place = new URLSearchParams({
    kind: 'iou',
    issuer: issuer.address,
    currency: 'ABC',
    decimals: '6',
    supply: '10',
    distributor: accounts.distributor.address,
  });
  await visit(page, `${BASE_URL}/operator/tokens?${place}`);
  await openStep().getByText('Connect a wallet above').waitFor();
  await page.getByRole('button', { name: 'Connect a browser wallet' }).click();
  await page.getByRole('button', { name: 'Connect GemWallet' }).click();
  await openStep().getByText('Your wallet is on another account').waitFor({ timeout: WAIT_MS });
  expect(await openStep().getByRole('button', { name: /^Sign/ }).count()).toBe(0);
  expect(asked).toEqual([expect.stringContaining('Show your account')]);

  await visit(page, `${BASE_URL}/operator/tokens`);
  await page.getByLabel('Issuer', { exact: true }).fill(issuer.address);
  await page.getByLabel('Supply for the distributor').fill('12');
  await page.getByRole('button', { name: 'Multi-purpose token (MPT)' }).click();
  await page.getByLabel('Maximum ever issued').waitFor({ timeout: WAIT_MS });
  expect(await page.getByLabel('Supply for the distributor').inputValue()).toBe('12');
  expect(await page.getByLabel('Issuer', { exact: true }).inputValue()).toBe(issuer.address);
  expect(await page.getByText('Not complete yet').count()).toBe(0);

  await context.clearCookies();
  await signIn(page, manifest.read_only_token);
  await visit(page, `${BASE_URL}/operator/tokens?${place}`);
  await openStep().getByText('Your token is read-only').waitFor();
});
