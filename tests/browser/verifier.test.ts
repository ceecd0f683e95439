import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readText } from '@tranche/verifier/http-source.ts';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflowOf, violationsInBothThemes } from './axe.ts';
import { BASE_URL, manifest, openBrowser, openPage, untilLedgerIsRead, visit, WAIT_MS } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { base_url, ledger_ws, project } = manifest;
const PUBLIC = { base_url, ledger_ws, project };
let browser: Browser;
let site: Server;

/** What a page of somebody else's site loads: the verifier alone, as a global name. */
async function bundleOfVerifier(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { httpSource } from '@tranche/verifier/http-source.ts';
        export { openLedger } from '@tranche/verifier/ledger-client.ts';
        export { reportOf } from '@tranche/verifier/report.ts';
        export { verifySale } from '@tranche/verifier/verify-sale.ts';`,
      resolveDir: ROOT,
    },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'verifier',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

beforeAll(async () => {
  const bundle = await bundleOfVerifier();
  site = createServer((request, response) => {
    const isBundle = request.url === '/verifier.js';
    response.setHeader('content-type', isBundle ? 'text/javascript' : 'text/html');
    response.end(isBundle ? bundle : '<!doctype html><title>Another site</title><script src="/verifier.js"></script>');
  }).listen(0, '127.0.0.1');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** There is a payment that the platform has published. */
async function payIntoSale(): Promise<void> {
  const client = await connect();
  try {
    const wallet = await fundedWallet(client);
    await send(client, wallet, {
      TransactionType: 'Payment',
      Account: wallet.classicAddress,
      Destination: project?.deposit_address ?? '',
      DestinationTag: project?.destination_tag ?? 0,
      Amount: drops('100'),
    });
    await expect.poll(() => publishedPayments(), { interval: 1_000 }).not.toEqual([]);
  } finally {
    await client.disconnect();
  }
}

/**
 * The published payments up to and with a ledger. Two exports are written to an address at a time, and a page of this test may
 * read them: who is told to come back comes back then, as the verifier does.
 */
async function publishedPayments(asOf?: number): Promise<{ invested_xrp: string }[]> {
  const query = asOf === undefined ? '' : `&as_of=${asOf}`;
  const text = await readText(new URL(`/api/projects/${project?.id}/payments?format=jsonl${query}`, BASE_URL));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('a page of another site verifies a sale in its own visitor’s browser, from the API and the ledger alone', async () => {
  await payIntoSale();
  const page = await browser.newPage();
  const wrongs: string[] = [];
  page.on('pageerror', (error) => void wrongs.push(error.message));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const report: { checked: { payments: number } } = await page.evaluate(
    `(async () => {
      const { base_url, ledger_ws, project } = ${JSON.stringify(PUBLIC)};
      const source = verifier.httpSource(base_url);
      const { network_id: networkId } = await source.depositAccount(project.id);
      const ledger = verifier.openLedger({ urls: [ledger_ws], networkId });
      try {
        const { progress, inputs } = await verifier.verifySale({
          source, ledger, projectId: project.id, asOf: null, progress: null, pageDone: async () => true,
        });
        return verifier.reportOf(progress, inputs);
      } finally {
        ledger.close();
      }
    })()`,
  );
  expect(report).toMatchObject({ verdict: 'agrees', differences: [] });
  expect(report.checked.payments).toBeGreaterThan(0);
  expect(wrongs).toEqual([]);
});

const openVerification = async () => {
  const opened = await openPage(browser, { width: 390 });
  await visit(opened.page, `${BASE_URL}/sales/demo-sale`);
  return { ...opened, card: opened.page.locator('#verify') };
};

test('a visitor replays a sale from its page: what was raised is recomputed, and the report is there to keep', async () => {
  await payIntoSale();
  const { page, context, card } = await openVerification();
  await card.getByRole('button', { name: 'Verify in this browser' }).click();
  await card.getByText('Everything agrees').waitFor({ timeout: WAIT_MS });
  const coming = page.waitForEvent('download');
  await card.getByRole('link', { name: 'Download the report' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^verification-demo-sale-\d+\.json$/);
  const report = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(report).toMatchObject({ project_id: project?.id, verdict: 'agrees', differences: [] });
  expect(report.checked.payments).toBeGreaterThan(0);
  // As of the ledger that was looked at: more may have been paid since.
  const payments = await publishedPayments(report.as_of_ledger);
  const raisedDrops = payments.reduce((sum, { invested_xrp }) => sum + Math.round(Number(invested_xrp) * 1e6), 0);
  const raised = (raisedDrops / 1e6).toLocaleString('en-US', { maximumFractionDigits: 6 });
  await card.getByText(`${raised} XRP raised for`).waitFor();
  await untilLedgerIsRead(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await context.close();
});

test('a payment that is published otherwise than the ledger has it is named by its transaction', async () => {
  await payIntoSale();
  const { context, card } = await openVerification();
  let hash = '';
  await context.route(/\/payments\?format=jsonl/, async (route) => {
    const answer = await route.fetch();
    const [first = '', ...rest] = (await answer.text()).split('\n');
    // What is refused is no list of payments, and asked for again.
    if (!answer.ok() || first === '') return route.fulfill({ response: answer });
    const row = JSON.parse(first) as { transaction_hash: string; sender: string };
    hash = row.transaction_hash;
    const changed = JSON.stringify({ ...row, sender: project?.deposit_address });
    return route.fulfill({ response: answer, body: [changed, ...rest].join('\n') });
  });
  await card.getByRole('button', { name: 'Verify in this browser' }).click();
  await card.getByText('What is published differs from the ledger').waitFor({ timeout: WAIT_MS });
  expect(hash).toMatch(/^[0-9A-F]{64}$/);
  await card.getByText(hash).first().waitFor();
  await context.close();
});

test('a server that is none, or does not answer, ends in what to do, with what was typed kept', async () => {
  const { context, card } = await openVerification();
  const servers = card.getByLabel('Ledger servers');
  await servers.fill('xrplcluster.com');
  await card.getByRole('button', { name: 'Verify in this browser' }).click();
  await card.getByText('xrplcluster.com is no address of a ledger server: it begins with wss://.').waitFor();
  await servers.fill('ws://127.0.0.1:9');
  await card.getByRole('button', { name: 'Verify in this browser' }).click();
  await card.getByText('Try again, or choose another server.').waitFor({ timeout: WAIT_MS });
  expect(await servers.inputValue()).toBe('ws://127.0.0.1:9');
  await context.close();
});
