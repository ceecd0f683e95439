import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Of no sale: what others pay meanwhile brings these webhooks nothing. */
const QUIET = 'system.network_status';

let key: string;
async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetchOk(`${BASE_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  return answer.json() as Promise<T>;
}

/** A developer with a webhook at the sandbox's receiver, which answers as the webhook's secret wants it. */
async function newWebhook(): Promise<string> {
  key = '';
  const wallet = Wallet.generate().classicAddress;
  ({ api_key: key } = await post<{ api_key: string }>('/api/api-keys/create', { wallet_address: wallet }));
  const made = await post<{ id: string; secret: string }>('/webhooks', { url: manifest.receiver_url, events: [QUIET] });
  registerSecrets(key, made.secret);
  await receiver('/secret', { secret: made.secret });
  return made.id;
}

const receiver = (path: string, body: object) =>
  fetchOk(`${manifest.receiver_url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const sendTest = (webhook_id: string) => post('/webhooks/test', { webhook_id, event_type: QUIET });

/** The page of a webhook, with the key in its tab. */
async function openWebhook(page: Page, id: string): Promise<void> {
  await visit(page, `${BASE_URL}/developers`);
  await page.evaluate((text) => sessionStorage.setItem('tranche.api-key', text), key);
  await visit(page, `${BASE_URL}/developers/webhooks/${id}`);
  await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
}

test('new deliveries appear by themselves; while one is read they wait above, and in a hidden tab nothing is asked', async () => {
  const { page, context, wrongs } = await openPage(browser);
  await page.clock.install();
  const id = await newWebhook();
  await openWebhook(page, id);
  const log = page.getByRole('region', { name: 'Deliveries', exact: true });
  const lines = log.getByRole('button', { name: QUIET });
  await log.getByText('No deliveries yet').waitFor();
  await sendTest(id);
  await expect.poll(() => lines.count(), { timeout: WAIT_MS }).toBe(1);
  await page.getByRole('img', { name: /Deliveries in the last day: 1 delivered/ }).waitFor({ timeout: WAIT_MS });

  await lines.first().click();
  await log.getByText('Attempt 1').waitFor();
  await sendTest(id);
  const fresh = log.getByRole('button', { name: 'Show 1 new delivery' });
  await fresh.waitFor({ timeout: WAIT_MS });
  expect(await lines.count()).toBe(1);
  await fresh.click();
  await expect.poll(() => lines.count()).toBe(2);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  await log.getByText('Attempt 1').waitFor();

  // As the browser says of a tab that nobody sees.
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  asked.length = 0;
  await page.clock.runFor(60_000);
  expect(asked).toEqual([]);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => asked.some((url) => url.includes('/deliveries?')), { timeout: WAIT_MS }).toBe(true);
  expect(wrongs).toEqual([]);
  await context.close();
});

test('an opened delivery and what is sent again show how far they have come', async () => {
  const { page, context } = await openPage(browser);
  const id = await newWebhook();
  await openWebhook(page, id);
  const log = page.getByRole('region', { name: 'Deliveries', exact: true });
  // What the log says of the delivery at first: its first attempt is under way. The truth comes from the platform a moment later.
  const state = { isOver: false };
  const delivery = {
    ...{ id: 'del_0000000000000000000001', event_id: 'evt_0000000000000000000001', event_type: QUIET },
    ...{ cancelled_reason: null, delivered_at: null, resend_of: null, replay_id: null, pruned: false },
    created_at: new Date().toISOString(),
  };
  const now = () =>
    state.isOver
      ? { ...delivery, status: 'success', response_code: 200, duration_ms: 12, attempts: 1 }
      : { ...delivery, status: 'pending', response_code: null, duration_ms: null, attempts: 1 };
  const attempt = () => ({
    ...{ number: 1, started_at: delivery.created_at, url: manifest.receiver_url, request_headers: null },
    ...{ response_headers: null, response_body: null, error_kind: null, retry_after: null },
    response_code: state.isOver ? 200 : null,
    duration_ms: state.isOver ? 12 : null,
  });
  const request = { method: 'POST', url: manifest.receiver_url, headers: null, body: '{}' };
  await page.route(/\/deliveries(\?|\/|$)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/resend')) {
      state.isOver = false;
      await route.fulfill({ status: 202, json: { ...now(), id: 'del_0000000000000000000002', attempts: 0 } });
    } else if (pathname.endsWith('/deliveries')) {
      await route.fulfill({ json: { deliveries: [now()], next_cursor: null } });
    } else {
      const asked = pathname.split('/').at(-1);
      await route.fulfill({ json: { ...now(), id: asked, request, attempt_log: [attempt()] } });
    }
  });
  const line = log.getByRole('button', { name: QUIET });
  await line.click({ timeout: WAIT_MS });
  await log.getByText('under way').waitFor();
  expect(await line.innerText()).toContain('pending');
  state.isOver = true;
  await log.getByText('200 delivered').waitFor({ timeout: WAIT_MS });
  expect(await line.innerText()).toContain('success 200');

  await log.getByRole('button', { name: 'Send again' }).click();
  const progress = log.getByRole('status').filter({ hasText: 'Sent again' });
  await progress.getByText('its first attempt is under way').waitFor({ timeout: WAIT_MS });
  state.isOver = true;
  await progress.getByText('success 200').waitFor({ timeout: WAIT_MS });
  await context.close();
});

test.each([390, 1440])(
  'the page of a webhook with its chart is accessible in both themes and fits %d pixels',
  async (width) => {
    const { page, context } = await openPage(browser, { width });
    const id = await newWebhook();
    await sendTest(id);
    await receiver('/behaviour', { status: 500, times: 1 });
    await sendTest(id);
    await openWebhook(page, id);
    await page.getByRole('img', { name: /Deliveries in the last day: 1 delivered, 1 failed/ }).waitFor();
    await page.getByText('As a table').click();
    await page.getByRole('cell').first().waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await context.close();
  },
);

test.each([390, 1440])(
  'the programs of the developers’ page need no scrolling sideways at %d pixels',
  async (width) => {
    const { page, context } = await openPage(browser, { width });
    await visit(page, `${BASE_URL}/developers`);
    const lists = page.getByRole('tablist');
    expect(await lists.count()).toBe(2);
    for (const list of await lists.all()) {
      for (const tab of await list.getByRole('tab').all()) {
        await tab.click();
        const wider = await page
          .locator('section:has(> pre)')
          .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
        expect([await tab.innerText(), wider]).toEqual([await tab.innerText(), 0]);
      }
    }
    expect(await overflowOf(page)).toBe(0);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await context.close();
  },
);
