import { env } from '#lib/platform/env.ts';
import { type ClosableLedger, openLedger } from './ledger.ts';
import type { Ledger } from './types.ts';

let shared: ClosableLedger | undefined;

/**
 * The process-wide ledger port over XRPL_URLS. Making it costs nothing: xrpl.js is loaded and a server connected by the
 * first call, so routes that never ask the ledger start without it.
 */
export function lazyLedger(): Ledger {
  shared ??= openLedger({ urls: env().XRPL_URLS, networkId: env().XRPL_NETWORK_ID });
  return shared;
}

/** Ends the process-wide connections, which otherwise keep the process alive. The next `lazyLedger()` reads the settings anew. */
export async function closeLedger(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.close();
}
