import type { SystemStatus } from '../contracts.ts';
import { byLabel, figure, flag, type Metric, timestampSeconds } from './metric.ts';

/** What webhooks wait for, and how their deliveries went. */
export function deliveryMetrics(metrics: SystemStatus['metrics']): Metric[] {
  const queues = metrics?.deliveries;
  const day = metrics?.deliveries_24h;
  return [
    figure('deliveries_waiting', 'First attempts that wait, counted up to 10,000.', queues?.waiting),
    figure(
      'deliveries_waiting_oldest_seconds',
      'Age of the oldest first attempt that waits.',
      queues?.waiting_oldest_seconds,
    ),
    figure('deliveries_retries_due', 'Retries whose time has come, counted up to 10,000.', queues?.retries_due),
    figure(
      'deliveries_retries_due_oldest_seconds',
      'How late the latest retry is.',
      queues?.retries_due_oldest_seconds,
    ),
    byLabel(
      'deliveries_day',
      'Deliveries that ended within 24 hours, by outcome.',
      'outcome',
      day && (['delivered', 'given_up'] as const),
      (outcome) => [outcome, day?.[outcome] ?? null],
    ),
    figure('delivery_failed_attempts_day', 'Attempts that failed within 24 hours.', day?.failed_attempts),
    figure(
      'delivery_success_ratio',
      'Of the deliveries that ended within 24 hours, those that were taken.',
      day?.success_ratio,
    ),
    byLabel(
      'delivery_latency_seconds',
      'From the making of a delivery to the receiver taking it, over 24 hours.',
      'percentile',
      day &&
        ([
          [50, day.latency_ms.p50],
          [95, day.latency_ms.p95],
        ] as const),
      ([percentile, ms]) => [percentile, ms === null ? null : ms / 1000],
    ),
  ];
}

/** What is owed, what is held, and what should run by itself. */
export function workMetrics(metrics: SystemStatus['metrics']): Metric[] {
  const { payouts, held_payments: heldPayments, jobs } = metrics ?? {};
  const timeOf = (time: string | null) => (time === null ? null : timestampSeconds(time));
  return [
    byLabel(
      'payouts_open',
      'Payouts that are not done with, counted up to 10,000.',
      'status',
      payouts,
      ({ status, count }) => [status, count],
    ),
    byLabel('payouts_oldest_seconds', 'Since the oldest of them was due.', 'status', payouts, (one) => [
      one.status,
      one.oldest_seconds,
    ]),
    figure('payments_held', 'Payments that are held, counted up to 10,000.', heldPayments?.count),
    figure('payments_held_oldest_seconds', 'Age of the oldest of them.', heldPayments?.oldest_seconds),
    byLabel('job_last_start_timestamp_seconds', 'When a job began last.', 'job', jobs, (job) => [
      job.name,
      timeOf(job.last_started_at),
    ]),
    byLabel('job_last_finish_timestamp_seconds', 'When a job ended last.', 'job', jobs, (job) => [
      job.name,
      timeOf(job.last_finished_at),
    ]),
    byLabel('job_late', 'Whether a job has not begun when it was due.', 'job', jobs, ({ name, late }) => [
      name,
      late === null ? null : flag(late),
    ]),
  ];
}
