import { decodeAction } from '@tranche/rules/action-memo.ts';
import {
  type CredentialEntry,
  type CredentialQuestion,
  type CredentialsRead,
  CredentialUnknown,
  credentialKey,
  credentialsAsked,
} from '@tranche/rules/credentials.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { SaleEntry, SaleState } from '@tranche/rules/types.ts';
import type { ReadCredential } from '@tranche/verifier/read-credentials.ts';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { credentialReadings } from '#drizzle/schema/sale.ts';
import { insertRows } from '#lib/base/bulk.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import type { FeedEntry, Ledger } from '#lib/xrpl/types.ts';
import { asksSeveral } from './agreed-feed.ts';
import { raiseAlerts, serversDisagree } from './alerts.ts';
import { loadSenderState } from './load-sender-state.ts';
import { loadAccount, loadPending } from './load-state.ts';

/** Asked for at once. What a payment depends on follows from those before it: more would be asked for in vain. */
const ASKED_AT_ONCE = 256;

export interface CredentialsWanted {
  account: string;
  /** Undecided entries up to this ledger, so many at most. */
  throughLedger: number;
  maxEntries?: number;
  /** Entries of the feed that are about to be recorded. */
  arriving?: readonly FeedEntry[];
}

/**
 * Reads and stores which credentials the undecided payments of an account depend on, as two servers show them alike
 * (docs/adr/0038-credentials.md); outside of every lock. False when `mayGoOn` ended it before all were read. Throws
 * `ledger_unavailable` when the servers tell none of those that are left: what depends on them waits, and `toldThrough` says
 * what does not.
 */
export async function readCredentials(
  ctx: Ctx,
  wanted: CredentialsWanted,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const asked = await stillToRead(ctx, wanted);
    if (asked.length === 0) return true;
    const told = await readAndStore(ctx, wanted.account, asked.slice(0, ASKED_AT_ONCE));
    if (told < asked.length && !(await mayGoOn())) return false;
  }
}

