import { httpSource } from '@tranche/verifier/http-source.ts';
import { openLedger } from '@tranche/verifier/ledger-client.ts';
import { reportOf } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { Client } from 'xrpl';
import { type History, readHistories } from './history.ts';

/** One thing to measure, in a process of its own that has done nothing else. */
export type Task = { ledgerUrl: string } & (
  | { kind: 'read'; histories: History[] }
  | { kind: 'verify'; baseUrl: string; projectId: string; asOf: number; networkId: number }
);

export interface Measured {
  elapsedMs: number;
  /** Processor time of this process in it; what other processes do at the same time changes it little. */
  cpuMs: number;
  /** Transactions of each history, or payments and validated payouts. */
  counts: number[];
  /** The most this process ever held. */
  peakRssBytes: number;
  /** The most that was alive between two pages. Collected for it when the process has `--expose-gc`; else null. */
  peakHeapBytes: number | null;
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; elapsedMs: number; cpuMs: number }> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { result, elapsedMs, cpuMs: (user + system) / 1000 };
}

async function read({ ledgerUrl, histories }: Task & { kind: 'read' }) {
  const client = new Client(ledgerUrl);
  await client.connect();
  const { result: counts, ...times } = await timed(() => readHistories(client, histories));
  await client.disconnect();
  return { ...times, counts, peakHeapBytes: null };
}

async function verify({ ledgerUrl, baseUrl, projectId, asOf, networkId }: Task & { kind: 'verify' }) {
  const ledger = openLedger({ urls: [ledgerUrl], networkId });
  // Connected beforehand, like the reader.
  await ledger.serverState();
  const { gc } = globalThis;
  let peakHeapBytes: number | null = null;
  const { result, ...times } = await timed(() =>
    verifySale({
      source: httpSource(baseUrl),
      ledger,
      projectId,
      asOf,
      progress: null,
      pageDone: async () => {
        if (gc !== undefined) {
          await gc();
          peakHeapBytes = Math.max(peakHeapBytes ?? 0, process.memoryUsage().heapUsed);
        }
        return true;
      },
    }),
  );
  ledger.close();
  const report = reportOf(result.progress, result.inputs);
  if (report.verdict !== 'agrees')
    throw new Error(`The sale does not agree: ${JSON.stringify(report).slice(0, 2_000)}`);
  return { ...times, counts: [report.checked.payments, report.checked.payouts_validated], peakHeapBytes };
}

const task = JSON.parse(process.argv[2] ?? '') as Task;
const done = task.kind === 'read' ? await read(task) : await verify(task);
const measured: Measured = { ...done, peakRssBytes: process.resourceUsage().maxRSS * 1024 };
process.stdout.write(`${JSON.stringify(measured)}\n`);
