import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { registerSecrets } from '#tests/support/secrets.ts';
import { BASE_URL, manifest, untilAlive, WAIT_MS } from './browser.ts';

registerSecrets(manifest.admin_token, manifest.read_only_token);

export async function signIn(page: Page, token: string = manifest.admin_token): Promise<void> {
  await page.goto(`${BASE_URL}/operator/login`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Needs attention' }).waitFor();
  // Where the form was sent before its scripts were there, the browser has read a whole new page.
  await untilAlive(page);
}

/** Reads the page anew until it shows what is looked for, and is alive. */
export const untilShown = (page: Page, read: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await page.reload();
        await untilAlive(page);
        return read();
      },
      { timeout: WAIT_MS, interval: 1_000 },
    )
    .toBe(true);

/** Does what sends a Server Action, and waits for its answer: to read the page anew before may take the action back. */
export async function answered(page: Page, doIt: () => Promise<void>): Promise<void> {
  await Promise.all([
    page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().startsWith(`${BASE_URL}/operator`),
      { timeout: WAIT_MS },
    ),
    doIt(),
  ]);
}

/** Opens an action of the console, gives its reason, does it, and waits for the answer. */
export async function actWithReason(page: Page, label: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: `${label}…` }).click();
  await page.getByLabel('Reason', { exact: true }).fill(reason);
  await answered(page, () => page.getByRole('button', { name: label, exact: true }).click());
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
