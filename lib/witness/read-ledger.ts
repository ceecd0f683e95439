import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { isLedgerUnavailable } from '@tranche/verifier/errors.ts';
import { type LedgerClient, openLedger } from '@tranche/verifier/ledger-client.ts';
import { custodyDifferences, readAccountRoot, readClaims } from '@tranche/verifier/read-control.ts';
import { type FeedPage, missingLedgers, parseLedgerRanges, readLedgerHead } from '@tranche/verifier/read-feed.ts';
import * as z from 'zod';
import type { Derivation } from './derive.ts';
import type { PayingAccount } from './paying-account.ts';
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

/** Nothing was read yet. */
export const beginningOf = ({ accounts }: Derivation): Positions =>
  new Map(
    [...accounts.values()].map(({ address, fromLedger }) => [address, { afterLedger: fromLedger, afterHash: null }]),
  );

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
/** Entries asked for at once. */
const MAX_ENTRIES = 3_000;

/** Comparable text of what a server said. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each));

/** Asks every server and gives their answers. Throws ViewFault when one does not give a usable one. */
export async function askAll<T>(servers: readonly Server[], question: (server: Server) => Promise<T>): Promise<T[]> {
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
  /** Finds the allowlists and credentials that the feeds need. An account that lacks one stays behind. */
  loadInputs: () => Promise<void>;
}

/**
 * Reads on to the last ledger that all servers have validated, every page from each of them, and settles the derivation
 * there. Throws ViewFault when the servers do not show the same, without gaps; then nothing may be signed until a later
 * call succeeds. What was read so far stays read.
 */
export async function readOn(options: ReadOptions): Promise<void> {
  const { servers, derivation } = options;
  const infos = await readInfos(options);
  const target = Math.min(...infos.map(({ validated }) => validated.seq));
  const head = await askAlike(servers, `ledger ${target}`, ({ ledger }) => readLedgerHead(ledger, target));
  const { view } = derivation;
  if (view !== null && target === view.ledgerIndex && head.hash !== view.hash) {
    throw new ViewFault('servers_disagree', `Ledger ${target} has another hash than when it was read`);
  }
  if (view !== null && target <= view.ledgerIndex) {
    if (![...derivation.books.values()].some(({ isBehind }) => isBehind)) return;
    await options.loadInputs();
    derivation.settle(view);
    return;
  }
  requireHistory(options, infos, target);
  for (const account of derivation.accounts.values()) await readAccount(options, account, target);
  await options.loadInputs();
  derivation.settle({ ledgerIndex: target, ...head, ...reservesOf(infos) });
}

/**
 * Reads the histories of a new derivation up to one ledger, and settles it there: what was owed then, and not who could sign.
 * Throws as `readOn`.
 */
export async function readHistories(options: ReadOptions, through: number): Promise<void> {
  const { servers, derivation } = options;
  const infos = await readInfos(options);
  if (infos.some(({ validated }) => validated.seq < through)) {
    throw new ViewFault('catching_up', `Ledger ${through} is not validated yet`);
  }
  requireHistory(options, infos, through);
  const head = await askAlike(servers, `ledger ${through}`, ({ ledger }) => readLedgerHead(ledger, through));
  for (const address of derivation.accounts.keys()) await readHistory(options, address, through);
  await options.loadInputs();
  derivation.settle({ ledgerIndex: through, ...head, ...reservesOf(infos) });
}

type Infos = Awaited<ReturnType<typeof readInfos>>;

const readInfos = ({ servers, minServerVersion, networkId }: ReadOptions) =>
  askAll(servers, async (server) => {
    const { info } = serverInfo.parse(await server.ledger.request({ command: 'server_info' }));
    if (isOlder(info.build_version, minServerVersion)) {
      throw new ViewFault('server_outdated', `${hostOf(server.url)} runs release ${info.build_version}`);
    }
    if (info.network_id !== networkId) {
      throw new ViewFault('servers_disagree', `${hostOf(server.url)} is on network ${info.network_id}`);
    }
    if (info.validated_ledger === undefined) {
      throw new ViewFault('catching_up', `${hostOf(server.url)} has no validated ledger`);
    }
    server.ok = true;
    return { server, completeLedgers: parseLedgerRanges(info.complete_ledgers), validated: info.validated_ledger };
  });

/** Throws ViewFault when a server lacks a part of what is to be read. */
function requireHistory({ positions }: ReadOptions, infos: Infos, through: number): void {
  const from = Math.min(...[...positions.values()].map(({ afterLedger }) => afterLedger));
  for (const { server, completeLedgers, validated } of infos) {
    const [gap] = missingLedgers({ completeLedgers, validatedIndex: validated.seq }, from, through);
    if (gap === undefined) continue;
    server.ok = false;
    throw new ViewFault('history_incomplete', `${hostOf(server.url)} lacks ledgers ${gap[0]} to ${gap[1]}`);
  }
}

const most = (values: bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n);
const reservesOf = (infos: Infos) => ({
  reserveBaseDrops: most(infos.map(({ validated }) => validated.reserve_base_xrp)),
  reserveIncrementDrops: most(infos.map(({ validated }) => validated.reserve_inc_xrp)),
});

/** Reads one account and its history up to `target`, each page from every server. */
async function readAccount(options: ReadOptions, account: PayingAccount, target: number): Promise<void> {
  const { servers } = options;
  const { address, custody } = account;
  const root = await askAlike(servers, `the account ${address}`, ({ ledger }) =>
    readAccountRoot(ledger, address, target),
  );
  account.onLedger = root;
  if (root !== null) await readHistory(options, address, target);
  // The history may show that what it owns has changed.
  if (root !== null && account.mustCheck) {
    account.claims = root.ownsMore
      ? await askAlike(servers, `the objects of ${address}`, ({ ledger }) => readClaims(ledger, address, target))
      : [];
    // Another may give up what it could claim, and no transaction of the account would show it.
    account.mustCheck = account.claims.length > 0;
  }
  const control = root === null ? null : { ...root, claims: account.claims };
  const [difference] = custody === null ? [] : custodyDifferences(custody, control);
  account.differs =
    difference === undefined
      ? null
      : `${address}: ${difference.field} is ${difference.found}, and must be ${difference.expected}`;
}

async function readHistory({ servers, derivation, positions }: ReadOptions, address: string, target: number) {
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
    hashes.push((await askAlike(servers, `ledger ${through}`, ({ ledger }) => readLedgerHead(ledger, through))).hash);
  }
  const [hash] = hashes;
  if (hash === undefined || hashes.some((each) => each !== hash)) {
    throw new ViewFault('servers_disagree', `The servers show ledger ${through} with different hashes`);
  }
  return { entries: first, readThrough: through, readThroughHash: hash };
}
