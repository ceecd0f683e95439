import { questionsOf } from '@tranche/rules/credentials.ts';
import { sql } from 'drizzle-orm';
import type { ProjectRow, TierRow } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { divideCeil, formatDrops, type TokenUnits, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type BalanceLedger, readTokenLiabilities } from '#lib/token-liabilities.ts';
import { canTellCredentials } from '../feed/read-credentials.ts';
import { unsoldFaults } from '../projects/check-unsold.ts';
import { vestingLockedFaults } from '../projects/check-vesting-locked.ts';
import { termsOf } from '../projects/get-terms.ts';
import { ownDistributorFaults } from '../projects/owned-project.ts';
import { findProject, findTiers } from '../projects/project-resource.ts';
import { type LaunchFacts, launchFaults, readLaunchFacts } from './launch-checklist.ts';
import { locksToCome } from './locks-to-come.ts';

/** A launch as it is to be persisted. */
export interface Launch {
  terms: string;
  termsHash: string;
  facts: LaunchFacts;
  /** Tiers whose credential the ledger servers cannot tell. */
  untold: number[];
}

/** Reads what a launch of the project as it stands would anchor, and what the ledger shows of all that it depends on. */
export async function readLaunch(ctx: Ctx, row: ProjectRow): Promise<Launch> {
  const tierRows = await findTiers(ctx.db, row.id);
  const facts = await readLaunchFacts(ctx, row);
  return { ...termsOf(row, tierRows), facts, untold: await readUntold(ctx, row, tierRows, facts) };
}

/** From the first payment on, every sale of the account would wait. */
const UNTOLD =
  'cannot be read: the ledger servers do not tell which credentials a wallet holds. Name servers in XRPL_URLS that know credentials';

/** Every server that works holds the ledger so far back. */
const SETTLED_LEDGERS = 3;

async function readUntold(
  ctx: Ctx,
  row: ProjectRow,
  tierRows: readonly TierRow[],
  { server }: LaunchFacts,
): Promise<number[]> {
  const asked = { ledgerIndex: server.validatedIndex - SETTLED_LEDGERS, subject: row.depositAddress };
  const told = await Promise.all(
    tierRows.map(({ credential }) => credential === null || canTellCredentials(ctx, questionsOf(credential, asked))),
  );
  return tierRows.flatMap(({ tier }, index) => (told[index] ? [] : [tier]));
}

/**
 * Throws `launch_not_ready` with every fault, and `conflict` when the project is no longer what `launch` was made from.
 * Inside the transaction that persists the launch, call it under the distributor's lock (`lockDistributor`): then no two launches count on
 * the same tokens, or on the same reserve for their escrows.
 */
export async function assertLaunchable(db: Db, nowMs: number, row: ProjectRow, launch: Launch): Promise<void> {
  const tierRows = await findTiers(db, row.id);
  // The facts are about these terms, and the signed memo anchors their hash.
  if (termsOf(row, tierRows).termsHash !== launch.termsHash) {
    throw new PlatformError('conflict', 'The project was changed meanwhile. Read it and launch it again.');
  }
  const dueElsewhere = await distributorLiabilities(db, row, launch.facts.server);
  const locksElsewhere = await locksToCome(db, row, nowMs);
  const errors = [
    ...termsFaults(row, tierRows, nowMs),
    ...(await ownDistributorFaults(db, row)),
    ...launch.untold.map((tier) => ({ field: `tiers[${tier - 1}].credential`, message: UNTOLD })),
    ...launchFaults(row, { supplyUnits: unsoldUnits(tierRows) + dueElsewhere, locksElsewhere, nowMs }, launch.facts),
  ];
  const [first] = errors;
  if (first !== undefined) {
    throw new PlatformError('launch_not_ready', `${first.field}: ${first.message}`, { errors });
  }
}

