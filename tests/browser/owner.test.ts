import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, visit, WAIT_MS } from './browser.ts';
import { cookieOf } from './operator-desk.ts';
import { newWallet, send, signInAsOwner } from './owner-desk.ts';

let browser: Browser;
let founder: Wallet;
let owner: Page;
/** The address of the founder's draft. */
let draft: string;

beforeAll(async () => {
  browser = await openBrowser();
  founder = newWallet();
  ({ page: owner } = await openPage(browser));
  await signInAsOwner(owner, founder);
  await owner.getByText('No sale yet').waitFor();
  draft = await makeDraft(owner, 'Harbour Light');
}, 300_000);
afterAll(() => browser?.close());

async function makeDraft(page: Page, name: string): Promise<string> {
  const { accounts, owner_accounts: own } = manifest;
  if (accounts === null || own === null) throw new Error('The sandbox made no accounts');
  await visit(page, `${BASE_URL}/owner/sales/new`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Currency', { exact: true }).fill('HRB');
  await page.getByLabel('Issuer', { exact: true }).fill(accounts.issuer.address);
  expect(await page.getByLabel('Deposit account').inputValue()).toBe(own.deposit.address);
  await page.getByLabel('Distributor').fill(own.distributor.address);
  await page.getByLabel('Treasury').fill(accounts.issuer.address);
  await page.getByLabel('XRP a token').fill('0.5');
  await page.getByLabel('Tokens', { exact: true }).fill('100');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor({ timeout: WAIT_MS });
  return new URL(page.url()).pathname;
}

const pages = () => [
  '/owner',
  '/owner/sales/new',
  draft,
  `${draft}/edit`,
  `${draft}/investors`,
  `${draft}/payments`,
  '/owner/members',
  '/owner/webhooks',
  '/owner/audit',
];

/** Somebody whom the founder invites with a role, signed in by the invitation's link. */
async function invited(role: string): Promise<{ page: Page; wallet: Wallet }> {
  const wallet = newWallet();
  await visit(owner, `${BASE_URL}/owner/members`);
  await send(
    owner,
    'Invite a wallet',
    async () => {
      await owner.getByLabel('Wallet address').fill(wallet.address);
      await owner.getByRole('combobox', { name: /^Role/ }).selectOption(role);
    },
    'The wallet is invited.',
  );
  const line = owner.getByRole('listitem').filter({ has: owner.getByTitle(wallet.address) });
  const link = await line.getByText(/\/owner\/login\?invitation=/).innerText();
  const { page } = await openPage(browser);
  await signInAsOwner(page, wallet, link);
  return { page, wallet };
}

test('an editor changes a draft and uploads a list, and finds no more than the role may do', async () => {
  const { page } = await invited('editor');
  await visit(page, `${BASE_URL}${draft}/edit`);
  await page.getByLabel('Description').fill('Light for every harbour.');
  await page.getByLabel('Eligible buyers').selectOption('allowlist');
  await page.getByLabel('Reason', { exact: true }).fill('the text was missing');
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Harbour Light', exact: true }).waitFor({ timeout: WAIT_MS });
  await send(
    page,
    'Paste a version',
    async () => {
      await page.getByLabel(/^Wallets/).fill(newWallet().address);
      await page.getByLabel('Reason', { exact: true }).fill('the first round');
    },
    'The draft is created.',
  );
  await page.getByText('Version 1, 1 wallet').waitFor();
  await visit(page, `${BASE_URL}/owner/members`);
  await page.getByText('Only owners invite, change and remove members. Your role is editor').waitFor();
  expect(await page.getByRole('button', { name: 'Invite a wallet…' }).count()).toBe(0);
  await visit(page, `${BASE_URL}/owner/audit`);
  await page.getByText('the text was missing').waitFor();
  await page.context().close();
});

test('a viewer reads, is offered nothing that changes, is made an editor by the next page, and is out at once when removed', async () => {
  const { page, wallet } = await invited('viewer');
  await visit(page, `${BASE_URL}${draft}`);
  await page.getByText('Your role is viewer').first().waitFor();
  expect(await page.getByRole('main').getByRole('button', { name: /…$/ }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await visit(page, `${BASE_URL}/owner/sales/new`);
  await page.getByText('Only editors and owners draft sales.').waitFor();

  const line = owner.getByRole('listitem').filter({ has: owner.getByTitle(wallet.address) });
  await visit(owner, `${BASE_URL}/owner/members`);
  await line.getByRole('button', { name: 'Change the role…' }).click();
  await line.getByRole('combobox', { name: /^Role/ }).selectOption('editor');
  await line.getByRole('button', { name: 'Change the role', exact: true }).click();
  await line.getByText('The role is changed.').waitFor({ timeout: WAIT_MS });
  await visit(page, `${BASE_URL}${draft}`);
  await page.getByRole('link', { name: 'Edit' }).waitFor();

  await visit(owner, `${BASE_URL}/owner/members`);
  await line.getByRole('button', { name: 'Remove…' }).click();
  await line.getByRole('button', { name: 'Remove', exact: true }).click();
  await owner.getByText('The membership has ended').first().waitFor({ timeout: WAIT_MS });
  await page.goto(`${BASE_URL}${draft}`);
  await page.getByRole('heading', { level: 1, name: 'Owners' }).waitFor();
  await page.context().close();
});

describe('somebody else’s sale', () => {
  test('has no page, as a sale that does not exist', async () => {
    const { page, context } = await openPage(browser);
    await signInAsOwner(page, newWallet());
    const cookie = await cookieOf(page);
    const of = (path: string) => fetch(`${BASE_URL}${path}`, { headers: { cookie }, redirect: 'manual' });
    const others = ['', '/edit', '/investors', '/payments'];
    const operators = `/owner/sales/${manifest.project?.id ?? ''}`;
    for (const sale of [draft, operators, `/owner/sales/proj_${'0'.repeat(22)}`]) {
      for (const path of others) {
        const answer = await of(`${sale}${path}`);
        expect({ path: `${sale}${path}`, status: answer.status }).toEqual({ path: `${sale}${path}`, status: 404 });
        const text = await answer.text();
        expect(text).not.toContain('Harbour Light');
        expect(text).not.toContain('Demo Sale');
      }
    }
    expect((await of('/owner/audit')).status).toBe(200);
    expect(await (await of('/owner/audit')).text()).not.toContain(founder.address);
    await context.close();
  });
});

describe('a session', () => {
  test('is a cookie that no script reads and no other site sends, for eight hours, and is no operator’s', async () => {
    const [session] = (await owner.context().cookies()).filter(({ name }) => name.endsWith('owner-session'));
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const leftHours = ((session?.expires ?? 0) - Date.now() / 1_000) / 3_600;
    expect(leftHours).toBeLessThanOrEqual(8);
    expect(leftHours).toBeGreaterThan(7);
    // The token itself would open the API to who reads the cookie.
    expect(session?.value).not.toContain('tr_member_');
    expect(await owner.evaluate(() => document.cookie)).not.toContain('owner-session');
    const cookie = await cookieOf(owner);
    const console = await fetch(`${BASE_URL}/operator`, { headers: { cookie }, redirect: 'manual' });
    expect(console.status === 307 || (await console.text()).includes('/operator/login')).toBe(true);
  });

  test('altered, or that of an operator under its name, opens no page', async () => {
    const value = (await cookieOf(owner)).replace(/^.*owner-session=/, '');
    for (const cookie of ['', `owner-session=${value.slice(0, -4)}AAAA`, `operator-session=${value}`]) {
      for (const path of pages()) {
        const answer = await fetch(`${BASE_URL}${path}`, { headers: { cookie }, redirect: 'manual' });
        const text = await answer.text();
        expect(answer.status === 307 || text.includes('/owner/login')).toBe(true);
        for (const secret of ['Harbour Light', 'Sign out', founder.address]) expect(text).not.toContain(secret);
      }
    }
  });

  test('ends with signing out, also for who copied the cookie', async () => {
    const { page, context } = await openPage(browser);
    await signInAsOwner(page, founder);
    const cookie = await cookieOf(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Owners' }).waitFor();
    expect((await context.cookies()).some(({ name }) => name.endsWith('owner-session'))).toBe(false);
    const copied = await fetch(`${BASE_URL}/owner`, { headers: { cookie }, redirect: 'manual' });
    expect(copied.status === 307 || (await copied.text()).includes('/owner/login')).toBe(true);
    await context.close();
  });

  test('can be ended from another browser: it is out at once', async () => {
    const wallet = newWallet();
    const { page: lost, context } = await openPage(browser);
    await signInAsOwner(lost, wallet);
    const { page } = await openPage(browser);
    await signInAsOwner(page, wallet);
    await visit(page, `${BASE_URL}/owner/members`);
    await page.getByText('this one').waitFor();
    await send(page, 'End this session', async () => {}, 'The session has ended.');
    await lost.goto(`${BASE_URL}/owner/members`);
    await lost.getByRole('heading', { level: 1, name: 'Owners' }).waitFor();
    await visit(page, `${BASE_URL}/owner/members`);
    expect(await page.getByRole('button', { name: 'End this session…' }).count()).toBe(0);
    await page.context().close();
    await context.close();
  });

  test('is no answer to a form of another site', async () => {
    await visit(owner, `${BASE_URL}/owner/members`);
    const wallet = newWallet().address;
    await owner.getByRole('button', { name: 'Invite a wallet…' }).click();
    await owner.getByLabel('Wallet address').fill(wallet);
    const sent = Promise.withResolvers<{ headers: Record<string, string>; body: Buffer }>();
    await owner.route('**/owner/**', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      const { 'next-action': action = '', 'content-type': type = '' } = await request.allHeaders();
      const body = request.postDataBuffer() ?? Buffer.alloc(0);
      sent.resolve({ headers: { 'next-action': action, 'content-type': type }, body });
      return route.abort();
    });
    await owner.getByRole('button', { name: 'Invite a wallet', exact: true }).click();
    const { headers, body } = await sent.promise;
    await owner.unroute('**/owner/**');
    const cookie = await cookieOf(owner);
    for (const foreign of [
      { origin: 'https://evil.example' },
      {},
      { origin: BASE_URL, 'sec-fetch-site': 'same-site' },
    ]) {
      await fetch(`${BASE_URL}/owner/members`, {
        method: 'POST',
        headers: { ...headers, cookie, ...(foreign as Record<string, string>) },
        body: new Uint8Array(body),
        redirect: 'manual',
      });
    }
    await visit(owner, `${BASE_URL}/owner/members`);
    expect(await owner.getByTitle(wallet).count()).toBe(0);
  });
});

test('every page is kept by no cache, accessible in both themes, fits a phone, and says no error', async () => {
  const { page, context, wrongs } = await openPage(browser, { width: 390 });
  await visit(page, `${BASE_URL}/owner/login`);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await context.addCookies(await owner.context().cookies());
  for (const path of pages()) {
    const answer = await visit(page, `${BASE_URL}${path}`);
    expect(answer?.headers()['cache-control']).toContain('no-store');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect({ path, found: await violationsInBothThemes(page) }).toEqual({ path, found: [] });
    expect({ path, overflow: await overflowOf(page) }).toEqual({ path, overflow: 0 });
  }
  expect(wrongs).toEqual([]);
  await context.close();
});
