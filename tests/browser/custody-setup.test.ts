import type { Custody } from '@tranche/rules/custody.ts';
import pg from 'pg';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, Wallet } from 'xrpl';
import { type MultiSigned, signWith } from '#lib/custody/signatures.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowserWithWallet, visit, WAIT_MS, watch } from './browser.ts';
import { connect, fundedWallet, send } from './ledger.ts';
import { actWithReason, signIn } from './operator-desk.ts';

/** The platform's key, then the witnesses'. */
const keys = Array.from({ length: 4 }, () => Wallet.generate());
for (const { seed } of keys) registerSecrets(seed);
const [platform, ...witnesses] = keys;
const NAMES = ['North', 'South', 'East'];

let ledger: Client;
let context: BrowserContext;
let page: Page;
let wrongs: string[];
let asked: string[];
let distributor: Wallet;

beforeAll(async () => {
  ledger = await connect();
  distributor = await fundedWallet(ledger, 100);
  context = await openBrowserWithWallet();
  page = await context.newPage();
  wrongs = watch(page);
  asked = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.accept();
  });
  await signIn(page);
});
afterAll(async () => {
  await context?.close();
  await ledger?.disconnect();
});

async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const database = new pg.Client({ connectionString: manifest.postgres_url });
  await database.connect();
  try {
    return (await database.query<Row>(text, values)).rows;
  } finally {
    await database.end();
  }
}

/** As the first draft with it would, by rows: the sandbox's app has no key for an account that a test has made. */
const register = (address: string) =>
  query(
    `insert into deposit_accounts (address, network_id, registered_ledger, cursor_ledger, cursor_hash, confirmed_ledger, refund_min_drops)
     select $1, network_id, cursor_ledger, cursor_ledger, cursor_hash, cursor_ledger, refund_min_drops from deposit_accounts
     order by cursor_ledger desc limit 1`,
    [address],
  );

async function custodyOf(address: string): Promise<Custody | null> {
  const [row] = await query<{ custody: Custody | null }>('select custody from deposit_accounts where address = $1', [
    address,
  ]);
  if (row === undefined) throw new Error(`${address} is not registered`);
  return row.custody;
}

/** The card of one of the accounts. */
const card = (role: string): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: role, exact: true }) });
const openStep = (role: string): Locator => card(role).locator('li[aria-current="step"]');
const reached = (role: string, step: string): Promise<void> =>
  openStep(role).getByRole('heading', { name: step }).waitFor({ timeout: WAIT_MS });

/** The transaction that the open step shows, as a person copies it. */
const shown = async (role: string): Promise<MultiSigned> =>
  JSON.parse(
    await openStep(role).getByLabel(`transaction of the ${role.toLowerCase()}`, { exact: true }).first().innerText(),
  );

const signedBy = async (role: string, signers: readonly Wallet[]): Promise<string> => {
  const transaction = await shown(role);
  return signers.map((key) => JSON.stringify(signWith(key, transaction), null, 2)).join('\n');
};

async function paste(role: string, signed: string): Promise<void> {
  await openStep(role).getByLabel('What they have signed').fill(signed);
  await openStep(role).getByRole('button', { name: 'Put together and send' }).click();
}

