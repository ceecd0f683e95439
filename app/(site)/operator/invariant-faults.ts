import type { SystemStatus } from '#lib/ops/status/contracts.ts';

/** Each violated invariant in a sentence; none when all hold. */
export function invariantFaults({
  balances,
  unknown_withdrawals,
  unknown_transfers,
  foreign_transactions,
  late_discoveries,
  halted_accounts,
  unfit_signing_keys,
}: SystemStatus['invariants']): string[] {
  const counted = (count: number | null, says: string) => (count !== null && count > 0 ? [`${count} ${says}`] : []);
  return [
    ...balances.accounts.map(
      ({ account, difference_xrp, ledger_index }) =>
        `${account} holds ${difference_xrp} XRP more than its recorded balance (ledger ${ledger_index}).`,
    ),
    ...counted(unknown_withdrawals, 'transactions signed outside the platform took XRP from a deposit account.'),
    ...counted(unknown_transfers, 'transactions of distributors were signed outside the platform.'),
    ...counted(foreign_transactions, 'transactions of deposit accounts were signed outside the platform.'),
    ...counted(late_discoveries, 'payments were discovered late and are held.'),
    ...counted(halted_accounts, 'deposit accounts are halted: their payments wait undecided.'),
    ...counted(unfit_signing_keys, 'accounts cannot pay, because their signing key is configured wrongly.'),
  ];
}
