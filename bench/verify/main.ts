import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readFeeds } from '#lib/jobs/read-feeds.ts';
import { openLedger } from '#lib/ledger/ledger.ts';
import { env } from '#lib/platform/env.ts';
import { feedPages } from '#lib/sale/verify/feed-pages.ts';
import { httpSource } from '#lib/sale/verify/http-source.ts';
import { reportOf } from '#lib/sale/verify/report.ts';
import { verifySale } from '#lib/sale/verify/verify-sale.ts';
import { openWorld } from '../intake/world.ts';

const { values } = parseArgs({
  options: { payments: { type: 'string', default: '50000' }, 'answer-delay-ms': { type: 'string', default: '40' } },
});
const payments = Number(values.payments);
/** What a server elsewhere takes to answer, at the least: the sandbox's own answers cost nothing on their way. */
const answerDelayMs = Number(values['answer-delay-ms']);
const AMOUNT_DROPS = 1_000_000n;
const SLICE_MS = 20_000;
const LIMIT = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

/** Highest memory of this process while something runs; taken often, because it falls again. */
function watchMemory(): () => number {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    look();
    return peak;
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; elapsedMs: number; peakBytes: number }> {
  const peak = watchMemory();
  const startedAt = performance.now();
  const result = await work();
  return { result, elapsedMs: performance.now() - startedAt, peakBytes: peak() };
}

async function servePlatform(): Promise<{ url: string; child: ChildProcess }> {
  const { POSTGRES_URL, XRPL_URLS, XRPL_NETWORK_ID } = env();
  const settings = {
    POSTGRES_URL,
    XRPL_URLS: XRPL_URLS.join(','),
    XRPL_NETWORK_ID: String(XRPL_NETWORK_ID),
    RATE_LIMIT_SCALE: '1000',
  };
  const script = new URL('./serve.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^serving (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, child };
  }
  throw new Error('The platform did not start');
}

const world = await openWorld({
  tiers: [
    { price_per_token: '0.10', total_tokens: String(payments * 4) },
    { price_per_token: '0.20', total_tokens: String(payments * 10) },
  ],
});
let platform: ChildProcess | null = null;
try {
  const { ctx, projectId } = world;
  await readFeeds(ctx, Date.now() + SLICE_MS);
  await world.client.request({
    command: 'sandbox_write_payments',
    destination: world.deposit,
    destination_tag: world.destinationTag,
    amount: AMOUNT_DROPS.toString(),
    count: payments,
    senders: 10_000,
    per_ledger: 200,
  } as never);
  await world.accept(2);
  for (let more = true; more; ) ({ more } = await readFeeds(ctx, Date.now() + SLICE_MS));

  const served = await servePlatform();
  platform = served.child;
  const source = httpSource(served.url);
  const account = await source.depositAccount(projectId);
  const ledger = openLedger({ urls: env().XRPL_URLS, networkId: account.network_id });
  const readAll = async (): Promise<number> => {
    let entries = 0;
    const from = { afterLedger: account.registered_ledger, afterHash: null };
    for await (const page of feedPages(ledger, account.address, from, account.confirmed_ledger)) {
      entries += page.entries.length;
    }
    return entries;
  };
  // The first reading warms the ledger server and this process up; it counts for neither.
  await readAll();
  say(`payments             ${payments.toLocaleString('en-US')}`);
  for (const delayMs of [0, answerDelayMs]) {
    await world.client.request({ command: 'sandbox_faults', answer_delay_ms: delayMs } as never);
    const reading = await timed(readAll);
    const verifying = await timed(() =>
      verifySale({ source, ledger, projectId, asOf: null, progress: null, pageDone: async () => true }),
    );
    const report = reportOf(verifying.result.progress, verifying.result.inputs);
    if (report.verdict !== 'agrees' || report.checked.payments !== payments) {
      throw new Error(`The verification is not what it should be: ${JSON.stringify(report).slice(0, 2_000)}`);
    }
    const ratio = verifying.elapsedMs / reading.elapsedMs;
    say(`ledger answers after ${delayMs} ms`);
    say(
      `  reading            ${seconds(reading.elapsedMs)} s for ${reading.result.toLocaleString('en-US')} transactions`,
    );
    say(
      `  verifying          ${seconds(verifying.elapsedMs)} s, ${report.checked.payouts.toLocaleString('en-US')} payouts among it`,
    );
    say(`  ratio              ${ratio.toFixed(2)} times as long (at most ${LIMIT})`);
    say(`  peak memory        ${megabytes(verifying.peakBytes)}, reading alone ${megabytes(reading.peakBytes)}`);
    if (delayMs > 0 && ratio > LIMIT) process.exitCode = 1;
  }
  await ledger.close();
} finally {
  platform?.kill();
  await world.end();
}
