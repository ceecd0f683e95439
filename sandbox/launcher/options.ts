import { Command, InvalidArgumentError, Option } from 'commander';
import { AMENDMENT_PROFILES, type AmendmentProfile } from 'xrpl-sandbox/amendments.ts';
import { PORT_COUNT } from './ports.ts';

export type SandboxOptions = {
  /** Base port; the others follow it. With `ledgerOnly` the ledger's own. */
  port: number;
  crowd: boolean;
  demo: boolean;
  fresh: boolean;
  /** How many witnesses sign with the platform what the demo sale's accounts send; 0: each account has one key. */
  witnesses: number;
  /** One operator asks for a launch or a release, and another approves it. */
  twoPersons: boolean;
  /** The development server in place of a build: a change of the sources is live at once. */
  dev: boolean;
  ledgerOnly: boolean;
  /** 0 closes ledgers only on `ledger_accept`. */
  ledgerIntervalMs: number;
  ledger: LedgerFlags;
  /** Servers in place of the stand-in; none: the stand-in. */
  ledgerUrls: string[];
  /** A real standalone server in place of the stand-in, with everything that the stand-in would have; null: the stand-in. */
  standaloneUrl: string | null;
  isMainNetworkMeant: boolean;
  /** File with settings of services on this machine and of signing keys; null: none is read. */
  envFile: string | null;
  /** The assistant may use the language model. */
  openai: boolean;
};

/** What the stand-in ledger is told beside its port; all of them have the values of a real network. */
export type LedgerFlags = {
  /** null: 0 with `ledgerOnly`, as a standalone server has it, else the sandbox's own; what it reports with a real one. */
  networkId: number | null;
  /** Which amendments are enabled; null: those of recorded answers with `ledgerOnly`, else the main network's. */
  profile: AmendmentProfile | null;
  baseFeeDrops: number;
  reserveBaseDrops: number;
  reserveIncDrops: number;
};

type Flags = {
  port: number;
  crowd: boolean;
  demo: boolean;
  fresh?: boolean;
  dev?: boolean;
  ledgerOnly?: boolean;
  ledgerInterval: number;
  witnesses: number;
  twoPersons?: boolean;
  networkId?: number;
  baseFee: number;
  reserveBase: number;
  reserveInc: number;
  ledger?: string[];
  standalone?: string;
  mainNetwork?: boolean;
  envFile?: string;
  openai?: boolean;
  profile?: AmendmentProfile;
};

const LONGEST_INTERVAL_MS = 60_000;

/** Reads the command line (`process.argv`); prints help or a clear error and exits where commander does. */
export function parseOptions(argv: string[]): SandboxOptions {
  const command = new Command('npx tranche sandbox')
    .description('Runs Tranche with local stand-ins for every service it needs. State starts empty at each start.')
    .option('--port <n>', 'base port: app, then ledger, QStash, Redis, PostgreSQL, webhook receiver', portNumber, 3000)
    .option('--ledger-interval <ms>', 'time between ledgers; 0 closes only on ledger_accept', intervalMs, 1000)
    .option('--no-crowd', 'no simulated investors')
    .option('--no-demo', 'no demo sale (and no crowd); the accounts are funded all the same')
    .option('--witnesses <n>', 'programs that co-sign for the accounts, 3 to 8; 0: one key signs', witnessCount, 3)
    .option('--two-persons', 'one operator asks for a launch or a release, and another approves it')
    .option('--ledger-only', 'start the ledger alone, WebSocket and JSON-RPC on the base port')
    .option('--network-id <n>', 'network id of the ledger', networkId)
    .addOption(new Option('--profile <name>', 'which amendments are enabled on the ledger').choices(AMENDMENT_PROFILES))
    .option('--ledger <urls>', 'ledger servers (ws:// or wss://, comma separated) in place of the stand-in', ledgerUrls)
    .addOption(
      new Option(
        '--standalone <url>',
        'a real standalone server (ws://) of this machine in place of the stand-in, funded from its genesis account',
      )
        .env('LEDGER_URL')
        .conflicts('ledger'),
    )
    .option('--main-network', 'confirms that the servers of --ledger may be of the main network')
    .option('--env-file <path>', 'settings of services on this machine, SIGNING_KEYS and PLATFORM_TOKEN for --ledger')
    .option(
      '--openai',
      'the assistant may use the model of OPENAI_API_KEY (this shell or --env-file) over the internet',
    )
    .option('--base-fee <drops>', 'cost of a transaction on the ledger', dropsBelowOneXrp, 10)
    .option('--reserve-base <drops>', 'reserve of an account on the ledger', reserveDrops, 1_000_000)
    .option('--reserve-inc <drops>', 'reserve of each object that an account owns', reserveDrops, 200_000)
    .option('--dev', 'reload the app on each change of its sources: the development server in place of a build')
    .option('--fresh', 'build again and forget the logs of earlier starts')
    .showHelpAfterError('(--help lists the options)')
    .parse(argv);
  const flags = command.opts<Flags>();
  if (flags.ledger && flags.ledgerOnly)
    command.error('--ledger is in place of the stand-in that --ledger-only starts.');
  return {
    port: flags.port,
    crowd: flags.crowd && flags.demo,
    demo: flags.demo,
    fresh: flags.fresh ?? false,
    dev: flags.dev ?? false,
    ledgerOnly: flags.ledgerOnly ?? false,
    ledgerIntervalMs: flags.ledgerInterval,
    witnesses: flags.witnesses,
    twoPersons: flags.twoPersons ?? false,
    ledger: {
      networkId: flags.networkId ?? null,
      profile: flags.profile ?? null,
      baseFeeDrops: flags.baseFee,
      reserveBaseDrops: flags.reserveBase,
      reserveIncDrops: flags.reserveInc,
    },
    ledgerUrls: flags.ledger ?? [],
    standaloneUrl: flags.standalone ?? null,
    isMainNetworkMeant: flags.mainNetwork ?? false,
    envFile: flags.envFile ?? null,
    openai: flags.openai ?? false,
  };
}

function witnessCount(text: string): number {
  const count = wholeNumber(text, 0, 8);
  if (count === 0 || count > 2) return count;
  throw new InvalidArgumentError('Give 0, or 3 to 8: with fewer, none could be away.');
}

function portNumber(text: string): number {
  return wholeNumber(text, 1, 65_536 - PORT_COUNT);
}

function intervalMs(text: string): number {
  return wholeNumber(text, 0, LONGEST_INTERVAL_MS);
}

function networkId(text: string): number {
  return wholeNumber(text, 0, 0xffff_ffff);
}

function ledgerUrls(text: string): string[] {
  const urls = text.split(',').map((url) => url.trim());
  if (!urls.every((url) => /^wss?:\/\//.test(url) && URL.canParse(url))) {
    throw new InvalidArgumentError('Give addresses that start with ws:// or wss://, comma separated.');
  }
  return urls;
}

function dropsBelowOneXrp(text: string): number {
  return wholeNumber(text, 0, 1_000_000);
}

function reserveDrops(text: string): number {
  return wholeNumber(text, 0, 100_000_000);
}

function wholeNumber(text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  }
  return value;
}
