import type { Chain } from './chain.ts';
import { addToDirectory } from './engine/directory.ts';
import { changeOwnerCount } from './engine/lines.ts';
import { placeOffer } from './engine/offers.ts';
import { qualityOfDirectory } from './engine/paths/quality.ts';
import { account } from './engine/view.ts';
import {
  type AccountRoot,
  type Entry,
  type EntryOf,
  type EntryType,
  has,
  LINE,
  type RippleState,
  UNTHREADED,
} from './entries.ts';
import { GENESIS_ADDRESS } from './genesis.ts';
import { isObject, type Json } from './json.ts';
import { accountIndex, isAddress } from './keylets.ts';
import { ForkError, LiveServer } from './liveServer.ts';
import type { WriteView } from './state.ts';

/** Accounts to take over, and the live server that has them. */
export type ForkOptions = { readonly from: string; readonly accounts: readonly string[] };

/** What came over: of which ledger, which accounts besides those asked for, and what they own that was left out. */
export type Forked = {
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
  readonly accounts: readonly string[];
  /** The other ends of their lines and the issuers of their tokens, of which nothing else came over. */
  readonly otherEnds: readonly string[];
  /** How many entries of each type the accounts own on the live ledger and not here. */
  readonly leftOut: Readonly<Record<string, number>>;
};

/** An entry; `owner` is whose directory it was found in, which older signer lists do not say themselves. */
type Keyed = { readonly index: string; readonly entry: Entry; readonly owner?: string };
type Fetched = { readonly roots: readonly AccountRoot[]; readonly owned: readonly Keyed[]; readonly summary: Forked };

const TAKEN: ReadonlySet<string> = new Set<EntryType>([
  'RippleState',
  'SignerList',
  'Ticket',
  'Offer',
  'MPToken',
  'MPTokenIssuance',
]);
/** An issuer with more lines than this is no account to test with. */
const MAX_OWNED = 20_000;
const PAGE = 400;
/** lsfOneOwnerCount: the list counts once. Older lists count two and one for each signer. */
const ONE_OWNER_COUNT = 0x00010000;

function keyed(value: Json | undefined): Keyed {
  if (!isObject(value) || typeof value.index !== 'string' || typeof value.LedgerEntryType !== 'string') {
    throw new ForkError('the live server shows an entry without its index');
  }
  // The id of an issuance is shown with it, and is no field of it.
  const { index, mpt_issuance_id: _id, ...entry } = value;
  return { index, entry: entry as unknown as Entry };
}

/** What an account owns on the live ledger. */
async function ownedBy(live: LiveServer, address: string, ledgerHash: string): Promise<Keyed[]> {
  const owned: Keyed[] = [];
  let marker: Json | undefined;
  do {
    const page = await live.ask({
      command: 'account_objects',
      account: address,
      ledger_hash: ledgerHash,
      limit: PAGE,
      ...(marker === undefined ? {} : { marker }),
    });
    if (!Array.isArray(page.account_objects)) throw new ForkError('the live server shows no account_objects');
    owned.push(...page.account_objects.map((each: Json) => ({ ...keyed(each), owner: address })));
    if (owned.length > MAX_OWNED) throw new ForkError(`${address} owns more than ${MAX_OWNED} entries`);
    marker = page.marker;
  } while (marker !== undefined);
  return owned;
}

/** The accounts without which an entry makes no sense. */
function needs(entry: Entry): string[] {
  switch (entry.LedgerEntryType) {
    case 'RippleState':
      return [entry.LowLimit.issuer, entry.HighLimit.issuer];
    case 'MPTokenIssuance':
      return [entry.Issuer];
    default:
      return [];
  }
}

async function issuancesOf(live: LiveServer, owned: readonly Keyed[], ledgerHash: string): Promise<Keyed[]> {
  const ids = owned.flatMap(({ entry }) => (entry.LedgerEntryType === 'MPToken' ? [entry.MPTokenIssuanceID] : []));
  return Promise.all(
    [...new Set(ids)].map(async (id) => {
      const { node } = await live.ask({ command: 'ledger_entry', mpt_issuance: id, ledger_hash: ledgerHash });
      return keyed(node);
    }),
  );
}

