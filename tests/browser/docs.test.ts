import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { BASE_URL, clipboardOf, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test('a reader finds a section by a search, reads the example in another language, takes it along, and goes on to the next guide', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await visit(page, `${BASE_URL}/docs`);
  const search = page.getByRole('searchbox', { name: 'Search the guides' });
  await search.fill('check a signature');
  await search.press('Enter');
  await page.getByRole('heading', { level: 1, name: /Results for/ }).waitFor();
  expect(await search.inputValue()).toBe('check a signature');
  await page
    .getByRole('region', { name: 'Webhooks' })
    .getByRole('link', { name: 'Check a signature', exact: true })
    .click();
  await page.waitForURL(`${BASE_URL}/docs/webhooks#check-a-signature`);
  // The heading is seen, and not hidden under the site's own.
  await expect.poll(() => page.getByRole('heading', { name: /Check a signature/ }).isVisible()).toBe(true);

  const tabs = page.getByRole('tablist');
  await tabs.getByRole('tab', { name: 'Node' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => tabs.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected')).toBe('true');
  const panel = page.getByRole('tabpanel', { name: 'Python' });
  await panel.getByRole('button', { name: /^Copy/ }).click();
  await expect.poll(() => clipboardOf(page), { timeout: WAIT_MS }).toMatch(/^import base64\n[\s\S]*return False$/);
  expect(await page.getByRole('tabpanel').count()).toBe(1);

  const next = page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link', { name: /Next/ });
  const name = await next.locator('span').last().innerText();
  await next.click();
  const open = page.getByRole('navigation', { name: 'Guides', exact: true }).locator('[aria-current=page]');
  await expect.poll(() => open.innerText(), { timeout: WAIT_MS }).toBe(name);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('without any script a reader searches, and has the examples of all languages below each other', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${BASE_URL}/docs/webhooks`);
  for (const first of ['import base64', 'package webhooks', 'set -euf']) {
    expect(await page.getByText(first).first().isVisible(), first).toBe(true);
  }
  await page.getByRole('searchbox').fill('refund');
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('heading', { level: 1, name: /Results for/ }).waitFor();
  await context.close();
});

test('the reference calls this deployment: a sale’s own id stands there already, and a refusal is shown as it came', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await visit(page, `${BASE_URL}/reference/getProject`);
  await page.getByText('Try it').click();
  const id = page.getByRole('textbox', { name: 'id' });
  const { projects } = (await (await fetchOk(`${BASE_URL}/api/projects`)).json()) as { projects: { id: string }[] };
  const ids = projects.map((project) => project.id);
  await expect.poll(async () => ids.includes(await id.inputValue()), { timeout: WAIT_MS }).toBe(true);
  await page.getByRole('button', { name: 'Send' }).click();
  const answer = page.getByRole('status').filter({ hasText: 'Status' });
  await answer.getByText('200', { exact: true }).waitFor();
  const shown = await page.getByRole('region', { name: 'the answer' }).innerText();
  expect(JSON.parse(shown)).toMatchObject({ id: await id.inputValue(), status: expect.any(String) });
  expect(wrongs).toEqual([]);

  await visit(page, `${BASE_URL}/reference/registerWebhook`);
  await page.getByText('Try it').click();
  await page.getByLabel('Key or token').fill('tr_live_none');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('401', { exact: true }).waitFor();
  await context.close();
});
