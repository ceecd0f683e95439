import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { noteSecrets } from '#tests/support/secrets.ts';
import { BASE_URL } from './browser.ts';

const { manifest } = inject('sandbox');
const SHOWN_TIMEOUT_MS = 60_000;
noteSecrets(manifest.admin_token, manifest.read_only_token);

export async function signIn(page: Page, token: string = manifest.admin_token): Promise<void> {
  await page.goto(`${BASE_URL}/operator/login`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Needs a hand' }).waitFor();
}

/** Reads the page anew until it shows what is looked for. */
export const untilShown = (page: Page, read: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await page.reload();
        return read();
      },
      { timeout: SHOWN_TIMEOUT_MS, interval: 1_000 },
    )
    .toBe(true);

/** Opens an action of the console, gives its reason, and does it. */
export async function actWithReason(page: Page, label: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: `${label}…` }).click();
  await page.getByLabel('Reason', { exact: true }).fill(reason);
  await page.getByRole('button', { name: label, exact: true }).click();
}

/** A Server Action as a page sent it. */
export interface SentAction {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** What the page sends with its next Server Action; it never reaches the server. */
export async function captureAction(page: Page, doIt: () => Promise<void>): Promise<SentAction> {
  const captured = Promise.withResolvers<SentAction>();
  await page.route('**/operator/**', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    const all = await request.allHeaders();
    const kept = ['next-action', 'content-type', 'accept', 'next-router-state-tree'];
    const headers = Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)));
    captured.resolve({ url: request.url(), headers, body: request.postDataBuffer() ?? Buffer.alloc(0) });
    return route.abort();
  });
  await doIt();
  const action = await captured.promise;
  await page.unroute('**/operator/**');
  return action;
}

/** The session of a context as a header. */
export async function cookieOf(page: Page): Promise<string> {
  const all = await page.context().cookies();
  return all.map(({ name, value }) => `${name}=${value}`).join('; ');
}
