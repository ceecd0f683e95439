import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit, WAIT_MS } from './browser.ts';
import { act, launched } from './sales.ts';
import { openPhoneWallet, type PhoneWallet } from './walletconnect-wallet.ts';

const APPS = manifest.wallet_apps;
const CHAIN = 'xrpl:1000';

let browser: Browser;
let sale: ProjectResource;
let page: Page;
let wrongs: string[];
let context: BrowserContext;
let wallet: PhoneWallet;

beforeAll(async () => {
  browser = await openBrowser();
  sale = await launched('walletconnect');
});
afterAll(() => browser?.close());
beforeEach(async () => {
  ({ page, wrongs, context } = await openPage(browser, { width: 1280 }));
  wallet = await openPhoneWallet(CHAIN);
});
afterEach(async () => {
  await context?.close();
  await wallet?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const press = (name: string) => button(name).click({ timeout: WAIT_MS });
const openPay = async ({ slug }: { slug: string }, amount: number) => {
  await visit(page, `${BASE_URL}/sales/${slug}?amount=${amount}#answer`);
  await press('Pay with WalletConnect');
};
const uriShown = async (): Promise<string> => {
  const link = page.getByRole('link', { name: 'Open in a WalletConnect wallet', includeHidden: true });
  await link.waitFor({ state: 'attached', timeout: WAIT_MS });
  return (await link.getAttribute('href')) ?? '';
};
const scan = async () => wallet.scan(await uriShown());
const says = (text: string) => page.getByText(text).first().waitFor({ timeout: WAIT_MS });

/** To nothing but the relay, and from nowhere but the worker: the page's own policy lets no such connection through. */
const isOfRelay = (wrong: string) => wrong.includes(APPS?.relay_url ?? 'none');

test('a newcomer connects a wallet on a phone by WalletConnect, sets the trust line, pays, and sees the tokens arrive', async () => {
  await openPay(sale, 25);
  await page.getByRole('img', { name: 'The request for WalletConnect as a QR code' }).waitFor({ timeout: WAIT_MS });
  await untilLedgerIsRead(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await scan();
  await button('Sign it').waitFor({ timeout: WAIT_MS });
  await press('Sign it');
  await button('Sign it').waitFor({ state: 'detached', timeout: WAIT_MS });
  await press('Sign the payment');
  await page.locator('#watch').getByText('50 tokens: Arrived').waitFor({ timeout: WAIT_MS });
  const address = await wallet.address();
  expect(wallet.asked).toMatchObject([
    {
      method: 'xrpl_signTransaction',
      chainId: CHAIN,
      transaction: { TransactionType: 'TrustSet', Account: address },
    },
    {
      method: 'xrpl_signTransaction',
      chainId: CHAIN,
      transaction: {
        TransactionType: 'Payment',
        Account: address,
        Amount: '25000000',
        Destination: sale.deposit_address,
        DestinationTag: sale.destination_tag,
        // Of two that were signed by accident, one alone could be paid.
        Sequence: expect.any(Number),
        LastLedgerSequence: expect.any(Number),
      },
    },
  ]);
  // The session ends with the purchase, and nothing of it stays in the browser.
  await vi.waitFor(() => expect(wallet.sessions()).toBe(0), { timeout: WAIT_MS });
  const kept = await page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage).filter((key) => /wc@|walletconnect/i.test(key)),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }));
  expect(kept).toEqual({ local: [], session: [], databases: [] });
  expect(wrongs.filter((wrong) => !isOfRelay(wrong))).toEqual([]);
});

test('what is declined, ended or taken back sends nothing, is said, and can be tried again', async () => {
  wallet.answers = 'decline';
  await openPay(sale, 5);
  await scan();
  await says('You declined it in your wallet. Nothing was sent.');
  wallet.answers = 'agree';
  await press('Try again');
  await scan();
  await says('WalletConnect: r');
  wallet.answers = 'decline';
  const next = (await button('Sign it').isVisible()) ? 'Sign it' : 'Sign the payment';
  await press(next);
  await says('You declined it in your wallet. Nothing was sent.');
  wallet.answers = 'wait';
  await press(next);
  await says('Sent to your wallet: open it');
  // The page says so as it sends it: what is on its way yet would be counted with what comes after.
  await vi.waitFor(() => expect(wallet.asked).toHaveLength(2), { timeout: WAIT_MS });
  const heard = await wallet.endSessions(async () => {
    await says('Your wallet has ended the connection.');
    expect(await page.getByLabel('You pay').inputValue()).toBe('5');
    await press('Use another account');
    await uriShown();
  });
  await press('Cancel');
  await says('You took it back.');
  await press('Pay in another way');
  await button('Pay with WalletConnect').waitFor();
  // The page acknowledges that the wallet has ended the session, and does not end it again.
  expect(heard).toBe(1);
});

test('a lost connection is said, and the purchase goes on where it was', async () => {
  await openPay(sale, 5);
  const uri = await uriShown();
  await fetchOk(`${APPS?.url}/sandbox/relay/drop`, { method: 'POST', headers: { 'content-type': 'application/json' } });
  await wallet.scan(uri);
  await says('WalletConnect: r');
});

test('a page that is left ends the session of its wallet', async () => {
  await openPay(sale, 5);
  await scan();
  await says('WalletConnect: r');
  expect(wallet.sessions()).toBe(1);
  await page.getByRole('link', { name: 'Tranche' }).first().click();
  await vi.waitFor(() => expect(wallet.sessions()).toBe(0), { timeout: WAIT_MS });
});

test('a sale that was paused since the page was read asks no wallet to sign', async () => {
  const paused = await launched('walletconnect-paused');
  await openPay(paused, 5);
  await scan();
  await says('WalletConnect: r');
  // The page itself would say it within seconds: it is kept as it was.
  await page.route('**/*', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await act(paused, 'pause');
  // Of a new account: the trust line is asked for first, and made by the plan from before.
  await press('Sign it');
  await says('The sale takes no payments now: yours would be refunded.');
});

test('the page itself may speak to no relay, and loads the library when somebody asks for it', async () => {
  const loaded: string[] = [];
  page.on('request', (request) => void (request.resourceType() === 'script' && loaded.push(request.url())));
  await visit(page, `${BASE_URL}/sales/${sale.slug}?amount=5#answer`);
  const before = loaded.length;
  const refused = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
        new WebSocket(url);
      }),
    APPS?.relay_url ?? '',
  );
  expect(refused).toBe('connect-src');
  expect(loaded).toHaveLength(before);
});
