import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, Wallet } from 'xrpl';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import type { RunningSandbox } from '#tests/support/sandbox.ts';
import { startSandbox } from '#tests/support/sandbox.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { openBrowser, untilAlive, visit, WAIT_MS } from './browser.ts';
import { drops, send } from './ledger.ts';

// A sandbox of its own, in which nobody launches alone: that of other files lets one operator do everything.
let sandbox: RunningSandbox;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  sandbox = await startSandbox(['--no-crowd', '--two-persons', '--ledger-interval', '1000']);
  registerSecrets(sandbox.manifest.admin_token, sandbox.manifest.colleague_token);
  browser = await openBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await sandbox?.stop();
});

const api = async (method: string, path: string, body?: unknown): Promise<Response> =>
  fetchOk(`${sandbox.manifest.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.manifest.admin_token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function draft(name: string): Promise<ProjectResource> {
  const { accounts } = sandbox.manifest;
  if (accounts === null) throw new Error('The sandbox made no accounts');
  const answer = await api('POST', '/api/admin/projects', {
    name,
    token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address },
    deposit_address: accounts.deposit.address,
    distributor: accounts.distributor.address,
    treasury: accounts.issuer.address,
    tiers: [{ price_per_token: '0.25', total_tokens: '100' }],
  });
  return (await answer.json()) as ProjectResource;
}

/** An operator at a desk or, with `width`, on a phone. */
async function operator(token: string, width = 1440): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(`${sandbox.manifest.base_url}/operator/login`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Needs attention' }).waitFor();
  await untilAlive(page);
  return page;
}

/** Opens a form, gives the reason, and sends it. */
async function act(page: Page, label: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: `${label}…` }).click();
  await page.getByLabel('Reason', { exact: true }).fill(reason);
  await page.getByRole('button', { name: label, exact: true }).click();
}

test('two operators launch a sale: one asks, the other reads what would be done, on a phone, and approves it', async () => {
  const { base_url: base, admin_token, colleague_token } = sandbox.manifest;
  const sale = await draft('Sale of two');
  const terms = (await (await api('GET', `/api/projects/${sale.id}/terms`)).json()) as { sha256: string };

  const asking = await operator(admin_token);
  await visit(asking, `${base}/operator/projects/${sale.id}`);
  await asking.getByText('Everything is ready').waitFor();
  expect(await asking.getByRole('button', { name: 'Launch…', exact: true }).count()).toBe(0);
  await act(asking, 'Ask for the launch', 'the board agreed');
  const own = asking.getByRole('region', { name: 'Request for the launch' });
  await own.getByRole('button', { name: 'Withdraw the launch…' }).waitFor({ timeout: WAIT_MS });
  await asking.getByText('It is asked for.').waitFor();
  expect(await asking.getByRole('button', { name: 'Ask for the launch…' }).count()).toBe(0);
  // Who asked is offered no decision.
  expect(await own.getByRole('button', { name: 'Approve the launch…' }).count()).toBe(0);

  const deciding = await operator(colleague_token, 390);
  const waiting = deciding.getByRole('table', { name: 'Open requests, the newest first' });
  await waiting.getByText('the board agreed').waitFor();
  expect(await violationsInBothThemes(deciding)).toEqual([]);
  expect(await overflowOf(deciding)).toBe(0);
  await waiting
    .getByRole('row', { name: /Sale of two/ })
    .getByRole('link', { name: 'Launch' })
    .click();
  const request = deciding.getByRole('region', { name: 'Request for the launch' });
  await request.getByText('sandbox asks for the launch').waitFor();
  await untilAlive(deciding);

  // The preview and the terms are those of the request.
  const preview = await request.getByRole('link', { name: 'Preview of the draft' }).getAttribute('href');
  const shown = await deciding.context().newPage();
  await visit(shown, `${base}${preview}`);
  await shown.getByRole('heading', { level: 1, name: 'Sale of two' }).waitFor();
  await shown.close();
  await request.getByText('All terms that the launch would anchor').click();
  await request.getByText('"price_per_token": "0.25"').waitFor();
  await request.getByRole('button', { name: 'Approve the launch…' }).click();
  await request.getByText('25 XRP when all is sold').waitFor();
  await request.getByText(terms.sha256).waitFor();
  expect(await violationsInBothThemes(deciding)).toEqual([]);
  expect(await overflowOf(deciding)).toBe(0);
  await request.getByLabel('Reason', { exact: true }).fill('terms compared with the contract');
  await request.getByRole('button', { name: 'Approve the launch', exact: true }).click();
  await deciding.getByText('Approved. The launch is submitted').first().waitFor({ timeout: WAIT_MS });

  await expect
    .poll(async () => ((await (await api('GET', `/api/admin/projects/${sale.id}`)).json()) as ProjectResource).status, {
      timeout: WAIT_MS,
    })
    .toBe('active');
  const launched = (await (await api('GET', `/api/admin/projects/${sale.id}`)).json()) as ProjectResource;
  expect(launched.terms_hash).toBe(terms.sha256);
  const audit = await (await api('GET', `/api/admin/audit?subject=${sale.id}&action=project.launch`)).json();
  expect(audit).toMatchObject({
    entries: [{ actor: 'administrator:colleague', reason: 'terms compared with the contract' }],
  });
  await visit(asking, `${base}/operator/projects/${sale.id}`);
  await asking.getByText('sandbox asked for the launch: approved by colleague').waitFor();
});

test('an operator refuses with a reason that who asked reads, who then withdraws a second request', async () => {
  const { base_url: base, admin_token, colleague_token } = sandbox.manifest;
  const sale = await draft('Refused sale');
  const asking = await operator(admin_token, 390);
  await visit(asking, `${base}/operator/projects/${sale.id}`);
  await act(asking, 'Ask for the launch', 'the board agreed');
  await asking.getByRole('button', { name: 'Withdraw the launch…' }).waitFor({ timeout: WAIT_MS });

  const deciding = await operator(colleague_token);
  await visit(deciding, `${base}/operator/projects/${sale.id}`);
  await act(deciding, 'Refuse the launch', 'the price is wrong');
  await deciding.getByText('The request is refused.').first().waitFor({ timeout: WAIT_MS });

  await visit(asking, `${base}/operator/projects/${sale.id}`);
  await asking.getByText('the price is wrong').waitFor();
  await act(asking, 'Ask for the launch', 'asked once more');
  await act(asking, 'Withdraw the launch', 'the price is wrong indeed');
  await asking.getByText('The request is withdrawn.').first().waitFor({ timeout: WAIT_MS });
  expect(await asking.getByRole('region', { name: 'Request for the launch' }).count()).toBe(0);
  const { status } = (await (await api('GET', `/api/admin/projects/${sale.id}`)).json()) as ProjectResource;
  expect(status).toBe('draft');
});

/** Somebody buys for so much XRP, until what was earned may be released. */
async function earn(xrp: string): Promise<void> {
  const { ledger_ws, faucet_url, project, accounts } = sandbox.manifest;
  if (project === null || accounts === null) throw new Error('The sandbox has no demo sale');
  const ledger = new Client(ledger_ws);
  await ledger.connect();
  const buyer = Wallet.generate();
  registerSecrets(buyer.seed);
  await fetchOk(faucet_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ destination: buyer.address, xrpAmount: '1000' }),
  });
  await expect.poll(() => ledger.getXrpBalance(buyer.address).catch(() => 0), { timeout: WAIT_MS }).toBe(1_000);
  const limit = { currency: 'DMO', issuer: accounts.issuer.address, value: '1000000' };
  await send(ledger, buyer, { TransactionType: 'TrustSet', Account: buyer.address, LimitAmount: limit });
  await send(ledger, buyer, {
    TransactionType: 'Payment',
    Account: buyer.address,
    Destination: project.deposit_address,
    DestinationTag: project.destination_tag,
    Amount: drops(xrp),
  });
  await ledger.disconnect();
  const releasable = async () => {
    const answer = await api('GET', `/api/admin/projects/${project.id}/release`);
    return ((await answer.json()) as { releasable_xrp: string }).releasable_xrp;
  };
  await expect.poll(releasable, { timeout: 2 * WAIT_MS, interval: 500 }).toBe(xrp);
}

test('a release is asked for with the amount that its preview showed, and the other operator pays just that', async () => {
  const { base_url: base, admin_token, colleague_token, project, accounts } = sandbox.manifest;
  await earn('40.000000');
  const asking = await operator(admin_token);
  await visit(asking, `${base}/operator/projects/${project?.id}`);
  await asking.getByRole('button', { name: 'Ask for a release…' }).click();
  await asking.getByLabel('Amount in XRP').fill('12.5');
  await asking.getByLabel('Reason', { exact: true }).fill('June');
  await asking.getByRole('button', { name: 'Preview' }).click();
  await asking.getByText('Asks to release 12.5 XRP for good.').waitFor({ timeout: WAIT_MS });
  await asking.getByRole('button', { name: 'Ask for a release', exact: true }).click();
  await asking.getByRole('button', { name: 'Withdraw the release…' }).waitFor({ timeout: WAIT_MS });

  const deciding = await operator(colleague_token, 390);
  await deciding.getByRole('link', { name: 'Release of 12.5 XRP' }).click();
  const request = deciding.getByRole('region', { name: 'Request for the release' });
  await request.getByText('12.5 XRP').waitFor();
  await untilAlive(deciding);
  await request.getByRole('button', { name: 'Approve the release…' }).click();
  await request.getByText(`Pays 12.5 XRP to ${accounts?.issuer.address}`).waitFor();
  expect(await violationsInBothThemes(deciding)).toEqual([]);
  expect(await overflowOf(deciding)).toBe(0);
  await request.getByLabel('Reason', { exact: true }).fill('compared with the contract');
  await request.getByRole('button', { name: 'Approve the release', exact: true }).click();
  await deciding.getByText('Approved. The release is scheduled.').first().waitFor({ timeout: WAIT_MS });

  const paid = async () => {
    const answer = await api('GET', `/api/admin/payouts?kind=release&project_id=${project?.id}&status=all`);
    const { payouts } = (await answer.json()) as {
      payouts: { amount_xrp: string; destination: string; status: string }[];
    };
    return payouts.map(({ amount_xrp, destination, status }) => ({ amount_xrp, destination, status }));
  };
  await expect
    .poll(paid, { timeout: WAIT_MS, interval: 500 })
    .toEqual([{ amount_xrp: '12.500000', destination: accounts?.issuer.address, status: 'validated' }]);
});
