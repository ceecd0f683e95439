import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { BASE_URL, openBrowser } from './browser.ts';
import { connect, drops, fundedWallet, send } from './ledger.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { base_url, ledger_ws, project } = inject('sandbox').manifest;
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
    const published = `${BASE_URL}/api/projects/${project?.id}/payments`;
    await expect.poll(async () => (await fetch(published)).text()).not.toBe('');
  } finally {
    await client.disconnect();
  }
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
