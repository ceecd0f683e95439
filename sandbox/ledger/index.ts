import { Chain } from './chain.ts';
import { serve } from './server.ts';

export { GENESIS_ADDRESS, GENESIS_SEED } from './chain.ts';

export type LedgerOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Milliseconds between closes, empty ledgers included; 0 closes only on `ledger_accept` or `accept()`. */
  readonly intervalMs: number;
  readonly networkId?: number;
  readonly baseFeeDrops?: number;
  readonly reserveBaseDrops?: number;
  readonly reserveIncDrops?: number;
  /** Where the ledger's clock stands at the start; the machine's own clock by default. */
  readonly startTime?: Date;
};

export type SandboxLedger = {
  readonly wsUrl: string;
  readonly rpcUrl: string;
  readonly faucetUrl: string;
  readonly port: number;
  /** Closes the open ledger and returns its index. */
  readonly accept: () => number;
  /** Stops closing ledgers, drops every connection and frees the port. */
  readonly close: () => Promise<void>;
};

/** Starts a fresh ledger in this process. Throws when the port is taken. */
export async function startLedger(options: LedgerOptions): Promise<SandboxLedger> {
  const host = options.host ?? '127.0.0.1';
  const clockOffsetMs = options.startTime === undefined ? 0 : options.startTime.getTime() - Date.now();
  const chain = new Chain(
    {
      networkId: options.networkId ?? 0,
      baseFeeDrops: BigInt(options.baseFeeDrops ?? 10),
      reserveBaseDrops: BigInt(options.reserveBaseDrops ?? 1_000_000),
      reserveIncDrops: BigInt(options.reserveIncDrops ?? 200_000),
    },
    () => Date.now() + clockOffsetMs,
  );
  const server = await serve(chain, { host, port: options.port ?? 0 });
  const timer = options.intervalMs > 0 ? setInterval(() => chain.close(), options.intervalMs) : undefined;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  return {
    wsUrl: `ws://${authority}`,
    rpcUrl: `http://${authority}/`,
    faucetUrl: `http://${authority}/accounts`,
    port: server.port,
    accept: () => chain.close().header.ledgerIndex,
    close: async () => {
      clearInterval(timer);
      await server.close();
    },
  };
}
