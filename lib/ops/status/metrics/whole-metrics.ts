import { CAUSE_NAMES } from '../cause-names.ts';
import type { SystemStatus } from '../contracts.ts';
import { STATUSES } from '../parts.ts';
import { byLabel, figure, flag, type Metric, timestampSeconds } from './metric.ts';

/** What is deployed and how it is, all in all. */
export function wholeMetrics({ status, causes, version, commit, network, time, maintenance }: SystemStatus): Metric[] {
  return [
    {
      name: 'build_info',
      help: 'What is deployed, and for which network.',
      samples: [{ labels: { version, commit: commit ?? '', network }, value: 1 }],
    },
    byLabel('status', 'Overall status: 1 for the one in force.', 'status', STATUSES, (one) => [
      one,
      flag(one === status),
    ]),
    byLabel(
      'cause_active',
      'Why the platform is not operational: 1 for what is so now.',
      'cause',
      CAUSE_NAMES,
      (cause) => [cause, flag(causes.includes(cause))],
    ),
    figure('reading_timestamp_seconds', 'When these figures were read.', timestampSeconds(time)),
    figure('maintenance_open', 'Whether a maintenance is announced.', flag(maintenance !== null)),
  ];
}

/** What must always hold. */
export function invariantMetrics({ invariants: { balances, ...counts } }: SystemStatus): Metric[] {
  return [
    figure(
      'books_differing_accounts',
      'Deposit accounts whose balance the books do not explain.',
      balances.status === 'unknown' ? null : balances.accounts.length,
    ),
    byLabel(
      'books_findings',
      'Findings that must be 0, foreign_transactions apart.',
      'finding',
      Object.entries(counts),
      ([finding, count]) => [finding, count],
    ),
  ];
}
