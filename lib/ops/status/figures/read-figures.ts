import { sql } from 'drizzle-orm';
import { toIso } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { checkSigningKeys } from '#lib/xrpl/key-check.ts';
import type { SystemStatus } from '../contracts.ts';
import {
  type BookedAccount,
  bookedAccounts,
  type ForeignChanges,
  foreignChanges,
  judgeBalances,
  lateDiscoveries,
  unknownTransferCount,
} from '../invariants.ts';
import { type Announcement, openMaintenance } from '../maintenance/open-announcement.ts';
import { deliveriesOfDay, type OutcomeCount, outcomesOfDay } from './deliveries-day.ts';
import { type JobRun, jobRuns, toJobs } from './job-runs.ts';
import { deliveryQueues, heldPayments, payoutStates, type QueueFigures } from './queues.ts';

interface FigureRow extends QueueFigures, Record<string, unknown> {
  accounts: BookedAccount[];
  foreignChanges: ForeignChanges;
  lateDiscoveries: number;
  unknownTransfers: number;
  outcomes: OutcomeCount[];
  runs: JobRun[];
  maintenance: Announcement | null;
}

/** What the database tells of the platform. */
export interface Figures extends Pick<SystemStatus, 'invariants' | 'maintenance'> {
  /** The slowest deposit account's cursor: every payment up to that ledger is recorded. Null before the first account. */
  processedIndex: number | null;
  metrics: NonNullable<SystemStatus['metrics']>;
}

/** Reads every figure in one statement, which walks indexes only and counts no further than is of use. */
export async function readFigures(db: Db): Promise<Figures> {
  const [{ rows }, keys] = await Promise.all([
    db.execute<FigureRow>(sql`select ${bookedAccounts} as accounts, ${foreignChanges} as "foreignChanges",
      ${unknownTransferCount} as "unknownTransfers", ${lateDiscoveries} as "lateDiscoveries", ${openMaintenance} as maintenance, ${outcomesOfDay} as outcomes,
      ${jobRuns} as runs, ${deliveryQueues} as deliveries, ${payoutStates} as payouts, ${heldPayments} as held_payments`),
    checkSigningKeys(),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('The figures came without a row');
  const { accounts, maintenance } = row;
  const cursors = accounts.flatMap(({ halted, cursorLedger }) => (halted ? [] : [cursorLedger]));
  return {
    processedIndex: cursors.length === 0 ? null : Math.min(...cursors),
    invariants: {
      balances: judgeBalances(accounts),
      unknown_withdrawals: row.foreignChanges.withdrawals,
      unknown_transfers: row.unknownTransfers,
      foreign_transactions: row.foreignChanges.transactions,
      late_discoveries: row.lateDiscoveries,
      halted_accounts: accounts.filter(({ halted }) => halted).length,
      unfit_signing_keys: new Set(keys.flatMap(({ account, fault }) => (fault === null ? [] : [account]))).size,
    },
    maintenance: maintenance === null ? null : announced(maintenance),
    metrics: {
      deliveries: row.deliveries,
      deliveries_24h: deliveriesOfDay(row.outcomes),
      payouts: row.payouts,
      held_payments: row.held_payments,
      jobs: toJobs(row.runs),
    },
  };
}

const announced = ({ message, startedAt, expectedEndAt }: Announcement): SystemStatus['maintenance'] => ({
  message,
  started_at: toIso(new Date(startedAt)),
  expected_end_at: expectedEndAt === null ? null : toIso(new Date(expectedEndAt)),
});
