import { accountsOf, DEFAULT_ACCOUNT_XRP, DEFAULT_PHRASE, type FundedAccount, fundAccounts } from './accounts.ts';
import { type AmendmentProfile, enabledAmendments } from './amendments.ts';
import { type PaymentBatch, type WrittenPayments, writePayments } from './bulk.ts';
import { Chain, type ChainOptions } from './chain.ts';
import { DumpError, dumpChain, loadDump } from './dump.ts';
import type { FaultBoard } from './faults.ts';
import { DEFAULT_FEE_SETUP } from './feeMetrics.ts';
import { type Forked, type ForkOptions, forkAccounts } from './fork.ts';
import { MARKER_LIFE_MS } from './markers.ts';
import { ServerNode } from './node.ts';
import { type ServerLimits, serve } from './server.ts';

export type { FundedAccount } from './accounts.ts';
export type { AmendmentProfile } from './amendments.ts';
export type { PaymentBatch, WrittenPayments } from './bulk.ts';
export { SnapshotError } from './chain.ts';
export { DumpError } from './dump.ts';
export type { Faults } from './faults.ts';
export type { Forked, ForkOptions } from './fork.ts';
export { GENESIS_ADDRESS, GENESIS_SEED } from './genesis.ts';
export { ForkError } from './liveServer.ts';
export type { ServerLimits } from './server.ts';

type ServerOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly networkId?: number;
  /** How long a marker serves; ten minutes by default. */
  readonly markerLifeMs?: number;
  /** The server has what real ones have and nothing else: no command of the sandbox's own, none of Clio's, no faucet. */
  readonly strict?: boolean;
  /** Accounts may be impersonated on an address other than loopback, too. */
  readonly allowImpersonation?: boolean;
  /** How much one client may cost the server before it is given up. */
  readonly limits?: Partial<ServerLimits>;
  /** Takes one line about each client that is given up and each failure of the server's own; nobody by default. */
  readonly log?: (line: string) => void;
};

export type LedgerOptions = ServerOptions & {
  /**
   * Milliseconds between closes, empty ledgers included; 0 closes only on `ledger_accept` or `accept()`. Without an
   * interval a ledger closes after each transaction.
   */
  readonly intervalMs?: number;
  /** Closes a ledger after each transaction that is applied, besides what `intervalMs` says. */
  readonly closeAfterEach?: boolean;
  /** How many funded accounts there are from the start; none by default. */
  readonly accounts?: number;
  /** What the keys of those accounts are made from; `xrpl-sandbox` by default. */
  readonly seedPhrase?: string;
  /** XRP of each of those accounts; 10,000 by default. */
  readonly accountXrp?: number;
  /** Accounts to take over from a live server, with what they own and the accounts at the other ends. */
  readonly fork?: ForkOptions;
  /** A file that `dump` wrote, to go on from; its network ID, fees and reserves are then those of the ledger. */
  readonly load?: string;
  /** Which amendments are enabled: the recorded server's, those of the main network, or all; `recorded` by default. */
  readonly profile?: AmendmentProfile;
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
  /** The funded accounts that were asked for, with their seeds. */
  readonly accounts: readonly FundedAccount[];
  /** What came over from a live server; absent without `fork`. */
  readonly forked: Forked | undefined;
  /** What is wrong with this server; nothing at the start. */
  readonly faults: Pick<FaultBoard, 'current' | 'set' | 'clear'>;
  /** Closes the open ledger and returns its index. */
  readonly accept: () => number;
  /** Writes validated payments at once, without signatures. */
  readonly writePayments: (batch: PaymentBatch) => WrittenPayments;
  /** Keeps everything as it is now for `restore`, under the number that it returns. */
  readonly snapshot: () => number;
  /** Returns to a snapshot, as often as wanted. Throws SnapshotError when there is none of that number. */
  readonly restore: (snapshot: number) => void;
  /** Moves the ledger's clock on and closes a ledger with the new time; returns its index. */
  readonly advanceTime: (seconds: number) => number;
  /** Lets unsigned transactions of exactly these accounts pass; an empty list ends it. Throws unless that is allowed. */
  readonly impersonate: (accounts: readonly string[]) => void;
  /** Writes every ledger that is held to a file, for `load`. */
  readonly dump: (file: string) => void;
  /** Stops closing ledgers, drops every connection and frees the port. */
  readonly close: () => Promise<void>;
};

/** The chain behind every server started here, for its peers. */
const chains = new WeakMap<SandboxLedger, Chain>();

function sameNames(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((name) => b.has(name));
}

