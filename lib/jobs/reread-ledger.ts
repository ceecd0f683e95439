import { heldThrough } from '@tranche/verifier/read-feed.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { readAgreedFeed } from '#lib/sales/feed/agreed-feed.ts';
import type { FeedEntry, LedgerHistory, LookUp } from '#lib/xrpl/types.ts';

/** Entries of one account that are read at once; the rest is left to the next call. */
export const MAX_REREAD_ENTRIES = 10_000;
const CONCURRENT_READS = 4;

/** A deposit account whose feed is read again. */
export interface Rereadable {
  address: string;
  registeredLedger: number;
  cursorLedger: number;
  cursorHash: string;
}

export interface Reread {
  /** By account, in feed order. */
  entriesOf: ReadonlyMap<string, readonly FeedEntry[]>;
  /** Last ledger read whole for every account; null when single transactions were looked up. */
  throughLedger: number | null;
  /** Hashes asked for that no validated ledger holds. */
  absent: readonly string[];
}

/**
 * Reads the feeds of the accounts again over [fromLedger, toLedger], or as far as `MAX_REREAD_ENTRIES` go. Throws
 * `ledger_unavailable` naming the ledgers that cannot be read: what was not read proves nothing. Throws `invalid_request` for ledgers that are not validated yet.
 */
export async function rereadRange(
  ctx: Ctx,
  accounts: readonly Rereadable[],
  { fromLedger, toLedger }: { fromLedger: number; toLedger: number },
): Promise<Reread> {
  await assertValidated(ctx, accounts, { fromLedger, toLedger });
  const reads = await mapBounded(accounts, CONCURRENT_READS, async (account) => {
    // The feed begins after the registration: what lies before it was never the platform's.
    const first = Math.max(fromLedger, account.registeredLedger + 1);
    if (first > toLedger) return { address: account.address, entries: [], through: toLedger };
    await checkHistory(ctx, account);
    const read = await readWhole(ctx, account.address, first, toLedger);
    return { address: account.address, ...read };
  });
  const throughLedger = Math.min(toLedger, ...reads.map((read) => read.through));
  return {
    entriesOf: new Map(
      reads.map(({ address, entries }) => [address, entries.filter((entry) => entry.ledgerIndex <= throughLedger)]),
    ),
    throughLedger,
    absent: [],
  };
}

/** Looks transactions up and reads the feeds in just their ledgers. Throws as `rereadRange`. */
export async function rereadTransactions(
  ctx: Ctx,
  accounts: readonly Rereadable[],
  hashes: readonly string[],
): Promise<Reread> {
  const asked = new Set(hashes);
  const lookUps = await lookUpOnAnyServer(ctx, [...asked]);
  const ledgers = new Set<number>();
  const absent: string[] = [];
  const firstLedger = Math.min(...accounts.map((account) => account.registeredLedger + 1));
  for (const [hash, lookUp] of lookUps) {
    if (lookUp.state === 'validated') ledgers.add(lookUp.ledgerIndex);
    else {
      const { validatedIndex } = lookUp.history;
      if (firstLedger <= validatedIndex) assertHeld(lookUp.history, firstLedger, validatedIndex);
      absent.push(hash);
    }
  }
  const positions = accounts.flatMap((account) =>
    [...ledgers].filter((ledger) => ledger > account.registeredLedger).map((ledger) => ({ account, ledger })),
  );
  const concerned = [...new Set(positions.map(({ account }) => account))];
  await mapBounded(concerned, CONCURRENT_READS, (account) => checkHistory(ctx, account));
  const reads = await mapBounded(positions, CONCURRENT_READS, async ({ account, ledger }) => ({
    address: account.address,
    entries: (await readWhole(ctx, account.address, ledger, ledger)).entries.filter(({ hash }) => asked.has(hash)),
  }));
  const entriesOf = new Map<string, FeedEntry[]>();
  for (const { address, entries } of reads) entriesOf.set(address, [...(entriesOf.get(address) ?? []), ...entries]);
  return { entriesOf, throughLedger: null, absent };
}

