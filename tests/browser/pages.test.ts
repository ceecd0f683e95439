import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit, WAIT_MS } from './browser.ts';

const SALE = '/sales/demo-sale';
const ASKED_SALE = `${SALE}?amount=700&wallet=nobody`;
const MISSING = '/nothing/here';
const PAGES = [
  '/',
  SALE,
  `${SALE}/terms`,
  ASKED_SALE,
  '/wallets',
  `/wallets/${manifest.accounts?.issuer.address}`,
  '/holders',
  '/developers',
  '/status',
  '/operator/login',
  '/docs',
  '/docs/webhooks',
  '/docs/performance',
  '/docs/search?q=refund',
  '/docs/errors/rate_limited',
  '/reference',
  '/reference/createProject',
  '/reference/investment.created',
  MISSING,
];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test.each(PAGES)(
  '%s is accessible in both themes, asks no other host, says no error, and fits a phone',
  async (path) => {
    const { page, context, wrongs } = await openPage(browser, { width: 390 });
    const address = `${BASE_URL}${path}`;
    const answer = await visit(page, address);
    expect(answer?.status()).toBe(path === MISSING ? 404 : 200);
    if (path === SALE || path === ASKED_SALE) await untilLedgerIsRead(page);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    // Where nothing is, the browser says so; anywhere else something that belongs to the page would be missing.
    expect(wrongs.filter((wrong) => path !== MISSING || !wrong.includes('404 (Not Found)'))).toEqual([]);
    expect(await page.title()).toMatch(/Tranche/);
    await context.close();
  },
);

test('a visitor’s choice of theme is kept, and no page flashes in the other one', async () => {
  const { page, context, wrongs } = await openPage(browser, { theme: 'light' });
  await visit(page, BASE_URL);
  await page.getByRole('button', { name: /light and dark/ }).click();
  // The browser keeps it a moment after the click.
  const kept = async () => (await context.cookies()).find(({ name }) => name === 'theme')?.value;
  await expect.poll(kept, { timeout: WAIT_MS }).toBe('dark');
  // Nothing is drawn before there is a body: the theme has to be there by then.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.body === null) return;
      observer.disconnect();
      document.documentElement.id = `body came in ${document.documentElement.dataset.theme}`;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${BASE_URL}/status`);
  expect(await page.locator('html').getAttribute('id')).toBe('body came in dark');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(wrongs).toEqual([]);
  await context.close();
});

test('for who wants no motion a change of colours is drawn at once, to the last letter of the page', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}${SALE}`);
  await untilLedgerIsRead(page);
  const { followed, late, moving } = await page.evaluate(async () => {
    // Two frames, so that what could be in transition has a colour to come from.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const all = [...document.body.querySelectorAll('*')];
    const colourOf = (element: Element) => getComputedStyle(element).color;
    const inherited = colourOf(document.body);
    const inheriting = all.filter((element) => colourOf(element) === inherited);
    document.body.style.color = 'rgb(1, 2, 3)';
    const behind = inheriting.filter((element) => colourOf(element) !== 'rgb(1, 2, 3)');
    const moving = document.getAnimations().length;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    // Each by itself: what the page takes away in the meantime must not make up for another that came late.
    const late = behind.filter((element) => colourOf(element) === 'rgb(1, 2, 3)').length;
    return { followed: inheriting.length - behind.length, late, moving };
  });
  expect({ late, moving }).toEqual({ late: 0, moving: 0 });
  expect(followed).toBeGreaterThan(20);
  await context.close();
});

test('on a phone each sale’s card holds all that stands in it', async () => {
  const { page, context } = await openPage(browser, { width: 390 });
  await page.goto(BASE_URL);
  // Its own letters are of another size than those that stand in for them.
  await page.evaluate(async () => void (await document.fonts.ready));
  const cards = page.getByRole('article');
  const beyond = await cards.evaluateAll((all) => all.map((card) => card.scrollHeight - card.clientHeight));
  expect(beyond.length).toBeGreaterThan(0);
  expect(beyond.filter((pixels) => pixels !== 0)).toEqual([]);
  await context.close();
});

test('the first thing that the keyboard reaches leads past the navigation', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, BASE_URL);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), { timeout: WAIT_MS }).toBe('content');
  await context.close();
});

test('times are in the visitor’s own zone, in UTC on demand and without a script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${BASE_URL}${SALE}`);
    const time = page.locator('time').first();
    await expect.poll(() => time.innerText(), { timeout: WAIT_MS }).toMatch(javaScriptEnabled ? /GMT\+9$/ : /UTC$/);
    expect(await time.getAttribute('title')).toMatch(/ UTC$/);
    await context.close();
  }
});
