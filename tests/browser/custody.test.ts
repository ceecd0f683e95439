import type { Custody } from '@tranche/rules/custody.ts';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit } from './browser.ts';
import { signIn } from './operator-desk.ts';
import { draft } from './sales.ts';

const key = (weight: number) => ({ account: Wallet.generate().address, weight });
const CUSTODY: Custody = {
  quorum: 4,
  platform: key(2),
  witnesses: ['North', 'South', 'East'].map((name) => ({ ...key(1), name, operator: `${name} Audit Ltd` })),
  ledgers_to_live: 20,
  from_ledger: 5,
  refund_min_xrp: '0.001000',
};

let browser: Browser;
let ofOneKey: ProjectResource;
let witnessed: ProjectResource;

async function query(text: string, values: unknown[]): Promise<{ custody: Custody | null }[]> {
  const database = new pg.Client({ connectionString: manifest.postgres_url });
  await database.connect();
  try {
    return (await database.query(text, values)).rows;
  } finally {
    await database.end();
  }
}

/** What the account of the sandbox is under, by rows: an account with a sale cannot be brought under custody. */
const setAccount = (custody: Custody | null) =>
  query('update deposit_accounts set custody = $1 where address = $2', [
    custody === null ? null : JSON.stringify(custody),
    witnessed.deposit_address,
  ]);
const setDraft = (id: string, custody: Custody | null) =>
  query('update projects set custody = $1, terms = null, terms_hash = null where id = $2', [
    custody === null ? null : JSON.stringify(custody),
    id,
  ]);

beforeAll(async () => {
  browser = await openBrowser();
  ofOneKey = await draft('custody-one-key');
  witnessed = await draft('custody-witnessed');
  await setDraft(ofOneKey.id, null);
  await setDraft(witnessed.id, CUSTODY);
});
afterAll(() => browser?.close());

const plainPage = async () => (await browser.newContext({ javaScriptEnabled: false })).newPage();

test('a sale with witnesses names every key and who runs it, and says what a thief can do, without a script', async () => {
  const page = await plainPage();
  for (const path of [`/sales/${witnessed.id}`, `/sales/${witnessed.id}/terms`]) {
    await page.goto(`${BASE_URL}${path}`);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Who can move the money');
    expect(text).toContain('The platform and at least 2 of 3 witnesses must sign');
    for (const { name, operator } of CUSTODY.witnesses) expect(text).toContain(`${name} · witness, run by ${operator}`);
    for (const { account } of [CUSTODY.platform, ...CUSTODY.witnesses]) {
      expect(await page.getByTitle(account).first().isVisible()).toBe(true);
    }
    for (const said of [
      'One stolen key moves nothing',
      'The platform and any 2 witnesses together can move everything',
      'While any 1 witness is away, payouts and refunds go out as usual. While 2 witnesses are away, they wait',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain('One key signs');
  }
  await page.context().close();
});

test('a sale of one key calls it a risk on its page and with its terms, without a script', async () => {
  const page = await plainPage();
  for (const path of [`/sales/${ofOneKey.id}`, `/sales/${ofOneKey.id}/terms`]) {
    await page.goto(`${BASE_URL}${path}`);
    await page.getByText('A thief with that key could take everything on the account').waitFor();
    expect(await page.getByText('One stolen key moves nothing').count()).toBe(0);
  }
  await page.context().close();
});

test('who can move the money is accessible in both themes and fits a phone, in both forms of custody', async () => {
  for (const { id } of [witnessed, ofOneKey]) {
    const { page, context, wrongs } = await openPage(browser, { width: 390 });
    await visit(page, `${BASE_URL}/sales/${id}`);
    await untilLedgerIsRead(page);
    await page.getByRole('tab', { name: 'Custody' }).click();
    await page.getByRole('heading', { name: 'Who can move the money' }).waitFor();
    // The accounts of this sandbox have one key each: the page says that the terms promise another.
    if (id === witnessed.id) await page.getByText('The ledger shows other signers than the terms').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await visit(page, `${BASE_URL}/sales/${id}/terms`);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrongs).toEqual([]);
    await context.close();
  }
});

test('the console shows who must sign for an account, its drafts, and what keeps a witness from signing', async () => {
  const [before] = await query('select custody from deposit_accounts where address = $1', [witnessed.deposit_address]);
  await setAccount(CUSTODY);
  try {
    const { page, context, wrongs } = await openPage(browser, { width: 390 });
    await signIn(page);
    await untilLedgerIsRead(page);
    const custody = page.getByRole('region', { name: 'Custody' });
    await custody.getByText('The platform and at least 2 of 3 witnesses must sign').waitFor();
    await custody.getByRole('link', { name: witnessed.name }).waitFor();
    const north = custody.getByRole('listitem').filter({ hasText: 'North: WITNESSES does not say where it listens' });
    await north.getByText('not configured').waitFor();
    await north.getByText('Add its key, address and token to WITNESSES').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrongs).toEqual([]);
    await context.close();
  } finally {
    await setAccount(before?.custody ?? null);
  }
});
