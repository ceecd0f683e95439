import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountSetAsfFlags, type Client, Wallet } from 'xrpl';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';
import { untilShown } from './operator-desk.ts';
import { act, draft } from './sales.ts';

const CURRENCY = 'LCK';
const DAY_MS = 86_400_000;
const inDays = (days: number): string => `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19)}Z`;
let browser: Browser;
let ledger: Client;

beforeAll(async () => {
  [browser, ledger] = await Promise.all([openBrowser(), connect()]);
});
afterAll(async () => {
  await browser?.close();
  await ledger?.disconnect();
});

/** The platform's distributor holds a thousand tokens of an issuer that lets them stand in escrow. */
async function tokenThatAllowsEscrows(): Promise<string> {
  const seed = manifest.accounts?.distributor.seed ?? '';
  registerSecrets(seed);
  const distributor = Wallet.fromSeed(seed);
  const issuer = await fundedWallet(ledger);
  for (const flag of [AccountSetAsfFlags.asfDefaultRipple, AccountSetAsfFlags.asfAllowTrustLineLocking]) {
    await send(ledger, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: flag });
  }
  const limit = { currency: CURRENCY, issuer: issuer.address, value: '1000000' };
  await send(ledger, distributor, { TransactionType: 'TrustSet', Account: distributor.address, LimitAmount: limit });
  await send(ledger, issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: distributor.address,
    Amount: { ...limit, value: '1000' },
  });
  return issuer.address;
}

/** A sale’s page before its end, at a phone’s width, with what it says of locked tokens. */
async function promising(slug: string, terms: Record<string, unknown>) {
  const issuer = await tokenThatAllowsEscrows();
  const token = { kind: 'iou', currency: CURRENCY, issuer, decimals: 6 };
  const sale = await draft(slug, { token, ends_at: inDays(1), ...terms });
  const { page, wrongs } = await openPage(browser, { width: 390 });
  await act(sale, 'launch');
  await visit(page, `${BASE_URL}/sales/${sale.slug}`);
  const locks = page.locator('#locks');
  await locks.getByText('Promised', { exact: true }).waitFor();
  await isSound(page);
  return { issuer, sale, page, locks, wrongs };
}

/** An investor buys 40 of 1,000 tokens, and the sale is ended. */
async function sellsAndEnds(sale: ProjectResource, issuer: string): Promise<void> {
  const investor = await fundedWallet(ledger);
  const limit = { currency: CURRENCY, issuer, value: '1000000' };
  await send(ledger, investor, { TransactionType: 'TrustSet', Account: investor.address, LimitAmount: limit });
  await send(ledger, investor, {
    TransactionType: 'Payment',
    Account: investor.address,
    Destination: sale.deposit_address,
    DestinationTag: sale.destination_tag,
    Amount: drops('20'),
  });
  await act(sale, 'end');
}

/** A visitor’s browser finds everything on the ledger, and `shows` that; gives the report. */
async function verifiedInBrowser(page: Page, shows: string[] = []): Promise<unknown> {
  const verify = page.locator('#verify');
  await verify.getByRole('button', { name: 'Verify in this browser' }).click();
  await verify.getByText('Everything agrees').waitFor({ timeout: WAIT_MS });
  for (const text of shows) await verify.getByText(text).waitFor();
  const coming = page.waitForEvent('download');
  await verify.getByRole('link', { name: 'Download the report' }).click();
  return JSON.parse(await readFile(await (await coming).path(), 'utf8'));
}

async function isSound(page: Page): Promise<void> {
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
}

test('a sale’s page shows what it promises to lock, then the escrow that holds what it did not sell, and a visitor’s browser finds it on the ledger', async () => {
  const { issuer, sale, page, locks, wrongs } = await promising('locked-unsold', { unsold_until: inDays(30) });
  await sellsAndEnds(sale, issuer);
  await untilShown(page, async () => (await locks.getByText('Locked', { exact: true }).count()) > 0);
  await locks.getByText('960 LCK').waitFor();
  const escrows = await ledger.request({
    command: 'account_objects',
    account: sale.distributor,
    type: 'escrow',
  });
  expect(escrows.result.account_objects).toEqual([
    expect.objectContaining({ Destination: sale.distributor, Amount: { currency: CURRENCY, issuer, value: '960' } }),
  ]);
  await isSound(page);
  expect(await verifiedInBrowser(page)).toMatchObject({
    verdict: 'agrees',
    unsold: { locked: '960.000000', in_escrow: '960.000000' },
  });
  expect(wrongs).toEqual([]);
});

test('a sale’s page lists the days on which its vesting owes tokens, with the escrows that hold them, and a visitor’s browser finds each on the ledger', async () => {
  const { issuer, sale, page, locks, wrongs } = await promising('locked-vesting', {
    distribution: 'at_end',
    vesting: { immediate_bps: 1_000, cliff_days: 10, period_days: 30, periods: 3 },
    vesting_locked: true,
  });
  await sellsAndEnds(sale, issuer);
  // Of 40 tokens a tenth is due at once, and 12 on each of three days: one badge for all, and one for each day.
  await untilShown(page, async () => (await locks.getByText('Locked', { exact: true }).count()) === 4);
  await locks.getByText('36 LCK').first().waitFor();
  expect(await locks.getByText('12 LCK').count()).toBe(3);
  await isSound(page);
  expect(await verifiedInBrowser(page, ['Vesting, due on 3 days: 36 of 36'])).toMatchObject({
    verdict: 'agrees',
    vesting: { days: 3, locked: '36.000000', in_escrow: '36.000000' },
  });
  expect(wrongs).toEqual([]);
});
