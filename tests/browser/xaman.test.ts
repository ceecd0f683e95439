import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit, WAIT_MS } from './browser.ts';
import { act, launched } from './sales.ts';

const APPS = manifest.wallet_apps?.url ?? '';

let browser: Browser;
let sale: ProjectResource;
let page: Page;
let wrongs: string[];
let context: BrowserContext;

beforeAll(async () => {
  browser = await openBrowser();
  sale = await launched('xaman');
});
afterAll(() => browser?.close());
beforeEach(async () => {
  await set({ refusesWith: null });
  ({ page, wrongs, context } = await openPage(browser, { width: 1280 }));
  return () => context.close();
});

interface Payload {
  uuid: string;
  cancelled: boolean;
  txjson: Record<string, unknown>;
  options: Record<string, unknown>;
}

const state = async (): Promise<{ calls: Record<string, number>; payloads: Payload[] }> =>
  (await fetchOk(`${APPS}/sandbox/xaman`)).json() as never;
const set = (body: object) =>
  fetchOk(`${APPS}/sandbox/xaman`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Until nobody can sign the request of this link any more. */
const isTakenBack = (link: string) =>
  vi.waitFor(
    async () => {
      const found = (await state()).payloads.find(({ uuid }) => link.endsWith(uuid));
      expect(found?.cancelled).toBe(true);
    },
    { timeout: WAIT_MS },
  );

const button = (name: string) => page.getByRole('button', { name, exact: true });
const press = (name: string) => button(name).click({ timeout: WAIT_MS });
const openPay = async ({ slug }: { slug: string }, amount: number, query = '') => {
  await visit(page, `${BASE_URL}/sales/${slug}?amount=${amount}${query}#answer`);
  await press('Pay with Xaman');
};

/** The link that the page shows: a phone follows it, a desk shows it as a QR code. */
const linkShown = async (): Promise<string> => {
  const link = page.getByRole('link', { name: 'Open in Xaman', includeHidden: true });
  await link.waitFor({ state: 'attached', timeout: WAIT_MS });
  return (await link.getAttribute('href')) ?? '';
};

/** What the owner of the phone does with the request that the page shows. Gives the page of the phone. */
async function onPhone(answer: 'Sign' | 'Decline' | null): Promise<Page> {
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(await linkShown());
  if (answer !== null) await phone.getByRole('button', { name: answer }).click();
  return phone;
}

test('a newcomer signs in Xaman on a phone, sets the trust line, pays, and sees the tokens arrive on the desk', async () => {
  await openPay(sale, 25);
  await linkShown();
  await page.getByText('Waiting for you to open it in Xaman').waitFor();
  await page.getByRole('img', { name: 'The request for Xaman as a QR code' }).waitFor();
  await untilLedgerIsRead(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  const opened = await onPhone(null);
  await page.getByText('Open in Xaman: sign or decline it there.').waitFor({ timeout: WAIT_MS });
  await opened.getByRole('button', { name: 'Sign' }).click();
  await button('Sign it').waitFor({ timeout: WAIT_MS });
  expect(await button('Sign the payment').isDisabled()).toBe(true);
  await press('Sign it');
  await onPhone('Sign');
  await button('Sign it').waitFor({ state: 'detached', timeout: WAIT_MS });
  await press('Sign the payment');
  const phone = await onPhone('Sign');
  await page.locator('#watch').getByText('50 tokens: Arrived').waitFor({ timeout: WAIT_MS });
  // The phone goes on where the desk does.
  const back = new URL((await phone.getByRole('link', { name: 'Return' }).getAttribute('href')) ?? '');
  expect(back.origin).toBe(BASE_URL);
  expect(back.pathname).toBe(`/sales/${sale.slug}`);
  expect(back.searchParams.get('watch')).toBe(new URL(page.url()).searchParams.get('watch'));
  const [signIn, setup, payment] = (await state()).payloads.slice(-3);
  const signer = payment?.txjson.Account;
  expect(signIn?.txjson).toEqual({ TransactionType: 'SignIn' });
  expect(setup).toMatchObject({ txjson: { TransactionType: 'TrustSet' }, options: { signers: [signer] } });
  expect(payment).toMatchObject({
    txjson: {
      TransactionType: 'Payment',
      Amount: '25000000',
      Destination: sale.deposit_address,
      DestinationTag: sale.destination_tag,
      LastLedgerSequence: expect.any(Number),
    },
    options: { submit: true, expire: 5, force_network: 'SANDBOX', signers: [signer] },
  });
  expect(wrongs).toEqual([]);
});

test('what is declined, expires or is taken back sends nothing, is said, and can be tried again', async () => {
  await openPay(sale, 5);
  await onPhone('Decline');
  await page.getByText('You declined it in your wallet. Nothing was sent.').waitFor({ timeout: WAIT_MS });
  await press('Try again');
  const link = await linkShown();
  await set({ expire: link.split('/').at(-1) });
  await page.getByText('The request expired before it was signed.').waitFor({ timeout: WAIT_MS });
  await press('Try again');
  const last = await linkShown();
  await press('Cancel');
  await page.getByText('You took the request back.').waitFor({ timeout: WAIT_MS });
  // Nobody can sign it any more.
  await isTakenBack(last);
  // What was typed is still there, and so is every other way.
  expect(await page.getByLabel('You pay').inputValue()).toBe('5');
  await press('Pay in another way');
  await button('Pay with Xaman').waitFor();
});

test('a page that is closed or left takes its request back', async () => {
  await openPay(sale, 5);
  const link = await linkShown();
  await page.getByRole('link', { name: 'Tranche' }).first().click();
  await isTakenBack(link);
});

test('a lost network is said, and the page goes on where it was', async () => {
  await openPay(sale, 5);
  await linkShown();
  await context.setOffline(true);
  await page.getByText('No connection to this site just now.').waitFor({ timeout: WAIT_MS });
  await onPhone('Sign');
  await context.setOffline(false);
  await page.getByText('Xaman: r').waitFor({ timeout: WAIT_MS });
});

test('Xaman away is said, and every other way to pay stays', async () => {
  await set({ refusesWith: 503 });
  await openPay(sale, 5);
  await page.getByText('Xaman could not be asked just now.').waitFor({ timeout: WAIT_MS });
  await page.getByRole('button', { name: 'Copy destination tag' }).waitFor();
  await set({ refusesWith: null });
  await press('Try again');
  await linkShown();
});

test('a sale that was paused since the page was read makes no sign request', async () => {
  const paused = await launched('xaman-paused');
  await openPay(paused, 5);
  await onPhone('Sign');
  await page.getByText('Xaman: r').waitFor({ timeout: WAIT_MS });
  // The page itself would say it within seconds: it is kept as it was.
  await page.route('**/*', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await act(paused, 'pause');
  const before = (await state()).payloads.length;
  await press((await button('Sign it').isVisible()) ? 'Sign it' : 'Sign the payment');
  await page.getByText('The sale takes no payments now: yours would be refunded.').waitFor({ timeout: WAIT_MS });
  expect((await state()).payloads).toHaveLength(before);
});

test('on a phone the link to Xaman stands on the screen, and who comes back with a known account signs in no more', async () => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  page = await phone.newPage();
  await openPay(sale, 5);
  const link = page.getByRole('link', { name: 'Open in Xaman' });
  await link.waitFor({ timeout: WAIT_MS });
  expect(await page.getByRole('img', { name: 'The request for Xaman as a QR code' }).isVisible()).toBe(false);
  expect(await overflowOf(page)).toBe(0);
  await onPhone('Sign');
  const shown = page.getByText('Xaman: r');
  await shown.waitFor({ timeout: WAIT_MS });
  const address = /r[1-9A-HJ-NP-Za-km-z]{24,34}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  const before = (await state()).payloads.length;
  await openPay(sale, 5, `&wallet=${address}`);
  await page.getByText(`Xaman: ${address}`).waitFor({ timeout: WAIT_MS });
  expect((await state()).payloads).toHaveLength(before);
  await phone.close();
});

test('a page that was tampered with names no destination, signer or return address, and no amount that the sale would not take', async () => {
  await page.setExtraHTTPHeaders({ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' });
  await openPay(sale, 5);
  await onPhone('Sign');
  await page.getByText('Xaman: r').waitFor({ timeout: WAIT_MS });
  let forge: (asked: Record<string, unknown>) => Record<string, unknown> = (asked) => asked;
  await page.route(`${BASE_URL}/sales/**`, async (route) => {
    const text = route.request().postData() ?? '';
    if (!text.includes('"step"')) return route.continue();
    const [asked] = JSON.parse(text) as [Record<string, unknown>];
    await route.continue({ postData: JSON.stringify([forge(asked)]) });
  });
  const before = (await state()).payloads.length;
  const next = (await button('Sign it').isVisible()) ? 'Sign it' : 'Sign the payment';
  for (const extra of [
    { txjson: { TransactionType: 'Payment', Destination: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' } },
    { returnUrl: 'https://evil.example' },
    { step: 'connect', signer: null },
    { amountXrp: '0.0000001' },
  ]) {
    forge = (asked) => ({ ...asked, ...extra });
    await press(next);
    await page.getByText('This is no amount of XRP.').waitFor({ timeout: WAIT_MS });
  }
  // Another account than the one that signed in is judged anew.
  forge = (asked) => ({ ...asked, wallet: manifest.accounts?.issuer.address });
  await press(next);
  await page.getByText('This account issues the token: it cannot buy it.').waitFor({ timeout: WAIT_MS });
  expect((await state()).payloads).toHaveLength(before);
  forge = (asked) => asked;
  await press(next);
  await linkShown();
  const made = (await state()).payloads.at(-1);
  expect(made?.options.return_url).toMatchObject({ app: expect.stringMatching(new RegExp(`^${BASE_URL}/sales/`)) });
});
