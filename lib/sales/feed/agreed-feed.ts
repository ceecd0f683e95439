import { isDeepStrictEqual } from 'node:util';
import type { CreatedEscrow } from '@tranche/rules/locks.ts';
import { LRUCache } from 'lru-cache';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import type { FeedPage, FeedRequest, Ledger, LedgerHead, LedgerWatch, ServerState } from '#lib/xrpl/types.ts';
import { raiseAlerts, serversDisagree } from './alerts.ts';

/** Servers that must say the same, where several are configured. */
const QUORUM = 2;

/** Whether several servers are configured, of which two must agree. */
export const asksSeveral = (): boolean => env().XRPL_URLS.length >= QUORUM;

/** Waits for ledgers that `readAgreedFeed` can read: validated by two servers, or by the only one. */
export const watchAgreed = ({ ledger }: Ctx): LedgerWatch => ledger.watch(asksSeveral() ? QUORUM : 1);

/** All that a server says of each ledger, in one comparable text. */
const byLedger = (page: FeedPage): Map<number, string> =>
  new Map(
    [...Map.groupBy(page.entries, (entry) => entry.ledgerIndex)].map(([ledger, entries]) => [
      ledger,
      JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
    ]),
  );

/** The last ledger up to which two answers are the same, and the first of which they differ. */
function compare(a: FeedPage, b: FeedPage): { through: number; difference: number | null } {
  const through = Math.min(a.readThrough, b.readThrough);
  const [ofA, ofB] = [byLedger(a), byLedger(b)];
  const differing = [...new Set([...ofA.keys(), ...ofB.keys()])].filter(
    (ledger) => ledger <= through && ofA.get(ledger) !== ofB.get(ledger),
  );
  const difference = differing.length === 0 ? null : Math.min(...differing);
  return { through: difference === null ? through : difference - 1, difference };
}

/**
 * The feed as two servers report it alike, entry by entry and with the same ledger hash
 * (docs/adr/0007-two-servers-agree.md): what one server alone says never reaches the records. With one server configured,
 * its own word. Where they differ the page ends, an alert is raised, and the next run asks again. Throws
 * `ledger_unavailable` while fewer than two of several servers answer.
 */
export async function readAgreedFeed(ctx: Ctx, request: FeedRequest): Promise<FeedPage> {
  if (!asksSeveral()) return ctx.ledger.readFeed(request);
  const answers = await ctx.ledger.readFeedEverywhere(request);
  const pairs = answers.flatMap((page, index) =>
    answers.slice(index + 1).map((other) => ({ page, ...compare(page, other) })),
  );
  const best = pairs.toSorted((a, b) => b.through - a.through)[0];
  if (best === undefined) {
    throw ledgerUnavailable(`${answers.length} of the ledger servers can answer; two must report the same`);
  }
  const differences = pairs.flatMap(({ difference }) => (difference === null ? [] : [difference]));
  if (differences.length > 0)
    await raiseAlerts(ctx, ctx.db, [serversDisagree(request.account, Math.min(...differences))]);
  const nothing = { entries: [], readThrough: request.afterLedger, readThroughHash: request.afterHash ?? '' };
  if (best.through <= request.afterLedger) return nothing;
  const heads = await ctx.ledger.headEverywhere(best.through);
  const head = alikeOf(heads);
  if (head === null) {
    // A server that has left since it sent its page says nothing else of the ledger: it says nothing.
    if (heads.length >= QUORUM) await raiseAlerts(ctx, ctx.db, [serversDisagree(request.account, best.through)]);
    return nothing;
  }
  return {
    entries: best.page.entries.filter((entry) => entry.ledgerIndex <= best.through),
    readThrough: best.through,
    readThroughHash: head.hash,
  };
}

/** Hash and close time of a ledger as two servers give them; null while no two do. With one server, its own word. */
export async function agreedHead(ctx: Ctx, ledgerIndex: number): Promise<LedgerHead | null> {
  if (!asksSeveral()) return ctx.ledger.head(ledgerIndex);
  return alikeOf(await ctx.ledger.headEverywhere(ledgerIndex));
}

/** A validated ledger never changes: its close time is asked for once a process. */
const MAX_CLOSE_TIMES = 10_000;
const closeTimesOf = new WeakMap<Ledger, LRUCache<number, number>>();

/**
 * Close time of a ledger as two servers give it; null while no two do. With one server, its own word, which `newest` is
 * as well. Throws `ledger_unavailable` when the only server does not tell it.
 */
export async function agreedCloseTime(
  ctx: Ctx,
  ledgerIndex: number,
  newest: Pick<ServerState, 'validatedIndex' | 'validatedAtMs'>,
): Promise<number | null> {
  if (!asksSeveral() && ledgerIndex === newest.validatedIndex) return newest.validatedAtMs;
  const { ledger } = ctx;
  const known = closeTimesOf.get(ledger) ?? new LRUCache<number, number>({ max: MAX_CLOSE_TIMES });
  closeTimesOf.set(ledger, known);
  const closedAtMs = known.get(ledgerIndex) ?? (await agreedHead(ctx, ledgerIndex))?.closedAtMs ?? null;
  if (closedAtMs !== null) known.set(ledgerIndex, closedAtMs);
  return closedAtMs;
}

/** What two of them say alike; null when no two do. */
function alikeOf(heads: readonly LedgerHead[]): LedgerHead | null {
  const alike = (a: LedgerHead, b: LedgerHead) => a.hash === b.hash && a.closedAtMs === b.closedAtMs;
  return heads.find((head, index) => heads.slice(index + 1).some((other) => alike(head, other))) ?? null;
}

/** A validated transaction never changes either. */
const MAX_ESCROWS = 1_000;
const escrowsOf = new WeakMap<Ledger, LRUCache<string, CreatedEscrow>>();

/**
 * The escrow that a transaction has created, as two servers report it alike; null while no two do. With one server, its own
 * word. Throws `ledger_unavailable` while fewer than two of several servers answer.
 */
export async function agreedEscrow({ ledger }: Ctx, hash: string): Promise<CreatedEscrow | null> {
  const known = escrowsOf.get(ledger) ?? new LRUCache<string, CreatedEscrow>({ max: MAX_ESCROWS });
  escrowsOf.set(ledger, known);
  const escrow = known.get(hash) ?? (await readAgreedEscrow(ledger, hash));
  if (escrow !== null) known.set(hash, escrow);
  return escrow;
}

async function readAgreedEscrow(ledger: Ledger, hash: string): Promise<CreatedEscrow | null> {
  if (!asksSeveral()) return ledger.createdEscrow(hash, null);
  const answers = await ledger.createdEscrowEverywhere(hash);
  if (answers.length < QUORUM) {
    throw ledgerUnavailable(`${answers.length} of the ledger servers can answer; two must report the same`);
  }
  return (
    answers.find((each, index) => answers.slice(index + 1).some((other) => isDeepStrictEqual(each, other))) ?? null
  );
}
