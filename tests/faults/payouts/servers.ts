import { type SandboxLedger, startLedger } from '@tranche/sandbox-ledger/index.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { openRelay, type Relay } from '#tests/faults/relay.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';

/** One ledger behind several servers: two that faults strike, and one of the campaign's own that is never wrong. */
export interface Servers {
  faulty: readonly [SandboxLedger, SandboxLedger];
  /** Leads to one of the faulty ones. */
  relay: Relay;
  clean: SandboxLedger;
  /** What the processes under test are given as XRPL_URLS. */
  urls: readonly string[];
  /** Closes ledgers and returns the last one's index. */
  accept(count?: number): number;
  /** Index of the newest closed ledger. */
  newest(): number;
  close(): Promise<void>;
}

export async function openServers(draw: Draw): Promise<Servers> {
  const clean = await startLedger({ intervalMs: 0, networkId: NETWORK_ID });
  const first = await startLedger({ peerOf: clean, networkId: NETWORK_ID });
  const second = await startLedger({ peerOf: clean, networkId: NETWORK_ID });
  const relay = await openRelay(first.port);
  let newest = clean.accept();
  return {
    faulty: [first, second],
    relay,
    clean,
    urls: draw.pick<readonly string[]>([
      [first.wsUrl],
      [first.wsUrl, second.wsUrl],
      [relay.wsUrl],
      [relay.wsUrl, second.wsUrl],
    ]),
    accept(count = 1) {
      for (let closed = 0; closed < count; closed++) newest = clean.accept();
      return newest;
    },
    newest: () => newest,
    async close() {
      await relay.close();
      for (const server of [first, second, clean]) await server.close();
    },
  };
}
