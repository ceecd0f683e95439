import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { BASE_URL, manifest, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';
import { connect, fundedWallet, send } from './ledger.ts';
import { actWithReason, answered, signIn, untilShown } from './operator-desk.ts';

/** So little is never sent back by itself: it waits for a person. */
const DUST_DROPS = '500';
let browser: Browser;
let ledger: Client;

beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

const accountsOf = () => {
  if (manifest.accounts === null) throw new Error('the sandbox made no accounts');
  return manifest.accounts;
};

async function draft(page: Page, name: string): Promise<void> {
  const { deposit, distributor, issuer } = accountsOf();
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('link', { name: 'New project' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Currency', { exact: true }).fill('DMO');
  await page.getByLabel('Issuer', { exact: true }).fill(issuer.address);
  await page.getByLabel('Deposit account').fill(deposit.address);
  await page.getByLabel('Distributor').fill(distributor.address);
  await page.getByLabel('Treasury').fill(issuer.address);
  await page.getByLabel('XRP a token').fill('0');
  await page.getByLabel('Tokens', { exact: true }).fill('1,000');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  // All that is wrong is said at once, each at its field and with a link to it, and nothing that was typed is lost.
  const refused = page.getByRole('alert').filter({ hasText: 'Nothing was created' });
  await refused.waitFor();
  expect(await refused.getByRole('listitem').count()).toBe(2);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
  await refused.getByRole('link', { name: 'Tokens' }).click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe('tiers[0].total_tokens');
  await page.getByLabel('Tokens', { exact: true }).fill('100');
  await page.getByLabel('XRP a token').fill('0,5');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

test('an operator makes a draft, changes it, launches it on the ledger, finds a held payment and sends it back on the ledger', async () => {
  const { page, context, wrongs } = await openPage(browser);
  const { deposit } = accountsOf();
  await page.goto(`${BASE_URL}/operator`);
  await page.getByLabel('Token').fill('not-the-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This is no administrator’s token.').waitFor();
  await signIn(page);

  await draft(page, 'Browser sale');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('XRP a token').fill('0.25');
  await page.getByLabel('Reason', { exact: true }).fill('the price was a slip');
  await page.getByRole('button', { name: 'Save the changes' }).click();
  // To the letter: the page for changing it names it too.
  await page.getByRole('heading', { level: 1, name: 'Browser sale', exact: true }).waitFor();
  await page.getByRole('cell', { name: '0.25' }).waitFor();

  await page.getByText('Everything is ready').waitFor();
  await page.getByRole('button', { name: 'Launch…' }).click();
  await page.getByText('25 XRP when all is sold').waitFor();
  await page.getByLabel('Reason', { exact: true }).fill('the board agreed');
  await answered(page, () => page.getByRole('button', { name: 'Launch', exact: true }).click());
  await untilShown(page, () => page.getByRole('button', { name: 'Pause…' }).isVisible());

  const sender = await fundedWallet(ledger);
  const { result } = await send(ledger, sender, {
    TransactionType: 'Payment',
    Account: sender.address,
    Destination: deposit.address,
    SourceTag: 77,
    Amount: DUST_DROPS,
  });
  await page.goto(`${BASE_URL}/operator`);
  const held = page.getByRole('table', { name: 'Held payments, the largest first' });
  await untilShown(page, () => held.locator(`a[href$="${result.hash}"]`).isVisible());
  await visit(page, `${BASE_URL}/operator/payments/${result.hash}`);
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByText('with the destination tag 77').waitFor();
  await page.getByLabel('Reason', { exact: true }).fill('the sender asked for it');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  // The page keeps looking by itself until the ledger has it.
  await page.getByText('arrived', { exact: true }).waitFor({ timeout: WAIT_MS });
  const { transactions } = (
    await ledger.request({ command: 'account_tx', account: sender.address, ledger_index_min: -1 })
  ).result;
  const back = transactions.find(({ tx_json }) => tx_json?.Account === deposit.address);
  expect(back).toMatchObject({
    validated: true,
    tx_json: { Destination: sender.address, DestinationTag: 77 },
    meta: { delivered_amount: DUST_DROPS, TransactionResult: 'tesSUCCESS' },
  });

  await page.goto(`${BASE_URL}/operator/audit?action=payment&subject=${result.hash}`);
  await page.getByText('the sender asked for it').waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'project.launch' }).count()).toBe(0);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('the last look before a cancel names what goes back and to how many, and that is what goes back', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await signIn(page);
  await draft(page, 'Cancelled sale');
  await page.getByText('Everything is ready').waitFor();
  await actWithReason(page, 'Launch', 'the board agreed');
  await untilShown(page, () => page.getByRole('button', { name: 'Pause…' }).isVisible());
  const { deposit } = accountsOf();
  const id = page.url().split('/').at(-1) ?? '';
  const project = (await (await fetchOk(`${BASE_URL}/api/projects/${id}`)).json()) as { destination_tag: number };
  // Without a trust line: it buys, and its tokens wait.
  const buyer = await fundedWallet(ledger);
  await send(ledger, buyer, {
    TransactionType: 'Payment',
    Account: buyer.address,
    Destination: deposit.address,
    DestinationTag: project.destination_tag,
    Amount: '10000000',
  });
  const raised = page.getByRole('region', { name: 'The sale', exact: true }).getByText('10 XRP', { exact: true });
  await untilShown(page, () => raised.isVisible());
  await page.getByRole('button', { name: 'Cancel the sale…' }).click();
  await page.getByText('sends 10 XRP back to 1 wallet, for 1 investment').waitFor();
  await page.getByLabel('Reason', { exact: true }).fill('the issuer withdrew');
  await answered(page, () => page.getByRole('button', { name: 'Cancel the sale', exact: true }).click());
  await untilShown(page, () => page.getByText('The sale is over').isVisible());
  await expect
    .poll(async () => (await ledger.getXrpBalance(buyer.address)) > 999, { timeout: WAIT_MS, interval: 1_000 })
    .toBe(true);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('a release is rehearsed, rehearsed anew when its amount changes, and pays just what the last rehearsal showed', async () => {
  const { page, context, wrongs } = await openPage(browser);
  const { issuer } = accountsOf();
  const buyer = await fundedWallet(ledger);
  await send(ledger, buyer, {
    TransactionType: 'TrustSet',
    Account: buyer.address,
    LimitAmount: { currency: 'DMO', issuer: issuer.address, value: '1000000' },
  });
  await send(ledger, buyer, {
    TransactionType: 'Payment',
    Account: buyer.address,
    Destination: manifest.project?.deposit_address ?? '',
    DestinationTag: manifest.project?.destination_tag ?? 0,
    Amount: '4000000',
  });
  await signIn(page);
  await page.goto(`${BASE_URL}/operator/projects/${manifest.project?.id}`);
  await untilShown(page, () => page.getByRole('button', { name: 'Release…' }).isVisible());
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByLabel('Amount in XRP').fill('1');
  await page.getByLabel('Reason', { exact: true }).fill('the monthly release');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Releases 1 XRP for good.').waitFor();
  await page.getByLabel('Amount in XRP').fill('2.5');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Releases 2.5 XRP for good.').waitFor();
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByText('The release is scheduled').waitFor();
  await page.goto(`${BASE_URL}/operator/payouts?kind=release&status=all`);
  const released = page.getByRole('listitem').filter({ hasText: '2.5 XRP' });
  await untilShown(page, () => released.getByText('paid', { exact: true }).isVisible());
  expect(wrongs).toEqual([]);
  await context.close();
});
