import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { httpSource } from '@tranche/verifier/http-source.ts';
import { Command, InvalidArgumentError } from 'commander';
import { env } from '#lib/base/env.ts';
import { type Figure, reportMetrics } from '../figures.ts';
import { openWorld } from '../intake/world.ts';
import type { History } from './history.ts';
import { verifyInBrowser } from './in-browser.ts';
import { measure, median } from './measure.ts';
import { type Processor, processorOf, usedBetween } from './processor.ts';
import { readAll, sell } from './sell.ts';

const whole = (least: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`must be a whole number, ${least} or more`);
  }
  return value;
};

const options = new Command('npx tranche bench verify')
  .description('Verifies a sale from outside, and compares with the bare reading of the histories that it is about')
  .option('--payments <n>', 'how many payments the sale has', whole(100), 50_000)
  .option('--first <n>', 'how many of them are verified for the memory to be compared with', whole(10))
  .option('--answer-delay-ms <n>', 'what each answer of a ledger server elsewhere takes at the least', whole(0), 40)
  .option('--browser', 'measures the worker of the sale page in Chromium too')
  .option('--rounds <n>', 'how often each figure is measured; the median counts', whole(1), 3)
  .parse()
  .opts<{ payments: number; first?: number; answerDelayMs: number; rounds: number; browser?: true }>();
const { payments, answerDelayMs, rounds } = options;
const first = options.first ?? Math.ceil(payments / 5);
const MOST_TIMES = 2;
const MOST_MEMORY = 1.3;

interface Run {
  readMs: number;
  depositMs: number;
  verifyMs: number;
  readCpuMs: number;
  verifyCpuMs: number;
  answering: Processor | null;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const number = (value: number): string => value.toLocaleString('en-US');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

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

async function inRounds<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < rounds; round++) results.push(await work());
  return results;
}

