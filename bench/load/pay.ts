import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'xrpl';
import type { SignedPayment } from './wallets.ts';

const CONNECTIONS = 4;
/** Submissions under way on one connection. */
const WINDOW = 16;

async function submit(client: Client, { blob, hash }: SignedPayment): Promise<void> {
  const { result } = await client.request({ command: 'submit', tx_blob: blob });
  if (result.engine_result !== 'tesSUCCESS') throw new Error(`Payment ${hash} got ${result.engine_result}`);
}

/** Does the work over connections of its own to the ledger. */
export async function onConnections<T>(url: string, work: (clients: readonly Client[]) => Promise<T>): Promise<T> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(url, { timeout: 120_000 }));
  await Promise.all(clients.map((client) => client.connect()));
  return work(clients).finally(() => Promise.all(clients.map((client) => client.disconnect())));
}

/** Submits all of them as fast as the ledger takes them. */
export async function submitAll(clients: readonly Client[], payments: readonly SignedPayment[]): Promise<void> {
  let next = 0;
  const submitter = async (client: Client): Promise<void> => {
    for (let payment = payments[next++]; payment !== undefined; payment = payments[next++]) {
      await submit(client, payment);
    }
  };
  await Promise.all(clients.flatMap((client) => Array.from({ length: WINDOW }, () => submitter(client))));
}

/** Submits all of them as fast as the ledger takes them. Gives how long it took, in milliseconds. */
export const payAtOnce = (url: string, payments: readonly SignedPayment[]): Promise<number> =>
  onConnections(url, async (clients) => {
    const startedAt = performance.now();
    await submitAll(clients, payments);
    return performance.now() - startedAt;
  });

/** Submits them at a steady rate, whatever becomes of it. */
export const paySteadily = (url: string, payments: readonly SignedPayment[], perSecond: number): Promise<void> =>
  onConnections(url, async (clients) => {
    const startedAt = performance.now();
    const submitted: Promise<void>[] = [];
    for (const [index, payment] of payments.entries()) {
      const dueInMs = startedAt + (index * 1000) / perSecond - performance.now();
      if (dueInMs > 0) await pause(dueInMs);
      const client = clients[index % clients.length];
      if (client !== undefined) submitted.push(submit(client, payment));
    }
    await Promise.all(submitted);
  });