test('an operator brings two accounts under witnesses in the console, sees each transaction before it is signed, replaces a key, and gives them back', async () => {
  await visit(page, `${BASE_URL}/operator/custody`);
  await page.getByRole('button', { name: 'Connect a browser wallet' }).click();
  await page.getByRole('button', { name: 'Connect GemWallet' }).click();
  const connected = await page.getByRole('status').filter({ hasText: 'Connected: GemWallet' }).innerText();
  const deposit = connected.match(/r[1-9A-HJ-NP-Za-km-z]{24,34}/)?.[0] ?? '';
  await page.getByLabel('Deposit account', { exact: true }).fill(deposit);
  await page.getByLabel('Distributor', { exact: true }).fill(distributor.address);
  await page.getByLabel('The platform’s key').fill(platform?.address ?? '');
  for (const [index, name] of NAMES.entries()) {
    const row = page.getByRole('group', { name: `Witness ${index + 1}` });
    await row.getByLabel('Address of its key').fill(witnesses[index]?.address ?? '');
    await row.getByLabel('Name').fill(name);
    await row.getByLabel('Run by').fill(`${name} Audit Ltd`);
  }
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.getByLabel('Quorum').fill('2');
  await page.getByRole('button', { name: 'Show the steps' }).click();
  await page.getByText('This signer set lets the platform sign alone').waitFor({ timeout: WAIT_MS });
  await page.getByLabel('Quorum').fill('4');
  await page.getByRole('button', { name: 'Show the steps' }).click();

  await reached('Deposit account', 'Set the signer list');
  await page.getByText('The platform and at least 2 of 3 witnesses will sign').waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect((await shown('Deposit account')).TransactionType).toBe('SignerListSet');
  await openStep('Deposit account').getByRole('button', { name: 'Sign with GemWallet' }).click();
  // The distributor's owner signs in a wallet elsewhere what the page shows: the page notices.
  await send(ledger, distributor, await shown('Distributor'));

  for (const role of ['Deposit account', 'Distributor']) {
    await reached(role, 'Rehearse with every key');
    expect(await overflowOf(page)).toBe(0);
    await paste(role, await signedBy(role, keys.slice(0, 3)));
    await openStep(role)
      .getByText(`Every key signs the rehearsal; ${witnesses[2]?.address} has not`)
      .waitFor({ timeout: WAIT_MS });
    const { Sequence, Fee, LastLedgerSequence, SigningPubKey } = await shown(role);
    const other = {
      TransactionType: 'AccountSet',
      Account: (await shown(role)).Account,
      SetFlag: 1,
      Fee,
      Sequence,
      LastLedgerSequence,
      SigningPubKey,
    } as MultiSigned;
    await paste(role, keys.map((key) => JSON.stringify(signWith(key, other))).join('\n'));
    await openStep(role)
      .getByText('This is not the transaction of this step: nothing was sent')
      .waitFor({ timeout: WAIT_MS });
    await paste(role, await signedBy(role, keys));
    await reached(role, 'Disable the master key');
  }
  await openStep('Deposit account').getByRole('button', { name: 'Sign with GemWallet' }).click();
  await send(ledger, distributor, await shown('Distributor'));
  await page.getByText('The platform does not know this deposit account yet').waitFor({ timeout: WAIT_MS });
  expect(asked.slice(1)).toEqual([expect.stringContaining('SignerListSet'), expect.stringContaining('AccountSet')]);

  await register(deposit);
  await visit(page, page.url());
  await actWithReason(page, 'Use these signers', 'the accounts are under custody');
  await page.getByText('The accounts are under custody').waitFor({ timeout: WAIT_MS });
  const custody = await custodyOf(deposit);
  expect(custody?.quorum).toBe(4);
  expect(custody?.witnesses.map(({ operator }) => operator)).toEqual(NAMES.map((name) => `${name} Audit Ltd`));

  // East's key is replaced: the signers of today and the new key sign the new list.
  const joined = Wallet.generate();
  registerSecrets(joined.seed);
  const replaced = new URL(page.url());
  const named = replaced.searchParams.getAll('witness_account');
  replaced.searchParams.delete('witness_account');
  for (const key of [...named.slice(0, 2), joined.address]) replaced.searchParams.append('witness_account', key);
  await visit(page, replaced.href);
  for (const role of ['Distributor', 'Deposit account']) {
    await reached(role, 'Replace the signer list');
    expect(await overflowOf(page)).toBe(0);
    await paste(role, await signedBy(role, keys.slice(0, 3)));
    await openStep(role)
      .getByText(`The new list names ${joined.address}, who has not signed it`)
      .waitFor({ timeout: WAIT_MS });
    await paste(role, await signedBy(role, [...keys.slice(0, 3), joined]));
    await reached(role, 'Rehearse with every key');
    await paste(role, await signedBy(role, [...keys.slice(0, 3), joined]));
    await openStep(role).waitFor({ state: 'detached', timeout: WAIT_MS });
  }
  await actWithReason(page, 'Use these signers', 'the key of East is lost');
  await page.getByText('The accounts are under custody').waitFor({ timeout: WAIT_MS });
  expect((await custodyOf(deposit))?.witnesses[2]?.account).toBe(joined.address);

  await visit(page, `${BASE_URL}/operator/custody?direction=take_down`);
  await page.getByLabel('Deposit account', { exact: true }).fill(deposit);
  await page.getByLabel('Distributor', { exact: true }).fill(distributor.address);
  await page.getByRole('button', { name: 'Show the steps' }).click();
  for (const role of ['Deposit account', 'Distributor']) {
    await reached(role, 'Enable the master key again');
    await paste(role, await signedBy(role, keys.slice(0, 3)));
    await reached(role, 'Remove the signer list');
  }
  await send(ledger, distributor, await shown('Distributor'));
  await page.getByRole('button', { name: 'Connect a browser wallet' }).click();
  await page.getByRole('button', { name: 'Connect GemWallet' }).click();
  await openStep('Deposit account').getByRole('button', { name: 'Sign with GemWallet' }).click();
  await page.getByRole('button', { name: 'Pay by one key…' }).waitFor({ timeout: WAIT_MS });
  await actWithReason(page, 'Pay by one key', 'the sale was called off');
  await page.getByText('The accounts are under their own keys').waitFor({ timeout: WAIT_MS });
  expect(await custodyOf(deposit)).toBeNull();
  expect(wrongs).toEqual([]);
});
