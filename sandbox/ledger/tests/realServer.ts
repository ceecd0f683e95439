import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SandboxLedger } from '../index.ts';

/** What tests do with a ledger that any standalone server can do, too. */
export type RealServer = Pick<SandboxLedger, 'wsUrl' | 'port' | 'faults' | 'accept' | 'close'>;

const ANSWER_TIMEOUT_MS = 60_000;
const said = new Set<string>();

/** Says once what is left out, since only the stand-in can do it. */
export function leaveOut(what: string): void {
  if (said.has(what)) return;
  said.add(what);
  process.stdout.write(`left out: ${what} (only the stand-in ledger can do that)\n`);
}

/**
 * A standalone server that runs already (xrpld with `--standalone`, its admin WebSocket), in place of a ledger of one's own.
 * It closes ledgers by `ledger_accept`; faults are left out. Throws when nobody answers there.
 */
export async function connectRealServer(url: string): Promise<RealServer> {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL('./acceptWorker.ts', import.meta.url), { workerData: { url, cells } });
  const [greeting] = await once(worker, 'message');
  if (greeting !== 'open') {
    await worker.terminate();
    throw new Error(`${url} does not answer: ${String(greeting)}`);
  }
  // It waits on the ledger, and must not keep the process alive.
  worker.unref();
  const faults = {
    set: (changes: object) => leaveOut(`the faults ${Object.keys(changes).join(', ')}`),
    clear: () => undefined,
  };
  return {
    wsUrl: url,
    port: Number(new URL(url).port),
    // Nothing reads what is set: a fault that is left out is none.
    faults: faults as unknown as SandboxLedger['faults'],
    accept: () => {
      worker.postMessage('accept');
      if (Atomics.wait(cells, 0, 0, ANSWER_TIMEOUT_MS) === 'timed-out') throw new Error(`${url} closes no ledger`);
      Atomics.store(cells, 0, 0);
      const closedIndex = cells[1] ?? -1;
      if (closedIndex < 1) throw new Error(`${url} refuses ledger_accept: it must be standalone, and admin`);
      return closedIndex;
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
