import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, WAIT_MS } from './browser.ts';

let browser: Browser;
let dashboard: Server;
/** Of another site than the platform, which is on 127.0.0.1. */
let dashboardUrl: string;
/** What the dashboard shows in its frame. */
let framed = '';
let key: string;

beforeAll(async () => {
  browser = await openBrowser();
  dashboard = createServer((_, response) => {
    const frame = `<iframe title="Webhooks" allow="clipboard-write" width="1000" height="800" src="${framed}"></iframe>`;
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><html lang="en"><title>Dashboard</title><link rel="icon" href="data:,">${frame}`);
  }).listen(0, '127.0.0.1');
  await once(dashboard, 'listening');
  dashboardUrl = `http://localhost:${(dashboard.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  dashboard?.close();
});
beforeEach(async () => {
  key = String((await ask('/api/api-keys/create', { wallet_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' })).api_key);
  registerSecrets(key);
});

async function ask(path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const answer = await fetchOk(`${path.startsWith('/') ? BASE_URL : ''}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return (await answer.json().catch(() => ({}))) as Record<string, unknown>;
}

async function makeLink(body: object = {}): Promise<string> {
  const url = String((await ask('/api/portal-links', body, key)).url);
  registerSecrets(new URL(url).hash.slice(1));
  return url;
}

/** Fills the form of a new webhook at the sandbox's receiver. */
async function fillForm(portal: Page | FrameLocator): Promise<void> {
  await portal.getByRole('button', { name: 'Add a webhook' }).click();
  await portal.getByLabel('Address of the receiver').fill(manifest.receiver_url);
  await portal.getByText('Conditions', { exact: true }).click();
  await portal.getByLabel('Minimum amount (XRP)').fill('1.5');
  await portal.getByLabel('Investment confirmed').check();
  await portal.getByText('Headers and rate limit', { exact: true }).click();
  await portal.getByRole('button', { name: 'Add a header' }).click();
  await portal.getByLabel('Name of header 1').fill('x-api-key');
  await portal.getByLabel('Value of header 1').fill('of-a-gateway');
  await portal.getByLabel('Rate limit (attempts a second)').fill('50');
}

test('a webhook is made, tested, seen delivered, changed, sent again and deleted within a dashboard of another site, by a link that nothing but the page has seen', async () => {
  const { page, context, wrongs } = await openPage(browser);
  const asked: string[] = [];
  page.on('request', (request) => {
    asked.push(request.url(), request.headers().referer ?? '');
  });
  framed = await makeLink({ frame_origins: [dashboardUrl] });
  const token = new URL(framed).hash.slice(1);
  await page.goto(dashboardUrl);
  const portal = page.frameLocator('iframe');
  await portal.getByText('No webhook yet').waitFor();
  await fillForm(portal);
  await portal.getByRole('button', { name: 'Register' }).click();
  const secret = await portal.getByTestId('secret').innerText();
  registerSecrets(secret);
  await ask(`${manifest.receiver_url}/secret`, { secret });
  await portal.getByRole('button', { name: 'I stored it' }).click();
  await portal.getByRole('button', { name: manifest.receiver_url }).click();

  const settings = portal.getByRole('region', { name: 'Settings' });
  await settings.getByText('Conditions: from 1.5 XRP, 1 status').waitFor();
  await settings.getByText('Headers and rate limit: 1 header, 50 a second').waitFor();
  await portal.getByRole('button', { name: 'Send', exact: true }).click();
  await portal.getByText('The receiver answered 200').waitFor({ timeout: WAIT_MS });
  const log = portal.getByRole('region', { name: 'Deliveries', exact: true });
  await log.getByText('success 200').first().waitFor();

  await settings.getByText('Conditions: from 1.5 XRP').click();
  await settings.getByLabel('Minimum amount (XRP)').fill('');
  await settings.getByLabel('Investment confirmed').uncheck();
  await settings.getByText('Headers and rate limit').click();
  await settings.getByRole('button', { name: 'Replace them' }).click();
  await settings.getByRole('button', { name: 'Remove header 2' }).click();
  await settings.getByRole('button', { name: 'Remove header 1' }).click();
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('Saved.').waitFor();
  const listed = await fetch(`${BASE_URL}/api/webhooks`, { headers: { authorization: `Bearer ${key}` } });
  const { webhooks } = (await listed.json()) as { webhooks: unknown[] };
  expect(webhooks).toEqual([
    expect.objectContaining({ min_amount_xrp: null, statuses: null, header_names: [], rate_limit: 50 }),
  ]);

  // What is announced is a real event; a test is never sent again.
  const reason = 'shown by a test of the portal';
  await ask('/api/admin/maintenance', { message: 'A test', reason }, manifest.admin_token);
  const announced = log
    .getByRole('listitem')
    .filter({ hasText: 'system.maintenance_start' })
    .filter({ hasText: 'success' });
  await announced.first().waitFor({ timeout: WAIT_MS });
  await ask('/api/admin/maintenance/end', { reason }, manifest.admin_token);
  await announced.first().getByRole('button', { name: 'Send again' }).click();
  await log.getByText('sent again').first().waitFor();
  await settings.getByRole('button', { name: 'Delete…' }).click();
  await settings.getByRole('button', { name: 'Delete it' }).click();
  await portal.getByText('No webhook yet').waitFor();

  const [, frame] = page.frames();
  expect(frame?.url()).toBe(framed.split('#')[0]);
  expect(asked.filter((text) => /tr_(?:link|portal)_/.test(text))).toEqual([]);
  expect(asked.filter((text) => text.includes('/portal/'))).toEqual([framed.split('#')[0]]);
  expect(JSON.stringify(await context.storageState())).not.toMatch(/tr_(?:link|portal)_/);
  const stored = await frame?.evaluate(() => {
    try {
      return sessionStorage.length + localStorage.length;
    } catch {
      // Refused to a frame of another site: the portal did without.
      return 0;
    }
  });
  expect(stored).toBe(0);
  const again = await fetch(`${BASE_URL}/api/portal-sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link_token: token }),
  });
  expect(again.status).toBe(410);
  expect(wrongs.filter((wrong) => !wrong.includes(` asks ${dashboardUrl}/`))).toEqual([]);
  await context.close();
});

test('a link that names no dashboard is shown in none', async () => {
  const { page, context, wrongs } = await openPage(browser);
  framed = await makeLink();
  await page.goto(dashboardUrl);
  await expect.poll(() => wrongs.filter((wrong) => wrong.includes("frame-ancestors 'none'"))).toHaveLength(1);
  await page.goto(framed);
  await page.getByText('No webhook yet').waitFor();
  await context.close();
});

test.each([320, 1440])('the portal is accessible in both themes and fits %d pixels', async (width) => {
  const { page, context, wrongs } = await openPage(browser, { width });
  const check = async () => {
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  };
  await page.goto(await makeLink());
  await fillForm(page);
  await check();
  await page.getByRole('button', { name: 'Register' }).click();
  registerSecrets(await page.getByTestId('secret').innerText());
  await page.getByRole('button', { name: 'I stored it' }).click();
  await page.getByRole('button', { name: manifest.receiver_url }).click();
  await page.getByRole('region', { name: 'Settings' }).waitFor();
  await check();
  await page.goBack();
  await page.getByRole('button', { name: 'Add a webhook' }).waitFor();

  // Who may only read is offered nothing that changes something.
  await page.goto(await makeLink({ read_only: true }));
  await page.getByRole('button', { name: manifest.receiver_url }).click();
  await page.getByRole('region', { name: 'Settings' }).waitFor();
  expect(await page.getByLabel('Address of the receiver').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /Save|Delete|Send|Rotate|Count/ }).count()).toBe(0);
  await check();

  // The key ends, and the page with it.
  await ask('/api/api-keys/revoke', { api_key: key });
  await page.getByText('This session is over').waitFor({ timeout: WAIT_MS });
  await check();
  await page.reload();
  await page.getByText('This link was opened already').waitFor();
  // The browser says of the refusal that it came.
  expect(wrongs.filter((wrong) => !wrong.includes('the server responded with a status of 401'))).toEqual([]);
  await context.close();
});
