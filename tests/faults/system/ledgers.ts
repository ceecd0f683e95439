import { type SandboxLedger, startLedger } from '@tranche/sandbox-ledger/index.ts';
import { openRelay, type Relay } from '#tests/faults/relay.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';

/** A server that faults strike, behind an address of its own. */
export interface FaultyServer {
  server: SandboxLedger;
  relay: Relay;
}

/** One ledger behind three servers: two whose addresses the app has, and one of the campaign's own that is never wrong. */
export interface Ledgers {
  faulty: readonly [FaultyServer, FaultyServer];
  clean: SandboxLedger;
  /** What the app is given as XRPL_URLS. */
  urls: readonly string[];
  /** Closes a ledger every so often from now on. */
  begin(intervalMs: number): void;
  /** Closes none any more but by `accept`. */
  stop(): void;
  /** Closes ledgers at once and returns the last one's index. */
  accept(count?: number): number;
  /** Index of the newest closed ledger. */
  newest(): number;
  close(): Promise<void>;
}

export async function openLedgers(): Promise<Ledgers> {
  const clean = await startLedger({ intervalMs: 0, networkId: NETWORK_ID });
  const behindRelay = async (): Promise<FaultyServer> => {
    const server = await startLedger({ peerOf: clean, networkId: NETWORK_ID });
    return { server, relay: await openRelay(server.port) };
  };
  const faulty = [await behindRelay(), await behindRelay()] as const;
  let newest = clean.accept();
  let timer: NodeJS.Timeout | undefined;
  const accept = (count = 1): number => {
    for (let closed = 0; closed < count; closed++) newest = clean.accept();
    return newest;
  };
  return {
    faulty,
    clean,
    urls: faulty.map(({ relay }) => relay.wsUrl),
    begin(intervalMs) {
      timer = setInterval(() => accept(), intervalMs);
    },
    stop: () => clearInterval(timer),
    accept,
    newest: () => newest,
    async close() {
      clearInterval(timer);
      for (const { relay, server } of faulty) {
        await relay.close();
        await server.close();
      }
      await clean.close();
    },
  };
}
