import { randomBytes } from 'node:crypto';
import { newId } from '#lib/base/ids.ts';
import { createCtx } from '#lib/ctx.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';
import { followAlways } from './follow-ledger.ts';

/** Follows the ledger until the process is asked to stop. */
export async function followUntilStopped(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await followAlways(await createCtx(newId('req', randomBytes), { kind: 'system' }, lazyLedger), stop.signal);
}
