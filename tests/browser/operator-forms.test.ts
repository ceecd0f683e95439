import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Client, Wallet } from 'xrpl';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { BASE_URL, holdScripts, manifest, openBrowser, openPage, untilAlive, visit, WAIT_MS } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';
import { actWithReason, answered, signIn, untilShown } from './operator-desk.ts';
import { draft, launched } from './sales.ts';

/** So many ledgers later a payment has been read, unless something keeps it from being read. */
const LEDGERS_LATER = 5;
/** So little is never sent back by itself: it waits for a person. */
const DUST_DROPS = '600';
let browser: Browser;
let ledger: Client;
let sale: ProjectResource;
let page: Page;
let context: BrowserContext;
let wrongs: string[];

const { accounts } = manifest;
if (accounts === null) throw new Error('The sandbox made no accounts');

beforeAll(async () => {
  [browser, ledger, sale] = await Promise.all([openBrowser(), connect(), launched('forms')]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});
beforeEach(async () => {
  ({ page, context, wrongs } = await openPage(browser));
  await signIn(page);
});
afterEach(async () => {
  await context.close();
  expect(wrongs).toEqual([]);
});

const setTrustLine = (wallet: Wallet) =>
  send(ledger, wallet, {
    TransactionType: 'TrustSet',
    Account: wallet.address,
    LimitAmount: { currency: 'DMO', issuer: accounts.issuer.address, value: '1000000' },
  });

async function invest(wallet: Wallet, xrp: string): Promise<string> {
  const { result } = await send(ledger, wallet, {
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: sale.deposit_address,
    DestinationTag: sale.destination_tag,
    Amount: drops(xrp),
  });
  return result.hash;
}

const reasonsOf = async (query: string): Promise<string[]> => {
  const answer = await fetchOk(`${BASE_URL}/api/admin/audit?${query}`, {
    headers: { authorization: `Bearer ${manifest.admin_token}` },
  });
  return ((await answer.json()) as { entries: { reason: string }[] }).entries.map(({ reason }) => reason);
};

test('a held payment is credited to a sale, and the page follows it until it is an investment', async () => {
  const sender = await fundedWallet(ledger);
  const { result } = await send(ledger, sender, {
    TransactionType: 'Payment',
    Account: sender.address,
    Destination: sale.deposit_address,
    Amount: DUST_DROPS,
  });
  await page.goto(`${BASE_URL}/operator/payments`);
  const queued = page.getByRole('listitem').filter({ has: page.locator(`a[href$="${result.hash}"]`) });
  await untilShown(page, () => queued.first().isVisible());
  await visit(page, `${BASE_URL}/operator/payments/${result.hash}`);
  await page.getByRole('button', { name: 'Assign to a sale…' }).click();
  await page.getByText('offers all 0.0006 XRP to the sale').waitFor();
  await page.getByRole('combobox', { name: 'Sale' }).selectOption({ label: sale.name });
  await page.getByLabel('Reason', { exact: true }).fill('the investor forgot the tag');
  await page.getByRole('button', { name: 'Assign to a sale', exact: true }).click();
  await page.getByText('invested', { exact: true }).waitFor({ timeout: WAIT_MS });
  const { investments } = (await (
    await fetchOk(`${BASE_URL}/api/investments?wallet_address=${sender.address}`)
  ).json()) as { investments: { project_id: string; confirmed_amount_xrp: string }[] };
  expect(investments).toMatchObject([{ project_id: sale.id, confirmed_amount_xrp: '0.000600' }]);
  expect(await reasonsOf(`action=project.assign&subject=${sale.id}`)).toEqual(['the investor forgot the tag']);
});

test('an account that is halted says so, confirms nothing meanwhile, and goes on where it stopped when it is resumed', async () => {
  await actWithReason(page, 'Halt this account', 'the bank called');
  await page.getByText('The account is halted.').waitFor();
  const wallet = await fundedWallet(ledger);
  const hash = await invest(wallet, '1');
  const paidBy = await ledger.getLedgerIndex();
  await page.goto(`${BASE_URL}/operator`);
  await page.getByText('halted', { exact: true }).waitFor();
  // Validated on the ledger, and not read, although it was long enough ago.
  await vi.waitFor(
    async () => {
      if ((await ledger.getLedgerIndex()) < paidBy + LEDGERS_LATER) throw new Error('Too few ledgers have closed');
    },
    { timeout: WAIT_MS, interval: 250 },
  );
  await page.goto(`${BASE_URL}/sales/${sale.slug}?watch=${hash}`);
  await page.getByText('Validated, and about to be read').waitFor();
  await visit(page, `${BASE_URL}/operator`);
  await actWithReason(page, 'Resume this account', 'it was a mistake');
  await page.getByText('The account is resumed.').waitFor();
  await page.goto(`${BASE_URL}/sales/${sale.slug}?watch=${hash}`);
  await page.getByText('Confirmed, allocation final').waitFor({ timeout: WAIT_MS });
  expect(await reasonsOf(`subject=${sale.deposit_address}`)).toEqual(['it was a mistake', 'the bank called']);
});

/** Does one action within a card, and waits for its answer. */
async function actOn(card: Locator, label: string): Promise<void> {
  await card.getByRole('button', { name: `${label}…` }).click();
  await card.getByLabel('Reason', { exact: true }).fill(`a test: ${label}`);
  await answered(page, () => card.getByRole('button', { name: label, exact: true }).click());
}

test('a payout that waits is looked at again, alone and with all of its kind, held, released, and settled by a payment made elsewhere', async () => {
  const wallet = await fundedWallet(ledger);
  const hash = await invest(wallet, '3');
  // Of this wallet alone: what other tests brought about may fill the first page of all.
  const itsPayouts = `${BASE_URL}/operator/payouts?status=all&destination=${wallet.address}`;
  await page.goto(itsPayouts);
  const ours = page.getByRole('listitem').filter({ has: page.locator(`[title="${hash}"]`) });
  const waits = ours.getByText('waits for its holder', { exact: true });
  // A ledger's close time, at which it is due, is rounded up: it may lie a moment ahead. Why it waits is known once a run
  // has looked at it.
  await untilShown(
    page,
    async () => (await waits.isVisible()) && (await ours.getByRole('button', { name: 'Retry now…' }).isVisible()),
  );
  await actOn(ours, 'Retry now');
  await ours.getByText('The next run checks it.').waitFor();
  await page.reload();
  await untilAlive(page);
  await actOn(ours, 'Hold it');
  await untilShown(page, () => ours.getByText('held', { exact: true }).isVisible());
  await actOn(ours, 'Release it');
  await untilShown(page, () => waits.isVisible());
  await visit(page, `${BASE_URL}/operator/payouts?reason=trust_line_missing`);
  await actWithReason(page, 'Retry all of these now', 'a holder called');
  await page.getByText('The next run checks them.').waitFor();

  // Held, so that the platform does not pay it besides.
  await page.goto(itsPayouts);
  await untilShown(page, () => ours.getByRole('button', { name: 'Hold it…' }).isVisible());
  await actOn(ours, 'Hold it');
  await untilShown(page, () => ours.getByText('held', { exact: true }).isVisible());
  await setTrustLine(wallet);
  const distributor = Wallet.fromSeed(accounts.distributor.seed);
  const paid = await send(ledger, distributor, {
    TransactionType: 'Payment',
    Account: distributor.address,
    Destination: wallet.address,
    Amount: { currency: 'DMO', issuer: accounts.issuer.address, value: '6' },
  });
  await ours.getByRole('button', { name: 'Settle it…' }).click();
  await ours.getByLabel('Transaction that paid it').fill(hash);
  await ours.getByLabel('Reason', { exact: true }).fill('paid by hand');
  await ours.getByRole('button', { name: 'Settle it', exact: true }).click();
  // The investor's own payment has not paid it.
  await ours.getByRole('alert').getByText('has not paid this payout').waitFor();
  await ours.getByLabel('Transaction that paid it').fill(paid.result.hash);
  await answered(page, () => ours.getByRole('button', { name: 'Settle it', exact: true }).click());
  await untilShown(page, () => ours.getByText('paid', { exact: true }).isVisible());
});

test('a pasted list is refused with a wrong wallet in it, made without it, published, and in force once its action is on the ledger', async () => {
  const { id } = await draft('listed', { access: 'allowlist' });
  const [first, second] = [Wallet.generate().address, Wallet.generate().address];
  await visit(page, `${BASE_URL}/operator/projects/${id}`);
  await page.getByRole('button', { name: 'Paste a version…' }).click();
  await page.getByLabel(/^Wallets/).fill(`${first}\n\n${second}x,10`);
  await page.getByLabel('Reason', { exact: true }).fill('the first round');
  await page.getByRole('button', { name: 'Paste a version', exact: true }).click();
  // Within its region: the router keeps an empty alert of its own on the page, to announce a change of it.
  const refusal = page.getByRole('region', { name: 'Allowlist' }).getByRole('alert');
  // As it was pasted: the empty line counts.
  await refusal.getByText(/line 3/i).waitFor();
  expect(await page.getByLabel(/^Wallets/).inputValue()).toContain(first);
  await page.getByLabel(/^Wallets/).fill(`${first}\n\n${second}, 250.5`);
  await page.getByRole('button', { name: 'Paste a version', exact: true }).click();
  await page.getByText('The draft is created').waitFor();
  const version = page.getByRole('listitem').filter({ hasText: '2 wallets' });
  await version.getByText('draft', { exact: true }).waitFor();
  await version.getByRole('button', { name: 'Publish and anchor…' }).click();
  await version.getByText('Publishes 2 wallets for good').waitFor();
  await version.getByLabel('Reason', { exact: true }).fill('the board agreed');
  await answered(page, () => version.getByRole('button', { name: 'Publish and anchor', exact: true }).click());
  await untilShown(page, () => version.getByText('in force', { exact: true }).isVisible());
});

test('a list from Platform IDs is rehearsed with the figures of its snapshot, and made of just that', async () => {
  const wallet = await fundedWallet(ledger);
  await setTrustLine(wallet);
  const hash = await invest(wallet, '2');
  await page.goto(`${BASE_URL}/sales/${sale.slug}?watch=${hash}`);
  await page.getByText('4 tokens: Arrived').waitFor({ timeout: WAIT_MS });
  // One that is under way may have begun before the tokens arrived.
  await vi.waitFor(
    () =>
      fetchOk(`${BASE_URL}/api/cron/sync-holders`, { headers: { authorization: `Bearer ${manifest.cron_secret}` } }),
    { timeout: WAIT_MS, interval: 1_000 },
  );
  await fetchOk(`${BASE_URL}/api/platform-id/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address: wallet.address }),
  });
  const { id } = await draft('by-id', { access: 'allowlist' });
  await visit(page, `${BASE_URL}/operator/projects/${id}`);
  await page.getByRole('button', { name: 'From Platform IDs…' }).click();
  await page.getByLabel('Maximum XRP per wallet (optional)').fill('50');
  await page.getByLabel('Reason', { exact: true }).fill('members first');
  await page.getByRole('button', { name: 'Preview' }).click();
  const rehearsed = await page.getByText(/Creates a draft of [1-9][\d,]* wallets?\./).innerText();
  const [count] = /[\d,]+/.exec(rehearsed) ?? [];
  await page.getByText('Counted at', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'From Platform IDs', exact: true }).click();
  await page.getByText('The draft is created').waitFor();
  await page.getByText(new RegExp(`Version 1, ${count} wallets?$`)).waitFor();
});

test('maintenance is announced above every page with its end, and taken away again', async () => {
  await page.getByRole('button', { name: 'Announce maintenance…' }).click();
  await page.getByLabel('What visitors are told').fill('The database is moved; payments stay safe.');
  await page.getByLabel('Expected to end (UTC, optional)').fill('2030-01-02T03:04');
  await page.getByLabel('Reason', { exact: true }).fill('the move of the database');
  await page.getByRole('button', { name: 'Announce maintenance', exact: true }).click();
  await page.getByRole('button', { name: 'End maintenance…' }).waitFor();
  const visitor = await openPage(browser, { width: 390 });
  await visitor.page.goto(BASE_URL);
  await untilShown(visitor.page, () =>
    visitor.page.getByText('The database is moved; payments stay safe.').isVisible(),
  );
  await visitor.page.getByText('2 Jan 2030, 03:04:00 UTC').waitFor();
  await actWithReason(page, 'End maintenance', 'it is moved');
  await page.getByRole('button', { name: 'Announce maintenance…' }).waitFor();
  // Of a page that is there: one that could not be read announces nothing either.
  await untilShown(
    visitor.page,
    async () =>
      (await visitor.page.getByRole('heading', { level: 1, name: 'Token sales' }).isVisible()) &&
      !(await visitor.page.getByText('payments stay safe.').isVisible()),
  );
  expect(visitor.wrongs).toEqual([]);
  await visitor.context.close();
});

test('the kind of token that was chosen before the page came alive decides what the form asks for', async () => {
  const release = await holdScripts(page);
  await page.goto(`${BASE_URL}/operator/projects/new`, { waitUntil: 'commit' });
  await page.getByLabel('Kind').selectOption('mpt');
  expect(await page.getByLabel('Currency', { exact: true }).isVisible()).toBe(true);
  release();
  await page.getByLabel('Issuance id').waitFor();
  expect(await page.getByLabel('Kind').inputValue()).toBe('mpt');
  expect(await page.getByLabel('Currency', { exact: true }).count()).toBe(0);
});
