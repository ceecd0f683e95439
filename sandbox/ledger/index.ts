import { type PaymentBatch, type WrittenPayments, writePayments } from './bulk.ts';
import { Chain } from './chain.ts';
import type { FaultBoard } from './faults.ts';
import { DEFAULT_FEE_SETUP } from './feeMetrics.ts';
import { MARKER_LIFE_MS } from './markers.ts';
import { ServerNode } from './node.ts';
import { serve } from './server.ts';

export type { PaymentBatch, WrittenPayments } from './bulk.ts';
export type { Faults } from './faults.ts';
export { GENESIS_ADDRESS, GENESIS_SEED } from './genesis.ts';

type ServerOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly networkId?: number;
  /** How long a marker serves; ten minutes by default. */
  readonly markerLifeMs?: number;
};

export type LedgerOptions = ServerOptions & {
  /** Milliseconds between closes, empty ledgers included; 0 closes only on `ledger_accept` or `accept()`. */
  readonly intervalMs: number;
  readonly baseFeeDrops?: number;
  readonly reserveBaseDrops?: number;
  readonly reserveIncDrops?: number;
  /** Where the ledger's clock stands at the start; the machine's own clock by default. */
  readonly startTime?: Date;
  /** How many ledgers are held; 0, the default, holds all. */
  readonly historyLedgers?: number;
  /** Transactions an open ledger takes at the base fee before fees escalate; 1000 by default, as standalone. */
  readonly expectedLedgerSize?: number;
  /** How much more than a busy ledger held the next is expected to hold; 20 percent by default. */
  readonly ledgerGrowthPercent?: number;
};

/** A second server on the chain of one that runs already. */
export type PeerOptions = ServerOptions & {
  readonly peerOf: SandboxLedger;
  /** The first ledger the second server has; all that the chain has when absent. */
  readonly heldFrom?: number;
};

export type SandboxLedger = {
  readonly wsUrl: string;
  readonly rpcUrl: string;
  readonly faucetUrl: string;
  readonly port: number;
  /** What is wrong with this server; nothing at the start. */
  readonly faults: Pick<FaultBoard, 'current' | 'set' | 'clear'>;
  /** Closes the open ledger and returns its index. */
  readonly accept: () => number;
  /** Writes validated payments at once, without signatures. */
  readonly writePayments: (batch: PaymentBatch) => WrittenPayments;
  /** Stops closing ledgers, drops every connection and frees the port. */
  readonly close: () => Promise<void>;
};

/** The chain behind every server started here, for its peers. */
const chains = new WeakMap<SandboxLedger, Chain>();

function newChain(options: LedgerOptions): Chain {
  const clockOffsetMs = options.startTime === undefined ? 0 : options.startTime.getTime() - Date.now();
  return new Chain({
    rules: {
      networkId: options.networkId ?? 0,
      baseFeeDrops: BigInt(options.baseFeeDrops ?? 10),
      reserveBaseDrops: BigInt(options.reserveBaseDrops ?? 1_000_000),
      reserveIncDrops: BigInt(options.reserveIncDrops ?? 200_000),
    },
    fees: {
      expectedLedgerSize: options.expectedLedgerSize ?? DEFAULT_FEE_SETUP.expectedLedgerSize,
      growthPercent: options.ledgerGrowthPercent ?? DEFAULT_FEE_SETUP.growthPercent,
    },
    historyLedgers: options.historyLedgers ?? 0,
    nowMs: () => Date.now() + clockOffsetMs,
  });
}

function chainOfPeer(peer: SandboxLedger): Chain {
  const chain = chains.get(peer);
  if (!chain) throw new TypeError('peerOf must be a server that startLedger returned');
  return chain;
}

/**
 * Starts a fresh ledger in this process or, with `peerOf`, one more server on the chain of a running one.
 * Throws when the port is taken.
 */
export async function startLedger(options: LedgerOptions | PeerOptions): Promise<SandboxLedger> {
  const host = options.host ?? '127.0.0.1';
  const isPeer = 'peerOf' in options;
  const chain = isPeer ? chainOfPeer(options.peerOf) : newChain(options);
  const node = new ServerNode(chain, {
    networkId: options.networkId,
    heldFrom: isPeer ? options.heldFrom : undefined,
    markerLifeMs: options.markerLifeMs ?? MARKER_LIFE_MS,
  });
  const server = await serve(node, { host, port: options.port ?? 0 });
  const intervalMs = isPeer ? 0 : options.intervalMs;
  const timer = intervalMs > 0 ? setInterval(() => chain.close(), intervalMs) : undefined;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  const ledger: SandboxLedger = {
    wsUrl: `ws://${authority}`,
    rpcUrl: `http://${authority}/`,
    faucetUrl: `http://${authority}/accounts`,
    port: server.port,
    faults: node.faults,
    accept: () => chain.close().header.ledgerIndex,
    writePayments: (batch) => writePayments(chain, batch),
    close: async () => {
      clearInterval(timer);
      node.stop();
      await server.close();
    },
  };
  chains.set(ledger, chain);
  return ledger;
}
