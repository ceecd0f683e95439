import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { actions, depositAccounts, payments, projects } from '#drizzle/schema/sale.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { agreedCloseTime, readAgreedFeed } from '#lib/sales/feed/agreed-feed.ts';
import { confirm, MAX_ENTRIES } from '#lib/sales/feed/confirm.ts';
import { readCredentials } from '#lib/sales/feed/read-credentials.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { type AccountShare, eachAccount } from './each-account.ts';
import { defineJob } from './engine.ts';

interface Confirmed {
  confirmed: number;
  refused: number;
  tiersCompleted: number;
}

/** Ledgers may run ahead of this clock; a minute too early costs one request and decides nothing. */
const CLOCK_MARGIN_MS = 60_000;

const CONCURRENT_REQUESTS = 8;
/** Close times that are asked for before the time is looked at again. */
const ASKED_AT_ONCE = 128;

interface Input {
  account: string;
  /** What its newest ledger is, and when that closed. */
  server: Pick<ServerState, 'validatedIndex' | 'validatedAtMs'>;
  mayGoOn: () => Promise<boolean>;
}

/** Decides recorded payments and actions once they have enough confirmations. */
export const confirmation = defineJob({
  name: 'confirmation',
  schedule: 'every slice',
  budgetMs: 3_500,
  leaseSeconds: 15,
  faultName: 'read_feeds',
  async run(ctx, slice) {
    const total = { confirmed: 0, refused: 0, tiersCompleted: 0 };
    const { more, failures } = await eachAccount(ctx, slice, (share) => confirmAccount(ctx, share, total));
    // What follows may take seconds: events do not wait for payouts.
    if (total.confirmed + total.refused + total.tiersCompleted > 0) await wakeDispatch(ctx);
    return { ...total, more, failures, faults: failures.map(({ account }) => `read_feeds ${account}`) };
  },
});

/**
 * Decides what is recorded and has enough confirmations, batch after batch. Gives whether the time was up before the end, and
 * adds to `total`. Throws `ledger_unavailable` when no server tells the close time of a ledger that confirms a payment, after
 * it has decided what comes before: no other time is put in its place; the same for a credential that a payment depends on.
 */
export async function confirmAccount(ctx: Ctx, share: AccountShare, total: Confirmed): Promise<boolean> {
  const { account, server } = share;
  const mayGoOn = async () => ctx.clock.nowMs() < share.deadlineMs && (await share.stillMine());
  const input: Input = { account, server, mayGoOn };
  let waiting = await readWaiting(ctx, input);
  let { confirmedLedger, throughLedger } = waiting;
  if (confirmedLedger >= throughLedger) return false;
  await checkHistory(ctx, account, waiting);
  const closedAtMs = await closeTimeIfAnEndIsNear(ctx, input, throughLedger);
  for (;;) {
    const times = await readConfirmationTimes(ctx, input, waiting);
    const done = await confirm(ctx, {
      account,
      throughLedger,
      closedAtMs,
      confirmedAtMs: (ledgerIndex) => times.known.get(ledgerIndex),
    });
    total.confirmed += done.confirmed;
    total.refused += done.refused;
    total.tiersCompleted += done.tiersCompleted;
    if (times.failure !== null) throw times.failure;
    if (times.isTooNew) return false;
    if (done.needsCredentials) {
      const wanted = { account, throughLedger, maxEntries: MAX_ENTRIES };
      if (!(await readCredentials(ctx, wanted, mayGoOn))) return true;
    } else if (done.confirmedLedger <= confirmedLedger) {
      // Halted meanwhile, or decided by another process: nothing is left to do here.
      return false;
    }
    confirmedLedger = done.confirmedLedger;
    if (confirmedLedger >= throughLedger) return false;
    if (!(await mayGoOn())) return true;
    waiting = await readWaiting(ctx, input);
  }
}

/** What the next transaction decides, as far as its times go. */
interface Waiting {
  confirmedLedger: number;
  cursorLedger: number;
  cursorHash: string;
  /** The last ledger that may be decided now. */
  throughLedger: number;
  /** Ledgers with something to confirm, ascending, each once. */
  ledgers: number[];
  /** Close times of the ledgers that confirm them, where the account's feed has told them already. */
  known: Map<number, number>;
}

/** The ledger that the records end with must be the servers' too: nothing is decided by another history. */
async function checkHistory(ctx: Ctx, account: string, { ledgers, cursorLedger, cursorHash }: Waiting): Promise<void> {
  if (ledgers.length === 0) return;
  await readAgreedFeed(ctx, {
    account,
    afterLedger: cursorLedger,
    afterHash: cursorHash,
    throughLedger: cursorLedger,
    maxEntries: 1,
  });
}