/** A validated answer of any server is a fact, whatever the others lack. */
async function lookUpOnAnyServer(ctx: Ctx, hashes: readonly string[]): Promise<Map<string, LookUp>> {
  const answers = await ctx.ledger.lookUpAll(hashes);
  const found = new Map(
    hashes.flatMap((hash, index): [string, LookUp][] => {
      const answer = answers[index];
      return answer === undefined ? [] : [[hash, answer]];
    }),
  );
  const missing = hashes.filter((hash) => found.get(hash)?.state === 'not_validated');
  if (missing.length === 0) return found;
  for (const others of await ctx.ledger.lookUpEverywhere(missing)) {
    for (const [index, hash] of missing.entries()) {
      const answer = others[index];
      if (answer?.state === 'validated') found.set(hash, answer);
    }
  }
  return found;
}

/** The ledger that the records end with must be the servers' too: entries of another history must never be written. */
async function checkHistory(ctx: Ctx, { address, cursorLedger, cursorHash }: Rereadable): Promise<void> {
  await readAgreedFeed(ctx, {
    account: address,
    afterLedger: cursorLedger,
    afterHash: cursorHash,
    throughLedger: cursorLedger,
    maxEntries: 1,
  });
}

async function readWhole(
  ctx: Ctx,
  account: string,
  first: number,
  last: number,
): Promise<{ entries: FeedEntry[]; through: number }> {
  const entries: FeedEntry[] = [];
  let through = first - 1;
  while (through < last && entries.length < MAX_REREAD_ENTRIES) {
    const page = await readAgreedFeed(ctx, {
      account,
      afterLedger: through,
      afterHash: null,
      throughLedger: last,
      maxEntries: MAX_REREAD_ENTRIES,
    }).catch((error: unknown) => explainGap(ctx, through + 1, last, error));
    if (page.readThrough <= through) return explainGap(ctx, through + 1, last, null);
    entries.push(...page.entries);
    through = page.readThrough;
  }
  return { entries, through };
}

/** Throws `invalid_request` for ledgers to come: no later answer to the same question could be whole before they are. */
async function assertValidated(
  ctx: Ctx,
  accounts: readonly Rereadable[],
  { fromLedger, toLedger }: { fromLedger: number; toLedger: number },
): Promise<void> {
  const known = Math.max(0, ...accounts.map(({ cursorLedger }) => cursorLedger));
  if (toLedger <= known) return;
  // A server that lags behind the records must not deny what they hold.
  const newest = Math.max(known, (await ctx.ledger.serverState()).validatedIndex);
  const errors = [
    { field: 'from_ledger', ledger: fromLedger },
    { field: 'to_ledger', ledger: toLedger },
  ].flatMap(({ field, ledger }) =>
    ledger > newest ? [{ field, message: `must be a validated ledger; the newest one is ${newest}` }] : [],
  );
  const [first] = errors;
  if (first !== undefined) throw new PlatformError('invalid_request', `${first.field}: ${first.message}`, { errors });
}

/** Turns a failed read into one that says which ledgers are missing, if the server admits it. */
async function explainGap(ctx: Ctx, first: number, last: number, cause: unknown): Promise<never> {
  if (cause !== null && !(cause instanceof PlatformError && cause.code === 'ledger_unavailable')) throw cause;
  assertHeld(await ctx.ledger.serverState(), first, last, cause);
  throw notRead(`Ledgers ${first} to ${last} could not be read whole`, cause);
}

/** Throws when the server lacks any of the ledgers. */
function assertHeld(history: LedgerHistory, first: number, last: number, cause?: unknown): void {
  const missing: string[] = [];
  for (let ledger = first; ledger <= last; ) {
    const through = heldThrough(history, ledger);
    if (through !== null) {
      ledger = through + 1;
      continue;
    }
    const from = ledger;
    const next = history.completeLedgers.find(([start]) => start > from && start <= history.validatedIndex)?.[0];
    ledger = Math.min(next ?? last + 1, last + 1);
    missing.push(from === ledger - 1 ? String(from) : `${from} to ${ledger - 1}`);
  }
  if (missing.length > 0) throw notRead(`The ledger server lacks ledgers ${missing.join(', ')}`, cause);
}

const notRead = (what: string, cause: unknown): PlatformError =>
  new PlatformError(
    'ledger_unavailable',
    `${what}. Nothing was changed: try again later, ask for other ledgers, or name a server with the whole history in XRPL_URLS.`,
    { cause },
  );
