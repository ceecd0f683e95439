#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_ACCOUNT_XRP, DEFAULT_PHRASE } from './accounts.ts';
import { AMENDMENT_PROFILES, type AmendmentProfile } from './amendments.ts';
import { type SandboxLedger, startLedger } from './index.ts';

const DEFAULT_INTERVAL_MS = 1000;

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number, 0 or more');
  return value;
}

function positiveNumber(text: string): number {
  if (wholeNumber(text) === 0) throw new InvalidArgumentError('must be 1 or more');
  return Number(text);
}

function pointInTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('must be a time such as 2030-01-31T12:00:00Z');
  return time;
}

const listed = (text: string, before: readonly string[]): readonly string[] => [...before, text];

type Flags = {
  port: number;
  host: string;
  ledgerInterval?: number;
  closeAfterEach?: boolean;
  accounts: number;
  seed: string;
  balance: number;
  networkId?: number;
  profile?: AmendmentProfile;
  baseFee?: number;
  reserveBase?: number;
  reserveInc?: number;
  history: number;
  expectedLedgerSize: number;
  ledgerGrowth: number;
  startTime?: Date;
  load?: string;
  dumpOnExit?: string;
  strict?: boolean;
  forkAccount: readonly string[];
  from?: string;
  allowImpersonation?: boolean;
};

const command = new Command('xrpl-sandbox')
  .description('A stand-in for an XRP Ledger server, for development and tests')
  .option('--port <n>', 'port of WebSocket, JSON-RPC and faucet; 0 takes any free one', wholeNumber, 6006)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--ledger-interval <ms>', 'time between closes; 0 closes only on ledger_accept (default: 1000)', wholeNumber)
  .option('--close-after-each', 'close a ledger after each transaction; without --ledger-interval only then')
  .option('--accounts <n>', 'funded accounts to start with; their seeds are printed', wholeNumber, 0)
  .option('--seed <phrase>', 'what the keys of those accounts are made from', DEFAULT_PHRASE)
  .option('--balance <xrp>', 'XRP of each of those accounts', positiveNumber, DEFAULT_ACCOUNT_XRP)
  .option('--network-id <n>', 'network ID (default: 0)', wholeNumber)
  .addOption(
    new Option('--profile <name>', 'which amendments are enabled (default: recorded)').choices(AMENDMENT_PROFILES),
  )
  .option('--base-fee <drops>', 'cost of a transaction (default: 10)', wholeNumber)
  .option('--reserve-base <drops>', 'reserve of an account (default: 1000000)', wholeNumber)
  .option('--reserve-inc <drops>', 'reserve of each owned object (default: 200000)', wholeNumber)
  .option('--history <ledgers>', 'how many ledgers to hold; 0 holds all', wholeNumber, 0)
  .option('--expected-ledger-size <n>', 'transactions a ledger takes before fees escalate', positiveNumber, 1000)
  .option('--ledger-growth <percent>', 'how much a busy ledger raises that number', wholeNumber, 20)
  .option('--start-time <time>', "where the ledger's clock starts, as 2030-01-31T12:00:00Z (default: now)", pointInTime)
  .option('--load <file>', 'go on from a file that --dump-on-exit wrote')
  .option('--dump-on-exit <file>', 'write every ledger to a file when the server ends')
  .option('--fork-account <address>', 'an account to take over from a live server; may be repeated', listed, [])
  .option('--from <url>', 'the live server, as wss://xrplcluster.com')
  .option('--strict', 'only what real servers have: no sandbox_* command, none of Clio, no faucet')
  .option('--allow-impersonation', 'let sandbox_impersonate serve an address other than loopback')
  .parse();
const flags = command.opts<Flags>();
if (flags.forkAccount.length > 0 !== (flags.from !== undefined)) {
  command.error('error: --fork-account and --from go together');
}

/** Starts the ledger; a file that cannot be loaded, or a port that is taken, ends the program with one line. */
async function start(): Promise<SandboxLedger> {
  const { startTime, load, networkId, profile, baseFee, reserveBase, reserveInc } = flags;
  const closeAfterEach = flags.closeAfterEach ?? false;
  try {
    return await startLedger({
      port: flags.port,
      host: flags.host,
      log: (line) => process.stderr.write(`${line}\n`),
      intervalMs: flags.ledgerInterval ?? (closeAfterEach ? 0 : DEFAULT_INTERVAL_MS),
      closeAfterEach,
      accounts: flags.accounts,
      seedPhrase: flags.seed,
      accountXrp: flags.balance,
      historyLedgers: flags.history,
      expectedLedgerSize: flags.expectedLedgerSize,
      ledgerGrowthPercent: flags.ledgerGrowth,
      strict: flags.strict ?? false,
      ...(flags.allowImpersonation === true ? { allowImpersonation: true } : {}),
      ...(networkId === undefined ? {} : { networkId }),
      ...(profile === undefined ? {} : { profile }),
      ...(baseFee === undefined ? {} : { baseFeeDrops: baseFee }),
      ...(reserveBase === undefined ? {} : { reserveBaseDrops: reserveBase }),
      ...(reserveInc === undefined ? {} : { reserveIncDrops: reserveInc }),
      ...(startTime === undefined ? {} : { startTime }),
      ...(flags.from === undefined ? {} : { fork: { from: flags.from, accounts: flags.forkAccount } }),
      ...(load === undefined ? {} : { load }),
    });
  } catch (error) {
    process.stderr.write(`xrpl-sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const ledger = await start();
process.stdout.write(
  `sandbox ledger ready\n  ws      ${ledger.wsUrl}\n  rpc     ${ledger.rpcUrl}\n  faucet  ${ledger.faucetUrl}\n`,
);
if (ledger.forked) {
  const { ledgerIndex, accounts, otherEnds, leftOut } = ledger.forked;
  const missing = Object.entries(leftOut).map(([type, count]) => `${count} ${type}`);
  process.stdout.write(
    `of ledger ${ledgerIndex} of ${flags.from}: ${accounts.join(', ')}, and ${otherEnds.length} other ends of their lines and tokens\n${
      missing.length === 0 ? '' : `  left out: ${missing.join(', ')}\n`
    }`,
  );
}
if (ledger.accounts.length > 0) {
  const lines = ledger.accounts.map(({ address, seed }) => `  ${address.padEnd(34)}  ${seed}`);
  process.stdout.write(`accounts, each with its seed, of the phrase "${flags.seed}"\n${lines.join('\n')}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    if (flags.dumpOnExit !== undefined) ledger.dump(flags.dumpOnExit);
    void ledger.close();
  });
}
