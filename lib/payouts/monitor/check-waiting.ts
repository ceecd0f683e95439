import { and, gt, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { IssuedLines, Ledger, ServerState, TrustLine } from '#lib/xrpl/types.ts';
import { markReady, postponePlanned } from '../change-status.ts';
import { askOnce, lineFault, logFaults, type Plan, planPayouts, readFacts } from '../check.ts';
import { isPayable, loadStored, type StoredPayout } from '../load.ts';
import { noCounts, type Payout, type PayoutReason } from '../types.ts';
import type { WaitingCounts } from './contracts.ts';

/** Payouts that are checked and written together: a page must fit well into a slice. */
const PAGE = 200;

/** Where the next slice goes on: behind the payout with this id. */
export type WaitingCursor = string;
export const FROM_THE_START: WaitingCursor = '';

/**
 * One slice of looking at every distribution that waits: pages by id until `deadlineMs`. What became payable is `ready`
 * for the payer at once; the others get the reason that holds now. Adds to `counts`. Gives the cursor of the next slice,
 * null when there is nothing left. Throws PlatformError `ledger_unavailable`; what was written by then stays.
 */
export async function checkWaiting(
  ctx: Ctx,
  input: { after: WaitingCursor; deadlineMs: number; counts: WaitingCounts; stillMine: () => Promise<boolean> },
): Promise<WaitingCursor | null> {
  const server = await ctx.ledger.serverState();
  const ledger = await rememberingLedger(ctx);
  let after = input.after;
  for (;;) {
    const page = await loadWaiting(ctx.db, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return null;
    const plan = await checkPage(ledger, server, page);
    logFaults(ctx, plan);
    await postponePlanned(ctx.db, plan, noCounts());
    await markReady(ctx.db, payableOf(plan, page));
    addCounts(input.counts, plan);
    if (page.length < PAGE) return null;
    after = last.payout.id;
    if (ctx.clock.nowMs() >= input.deadlineMs || !(await input.stillMine())) return after;
  }
}

function payableOf<T extends { payout: { id: string } }>(plan: Plan, page: readonly T[]): T[] {
  const payable = new Set(plan.payable.map(({ id }) => id));
  return page.filter(({ payout }) => payable.has(payout.id));
}

/** The ledger as one slice sees it: no account and no line is asked for twice. */
const rememberingLedger = async (ctx: Ctx): Promise<Ledger> => ({
  ...ctx.ledger,
  trustLine: trustLineCache(ctx.ledger, await countWaitingHolders(ctx.db)),
  account: askOnce(ctx.ledger.account),
  accountFlags: askOnce(ctx.ledger.accountFlags),
});

const CONCURRENT_LINES = 8;
/** Found out by asking for the destination's account: only that can say that it is over. */
const ACCOUNT_REASONS: ReadonlySet<string | null> = new Set<PayoutReason>([
  'destination_missing',
  'destination_tag_required',
  'deposit_authorization_required',
]);

/**
 * What stands against each payout of a page, as the payer would find it. A holder without a line that takes the tokens
 * costs nothing beyond that line; the others are checked in full. Without the ledger it throws.
 */
async function checkPage(ledger: Ledger, server: ServerState, page: readonly StoredPayout[]): Promise<Plan> {
  const byLine = await mapBounded(page, CONCURRENT_LINES, (stored) => faultOfLine(ledger, stored));
  const plan: Plan = { payable: [], postponed: [] };
  const others = new Map<string, Payout[]>();
  for (const [index, { payout }] of page.entries()) {
    const reason = byLine[index];
    if (reason != null) plan.postponed.push({ payout, decision: { kind: 'wait', reason } });
    else others.set(payout.account, [...(others.get(payout.account) ?? []), payout]);
  }
  for (const [account, payouts] of others) {
    const payer = await ledger.account(account);
    if (payer === null) {
      const decision = { kind: 'later', reason: 'payer_missing' } as const;
      plan.postponed.push(...payouts.map((payout) => ({ payout, decision })));
      continue;
    }
    const checked = planPayouts(await readFacts(ledger, payer, server, payouts), []);
    plan.payable.push(...checked.payable);
    plan.postponed.push(...checked.postponed);
  }
  return plan;
}

/** Null when the line would take it, and when more than the line must be asked. */
async function faultOfLine(ledger: Ledger, { payout, reason }: StoredPayout): Promise<PayoutReason | null> {
  const { asset, destination } = payout;
  if (asset.kind !== 'iou' || ACCOUNT_REASONS.has(reason) || destination === asset.issuer) return null;
  try {
    const issuer = await ledger.account(asset.issuer);
    if (issuer === null) return null;
    return lineFault(asset, payout.amount, issuer, await ledger.trustLine(destination, asset.issuer, asset.currency));
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'ledger_unavailable') throw error;
    // An odd answer is found again, and named, when the payout is checked in full.
    return null;
  }
}

/**
 * Distributions that were due and could not be paid, for their holder's sake (`waiting_holder`) or ours (`ready` with a
 * reason). What is held waits for a person, and what the hourly ceiling put off for its turn. Needs `projects` joined.
 */
const isWaiting = (): SQL =>
  sql`${payouts.kind} = 'distribution' and ${isPayable()} and (${payouts.status} = 'waiting_holder'
    or (${payouts.status} = 'ready' and ${payouts.reason} <> 'hourly_ceiling'))`;

/** The next page of them by id. */
const loadWaiting = (db: Db, afterId: string, limit: number): Promise<StoredPayout[]> =>
  loadStored(db, and(isWaiting(), gt(payouts.id, afterId)), [sql`${payouts.id}`], limit);

/** Of each issued currency, how many different accounts wait for it. */
async function countWaitingHolders(db: Db): Promise<{ issuer: string; currency: string; holders: number }[]> {
  const result = await db.execute<{ issuer: string; currency: string; holders: number }>(sql`
    select ${projects.issuer}, ${projects.currency}, count(distinct ${payouts.destination})::int as holders
    from ${payouts} join ${projects} on ${projects.id} = ${payouts.projectId}
    where ${projects.tokenKind} = 'iou' and ${isWaiting()}
    group by 1, 2`);
  return result.rows;
}

const COUNTED_AS: Partial<Record<PayoutReason, Exclude<keyof WaitingCounts, 'checked' | 'ready' | 'other'>>> = {
  trust_line_missing: 'missing',
  token_not_opted_in: 'missing',
  destination_missing: 'missing',
  trust_line_limit: 'limit_too_low',
  trust_line_frozen: 'frozen',
  token_locked: 'frozen',
  issuer_frozen: 'frozen',
  issuance_locked: 'frozen',
  trust_line_unauthorized: 'unauthorised',
  token_unauthorized: 'unauthorised',
};

function addCounts(counts: WaitingCounts, plan: Plan): void {
  counts.checked += plan.payable.length + plan.postponed.length;
  counts.ready += plan.payable.length;
  for (const { decision } of plan.postponed) counts[COUNTED_AS[decision.reason] ?? 'other'] += 1;
}

/** A page of an issuer's lines is read in place of so many single lines: those are read side by side, pages are not. */
const HOLDERS_A_PAGE = 16;
/** 80,000 lines of one issuer; what lies beyond is asked for one by one. */
const MAX_PAGES = 200;

/** How many pages of the issuer's lines it is worth to read for so many holders. */
export const pagesWorth = (holders: number): number => Math.min(MAX_PAGES, Math.floor(holders / HOLDERS_A_PAGE));

/**
 * The trust lines of many holders, each read once: by one pass over their issuer's lines where that asks the ledger
 * less, by its own key otherwise. The issuer may have any number of lines, and nothing says how many: a pass ends after
 * the pages it is worth, and only who was not met is asked for one by one.
 */
export function trustLineCache(
  ledger: Pick<Ledger, 'issuedLines' | 'trustLine'>,
  waiting: readonly { issuer: string; currency: string; holders: number }[],
): (holder: string, issuer: string, currency: string) => Promise<TrustLine | null> {
  const worth = new Map(waiting.map(({ issuer, currency, holders }) => [`${currency}.${issuer}`, pagesWorth(holders)]));
  const single = askOnce((holder: string, issuer: string, currency: string) =>
    ledger.trustLine(holder, issuer, currency),
  );
  const pass = askOnce((issuer: string, currency: string) =>
    readPass(ledger, issuer, currency, worth.get(`${currency}.${issuer}`) ?? 0),
  );
  return async (holder, issuer, currency) => {
    const { lines, complete } = await pass(issuer, currency);
    return lines.get(holder) ?? (complete ? null : single(holder, issuer, currency));
  };
}

const NOTHING_READ: IssuedLines = { lines: new Map(), complete: false };

/** A server that refuses the whole, or answers it oddly, may still answer for single holders. */
async function readPass(
  ledger: Pick<Ledger, 'issuedLines'>,
  issuer: string,
  currency: string,
  maxPages: number,
): Promise<IssuedLines> {
  if (maxPages === 0) return NOTHING_READ;
  try {
    return await ledger.issuedLines(issuer, currency, maxPages);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'ledger_unavailable') throw error;
    return NOTHING_READ;
  }
}
