import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountSetAsfFlags, type Client, Wallet } from 'xrpl';
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

async function isSound(page: Page): Promise<void> {
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
}

test('a sale’s page shows what it promises to lock, then the escrow that holds what it did not sell, and a visitor’s browser finds it on the ledger', async () => {
  const issuer = await tokenThatAllowsEscrows();
  const sale = await draft('locked-unsold', {
    token: { kind: 'iou', currency: CURRENCY, issuer, decimals: 6 },
    ends_at: inDays(1),
    unsold_until: inDays(30),
  });
  const { page, wrongs } = await openPage(browser, { width: 390 });
  await act(sale, 'launch');
  await visit(page, `${BASE_URL}/sales/${sale.slug}`);
  const locks = page.locator('#locks');
  await locks.getByText('Promised', { exact: true }).waitFor();
  await isSound(page);

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
  // 40 of 1,000 tokens are sold.
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

  const verify = page.locator('#verify');
  await verify.getByRole('button', { name: 'Verify in this browser' }).click();
  await verify.getByText('Everything agrees').waitFor({ timeout: WAIT_MS });
  const coming = page.waitForEvent('download');
  await verify.getByRole('link', { name: 'Download the report' }).click();
  const report = JSON.parse(await readFile(await (await coming).path(), 'utf8'));
  expect(report).toMatchObject({ verdict: 'agrees', unsold: { locked: '960.000000', in_escrow: '960.000000' } });
  expect(wrongs).toEqual([]);
});