/** What the reducer would ask for, the first that it depends on first. */
const stillToRead = (ctx: Ctx, { account, throughLedger, maxEntries, arriving = [] }: CredentialsWanted) =>
  ctx.db.transaction(
    async (tx) => {
      const loaded = await loadAccount(tx, account, { entries: arriving });
      const pending = await loadPending(tx, account, throughLedger, maxEntries);
      const known = new Set(pending.entries.map(({ hash }) => hash));
      const entries = [
        ...pending.entries,
        ...arriving.flatMap((entry) =>
          known.has(entry.hash) || entry.ledgerIndex <= loaded.account.confirmedLedger ? [] : toSaleEntry(entry),
        ),
      ].sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
      const state = await loadSenderState(tx, loaded.state, entries);
      return credentialsAsked(state.credentials, (credentials) => reduceAll({ ...state, credentials }, entries));
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );

function toSaleEntry(entry: FeedEntry): Exclude<SaleEntry, { kind: 'close' }>[] {
  if (entry.kind === 'payment') return [{ ...entry, receivedDrops: entry.deliveredDrops }];
  const action = entry.kind === 'self' ? decodeAction(entry) : null;
  return action === null ? [] : [action];
}

/** Gives how many were told. */
async function readAndStore(ctx: Ctx, account: string, questions: readonly CredentialQuestion[]): Promise<number> {
  const { read, differing } = await agreedCredentials(ctx, questions);
  if (differing !== null) await raiseAlerts(ctx, ctx.db, [serversDisagree(account, differing.ledgerIndex)]);
  const rows = questions.flatMap((question, index) => {
    const entry = read[index];
    if (entry === undefined) return [];
    const expiresAt = entry?.expiresAtMs == null ? null : new Date(entry.expiresAtMs);
    return [{ ...question, found: entry !== null, accepted: entry?.accepted ?? false, expiresAt }];
  });
  const [missing] = questions;
  if (rows.length === 0 && missing !== undefined) throw notTold(missing);
  await ctx.db.execute(sql`${insertRows(credentialReadings, rows)} on conflict do nothing`);
  return rows.length;
}

/** The last ledger before what waits for credentials, by the error of `readCredentials`; null for any other error. */
export const toldThrough = (error: unknown): number | null =>
  error instanceof PlatformError && error.cause instanceof CredentialUnknown ? error.cause.question.ledgerIndex : null;

function notTold(question: CredentialQuestion): PlatformError {
  const { subject, ledgerIndex } = question;
  const servers = asksSeveral() ? 'No two ledger servers tell alike' : 'No ledger server tells';
  return ledgerUnavailable(
    `${servers} which credentials ${subject} held in ledger ${ledgerIndex}. What depends on them waits: name servers in XRPL_URLS that hold this ledger`,
    new CredentialUnknown(question),
  );
}

interface Agreed {
  /** Undefined where it is not told. */
  read: ReadCredential[];
  /** The first one of which servers say different things. */
  differing: CredentialQuestion | null;
}

/** Credentials as two servers show them alike, with one server configured by its own word. */
async function agreedCredentials({ ledger }: Ctx, questions: readonly CredentialQuestion[]): Promise<Agreed> {
  if (!asksSeveral()) return { read: await ledger.credentials(questions), differing: null };
  const answers = await ledger.credentialsEverywhere(questions);
  const readings = questions.map((_, index) =>
    answers.map((answer) => answer[index]).filter((each) => each !== undefined),
  );
  const differing = readings.findIndex((each) => each.some((other) => !isAlike(other, each[0])));
  const alike = (each: readonly ReadCredential[]) =>
    each.find((one, index) => each.slice(index + 1).some((other) => isAlike(one, other)));
  return { read: readings.map(alike), differing: questions[differing] ?? null };
}

/** A ledger that was validated never changes: what it holds of a credential is asked for once a process. */
const MAX_KEPT = 10_000;
const keptOf = new WeakMap<Ledger, LRUCache<string, { entry: CredentialEntry | null }>>();

/** The same for what did not happen on the ledger: nothing is stored. Throws `ledger_unavailable` when one cannot be told. */
export async function credentialsOf(
  ctx: Ctx,
  questions: readonly CredentialQuestion[],
): Promise<ReadonlyMap<string, CredentialEntry | null>> {
  const kept = keptOf.get(ctx.ledger) ?? new LRUCache({ max: MAX_KEPT });
  keptOf.set(ctx.ledger, kept);
  const found = new Map<string, CredentialEntry | null>();
  const missing = questions.filter((question) => {
    const known = kept.get(credentialKey(question));
    if (known !== undefined) found.set(credentialKey(question), known.entry);
    return known === undefined;
  });
  if (missing.length === 0) return found;
  const { read } = await agreedCredentials(ctx, missing);
  for (const [index, question] of missing.entries()) {
    const entry = read[index];
    if (entry === undefined) throw notTold(question);
    found.set(credentialKey(question), entry);
    kept.set(credentialKey(question), { entry });
  }
  return found;
}

/** False when the servers cannot tell, of a ledger that they should all hold by now, what payments would depend on. */
export async function canTellCredentials(ctx: Ctx, questions: readonly CredentialQuestion[]): Promise<boolean> {
  const { read } = await agreedCredentials(ctx, questions);
  return !read.includes(undefined);
}

/** What `entries` that did not happen on the ledger would depend on, beside what was read. Throws as `credentialsOf`. */
export async function presentCredentials(
  ctx: Ctx,
  state: SaleState,
  entries: readonly SaleEntry[],
): Promise<CredentialsRead> {
  const found = new Map<string, CredentialEntry | null>();
  const credentials: CredentialsRead = {
    get(key) {
      const stored = state.credentials?.get(key);
      return stored === undefined ? found.get(key) : stored;
    },
  };
  for (;;) {
    const asked = credentialsAsked(credentials, (read) => reduceAll({ ...state, credentials: read }, entries));
    if (asked.length === 0) return credentials;
    for (const [key, entry] of await credentialsOf(ctx, asked)) found.set(key, entry);
  }
}

const isAlike = (one: ReadCredential, other: ReadCredential): boolean =>
  one?.accepted === other?.accepted && one?.expiresAtMs === other?.expiresAtMs;
