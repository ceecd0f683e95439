import { Client } from 'xrpl';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { connectRealServer, type RealServer } from 'xrpl-sandbox/tests/realServer.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { openRelay, type Relay } from './relay.ts';

/** A server that faults strike, and an address that leads to it. */
export interface FaultyServer {
  server: RealServer;
  relay: Relay;
}

/** One ledger behind three servers: two that the app asks, and one of the campaign's own that is never wrong. */
export interface Ledgers {
  faulty: readonly [FaultyServer, FaultyServer];
  clean: RealServer;
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

/** Servers on one ledger: stand-ins, each with faults of its own, or one real standalone server each time. */
async function serversOf(
  ledgerUrl: string | undefined,
): Promise<{ clean: RealServer; another(): Promise<RealServer> }> {
  if (ledgerUrl !== undefined) {
    const clean = await connectRealServer(ledgerUrl);
    /** The app refuses to ask one address twice: each server has one of its own. */
    const another = async (): Promise<RealServer> => {
      const [server, { wsUrl, close }] = await Promise.all([connectRealServer(ledgerUrl), openRelay(clean.port)]);
      return { ...server, wsUrl, close: () => Promise.all([server.close(), close()]).then(() => undefined) };
    };
    return { clean, another };
  }
  const clean: SandboxLedger = await startLedger({ intervalMs: 0, networkId: NETWORK_ID });
  return { clean, another: () => startLedger({ peerOf: clean, networkId: NETWORK_ID }) };
}

/** Opens them; with `ledgerUrl` on a standalone server of this machine, whose faults are those of its relays alone. */
export async function openLedgers({
  defer,
  ledgerUrl,
}: {
  defer: (close: () => unknown) => void;
  ledgerUrl: string | undefined;
}): Promise<Ledgers> {
  const { clean, another } = await serversOf(ledgerUrl);
  defer(() => clean.close());
  const behindRelay = async (): Promise<FaultyServer> => {
    const server = await another();
    defer(() => server.close());
    const relay = await openRelay(server.port);
    defer(() => relay.close());
    return { server, relay };
  };
  const faulty = [await behindRelay(), await behindRelay()] as const;
  const client = new Client(clean.wsUrl, { connectionTimeout: PATIENCE_MS, timeout: PATIENCE_MS });
  await client.connect();
  if (client.networkID !== NETWORK_ID) {
    throw new Error(`${clean.wsUrl} is on network ${client.networkID}: start it with network ID ${NETWORK_ID}`);
  }
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
