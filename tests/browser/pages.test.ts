import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, openBrowser, openPage } from './browser.ts';

const { manifest } = inject('sandbox');

const PAGES = [
  '/',
  '/sales/demo-sale',
  '/sales/demo-sale/terms',
  '/sales/demo-sale?amount=700&wallet=nobody',
  '/wallets',
  `/wallets/${manifest.accounts?.issuer.address}`,
  '/holders',
  '/developers',
  '/status',
  '/operator/login',
  '/reference',
  '/nothing/here',
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
    await page.goto(`${BASE_URL}${path}`, { waitUntil: 'load' });
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrongs.filter((wrong) => !wrong.includes('404 (Not Found)'))).toEqual([]);
    expect(await page.title()).toMatch(/Tranche/);
    await context.close();
  },
);

test('a visitor’s choice of theme is kept, and no page flashes in the other one', async () => {
  const { page, context, wrongs } = await openPage(browser, { theme: 'light' });
  await page.goto(BASE_URL);
  await page.getByRole('button', { name: /light and dark/ }).click();
  await page.goto(`${BASE_URL}/status`);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(wrongs).toEqual([]);
  await context.close();
});

test('for who wants no motion a change of colours is drawn at once, to the last letter of the page', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${BASE_URL}/sales/demo-sale`);
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
  const cards = page.getByRole('article');
  expect(await cards.count()).toBeGreaterThan(0);
  expect(await cards.evaluateAll((all) => all.map((card) => card.scrollHeight - card.clientHeight))).toEqual(
    Array.from({ length: await cards.count() }, () => 0),
  );
  await context.close();
});

test('the first thing that the keyboard reaches leads past the navigation', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(BASE_URL);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await context.close();
});
