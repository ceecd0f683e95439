import { and, count, eq, gt, not, sql } from 'drizzle-orm';
import { accountChanges, depositAccounts, payments } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { checkSigningKeys } from '#lib/ledger/key-check.ts';
import { formatDrops } from '#lib/platform/money.ts';
import type { SystemStatus } from './contracts.ts';

type Invariants = SystemStatus['invariants'];

/** A comparison this many ledgers behind the cursor, about a quarter of an hour, says nothing of today. */
const STALE_AFTER_LEDGERS = 256;

/** What is shown while the database does not answer. */
export const UNKNOWN_INVARIANTS: Invariants = {
  balances: { status: 'unknown', accounts: [] },
  unknown_withdrawals: null,
  foreign_transactions: null,
  late_discoveries: null,
  halted_accounts: null,
  unfit_signing_keys: null,
};

async function readAccounts({ db }: Pick<Ctx, 'db'>): Promise<Pick<Invariants, 'balances' | 'halted_accounts'>> {
  const rows = await db
    .select({
      account: depositAccounts.address,
      differenceDrops: depositAccounts.differenceDrops,
      cursorLedger: depositAccounts.cursorLedger,
      reconciledLedger: depositAccounts.reconciledLedger,
      halted: depositAccounts.halted,
    })
    .from(depositAccounts)
    .orderBy(depositAccounts.address);
  const accounts = rows.flatMap(({ account, differenceDrops, reconciledLedger }) =>
    differenceDrops === 0n || reconciledLedger === null
      ? []
      : [{ account, difference_xrp: formatDrops(differenceDrops), ledger_index: reconciledLedger }],
  );
  const halted_accounts = rows.filter(({ halted }) => halted).length;
  if (accounts.length > 0) return { balances: { status: 'violated', accounts }, halted_accounts };
  // A halted account reads nothing, by an operator's own will.
  const isStale = rows.some(
    ({ halted, cursorLedger, reconciledLedger }) =>
      !halted && (reconciledLedger === null || cursorLedger - reconciledLedger > STALE_AFTER_LEDGERS),
  );
  return { balances: { status: isStale ? 'unknown' : 'ok', accounts }, halted_accounts };
}

/** What must always hold, as the last runs found it. Reads deposit accounts and two partial indexes, never a whole table. */
export async function readInvariants(ctx: Pick<Ctx, 'db'>): Promise<Invariants> {
  const [accounts, [foreign], [late], keys] = await Promise.all([
    readAccounts(ctx),
    ctx.db
      .select({
        transactions: count(),
        withdrawals: sql<number>`(count(*) filter (where ${accountChanges.changeDrops} + ${accountChanges.feeDrops} < 0))::int`,
      })
      .from(accountChanges)
      .where(not(accountChanges.ours)),
    ctx.db
      .select({ payments: count() })
      .from(payments)
      .where(and(gt(payments.heldDrops, 0n), eq(payments.reason, 'late_discovery'))),
    checkSigningKeys(),
  ]);
  return {
    ...accounts,
    unknown_withdrawals: foreign?.withdrawals ?? 0,
    foreign_transactions: foreign?.transactions ?? 0,
    late_discoveries: late?.payments ?? 0,
    unfit_signing_keys: new Set(keys.flatMap(({ account, fault }) => (fault === null ? [] : [account]))).size,
  };
}

/** True when something was found that must not be. What is not known violates nothing. */
export const isViolated = (invariants: Invariants): boolean =>
  invariants.balances.status === 'violated' ||
  (invariants.unknown_withdrawals ?? 0) > 0 ||
  (invariants.late_discoveries ?? 0) > 0 ||
  (invariants.halted_accounts ?? 0) > 0 ||
  (invariants.unfit_signing_keys ?? 0) > 0;
