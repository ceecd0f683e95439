import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit } from './browser.ts';
import { captureAction, cookieOf, type SentAction, signIn } from './operator-desk.ts';

const PROJECT = manifest.project?.id ?? '';
const LINKS = [
  '/operator',
  '/operator/projects',
  '/operator/projects/new',
  `/operator/projects/${PROJECT}`,
  `/operator/projects/${PROJECT}/edit`,
  '/operator/payments',
  `/operator/payments/${'A'.repeat(64)}`,
  '/operator/payouts',
  '/operator/audit',
];

let browser: Browser;
let operator: Page;
let cookie: string;
let pause: SentAction;

/** How many pauses of this sale the audit holds, by the interface. */
async function pauses(): Promise<number> {
  const answer = await fetchOk(`${BASE_URL}/api/admin/audit?action=project.pause&subject=${PROJECT}`, {
    headers: { authorization: `Bearer ${manifest.admin_token}` },
  });
  return ((await answer.json()) as { entries: unknown[] }).entries.length;
}

beforeAll(async () => {
  browser = await openBrowser();
  ({ page: operator } = await openPage(browser));
  await signIn(operator);
  cookie = await cookieOf(operator);
  await visit(operator, `${BASE_URL}/operator/projects/${PROJECT}`);
  await operator.getByRole('button', { name: 'Pause…' }).click();
  await operator.getByLabel('Reason', { exact: true }).fill('forged');
  pause = await captureAction(operator, () => operator.getByRole('button', { name: 'Pause', exact: true }).click());
});
afterAll(() => browser?.close());

const forge = (headers: Record<string, string>) =>
  fetch(pause.url, {
    method: 'POST',
    headers: { ...pause.headers, ...headers },
    body: new Uint8Array(pause.body),
    redirect: 'manual',
  });

describe('a forged action', () => {
  test('of a session that may only look is refused', async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, manifest.read_only_token);
    const answer = await forge({ cookie: await cookieOf(page), origin: BASE_URL });
    expect(await answer.text()).toContain('read-only');
    expect(await pauses()).toBe(0);
    await context.close();
  });

  test('without a session, or with an altered one, is sent to the page for signing in and does nothing', async () => {
    for (const bad of ['', `${cookie.slice(0, -4)}AAAA`, 'operator-session=k1.AAAA.AAAA']) {
      const answer = await forge({ origin: BASE_URL, cookie: bad });
      expect(answer.headers.get('x-action-redirect') ?? answer.headers.get('location')).toContain('/operator/login');
    }
    expect(await pauses()).toBe(0);
  });

  test.each([
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['the Origin null', { origin: 'null' }],
    ['no Origin', {}],
    ['a sister site’s Sec-Fetch-Site', { origin: BASE_URL, 'sec-fetch-site': 'same-site' }],
    ['another port’s Origin', { origin: 'http://127.0.0.1:1' }],
  ])('with %s is refused', async (_, headers) => {
    const answer = await forge({ cookie, ...(headers as Record<string, string>) });
    const text = await answer.text();
    expect(answer.status >= 400 || text.includes('not sent by a page')).toBe(true);
    expect(await pauses()).toBe(0);
  });
});

describe('a page of the console', () => {
  test.each(LINKS)('%s tells nothing to who is not signed in, neither as HTML nor as RSC payload', async (path) => {
    const prefetched = { rsc: '1', 'next-router-prefetch': '1' };
    for (const headers of [{}, { rsc: '1' }, prefetched]) {
      const answer = await fetch(`${BASE_URL}${path}`, { headers, redirect: 'manual' });
      const text = await answer.text();
      // What is prefetched is the frame alone: it is not even asked who comes.
      if (headers !== prefetched) expect(answer.status === 307 || text.includes('/operator/login')).toBe(true);
      for (const secret of ['Demo Sale', manifest.accounts?.deposit.address ?? '-', 'Sign out', 'sandbox']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  test.each(LINKS)('%s is kept by no cache', async (path) => {
    for (const headers of [{ cookie }, { cookie, rsc: '1' }]) {
      const answer = await fetch(`${BASE_URL}${path}`, { headers, redirect: 'manual' });
      // The page itself, and not the way to the one for signing in.
      expect(answer.status === 307 || (await answer.text()).includes('/operator/login')).toBe(false);
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
    }
  });
});

describe('a session', () => {
  test('is a cookie that no script reads and no other site sends, for eight hours, without the token', async () => {
    const [session] = (await operator.context().cookies()).filter(({ name }) => name.endsWith('operator-session'));
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const leftHours = ((session?.expires ?? 0) - Date.now() / 1_000) / 3_600;
    expect(leftHours).toBeLessThanOrEqual(8);
    // The tests before this one take minutes at most.
    expect(leftHours).toBeGreaterThan(7);
    expect(session?.value).not.toContain(manifest.admin_token);
    expect(await operator.evaluate(() => document.cookie)).not.toContain('operator-session');
  });

  test('is not taken over from a cookie that was set before: signing in makes its own', async () => {
    const { page, context } = await openPage(browser);
    await context.addCookies([{ name: 'operator-session', value: 'k1.fixed.session', url: BASE_URL }]);
    await signIn(page);
    const values = (await context.cookies()).filter(({ name }) => name === 'operator-session');
    expect(values).toHaveLength(1);
    expect(values[0]?.value).not.toBe('k1.fixed.session');
    await context.close();
  });

  test('leads nowhere but to the console after signing in, and is gone after signing out', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${BASE_URL}/operator/login?next=https://evil.example&redirect=//evil.example`);
    await page.getByLabel('Token').fill(manifest.admin_token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${BASE_URL}/operator`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${BASE_URL}/operator/login`);
    expect((await context.cookies()).some(({ name }) => name.endsWith('operator-session'))).toBe(false);
    await context.close();
  });
});

test('who may only look sees everything and finds every action switched off', async () => {
  const { page, context } = await openPage(browser);
  await signIn(page, manifest.read_only_token);
  await page.goto(`${BASE_URL}/operator/projects/${PROJECT}`);
  await page.getByText('read only', { exact: true }).waitFor();
  const actions = await page
    .getByRole('main')
    .getByRole('button', { name: /…$/ })
    .evaluateAll((all) => all.map((each) => ({ name: each.textContent, isOff: each.matches(':disabled') })));
  expect(actions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Pause…', 'End the sale…', 'Cancel the sale…']),
  );
  expect(actions.filter(({ isOff }) => !isOff)).toEqual([]);
  await context.close();
});

test.each(LINKS.filter((path) => !path.includes('AAAA')))(
  '%s is accessible in both themes, fits a phone, and says no error',
  async (path) => {
    const { page, context, wrongs } = await openPage(browser, { width: 390 });
    await context.addCookies(await operator.context().cookies());
    await visit(page, `${BASE_URL}${path}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    if (path === '/operator') await untilLedgerIsRead(page);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrongs).toEqual([]);
    await context.close();
  },
);
