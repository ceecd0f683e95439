import { Client } from 'xrpl';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { openRelay, type Relay } from './relay.ts';

/** A server that faults strike, and an address that leads to it. */
export interface FaultyServer {
  server: SandboxLedger;
  relay: Relay;
}

/** One ledger behind three servers: two that the app asks, and one of the campaign's own that is never wrong. */
export interface Ledgers {
  faulty: readonly [FaultyServer, FaultyServer];
  clean: SandboxLedger;
  /** Asks the server without faults. */
  client: Client;
  /** Closes a ledger every so often from now on. */
  begin(intervalMs: number): void;
  /** Closes none any more but by `accept`. */
  stop(): void;
  /** Closes ledgers at once and returns the last one's index. */
  accept(count?: number): number;
  /** Index of the newest closed ledger. */
  newest(): number;
}

/** A starved machine answers late, and that is no fault of the platform. */
const PATIENCE_MS = 120_000;

export async function openLedgers(defer: (close: () => unknown) => void): Promise<Ledgers> {
  const clean = await startLedger({ intervalMs: 0, networkId: NETWORK_ID });
  defer(() => clean.close());
  const behindRelay = async (): Promise<FaultyServer> => {
    const server = await startLedger({ peerOf: clean, networkId: NETWORK_ID });
    defer(() => server.close());
    const relay = await openRelay(server.port);
    defer(() => relay.close());
    return { server, relay };
  };
  const faulty = [await behindRelay(), await behindRelay()] as const;
  const client = new Client(clean.wsUrl, { connectionTimeout: PATIENCE_MS, timeout: PATIENCE_MS });
  await client.connect();
  defer(() => client.disconnect());
  let newest = clean.accept();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  defer(stop);
  const accept = (count = 1): number => {
    for (let closed = 0; closed < count; closed++) newest = clean.accept();
    return newest;
  };
  return {
    faulty,
    clean,
    client,
    begin(intervalMs) {
      timer = setInterval(() => accept(), intervalMs);
    },
    stop,
    accept,
    newest: () => newest,
  };
}
