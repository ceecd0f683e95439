import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import type { Custody } from '@tranche/rules/custody.ts';
import { signersOf } from '@tranche/rules/custody.ts';
import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { isLedgerUnavailable } from '@tranche/verifier/errors.ts';
import { type LedgerClient, openLedger } from '@tranche/verifier/ledger-client.ts';
import { type FeedPage, missingLedgers, parseLedgerRanges } from '@tranche/verifier/read-feed.ts';
import * as z from 'zod';
import type { Derivation, PayingAccount } from './derive.ts';
import type { RefusalReason } from './protocol.ts';

/** Why the ledger cannot be relied on now. */
export class ViewFault extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, detail: string, options: ErrorOptions = {}) {
    super(detail, options);
    this.name = 'ViewFault';
    this.reason = reason;
  }
}

export interface Server {
  url: string;
  ledger: LedgerClient;
  ok: boolean;
}

export const openServers = (urls: readonly string[], networkId: number): Server[] =>
  urls.map((url) => ({ url, ledger: openLedger({ urls: [url], networkId }), ok: false }));

/** How far the history of each account was read. */
export type Positions = Map<string, { afterLedger: number; afterHash: string | null }>;

const xrp = z.number().transform((value) => parseDecimal(value.toFixed(XRP_DECIMALS), XRP_DECIMALS) ?? 0n);
const serverInfo = z.object({
  info: z.object({
    build_version: z.string(),
    complete_ledgers: z.string(),
    network_id: z.int().default(0),
    validated_ledger: z
      .object({ seq: z.int(), hash: z.string(), reserve_base_xrp: xrp, reserve_inc_xrp: xrp })
      .optional(),
  }),
});
const ledgerHead = z.object({
  ledger_hash: z.string(),
  validated: z.literal(true),
  ledger: z.object({ close_time: z.int() }),
});
const accountInfo = z.object({
  validated: z.literal(true),
  account_data: z.object({
    Balance: z.string().regex(/^\d+$/),
    Flags: z.int(),
    OwnerCount: z.int(),
    Sequence: z.int(),
    RegularKey: z.string().optional(),
  }),
  signer_lists: z
    .array(
      z.object({
        SignerQuorum: z.int(),
        SignerEntries: z.array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) })),
      }),
    )
    .default([]),
});
type AccountInfo = z.output<typeof accountInfo>;
const objectsPage = z.object({
  validated: z.literal(true),
  account_objects: z.array(z.object({ LedgerEntryType: z.string(), Account: z.string().optional() })),
  marker: z.unknown().optional(),
});

/** Entries asked for at once. */
const MAX_ENTRIES = 3_000;
const OBJECTS_A_PAGE = 400;
const MASTER_DISABLED = 0x0010_0000;

/** Comparable text of what a server said. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each));

/** Asks every server and gives their answers. Throws ViewFault when one does not give a usable one. */
async function askAll<T>(servers: readonly Server[], question: (server: Server) => Promise<T>): Promise<T[]> {
  return Promise.all(
    servers.map(async (server) => {
      try {
        return await question(server);
      } catch (error) {
        server.ok = false;
        if (error instanceof ViewFault) throw error;
        const detail = error instanceof Error ? error.message : String(error);
        const isOtherHistory = !isLedgerUnavailable(error) && detail.includes('has another hash');
        throw new ViewFault(isOtherHistory ? 'servers_disagree' : 'catching_up', `${hostOf(server.url)}: ${detail}`, {
          cause: error,
        });
      }
    }),
  );
}

/** The same, of answers that must be alike. Throws ViewFault `servers_disagree`. */
async function askAlike<T>(
  servers: readonly Server[],
  what: string,
  question: (server: Server) => Promise<T>,
): Promise<T> {
  const answers = await askAll(servers, question);
  const [first] = answers;
  if (first === undefined) throw new ViewFault('catching_up', 'No ledger server is configured');
  for (const each of answers) {
    if (textOf(each) !== textOf(first)) throw new ViewFault('servers_disagree', `The servers differ in ${what}`);
  }
  return first;
}

export const hostOf = (url: string): string => new URL(url).host;

