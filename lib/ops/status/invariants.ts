import { type SQL, sql } from 'drizzle-orm';
import { unknownTransfers } from '#drizzle/schema/payouts.ts';
import { accountChanges, depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { SystemStatus } from './contracts.ts';

type Invariants = SystemStatus['invariants'];

/** A comparison this many ledgers behind the cursor, about a quarter of an hour, says nothing of today. */
const STALE_AFTER_LEDGERS = 256;

/** What is shown while the database does not answer. */
export const UNKNOWN_INVARIANTS: Invariants = {
  balances: { status: 'unknown', accounts: [] },
  unknown_withdrawals: null,
  unknown_transfers: null,
  foreign_transactions: null,
  late_discoveries: null,
  halted_accounts: null,
  unfit_signing_keys: null,
};

/** A deposit account as the books have it; drops as text. */
export interface BookedAccount {
  account: string;
  differenceDrops: string;
  cursorLedger: number;
  reconciledLedger: number | null;
  halted: boolean;
}

/** Comes to BookedAccount[], by address. */
export const bookedAccounts: SQL = sql`(select coalesce(json_agg(json_build_object(
    'account', address, 'differenceDrops', difference_drops::text, 'cursorLedger', cursor_ledger,
    'reconciledLedger', reconciled_ledger, 'halted', halted) order by address), '[]')
  from ${depositAccounts})`;

export interface ForeignChanges {
  transactions: number;
  withdrawals: number;
}

/** Comes to ForeignChanges, out of a partial index. */
export const foreignChanges: SQL = sql`(select json_build_object('transactions', count(*),
    'withdrawals', count(*) filter (where change_drops + fee_drops < 0))
  from ${accountChanges} where not ours)`;

/** Comes to a number, out of a partial index. What may yet settle a payout by hand is no finding. */
export const unknownTransferCount: SQL = sql`(select count(*)::integer from ${unknownTransfers}
  where not explained and payout_id is null)`;

/** Comes to a number, out of a partial index. */
export const lateDiscoveries: SQL = sql`(select count(*)::integer from ${payments}
  where held_drops > 0 and reason = 'late_discovery')`;

/** Whether the books explain the balances of these accounts. Pure. */
export function judgeBalances(rows: readonly BookedAccount[]): Invariants['balances'] {
  const accounts = rows.flatMap(({ account, differenceDrops, reconciledLedger }) =>
    differenceDrops === '0' || reconciledLedger === null
      ? []
      : [{ account, difference_xrp: formatDrops(BigInt(differenceDrops)), ledger_index: reconciledLedger }],
  );
  if (accounts.length > 0) return { status: 'violated', accounts };
  // A halted account reads nothing, by an operator's own will.
  const isStale = rows.some(
    ({ halted, cursorLedger, reconciledLedger }) =>
      !halted && (reconciledLedger === null || cursorLedger - reconciledLedger > STALE_AFTER_LEDGERS),
  );
  return { status: isStale ? 'unknown' : 'ok', accounts };
}

/** True when something was found that must not be. What is not known violates nothing. */
export const isViolated = (invariants: Invariants): boolean =>
  invariants.balances.status === 'violated' ||
  (invariants.unknown_withdrawals ?? 0) > 0 ||
  (invariants.unknown_transfers ?? 0) > 0 ||
  (invariants.late_discoveries ?? 0) > 0 ||
  (invariants.halted_accounts ?? 0) > 0 ||
  (invariants.unfit_signing_keys ?? 0) > 0;
