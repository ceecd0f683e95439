import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { actions, depositAccounts, investments, type ProjectRow, payments, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { MAX_FEE_DROPS } from '#lib/xrpl/server-state.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { isInXrp } from '../in-xrp.ts';

/**
 * Drops of an investment that its validated tokens were paid with, rounded down: what cancelling its sale could still refund
 * is at most the rest (rules/cancellation-refund.ts). `div` is the whole quotient; `/` would round. Needs `investments` and
 * `payments` joined.
 */
export const paidForDrops = (): SQL => sql`div(${payments.investedDrops}::numeric * (
    select coalesce(sum(${payouts.amount}) filter (where ${payouts.kind} = 'distribution' and ${payouts.status} = 'validated'), 0)
    from ${payouts} where ${payouts.investmentId} = ${investments.id}),
    ${investments.totalUnits})`;

/** What a deposit account has and owes over all of its projects, as of one ledger: the last one that its feed was read to. */
export interface AccountCommitments {
  ledgerIndex: number;
  halted: boolean;
  /** Null until a first balance was read. */
  recordedBalanceDrops: Drops | null;
  heldDrops: Drops;
  undecidedDrops: Drops;
  undistributedDrops: Drops;
  unpaidRefundsDrops: Drops;
  /** Releases that are signed, or were validated after that ledger. */
  releasesSentDrops: Drops;
  /** Releases that are still to be signed. Those of a cancelled sale never are. */
  releasesWaitingDrops: Drops;
  /** Fees of the payments that the account may have to make: for each the dearest one, or what it pays if that is less. */
  feesDrops: Drops;
  /** Owner reserve of their tickets: for each at most what its fee leaves of what it pays. */
  ticketReserveDrops: Drops;
}

/** The account as the ledger shows it: its balance in the ledger of the records, the rest in the newest one. */
export interface AccountOnLedger {
  balanceDrops: Drops;
  ownerCount: number;
  /** Of what it owns, tickets. */
  ticketsHeld: number;
  server: Pick<ServerState, 'reserveBaseDrops' | 'reserveIncrementDrops'>;
}

type Row = Record<
  'held' | 'undecided' | 'undistributed' | 'refunds' | 'releases_sent' | 'releases_waiting' | 'fees' | 'ticket_reserve',
  string
> & { cursor_ledger: string; halted: boolean; recorded: string | null };

/**
 * One statement, so that what moves from one liability to another meanwhile is counted once. What was validated after the
 * cursor's ledger has not left the balance of that ledger, and counts as not paid.
 *
 * A payment that may have to be made reserves its fee and its ticket up to what it is worth, and nothing when it would be
 * below the refund minimum and so never be made: else dust, which costs its sender next to nothing, locks what was earned.
 */
export async function readAccountCommitments(
  db: Db,
  address: string,
  { reserveIncrementDrops }: Pick<ServerState, 'reserveIncrementDrops'>,
): Promise<AccountCommitments> {
  const maxFee = sql`${MAX_FEE_DROPS.toString()}::numeric`;
  const increment = sql`${reserveIncrementDrops.toString()}::numeric`;
  const { rows } = await db.execute<Row>(sql`
    with account as (select * from ${depositAccounts} where ${depositAccounts.address} = ${address}
    ), undecided as (
      select ${payments.receivedDrops} as drops,
        least(account.refund_min_drops, coalesce(${projects.refundMinDrops}, account.refund_min_drops)) as refund_min
      from ${payments} cross join account left join ${projects} on ${projects.id} = ${payments.projectId}
      where ${payments.account} = ${address} and ${payments.outcome} = 'pending'
    ), undistributed as (
      select ${payments.investedDrops} - ${paidForDrops()} as drops, ${projects.refundMinDrops} as refund_min
      from ${projects} join ${investments} on ${investments.projectId} = ${projects.id}
      join ${payments} on ${payments.txHash} = ${investments.txHash}
      where ${projects.depositAddress} = ${address} and ${projects.status} in ('active', 'paused', 'cancelled')
        and ${investments.status} = 'confirmed' and not ${investments.cancellationApplied}
    ), owed as (
      select ${payouts.kind} as kind, ${payouts.amount} as drops,
        ${payouts.status} in ('submitted', 'validated') or exists (
          select from ${payoutAttempts} where ${payoutAttempts.payoutId} = ${payouts.id}
            and ${payoutAttempts.status} = 'open') as sent,
        ${projects.status} is not distinct from 'cancelled' as cancelled
      from ${payouts} cross join account left join ${projects} on ${projects.id} = ${payouts.projectId}
      where ${payouts.account} = ${address} and ${isInXrp()} and ${payouts.status} <> 'cancelled'
        and (${payouts.status} <> 'validated' or ${payouts.ledgerIndex} > account.cursor_ledger)
    ), to_pay as (
      select drops from owed
      union all select drops from undecided where drops >= refund_min
      union all select drops from undistributed where drops >= refund_min
    )
    select account.cursor_ledger, account.halted, account.recorded_balance_drops as recorded,
      (select coalesce(sum(${payments.heldDrops}), 0) from ${payments}
        where ${payments.account} = ${address} and ${payments.heldDrops} > 0) as held,
      (select coalesce(sum(drops), 0) from undecided) as undecided,
      (select coalesce(sum(drops), 0) from undistributed) as undistributed,
      (select coalesce(sum(drops), 0) from owed where kind = 'refund') as refunds,
      (select coalesce(sum(drops), 0) from owed where kind = 'release' and sent) as releases_sent,
      (select coalesce(sum(drops), 0) from owed where kind = 'release' and not sent and not cancelled) as releases_waiting,
      (select coalesce(sum(least(drops, ${maxFee})), 0) from to_pay) as fees,
      (select coalesce(sum(least(greatest(drops - ${maxFee}, 0), ${increment})), 0) from to_pay) as ticket_reserve
    from account`);
  const [row] = rows;
  if (row === undefined) throw new Error(`${address} is no deposit account`);
  return {
    ledgerIndex: Number(row.cursor_ledger),
    halted: row.halted,
    recordedBalanceDrops: row.recorded === null ? null : BigInt(row.recorded),
    heldDrops: BigInt(row.held),
    undecidedDrops: BigInt(row.undecided),
    undistributedDrops: BigInt(row.undistributed),
    unpaidRefundsDrops: BigInt(row.refunds),
    releasesSentDrops: BigInt(row.releases_sent),
    releasesWaitingDrops: BigInt(row.releases_waiting),
    feesDrops: BigInt(row.fees),
    ticketReserveDrops: BigInt(row.ticket_reserve),
  };
}

/** Rounds in which the feed may overtake the reading of the balance. */
const MAX_ROUNDS = 5;

/**
 * Reads the account's balance in the ledger of its cursor and lets `work` go on with it: every payment up to that ledger is
 * in the records, and none after it. `work` reads the records and gives null when they are of another ledger already; then the
 * balance is read again. Throws `ledger_unavailable`, `conflict` when the feed never stands still.
 */
export async function withBalance<T>(
  ctx: Ctx,
  address: string,
  work: (onLedger: AccountOnLedger, ledgerIndex: number) => Promise<T | null>,
): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [position] = await ctx.db
      .select({ ledgerIndex: depositAccounts.cursorLedger })
      .from(depositAccounts)
      .where(eq(depositAccounts.address, address));
    if (position === undefined) throw new Error(`${address} is no deposit account`);
    const { ledgerIndex } = position;
    const [balanceDrops, account, tickets, server] = await Promise.all([
      ctx.ledger.balanceAt(address, ledgerIndex),
      ctx.ledger.account(address),
      ctx.ledger.tickets(address),
      ctx.ledger.serverState(),
    ]);
    const onLedger = {
      balanceDrops: balanceDrops ?? 0n,
      ownerCount: account?.ownerCount ?? 0,
      ticketsHeld: tickets.length,
      server,
    };
    const done = await work(onLedger, ledgerIndex);
    if (done !== null) return done;
  }
  throw new PlatformError('conflict', 'The deposit account is busy. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}

/** What a project has raised and what of it has been released. */
export interface Raised extends Pick<ProjectRow, 'id' | 'status' | 'distribution' | 'depositAddress'> {
  /** From the anchored terms; null while none are, or when they name none. */
  treasury: string | null;
  /** Invested now: less what a cancelled sale has refunded. */
  investedDrops: Drops;
  /** Of it, what validated tokens were paid with. */
  paidForDrops: Drops;
  /** On the treasury, or on its way there. */
  releasedDrops: Drops;
}

const projectNotFound = () => new PlatformError('project_not_found', 'There is no such project.');

/** Throws `project_not_found`. */
export async function depositAddressOf(db: Db, projectId: string): Promise<string> {
  const [project] = await db
    .select({ depositAddress: projects.depositAddress })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (project === undefined) throw projectNotFound();
  return project.depositAddress;
}

/** Throws `project_not_found`. */
export async function readRaised(db: Db, projectId: string): Promise<Raised> {
  const [project] = await db.select().from(projects).where(eq(projects.id, projectId));
  if (project === undefined) throw projectNotFound();
  const [treasury, sums] = [await anchoredTreasury(db, project), await readSums(db, projectId)];
  const { id, status, distribution, depositAddress } = project;
  return { id, status, distribution, depositAddress, treasury, ...sums };
}

const treasuryTerm = z.object({ treasury: z.string().nullable() });

/** The column may change with the database; what the launch anchored on the ledger may not. */
async function anchoredTreasury(db: Db, { id, terms }: ProjectRow): Promise<string | null> {
  if (terms === null) return null;
  const [launch] = await db
    .select({ termsHash: actions.termsHash })
    .from(actions)
    .where(and(eq(actions.projectId, id), eq(actions.action, 'launch'), eq(actions.status, 'applied')));
  if (launch === undefined) return null;
  if (launch.termsHash !== sha256Hex(terms))
    throw new Error(`The terms of ${id} are not those that its launch anchored`);
  return treasuryTerm.parse(JSON.parse(terms)).treasury;
}

async function readSums(
  db: Db,
  projectId: string,
): Promise<Pick<Raised, 'investedDrops' | 'paidForDrops' | 'releasedDrops'>> {
  const { rows } = await db.execute<Record<'invested' | 'paid_for' | 'released', string>>(sql`
    with raised as (
      select coalesce(sum(${payments.investedDrops}), 0) as invested, coalesce(sum(${paidForDrops()}), 0) as paid_for
      from ${investments} join ${payments} on ${payments.txHash} = ${investments.txHash}
      where ${investments.projectId} = ${projectId} and ${investments.status} = 'confirmed'
    )
    select raised.*, (select coalesce(sum(${payouts.amount}), 0) from ${payouts}
      where ${payouts.kind} = 'release' and ${payouts.projectId} = ${projectId}
        and ${payouts.status} <> 'cancelled') as released
    from raised`);
  const [row] = rows;
  return {
    investedDrops: BigInt(row?.invested ?? 0),
    paidForDrops: BigInt(row?.paid_for ?? 0),
    releasedDrops: BigInt(row?.released ?? 0),
  };
}
