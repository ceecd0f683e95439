import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, clipboardOf, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test('the assistant is asked by keyboard alone, answers in the log with its sources, can be copied, and gives the focus back', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await visit(page, `${BASE_URL}/sales/demo-sale`);
  const ask = page.getByRole('button', { name: 'Ask', exact: true });
  await ask.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  const question = panel.getByLabel('Your question');
  // The panel is drawn a moment before it takes the focus.
  await expect.poll(() => question.evaluate((box) => box === document.activeElement), { timeout: WAIT_MS }).toBe(true);
  await panel.getByRole('list', { name: 'Suggestions' }).waitFor();
  await page.keyboard.type('What does 100 XRP buy now?');
  await page.keyboard.press('Enter');
  const copy = panel.getByRole('button', { name: 'Copy the answer' });
  await copy.waitFor({ timeout: WAIT_MS });
  expect(await panel.getByRole('log').innerText()).toMatch(/1,?000/);
  await panel.getByRole('list', { name: 'Sources' }).waitFor();
  await copy.click();
  await expect.poll(() => clipboardOf(page), { timeout: WAIT_MS }).toMatch(/1,?000/);
  await question.focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => ask.evaluate((button) => button === document.activeElement), { timeout: WAIT_MS }).toBe(true);
  expect(await panel.count()).toBe(0);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('an answer can be stopped, and the next question goes on', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}/developers`);
  let answers = 0;
  await page.route('**/api/ai-agent/chat', async (route) => {
    // The first answer is held back until it was stopped.
    if (answers++ > 0) await route.continue();
  });
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  const question = panel.getByLabel('Your question');
  await question.fill('How do I verify a signature?');
  await question.press('Enter');
  await panel.getByText('Looking it up…').waitFor();
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.getByText('Stopped.').waitFor();
  await question.fill('How do I verify a signature?');
  await question.press('Enter');
  await panel.getByRole('button', { name: 'Copy the answer' }).waitFor({ timeout: WAIT_MS });
  await context.close();
});

test('what goes wrong is said in words, and nothing that was asked is lost', async () => {
  const { page, context } = await openPage(browser);
  await visit(page, `${BASE_URL}/developers`);
  await page.route('**/api/ai-agent/chat', (route) => route.abort());
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  await panel.getByLabel('Your question').fill('Is anybody there?');
  await panel.getByLabel('Your question').press('Enter');
  await panel.getByText('did not answer').waitFor();
  await panel.getByText('Is anybody there?').waitFor();
  await context.close();
});

test.each([390, 1440])('the panel is accessible in both themes and fits %d pixels', async (width) => {
  const { page, context, wrongs } = await openPage(browser, { width });
  await visit(page, `${BASE_URL}/developers`);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  await panel.getByLabel('Your question').fill('How do I replay a webhook?');
  await panel.getByLabel('Your question').press('Enter');
  await panel.getByRole('button', { name: 'Copy the answer' }).waitFor({ timeout: WAIT_MS });
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(wrongs).toEqual([]);
  await context.close();
});