interface WaitingRow extends Record<string, unknown> {
  confirmed_ledger: string;
  cursor_ledger: string;
  cursor_hash: string;
  through_ledger: string;
  ledger_index: string | null;
  closed_at_ms: string | null;
}

async function readWaiting(ctx: Ctx, { account, server }: Input): Promise<Waiting> {
  const throughLedger = sql`least(d.cursor_ledger, ${server.validatedIndex - env().CONFIRMATIONS}::bigint)`;
  const confirming = sql`waiting.ledger_index + ${env().CONFIRMATIONS}::bigint`;
  const { rows } = await ctx.db.execute<WaitingRow>(sql`
    select d.confirmed_ledger::text, d.cursor_ledger::text, d.cursor_hash, ${throughLedger}::text as through_ledger,
      waiting.ledger_index::text,
      (extract(epoch from coalesce(
        (select p.closed_at from ${payments} p where p.account = d.address and p.ledger_index = ${confirming} limit 1),
        (select m.closed_at from ${actions} m where m.account = d.address and m.ledger_index = ${confirming} limit 1)
      )) * 1000)::bigint::text as closed_at_ms
    from ${depositAccounts} d
    left join lateral (
      select first.ledger_index from (
        select p.ledger_index from ${payments} p
        where p.account = d.address and p.outcome = 'pending' and p.ledger_index <= ${throughLedger}
        order by p.ledger_index limit ${MAX_ENTRIES + 1}) first
      union
      select m.ledger_index from ${actions} m
      where m.account = d.address and m.status = 'seen' and m.action = 'assign' and m.ledger_index <= ${throughLedger}
    ) waiting on true
    where d.address = ${account}
    order by waiting.ledger_index`);
  const [first] = rows;
  if (first === undefined) throw new Error(`No deposit account ${account}`);
  const positions = rows.filter((row) => row.ledger_index !== null);
  return {
    confirmedLedger: Number(first.confirmed_ledger),
    cursorLedger: Number(first.cursor_ledger),
    cursorHash: first.cursor_hash,
    throughLedger: Number(first.through_ledger),
    ledgers: positions.map((row) => Number(row.ledger_index)),
    known: new Map(
      positions.flatMap((row) =>
        row.closed_at_ms === null ? [] : [[Number(row.ledger_index), Number(row.closed_at_ms)] as const],
      ),
    ),
  };
}

interface ConfirmationTimes {
  /** By the ledger of what is confirmed. */
  known: ReadonlyMap<number, number>;
  /** Why some are not known. */
  failure: unknown;
  /** Two servers do not have a confirming ledger in common yet: the next run asks again. */
  isTooNew: boolean;
}

/**
 * Close times of the ledgers that confirm what waits: the ledger CONFIRMATIONS after each. Those that nothing has told yet
 * are asked for, in feed order, until one cannot be had or the time is up; the first of them in any case.
 */
async function readConfirmationTimes(ctx: Ctx, input: Input, waiting: Waiting): Promise<ConfirmationTimes> {
  const known = new Map(waiting.known);
  const missing = waiting.ledgers.filter((ledgerIndex) => !known.has(ledgerIndex));
  let isTooNew = false;
  const ask = async (ledgerIndex: number): Promise<void> => {
    const confirming = ledgerIndex + env().CONFIRMATIONS;
    const closedAtMs = await agreedCloseTime(ctx, confirming, input.server);
    if (closedAtMs !== null) known.set(ledgerIndex, closedAtMs);
    // Two servers have shown the feed up to the cursor alike: what lies after it may be one's alone for a moment.
    else if (confirming > waiting.cursorLedger) isTooNew = true;
    else throw ledgerUnavailable(`No two servers tell alike when ledger ${confirming} closed`);
  };
  for (let first = 0; first < missing.length && !isTooNew; first += ASKED_AT_ONCE) {
    if (first > 0 && !(await input.mayGoOn())) break;
    try {
      await mapBounded(missing.slice(first, first + ASKED_AT_ONCE), CONCURRENT_REQUESTS, ask);
    } catch (failure) {
      return { known, failure, isTooNew };
    }
  }
  return { known, failure: null, isTooNew };
}

/** Only a sale whose `ends_at` has come needs to know the ledger's time; for all others the request is saved. */
async function closeTimeIfAnEndIsNear(
  ctx: Ctx,
  { account, server }: Input,
  throughLedger: number,
): Promise<number | null> {
  const [ending] = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.depositAddress, account),
        inArray(projects.status, ['active', 'paused']),
        lte(projects.endsAt, new Date(ctx.clock.nowMs() + CLOCK_MARGIN_MS)),
      ),
    )
    .limit(1);
  if (ending === undefined) return null;
  // Until two servers agree on the time, nothing ends by it: the next run asks again.
  return agreedCloseTime(ctx, throughLedger, server);
}