const world = await openWorld({
  tiers: [
    { price_per_token: '0.10', total_tokens: String(payments * 4) },
    { price_per_token: '0.20', total_tokens: String(payments * 10) },
  ],
});
let platform: ChildProcess | null = null;
const figures: Figure[] = [];
try {
  const { projectId } = world;
  await readAll(world);
  const served = await servePlatform();
  platform = served.child;
  const source = httpSource(served.url);
  await sell(world, first);
  const { confirmed_ledger: firstLedger } = await source.depositAccount(projectId);
  await sell(world, payments - first);
  const account = await source.depositAccount(projectId);
  const { anchor } = await source.terms(projectId);
  const [ledgerUrl = ''] = env().XRPL_URLS;
  const verify = (asOf: number) =>
    ({ kind: 'verify', ledgerUrl, baseUrl: served.url, projectId, asOf, networkId: account.network_id }) as const;
  const whole = verify(account.confirmed_ledger);
  const throughLedger = account.confirmed_ledger;
  const histories: History[] = [
    { account: account.address, fromLedger: account.registered_ledger + 1, throughLedger },
    // Nothing is distributed before the launch.
    { account: world.distributor.address, fromLedger: anchor?.ledger_index ?? 0, throughLedger },
  ];
  const read = { kind: 'read', ledgerUrl, histories } as const;
  const answerAfter = (ms: number) => world.client.request({ command: 'sandbox_faults', answer_delay_ms: ms } as never);
  // The first reading warms the servers up; it counts for nothing.
  const warm = await measure(read);
  await measure(whole);

  say(`sale                 ${number(payments)} payments, each paid out`);
  say(
    `its history          ${number(warm.counts[0] ?? 0)} transactions of the deposit account, ${number(warm.counts[1] ?? 0)} of the distributor`,
  );
  say('reading              account_tx of both accounts page by page with xrpl.js, nothing looked at or kept');
  say(`verifying            verify-sale: both histories, the rule book, and everything published, over HTTP`);
  say(`                     each in a new process, ${rounds} times in turn; the median counts`);
  for (const delayMs of new Set([0, answerDelayMs])) {
    await answerAfter(delayMs);
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round++) {
      const deposit = await measure({ ...read, histories: histories.slice(0, 1) });
      const both = await measure(read);
      const before = processorOf(platform.pid ?? 0);
      const verified = await measure(whole);
      const answering = usedBetween(before, processorOf(platform.pid ?? 0));
      if (verified.counts.some((count) => count !== payments)) throw new Error(`Checked ${verified.counts}`);
      runs.push({
        depositMs: deposit.elapsedMs,
        readMs: both.elapsedMs,
        verifyMs: verified.elapsedMs,
        readCpuMs: both.cpuMs,
        verifyCpuMs: verified.cpuMs,
        answering,
      });
    }
    const ratio = median(runs.map(({ readMs, verifyMs }) => verifyMs / readMs));
    const toDeposit = median(runs.map(({ depositMs, verifyMs }) => verifyMs / depositMs));
    say(`each ledger answer ${delayMs} ms later`);
    say(`  reading            ${seconds(median(runs.map(({ readMs }) => readMs)))}`);
    say(`  verifying          ${seconds(median(runs.map(({ verifyMs }) => verifyMs)))}`);
    say(
      `  ratio              ${ratio.toFixed(2)} times as long ${delayMs > 0 ? `(at most ${MOST_TIMES})` : '(no server elsewhere answers at once)'}`,
    );
    say(`  to deposit alone   ${toDeposit.toFixed(2)} times as long as reading the deposit account's history only`);
    const cpu = runs.map(({ readCpuMs, verifyCpuMs }) => [readCpuMs, verifyCpuMs] as const);
    say(
      `  processor          ${seconds(median(cpu.map(([reader]) => reader)))} for the reader, ${seconds(median(cpu.map(([, verifier]) => verifier)))} for the verifier`,
    );
    const answering = runs.flatMap((run) => run.answering ?? []);
    if (answering.length > 0) {
      const of = (name: keyof Processor) => seconds(median(answering.map((each) => each[name])));
      say(
        `                     while it verified: ${of('ledgerMs')} for the ledger server, ${of('platformMs')} for the platform, ${of('databaseMs')} for its database`,
      );
    }
    figures.push({
      what: `time to verify ${number(payments)} payments, each ledger answer ${delayMs} ms later`,
      value: ratio,
      unit: 'times',
      comparedWith: 'merely reading both histories page by page',
      target: { atMost: MOST_TIMES },
    });
    // Without any way between them, four processes of this machine are measured, not the reading.
    if (delayMs > 0 && ratio > MOST_TIMES) process.exitCode = 1;
    if (options.browser === true) {
      const seen = await inRounds(() => verifyInBrowser({ baseUrl: served.url, projectId, servers: [ledgerUrl] }));
      const elapsed = median(seen.map(({ elapsedMs }) => elapsedMs));
      say(
        `  in Chromium        ${seconds(elapsed)}, at the peak ${megabytes(median(seen.map(({ memoryBytes }) => memoryBytes)))} above a bare page`,
      );
      figures.push({
        what: `time to verify ${number(payments)} payments in Chromium, each ledger answer ${delayMs} ms later`,
        value: elapsed / median(runs.map(({ verifyMs }) => verifyMs)),
        unit: 'times',
        comparedWith: 'the same in Node.js',
      });
    }
  }

  await answerAfter(0);
  const rss: number[] = [];
  const heap: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [small, large] = [await measure(verify(firstLedger)), await measure(whole)];
    rss.push(large.peakRssBytes / small.peakRssBytes);
    const collected = ['--expose-gc'];
    const [smallHeap, largeHeap] = [await measure(verify(firstLedger), collected), await measure(whole, collected)];
    heap.push((largeHeap.peakHeapBytes ?? 0) / (smallHeap.peakHeapBytes ?? 0));
    say(
      `memory               ${number(first)} payments: peak ${megabytes(small.peakRssBytes)}, alive ${megabytes(smallHeap.peakHeapBytes ?? 0)}; ${number(payments)}: peak ${megabytes(large.peakRssBytes)}, alive ${megabytes(largeHeap.peakHeapBytes ?? 0)}`,
    );
  }
  say(`  ratio alive        ${median(heap).toFixed(2)} (at most ${MOST_MEMORY}), between pages, after a collection`);
  say(`  ratio of the peaks ${median(rss).toFixed(2)}, with what was not collected yet`);
  if (median(heap) > MOST_MEMORY) process.exitCode = 1;
  figures.push({
    what: 'memory alive between pages',
    value: median(heap),
    unit: 'times',
    comparedWith: `a sale of ${number(first)} payments`,
    target: { atMost: MOST_MEMORY },
  });
  reportMetrics('verify', figures);
} finally {
  platform?.kill();
  await world.end();
}
