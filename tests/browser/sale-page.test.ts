import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Wallet } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { BASE_URL, holdScripts, manifest, openBrowser, openPage, untilAlive, visit, WAIT_MS } from './browser.ts';
import { act, launched, launchedFor } from './sales.ts';

const SALE = `${BASE_URL}/sales/demo-sale`;
const PROJECT = `/api/projects/${manifest.project?.id}`;
/** Longer than two rounds of the page's polling. */
const TWO_ROUNDS_MS = 10_000;
const MINUTE_MS = 60_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Tells the page that it is hidden, or seen again, as the browser does when another tab is in front. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((to) => {
    Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

test('the sale page asks for news while it is seen, rests while it is hidden, and asks at once when it is seen again', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await page.clock.install();
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === PROJECT) asked += 1;
  });
  await page.goto(SALE, { waitUntil: 'load' });
  await vi.waitFor(
    async () => {
      await page.clock.runFor(TWO_ROUNDS_MS);
      expect(asked).toBeGreaterThan(0);
    },
    { timeout: WAIT_MS },
  );
  await turn(page, 'hidden');
  // What was under way when the page was hidden may still end.
  await page.waitForLoadState('networkidle');
  const before = asked;
  // From here on the page's time passes only as the test lets it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + MINUTE_MS);
  await page.clock.runFor(TWO_ROUNDS_MS * 6);
  expect(asked).toBe(before);
  await turn(page, 'visible');
  // At once: no time has passed for the page.
  await vi.waitFor(() => expect(asked).toBeGreaterThan(before), { timeout: WAIT_MS });
  expect(wrongs).toEqual([]);
  await context.close();
});

test('readers who have a sale open see that it is paused by what the server made once for them all', async () => {
  const sale = await launched('for-readers');
  const readers = await Promise.all([openPage(browser), openPage(browser)]);
  const asked: Request[][] = readers.map(() => []);
  for (const [n, { page }] of readers.entries()) {
    page.on('request', (request) => {
      if (request.headers().rsc === '1' && request.url().includes(sale.slug)) asked[n]?.push(request);
    });
    await visit(page, `${BASE_URL}/sales/${sale.slug}`);
  }
  await act(sale, 'pause');
  for (const { page } of readers) await page.getByText('The sale is paused.').first().waitFor({ timeout: WAIT_MS });
  const [first, second] = asked.map((requests) => requests.at(-1));
  const wanted = (request?: Request) => [request?.url(), request?.headers()['next-router-state-tree']];
  expect(wanted(first)).toEqual(wanted(second));
  // An answer for one reader alone has a nonce.
  for (const request of [first, second]) {
    const answer = await request?.response();
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()['content-security-policy']).not.toContain('nonce-');
  }
  for (const { wrongs, context } of readers) {
    expect(wrongs).toEqual([]);
    await context.close();
  }
});

test('an amount that was typed before the page came alive is the one that is split', async () => {
  const { page, context, wrongs } = await openPage(browser);
  const release = await holdScripts(page);
  await page.goto(SALE, { waitUntil: 'commit' });
  const amount = page.getByLabel('You pay, in XRP');
  const output = page.locator('output');
  // By its text alone: how its lines are set is known only once the style sheet is there.
  const before = await output.textContent();
  await amount.fill('1234');
  expect(await output.textContent()).toBe(before);
  release();
  await untilAlive(page);
  await expect.poll(() => output.textContent(), { timeout: WAIT_MS }).not.toBe(before);
  const typed = await output.textContent();
  expect(await amount.inputValue()).toBe('1234');
  await amount.fill('');
  await amount.fill('1234');
  await expect.poll(() => output.textContent(), { timeout: WAIT_MS }).toBe(typed);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('without any script a visitor reads the sale, splits an amount, asks for a wallet and watches a payment', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(SALE);
  await page.getByRole('heading', { level: 1, name: 'Demo Sale' }).waitFor();
  // No button that would do nothing.
  expect(await page.getByRole('button', { name: /Ask|Copy|light and dark/ }).count()).toBe(0);
  await page.getByLabel('You pay, in XRP').fill('600');
  await page.getByText('Check it for your wallet').click();
  await page.getByLabel('Wallet address').fill(manifest.accounts?.issuer.address ?? '');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  // The page with the answer, and not the one that asked for it.
  await page.getByText('The server’s answer').waitFor();
  // Split by the page, and by the reducer that decides: the same sum.
  const [tokens] = /[\d,.]+(?= DMO)/.exec(await page.locator('output').innerText()) ?? [];
  await page.getByText(`Now it would buy ${tokens} DMO`).waitFor();
  const { deposit_address, destination_tag } = manifest.project ?? {};
  expect(await page.getByText('Open in your wallet').getAttribute('href')).toBe(
    `xrpl://${deposit_address}?dt=${destination_tag}&amount=600`,
  );
  await page.getByLabel('Your wallet’s address, or the hash of your payment').fill('nobody');
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.locator('#watch-for-fault').waitFor();
  expect(await page.getByLabel('Your wallet’s address, or the hash of your payment').getAttribute('aria-invalid')).toBe(
    'true',
  );
  await context.close();
});

test('what does not exist answers 404, so that nobody keeps it', async () => {
  for (const path of [
    '/sales/nope',
    '/sales/nope/terms',
    '/wallets/nobody',
    '/investments/inv_0000000000000000000000',
  ]) {
    const answer = await fetch(`${BASE_URL}${path}`);
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
  }
});

test('the home page and each sale have a card for social networks, drawn here', async () => {
  const { page, context } = await openPage(browser);
  const cards: (string | null)[] = [];
  for (const address of [BASE_URL, SALE]) {
    await page.goto(address);
    const image = await page.locator('meta[property="og:image"]').first().getAttribute('content');
    cards.push(image);
    const answer = await fetchOk(image ?? '');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    await page.locator('link[rel="icon"]').first().waitFor({ state: 'attached' });
  }
  expect(new Set(cards).size).toBe(2);
  await context.close();
});

test('a sale for listed wallets tells nobody where to pay before a wallet on the list is named', async () => {
  const [listed, other] = [Wallet.generate().classicAddress, Wallet.generate().classicAddress];
  const sale = await launchedFor('admits-one', listed);
  const told = async (wallet: string) => {
    const html = await (await fetchOk(`${BASE_URL}/sales/${sale.slug}?amount=50&wallet=${wallet}`)).text();
    return [sale.deposit_address, String(sale.destination_tag)].map((text) => html.includes(text));
  };
  expect(await told('')).toEqual([false, false]);
  expect(await told(other)).toEqual([false, false]);
  expect(await told(listed)).toEqual([true, true]);
});