/** What has come in the way of a draft that was right when it was written. Pure. */
function termsFaults(row: ProjectRow, tierRows: readonly TierRow[], nowMs: number): FieldError[] {
  const faults: FieldError[] = [];
  if (row.endsAt !== null && row.endsAt.getTime() <= nowMs) {
    faults.push({ field: 'ends_at', message: 'lies in the past' });
  }
  for (const [index, { until }] of row.locks.entries()) {
    if (Date.parse(until) <= nowMs) faults.push({ field: `locks[${index}].until`, message: 'lies in the past' });
  }
  faults.push(...unsoldFaults(row), ...vestingLockedFaults(row, nowMs));
  const locking = [
    ...(row.unsoldUntil === null ? [] : ['unsold_until']),
    ...(row.vestingLocked ? ['vesting_locked'] : []),
  ];
  if (row.custody !== null) {
    const message =
      'is not possible under custody: witnesses sign no escrow. Remove it, or use a deposit account under one key';
    for (const field of locking) faults.push({ field, message });
  }
  if (row.listHash !== null) return faults;
  // A list for a later tier may still come; without one for the first, nobody could buy at all.
  const message = 'asks for an allowlist, and none is in force: upload one and commit it first';
  if (row.access === 'allowlist') faults.push({ field: 'access', message });
  else if (tierRows[0]?.access === 'allowlist') faults.push({ field: 'tiers[0].access', message });
  return faults;
}

/** Units that the tiers still owe to buyers. */
const unsoldUnits = (tierRows: readonly TierRow[]): bigint =>
  tierRows.reduce((sum, tier) => sum + tier.totalUnits - tier.soldUnits, 0n);

/** Until the transaction ends, one launch at a time may count what a distributor still has: its tokens, and XRP for reserves. */
export async function lockDistributor(tx: Tx, { distributor }: Pick<ProjectRow, 'distributor'>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`launches of ${distributor}`}, 0))`);
}

/**
 * Units of the row's token that its distributor owes already (`readTokenLiabilities`), what the row itself may sell left out,
 * rounded up to the row's decimals.
 */
async function distributorLiabilities(db: Db, row: ProjectRow, shownBy: BalanceLedger): Promise<TokenUnits> {
  const liabilities = await readTokenLiabilities(db, { shownBy, distributorToken: row, exceptUnsoldOf: row.id });
  const micros = liabilities.reduce((sum, liability) => sum + liability.micros, 0n);
  return divideCeil(micros, 10n ** BigInt(WIRE_TOKEN_DECIMALS - row.decimals));
}

interface LaunchChecklist {
  /** What still stands between the draft and its launch, by the very check that the launch makes; empty when it can go. */
  faults: FieldError[];
  /** What the launch lets pass, and an operator should have decided. */
  warnings: FieldError[];
}

/** Throws `project_not_found`, `ledger_unavailable`. */
export async function readLaunchChecklist(ctx: Ctx, projectId: string): Promise<LaunchChecklist> {
  const row = await findProject(ctx.db, projectId);
  const launch = await readLaunch(ctx, row);
  const warnings = launchWarnings(row);
  try {
    await assertLaunchable(ctx.db, ctx.clock.nowMs(), row, launch);
    return { faults: [], warnings };
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'launch_not_ready') return { faults: err.errors, warnings };
    throw err;
  }
}

/** A minimum below the refund minimum is as good as none: what is refused below it is held. Pure. */
function launchWarnings({
  minInvestmentDrops,
  refundMinDrops,
}: Pick<ProjectRow, 'minInvestmentDrops' | 'refundMinDrops'>): FieldError[] {
  if (minInvestmentDrops !== null && minInvestmentDrops >= refundMinDrops) return [];
  const message =
    minInvestmentDrops === null
      ? 'is not set: a payment of one drop buys, and each takes a payout with its fee. Set a smallest purchase, such as 1 XRP'
      : `is below the refund minimum of ${formatDrops(refundMinDrops)} XRP: a payment of next to nothing buys, and each takes a payout with its fee. Set more, such as 1 XRP`;
  return [{ field: 'min_investment_xrp', message }];
}
