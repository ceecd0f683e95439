import type { SystemStatus } from '../contracts.ts';
import { byLabel, figure, flag, type Metric } from './metric.ts';

/** How the parts below answer, and how far the ledger is. */
export function partMetrics({ checks, ledger }: SystemStatus): Metric[] {
  const parts = Object.entries(checks);
  return [
    byLabel('part_up', 'Whether a part answers.', 'part', parts, ([part, { status }]) => [part, flag(status === 'up')]),
    byLabel(
      'part_latency_seconds',
      'How long a part took to answer, or was waited for.',
      'part',
      parts,
      ([part, one]) => [part, one.latency_ms / 1000],
    ),
    figure('ledger_validated_index', 'Newest validated ledger.', ledger.validated_index),
    figure('ledger_age_seconds', 'Since the newest validated ledger closed.', ledger.age_seconds),
    figure('ledger_processed_index', 'Every payment up to this ledger is recorded.', ledger.processed_index),
    figure('ledger_lag_ledgers', 'Ledgers validated and not yet processed.', ledger.lag),
    byLabel('ledger_server_up', 'Whether a ledger server answers.', 'server', ledger.servers, ({ server, status }) => [
      server,
      flag(status === 'up'),
    ]),
    byLabel(
      'ledger_server_behind_ledgers',
      'How far a ledger server is behind the newest.',
      'server',
      ledger.servers,
      (one) => [one.server, one.behind],
    ),
    byLabel(
      'ledger_server_agrees',
      'Whether a ledger server shows the same chain as the first.',
      'server',
      ledger.servers,
      (one) => [one.server, one.agrees === null ? null : flag(one.agrees)],
    ),
  ];
}
