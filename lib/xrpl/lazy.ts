import { env } from '#lib/base/env.ts';
import { memoize } from '#lib/base/memoize.ts';
import { type ClosableLedger, openLedger } from './ledger.ts';
import type { Ledger } from './types.ts';

const shared = memoize(
  () => [env().XRPL_URLS, env().XRPL_NETWORK_ID],
  (): ClosableLedger => openLedger({ urls: env().XRPL_URLS, networkId: env().XRPL_NETWORK_ID }),
);

/**
 * The process-wide ledger port over XRPL_URLS. Making it costs nothing: xrpl.js is loaded and a server connected by the
 * first call, so routes that never ask the ledger start without it.
 */
export const lazyLedger = (): Ledger => shared.get();

const apart = memoize(
  () => [env().XRPL_URLS, env().XRPL_NETWORK_ID],
  (): readonly ClosableLedger[] =>
    env().XRPL_URLS.map((url) => openLedger({ urls: [url], networkId: env().XRPL_NETWORK_ID })),
);

/** A port to each of XRPL_URLS by itself, in their order, with a connection of its own: for comparing the servers. */
export const ledgersApart = (): readonly Ledger[] => apart.get();

/** Ends the process-wide connections, which otherwise keep the process alive. The next `lazyLedger()` reads the settings anew. */
export async function closeLedger(): Promise<void> {
  await Promise.all([shared.drop()?.close(), ...(apart.drop() ?? []).map((ledger) => ledger.close())]);
}
