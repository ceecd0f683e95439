import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit } from './browser.ts';
import { act, draft, launched } from './sales.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const ALL_XRP_TIERS = [
  { price_per_token: '99.999999999999', total_tokens: '400000000' },
  { price_per_token: '100', total_tokens: '599999999.999999' },
];
const MANY_TIERS = Array.from({ length: 50 }, (_, index) => ({
  price_per_token: `0.0000000${10_001 + index}`,
  total_tokens: '1000',
}));

/** Where each sale stands, what its page must say, and whether it may say where to pay. */
const SALES: { name: string; make: () => Promise<string>; says: string[]; mayPay: boolean }[] = [
  {
    name: 'a draft',
    make: async () => (await draft('state-draft', { tiers: ALL_XRP_TIERS })).id,
    says: ['This is a preview of a draft.'],
    mayPay: false,
  },
  {
    name: 'a draft whose tier requires a credential',
    make: async () => {
      const credential = { type: 'KYC', issuers: [manifest.accounts?.issuer.address] };
      const tiers = [{ price_per_token: '0.5', total_tokens: '1000', credential }];
      return (await draft('state-credential', { tiers })).id;
    },
    says: ['Credential “KYC”', 'Tier 1 without the credential “KYC”'],
    mayPay: false,
  },
  {
    name: 'an upcoming sale with vesting',
    make: async () => {
      const vesting = { immediate_bps: 2_000, cliff_days: 90, period_days: 30, periods: 12 };
      return (await launched('state-upcoming', { starts_at: inHours(30), ends_at: inHours(300), vesting })).slug;
    },
    says: ['Payments that arrive before the start are sent back.', 'When tokens are sent'],
    mayPay: false,
  },
  {
    name: 'a sale of fifty tiers with a long name and text',
    make: async () => {
      const text = { name: 'Harbour '.repeat(14).trim(), description: 'A second pier. '.repeat(200) };
      return (await launched('state-long', { ...text, tiers: MANY_TIERS })).slug;
    },
    says: ['45 tiers after'],
    mayPay: true,
  },
  {
    name: 'a paused sale',
    make: async () => (await act(await launched('state-paused'), 'pause')).slug,
    says: ['The sale is paused.'],
    mayPay: false,
  },
  {
    name: 'an ended sale',
    make: async () => (await act(await launched('state-ended'), 'end')).slug,
    says: ['To receive your tokens'],
    mayPay: false,
  },
  {
    name: 'a sale that missed its soft cap',
    make: async () => {
      const over = { soft_cap_xrp: '400', distribution: 'at_end', ends_at: inHours(30) };
      return (await act(await launched('state-missed', over), 'end')).slug;
    },
    says: ['The soft cap was missed'],
    mayPay: false,
  },
];

const DEPOSIT = manifest.accounts?.deposit.address ?? '';
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test.each(SALES)(
  '$name says where it stands, tells nobody where to pay in vain, is accessible in both themes, and fits a phone',
  async (sale) => {
    const name = await sale.make();
    const { page, context, wrongs } = await openPage(browser, { width: 390 });
    // An amount is asked for: where it would be paid is told only while the rules would take it.
    await visit(page, `${BASE_URL}/sales/${name}?amount=50`);
    for (const text of sale.says) await page.getByText(text).first().waitFor();
    await untilLedgerIsRead(page);
    expect(await page.getByRole('region', { name: 'Pay', exact: true }).isVisible()).toBe(sale.mayPay);
    expect(await page.getByRole('img', { name: /QR code/ }).isVisible()).toBe(sale.mayPay);
    expect((await page.content()).includes(DEPOSIT)).toBe(sale.mayPay);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrongs).toEqual([]);
    await context.close();
  },
);

test('the start page has each of them under what it is: none that is paused is open, and a missed soft cap is not cancelled', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, BASE_URL);
  const groupOf = (title: string) => page.getByRole('region', { name: title, exact: true });
  const card = (title: string, slug: string) =>
    groupOf(title)
      .getByRole('article')
      .filter({ hasText: `Sale ${slug}` });
  await card('Paused', 'state-paused').getByText('Paused', { exact: true }).waitFor();
  await card('Coming up', 'state-upcoming').getByText('Upcoming', { exact: true }).waitFor();
  await card('Over', 'state-ended').getByText('Ended', { exact: true }).waitFor();
  await card('Over', 'state-missed').getByText('Soft cap missed', { exact: true }).waitFor();
  expect(await card('Open now', 'state-paused').count()).toBe(0);
  // What a missed soft cap ended is ended on its own page, too.
  await visit(page, `${BASE_URL}/sales/state-missed`);
  const raised = page.getByRole('region', { name: 'Raised', exact: true });
  expect(await raised.locator('dt').allInnerTexts()).toContain('Ended');
  expect(await raised.getByText('Cancelled', { exact: true }).count()).toBe(0);
  await context.close();
});