/** "3.2.0" and "2.4.0-rc1" by their numbers. A version without numbers is older than any. */
export function isOlder(version: string, minimum: string): boolean {
  const numbers = (text: string) => (/^(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  const [found, least] = [numbers(version), numbers(minimum)];
  for (const [index, number] of least.entries()) {
    const difference = (found[index] ?? -1) - number;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

export interface ReadOptions {
  servers: readonly Server[];
  networkId: number;
  minServerVersion: string;
  derivation: Derivation;
  positions: Positions;
  /** Loads what the entries need. Throws ViewFault `inputs_missing`. */
  loadLists: (account: string, entries: FeedPage['entries']) => Promise<void>;
}

/**
 * Reads on to the last ledger that all servers have validated, every page from each of them, and settles the derivation
 * there. Throws ViewFault when the servers do not show the same, without gaps; then nothing may be signed until a later
 * call succeeds. What was read so far stays read.
 */
export async function readOn(options: ReadOptions): Promise<void> {
  const { servers, derivation, positions } = options;
  const infos = await askAll(servers, async (server) => {
    const { info } = serverInfo.parse(await server.ledger.request({ command: 'server_info' }));
    if (isOlder(info.build_version, options.minServerVersion)) {
      throw new ViewFault('server_outdated', `${hostOf(server.url)} runs release ${info.build_version}`);
    }
    if (info.network_id !== options.networkId) {
      throw new ViewFault('servers_disagree', `${hostOf(server.url)} is on network ${info.network_id}`);
    }
    if (info.validated_ledger === undefined) {
      throw new ViewFault('catching_up', `${hostOf(server.url)} has no validated ledger`);
    }
    server.ok = true;
    return { server, completeLedgers: parseLedgerRanges(info.complete_ledgers), validated: info.validated_ledger };
  });
  const target = Math.min(...infos.map(({ validated }) => validated.seq));
  const head = await askAlike(servers, `ledger ${target}`, async ({ ledger }) => {
    const answer = ledgerHead.parse(await ledger.request({ command: 'ledger', ledger_index: target }));
    return { hash: answer.ledger_hash, closedAtMs: rippleSecondsToMs(answer.ledger.close_time) };
  });
  const { view } = derivation;
  if (view !== null && target === view.ledgerIndex && head.hash !== view.hash) {
    throw new ViewFault('servers_disagree', `Ledger ${target} has another hash than when it was read`);
  }
  if (view !== null && target <= view.ledgerIndex) return;
  const from = Math.min(...[...positions.values()].map(({ afterLedger }) => afterLedger));
  for (const { server, completeLedgers, validated } of infos) {
    const [gap] = missingLedgers({ completeLedgers, validatedIndex: validated.seq }, from, target);
    if (gap === undefined) continue;
    server.ok = false;
    throw new ViewFault('history_incomplete', `${hostOf(server.url)} lacks ledgers ${gap[0]} to ${gap[1]}`);
  }
  for (const address of derivation.accounts.keys()) await readAccount(options, address, target);
  await readBalances(servers, derivation, target);
  const most = (values: bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n);
  derivation.settle({
    ledgerIndex: target,
    ...head,
    reserveBaseDrops: most(infos.map(({ validated }) => validated.reserve_base_xrp)),
    reserveIncrementDrops: most(infos.map(({ validated }) => validated.reserve_inc_xrp)),
  });
  // What was read may show that the settings have changed.
  await checkSettings(servers, derivation, target);
}

/** Reads the history of one account up to `target`, each page from every server. */
async function readAccount(options: ReadOptions, address: string, target: number): Promise<void> {
  const { servers, derivation, positions } = options;
  for (;;) {
    const position = positions.get(address);
    if (position === undefined) throw new Error(`Nothing says where the history of ${address} begins`);
    if (position.afterLedger >= target) return;
    const request = { account: address, ...position, throughLedger: target, maxEntries: MAX_ENTRIES };
    const pages = await askAll(servers, ({ ledger }) => ledger.readFeed(request));
    const page = await alike(servers, address, pages);
    if (page.readThrough <= position.afterLedger) {
      throw new ViewFault('catching_up', `The servers do not go on with ${address} after ${position.afterLedger}`);
    }
    await options.loadLists(address, page.entries);
    derivation.take(address, page.entries);
    positions.set(address, { afterLedger: page.readThrough, afterHash: page.readThroughHash });
  }
}

/** The part of the pages that every server has read whole; throws ViewFault where they differ. */
async function alike(servers: readonly Server[], address: string, pages: readonly FeedPage[]): Promise<FeedPage> {
  const through = Math.min(...pages.map(({ readThrough }) => readThrough));
  const cut = pages.map(({ entries }) => entries.filter(({ ledgerIndex }) => ledgerIndex <= through));
  const [first] = cut;
  if (first === undefined) throw new ViewFault('catching_up', 'No ledger server is configured');
  if (cut.some((entries) => textOf(entries) !== textOf(first))) {
    throw new ViewFault('servers_disagree', `The servers show different transactions of ${address} up to ${through}`);
  }
  const hashes = pages.flatMap((page) => (page.readThrough === through ? [page.readThroughHash] : []));
  if (hashes.length < pages.length) {
    hashes.push(
      await askAlike(servers, `ledger ${through}`, async ({ ledger }) => {
        const answer = ledgerHead.parse(await ledger.request({ command: 'ledger', ledger_index: through }));
        return answer.ledger_hash;
      }),
    );
  }
  const [hash] = hashes;
  if (hash === undefined || hashes.some((each) => each !== hash)) {
    throw new ViewFault('servers_disagree', `The servers show ledger ${through} with different hashes`);
  }
  return { entries: first, readThrough: through, readThroughHash: hash };
}

/** What releases and sequences are decided by. */
async function readBalances(servers: readonly Server[], derivation: Derivation, target: number): Promise<void> {
  for (const account of derivation.accounts.values()) {
    const { account_data: data } = await readAccountInfo(servers, account.address, target);
    account.onLedger = {
      balanceDrops: BigInt(data.Balance),
      ownerCount: data.OwnerCount,
      sequence: data.Sequence,
    };
  }
}

const readAccountInfo = (servers: readonly Server[], address: string, target: number): Promise<AccountInfo> =>
  askAlike(servers, `the account ${address}`, async ({ ledger }) =>
    accountInfo.parse(
      await ledger.request({ command: 'account_info', account: address, signer_lists: true, ledger_index: target }),
    ),
  );

/** Compares accounts whose settings may have changed with custody. */
async function checkSettings(servers: readonly Server[], derivation: Derivation, target: number): Promise<void> {
  for (const account of derivation.accounts.values()) {
    if (!account.mustCheck) continue;
    const info = await readAccountInfo(servers, account.address, target);
    const objects = await askAlike(servers, `the objects of ${account.address}`, (server) =>
      readObjects(server, account.address, target),
    );
    const difference = settingsDifference(account, info, objects);
    if (difference === null) account.mustCheck = false;
    account.differs = difference;
  }
}

async function readObjects({ ledger }: Server, address: string, target: number): Promise<string[]> {
  const found = new Set<string>();
  let marker: unknown;
  do {
    const page = objectsPage.parse(
      await ledger.request({
        command: 'account_objects',
        account: address,
        ledger_index: target,
        limit: OBJECTS_A_PAGE,
        ...(marker === undefined ? {} : { marker }),
      }),
    );
    for (const { LedgerEntryType: type, Account: owner } of page.account_objects) {
      if (!HARMLESS.has(type) && !(OF_BOTH_SIDES.has(type) && owner !== undefined && owner !== address))
        found.add(type);
    }
    marker = page.marker;
  } while (marker !== undefined);
  return [...found].sort();
}

/** What an account may own: nothing of it lets XRP or tokens leave without a signature of the account's own. */
const HARMLESS: ReadonlySet<string> = new Set([
  'Credential',
  'DID',
  'DepositPreauth',
  'MPToken',
  'MPTokenIssuance',
  'NFTokenPage',
  'Oracle',
  'PermissionedDomain',
  'RippleState',
  'SignerList',
  'Ticket',
]);
/** Shown for the account that they are made out to, too: those that others own are none of its own. */
const OF_BOTH_SIDES: ReadonlySet<string> = new Set(['Check', 'Delegate', 'Escrow', 'PayChannel']);

/** In what an account's settings are not those of its custody; null when they are. Pure. */
export function settingsDifference(
  { address, custody }: Pick<PayingAccount, 'address' | 'custody'>,
  { account_data: data, signer_lists: lists }: AccountInfo,
  objects: readonly string[],
): string | null {
  if (custody === null) return `No approved sale says who must sign for ${address}`;
  if ((data.Flags & MASTER_DISABLED) === 0) return `The master key of ${address} is not disabled`;
  if (data.RegularKey !== undefined) return `${address} has the regular key ${data.RegularKey}`;
  const [list] = lists;
  if (list === undefined) return `${address} has no signer list`;
  const found = list.SignerEntries.map(({ SignerEntry: { Account, SignerWeight } }) => `${Account} ${SignerWeight}`);
  if (list.SignerQuorum !== custody.quorum || textOf(found.sort()) !== textOf(expectedSigners(custody))) {
    return `The signer list of ${address} is not that of the terms`;
  }
  return objects.length === 0 ? null : `${address} owns what may be paid without a signature: ${objects.join(', ')}`;
}

function expectedSigners({ platform, witnesses }: Custody): string[] {
  const weights = new Map([platform, ...witnesses].map(({ account, weight }) => [account, weight]));
  return signersOf({ platform, witnesses })
    .map((account) => `${account} ${weights.get(account)}`)
    .sort();
}