/** The chain that a dump holds. Throws DumpError when the options ask for other rules than its own. */
function loadedChain(file: string, options: LedgerOptions, others: Omit<ChainOptions, 'rules'>): Chain {
  const saved = loadDump(file);
  for (const name of ['networkId', 'baseFeeDrops', 'reserveBaseDrops', 'reserveIncDrops'] as const) {
    const asked = options[name];
    if (asked !== undefined && BigInt(asked) !== BigInt(saved.rules[name])) {
      throw new DumpError(`${file} was not loaded: its ${name} is ${saved.rules[name]}, and ${asked} was asked for`);
    }
  }
  const { profile } = options;
  if (profile !== undefined && !sameNames(enabledAmendments(profile), saved.rules.amendments)) {
    throw new DumpError(`${file} was not loaded: its amendments are not those of the profile ${profile}`);
  }
  const clockAheadMs = options.startTime === undefined ? saved.clockAheadMs : others.clockAheadMs;
  const chain = new Chain({ ...others, rules: saved.rules, clockAheadMs: clockAheadMs ?? 0, saved });
  for (const tx of saved.waiting) chain.submit(tx);
  return chain;
}

function newChain(options: LedgerOptions): Chain {
  const others = {
    fees: {
      expectedLedgerSize: options.expectedLedgerSize ?? DEFAULT_FEE_SETUP.expectedLedgerSize,
      growthPercent: options.ledgerGrowthPercent ?? DEFAULT_FEE_SETUP.growthPercent,
    },
    historyLedgers: options.historyLedgers ?? 0,
    clockAheadMs: options.startTime === undefined ? 0 : options.startTime.getTime() - Date.now(),
    closesAfterEach: options.closeAfterEach ?? options.intervalMs === undefined,
  };
  if (options.load !== undefined) return loadedChain(options.load, options, others);
  return new Chain({
    ...others,
    rules: {
      networkId: options.networkId ?? 0,
      amendments: enabledAmendments(options.profile ?? 'recorded'),
      baseFeeDrops: BigInt(options.baseFeeDrops ?? 10),
      reserveBaseDrops: BigInt(options.reserveBaseDrops ?? 1_000_000),
      reserveIncDrops: BigInt(options.reserveIncDrops ?? 200_000),
    },
  });
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

function chainOfPeer(peer: SandboxLedger): Chain {
  const chain = chains.get(peer);
  if (!chain) throw new TypeError('peerOf must be a server that startLedger returned');
  return chain;
}

/**
 * Starts a ledger in this process or, with `peerOf`, one more server on the chain of a running one. Without options it
 * is a fresh ledger on a free port that closes after each transaction. Throws when the port is taken, and DumpError
 * when `load` names no dump or a damaged one, and ForkError when accounts cannot be taken over.
 */
export async function startLedger(options: LedgerOptions | PeerOptions = {}): Promise<SandboxLedger> {
  const host = options.host ?? '127.0.0.1';
  const isPeer = 'peerOf' in options;
  const chain = isPeer ? chainOfPeer(options.peerOf) : newChain(options);
  const accounts = isPeer ? [] : accountsOf(options.seedPhrase ?? DEFAULT_PHRASE, options.accounts ?? 0);
  const forked = isPeer || options.fork === undefined ? undefined : await forkAccounts(chain, options.fork);
  if (!isPeer) fundAccounts(chain, accounts, options.accountXrp ?? DEFAULT_ACCOUNT_XRP);
  const node = new ServerNode(chain, {
    networkId: options.networkId,
    heldFrom: isPeer ? options.heldFrom : undefined,
    markerLifeMs: options.markerLifeMs ?? MARKER_LIFE_MS,
    isStrict: options.strict ?? false,
    mayImpersonate: options.allowImpersonation ?? isLoopback(host),
  });
  const server = await serve(node, {
    host,
    port: options.port ?? 0,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  const intervalMs = isPeer ? 0 : (options.intervalMs ?? 0);
  const timer = intervalMs > 0 ? setInterval(() => chain.close(), intervalMs) : undefined;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  const ledger: SandboxLedger = {
    wsUrl: `ws://${authority}`,
    rpcUrl: `http://${authority}/`,
    faucetUrl: `http://${authority}/accounts`,
    port: server.port,
    accounts,
    forked,
    faults: node.faults,
    accept: () => chain.close().header.ledgerIndex,
    writePayments: (batch) => writePayments(chain, batch),
    snapshot: () => chain.snapshot(),
    restore: (snapshot) => {
      chain.restore(snapshot);
    },
    advanceTime: (seconds) => chain.advanceTime(seconds).header.ledgerIndex,
    impersonate: (impersonated) => node.impersonate(impersonated),
    dump: (file) => dumpChain(chain, file),
    close: async () => {
      clearInterval(timer);
      node.stop();
      await server.close();
    },
  };
  chains.set(ledger, chain);
  return ledger;
}
