import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { VerifyMessage, VerifyRequest } from '../../app/(site)/sales/[slug]/verify/messages.ts';
import { openChromium } from '../pages/browser.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const WORKER = path.join(ROOT, 'app/(site)/sales/[slug]/verify/worker.ts');

/** Peak resident memory of the processes that show pages, in bytes, as the kernel counts it. */
function peakOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return sum + Number(kilobytes) * 1024;
  }, 0);
}

/** The worker of the sale page verifies a sale in a new Chromium, from a page that has nothing else; memory is what it takes above that page. Throws what the worker says. */
export async function verifyInBrowser(
  request: VerifyRequest,
): Promise<{ elapsedMs: number; payments: number; memoryBytes: number }> {
  const { outputFiles } = await build({
    entryPoints: [WORKER],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
  });
  const [script] = outputFiles;
  const site = createServer((asked, response) => {
    const isWorker = asked.url === '/worker.js';
    response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html');
    response.end(isWorker ? script?.contents : '<!doctype html><title>A page</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { browser } = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const session = await browser.newBrowserCDPSession();
    const peak = async () => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      return peakOf(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id));
    };
    const bareBytes = await peak();
    const { message, elapsedMs } = await page.evaluate(async (asked) => {
      const startedAt = performance.now();
      const worker = new Worker('/worker.js');
      worker.postMessage(asked);
      const last = await new Promise<VerifyMessage>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<VerifyMessage>) => {
          if (data.kind !== 'progress') resolve(data);
        };
      });
      return { message: last, elapsedMs: performance.now() - startedAt };
    }, request);
    if (message.kind !== 'result') throw new Error(message.kind === 'fault' ? message.text : 'No result');
    if (message.report.verdict !== 'agrees')
      throw new Error(`The sale does not agree: ${JSON.stringify(message.report)}`);
    return { elapsedMs, payments: message.report.checked.payments, memoryBytes: (await peak()) - bareBytes };
  } finally {
    await browser.close();
    site.close();
  }
}