/** Reads the accounts and what belongs to them from one validated ledger of a live server. */
async function fetchAccounts({ from, accounts }: ForkOptions): Promise<Fetched> {
  const wanted = [...new Set(accounts)];
  for (const address of wanted) if (!isAddress(address)) throw new ForkError(`${address} is no address`);
  if (wanted.includes(GENESIS_ADDRESS)) throw new ForkError('the genesis account is here already');
  const live = await LiveServer.connect(from);
  try {
    const { ledger_index: ledgerIndex, ledger_hash: ledgerHash } = await live.ask({
      command: 'ledger',
      ledger_index: 'validated',
    });
    if (typeof ledgerIndex !== 'number' || typeof ledgerHash !== 'string') {
      throw new ForkError(`${from} has no validated ledger`);
    }
    const rootOf = async (address: string): Promise<AccountRoot> => {
      const found = await live.find({ command: 'ledger_entry', account_root: address, ledger_hash: ledgerHash });
      if (!found) throw new ForkError(`${address} is not in ledger ${ledgerIndex} of ${from}`);
      return keyed(found.node).entry as AccountRoot;
    };
    const all = (await Promise.all(wanted.map((address) => ownedBy(live, address, ledgerHash)))).flat();
    const taken = all.filter(({ entry }) => isTaken(entry));
    const entries = new Map(
      [...taken, ...(await issuancesOf(live, taken, ledgerHash))].map((each) => [each.index, each]),
    );
    const owned = [...entries.values()];
    const others = new Set(owned.flatMap(({ entry }) => needs(entry)));
    for (const address of [...wanted, GENESIS_ADDRESS]) others.delete(address);
    const leftOut: Record<string, number> = {};
    for (const { entry } of all) {
      if (!isTaken(entry)) leftOut[entry.LedgerEntryType] = (leftOut[entry.LedgerEntryType] ?? 0) + 1;
    }
    return {
      roots: await Promise.all([...wanted, ...others].map(rootOf)),
      owned,
      summary: { ledgerIndex, ledgerHash, accounts: wanted, otherEnds: [...others], leftOut },
    };
  } finally {
    live.close();
  }
}

/** Offers of a permissioned domain stay behind with it. */
function isTaken(entry: Entry): boolean {
  return TAKEN.has(entry.LedgerEntryType) && !(entry.LedgerEntryType === 'Offer' && entry.DomainID !== undefined);
}

/** An account as it is, but for what it owns: that is counted as it comes. */
function writeRoot(view: WriteView, { TicketCount: _count, ...root }: AccountRoot): void {
  view.create(accountIndex(root.Account), { ...root, OwnerCount: 0, ...UNTHREADED });
}

function writeLine(view: WriteView, index: string, line: RippleState): void {
  const [low, high] = [line.LowLimit.issuer, line.HighLimit.issuer];
  const nodes = { LowNode: addToDirectory(view, low, index), HighNode: addToDirectory(view, high, index) };
  view.create(index, { ...line, ...nodes, ...UNTHREADED });
  if (has(line.Flags, LINE.low.reserve)) changeOwnerCount(view, low, 1);
  if (has(line.Flags, LINE.high.reserve)) changeOwnerCount(view, high, 1);
}

/** An entry that stands in the directory of its owner alone. */
function writeOwned(
  view: WriteView,
  index: string,
  owner: string,
  entry: EntryOf<'SignerList' | 'Ticket' | 'MPToken' | 'MPTokenIssuance'>,
  ownerCount = 1,
): void {
  view.create(index, { ...entry, OwnerNode: addToDirectory(view, owner, index), ...UNTHREADED });
  changeOwnerCount(view, owner, ownerCount);
}

function writeEntry(view: WriteView, { index, entry, owner = '' }: Keyed): void {
  switch (entry.LedgerEntryType) {
    case 'RippleState':
      writeLine(view, index, entry);
      break;
    case 'SignerList': {
      const count = has(entry.Flags, ONE_OWNER_COUNT) ? 1 : 2 + entry.SignerEntries.length;
      writeOwned(view, index, owner, { ...entry, Owner: owner }, count);
      break;
    }
    case 'Ticket': {
      writeOwned(view, index, entry.Account, entry);
      const root = view.editAccount(entry.Account);
      if (root) root.TicketCount = (root.TicketCount ?? 0) + 1;
      break;
    }
    case 'Offer':
      placeOffer(view, {
        owner: entry.Account,
        sequence: entry.Sequence,
        gets: entry.TakerGets,
        pays: entry.TakerPays,
        quality: qualityOfDirectory(entry.BookDirectory),
        flags: entry.Flags,
        expiration: entry.Expiration,
        domain: undefined,
        isHybrid: false,
      });
      break;
    case 'MPToken':
      writeOwned(view, index, entry.Account, entry);
      break;
    case 'MPTokenIssuance':
      writeOwned(view, index, entry.Issuer, entry);
      break;
    default:
      throw new ForkError(`${entry.LedgerEntryType} cannot be taken over`);
  }
}

/** Pays for the accounts out of the genesis account, so that there is as much XRP as before, and writes them. */
function writeAll(view: WriteView, { roots, owned }: Fetched): void {
  const genesis = view.editAccount(GENESIS_ADDRESS);
  const takenDrops = roots.reduce((sum, { Balance }) => sum + BigInt(Balance), 0n);
  const leftDrops = BigInt(genesis?.Balance ?? '0') - takenDrops;
  if (!genesis || leftDrops < 0n) throw new ForkError('the genesis account has less XRP than the accounts');
  genesis.Balance = String(leftDrops);
  for (const root of roots) {
    if (account(view, root.Account)) throw new ForkError(`${root.Account} is here already`);
    writeRoot(view, root);
  }
  for (const each of owned) writeEntry(view, each);
}

/**
 * Takes accounts of a live ledger over into a ledger of this chain: their roots, trust lines, signer lists, tickets,
 * offers and multi-purpose tokens, with the accounts at the other ends. Throws ForkError, and then nothing came over.
 */
export async function forkAccounts(chain: Chain, options: ForkOptions): Promise<Forked> {
  const fetched = await fetchAccounts(options);
  chain.write((view) => writeAll(view, fetched));
  return fetched.summary;
}
