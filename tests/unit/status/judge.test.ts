import { describe, expect, test } from 'vitest';
import { CAUSE_NAMES, CAUSES } from '#lib/ops/status/causes.ts';
import { findCauses, overallStatus, partHealth, type Shown } from '#lib/ops/status/judge.ts';
import { UNKNOWN_INVARIANTS } from '#lib/ops/status/read-figures.ts';

const up = { status: 'up', latency_ms: 1 } as const;
const down = { status: 'down', latency_ms: 1 } as const;
const server = { server: 1, ...up, validated_index: 100, behind: 0, agrees: true };
const job = { name: 'process-payments', last_started_at: null, last_finished_at: null, late: false };
const well: Shown & { metrics: NonNullable<Shown['metrics']> } = {
  checks: { database: up, cache: up, ledger: up, queue: up },
  ledger: { validated_index: 100, age_seconds: 4, processed_index: 99, lag: 1, servers: [] },
  metrics: {
    deliveries: { waiting: 0, waiting_oldest_seconds: null, retries_due: 0, retries_due_oldest_seconds: null },
    deliveries_24h: {
      delivered: 0,
      given_up: 0,
      failed_attempts: 0,
      success_rate: null,
      latency_ms: { p50: null, p95: null },
    },
    payouts: [],
    held_payments: { count: 0, oldest_seconds: null },
    jobs: [job],
  },
  invariants: {
    balances: { status: 'ok', accounts: [] },
    unknown_withdrawals: 0,
    unknown_transfers: 0,
    foreign_transactions: 0,
    late_discoveries: 0,
    halted_accounts: 0,
    unfit_signing_keys: 0,
  },
};
const { checks, ledger, metrics, invariants } = well;
const withServer = (over: Partial<Shown['ledger']['servers'][number]>): Shown => ({
  ...well,
  ledger: { ...ledger, servers: [server, { ...server, server: 2, ...over }] },
});

describe('the status', () => {
  test('is operational only while every part is up and ledgers close', () => {
    expect(findCauses(well)).toEqual([]);
    expect(overallStatus([])).toBe('operational');
    expect(findCauses({ ...well, ledger: { ...ledger, age_seconds: 60, lag: 128 } })).toEqual([]);
    expect(findCauses(withServer({ behind: 15 }))).toEqual([]);
  });

  const degrading: [string, Shown][] = [
    ['cache_down', { ...well, checks: { ...checks, cache: down } }],
    ['queue_down', { ...well, checks: { ...checks, queue: down } }],
    ['ledger_down', { ...well, checks: { ...checks, ledger: down } }],
    ['ledger_stale', { ...well, ledger: { ...ledger, age_seconds: 61 } }],
    ['ledger_server_down', withServer({ status: 'down', validated_index: null, behind: null, agrees: null })],
    ['ledger_server_behind', withServer({ behind: 16 })],
    ['ledger_servers_disagree', withServer({ agrees: false })],
    ['processing_behind', { ...well, ledger: { ...ledger, lag: 129 } }],
    ['metrics_missing', { ...well, metrics: null }],
    ['job_late', { ...well, metrics: { ...metrics, jobs: [job, { ...job, late: true }] } }],
    ['invariant_violated', { ...well, invariants: { ...invariants, balances: { status: 'violated', accounts: [] } } }],
    ['invariant_violated', { ...well, invariants: { ...invariants, unknown_withdrawals: 1 } }],
    ['invariant_violated', { ...well, invariants: { ...invariants, unknown_transfers: 1 } }],
    ['invariant_violated', { ...well, invariants: { ...invariants, late_discoveries: 1 } }],
    ['invariant_violated', { ...well, invariants: { ...invariants, halted_accounts: 1 } }],
    ['invariant_violated', { ...well, invariants: { ...invariants, unfit_signing_keys: 1 } }],
  ];
  test.each(degrading)('is degraded by %s, and payments are late, not lost', (cause, shown) => {
    const causes = findCauses(shown);
    expect(causes).toEqual([cause]);
    expect(overallStatus(causes)).toBe('degraded');
  });

  test('is not changed by what nobody can tell, nor by a fee paid elsewhere', () => {
    expect(findCauses({ ...well, invariants: UNKNOWN_INVARIANTS })).toEqual([]);
    expect(findCauses({ ...well, invariants: { ...invariants, foreign_transactions: 1 } })).toEqual([]);
    expect(findCauses({ ...well, metrics: { ...metrics, jobs: [{ ...job, late: null }] } })).toEqual([]);
  });

  test('is down without the database, whatever else works', () => {
    const causes = findCauses({ ...well, checks: { ...checks, database: down }, metrics: null });
    expect(causes).toEqual(['database_down']);
    expect(overallStatus(causes)).toBe('down');
  });

  test('names one cause when no ledger server answers at all', () => {
    const shown = withServer({ status: 'down', validated_index: null, behind: null, agrees: null });
    expect(findCauses({ ...shown, checks: { ...checks, ledger: down } })).toEqual(['ledger_down']);
  });
});

describe('the health of the parts', () => {
  test('is that of the worst cause, and the platform’s tells every cause', () => {
    const health = partHealth(['ledger_stale', 'ledger_server_down', 'cache_down']);
    expect(health.ledger).toEqual({
      status: 'degraded',
      detail: `${CAUSES.ledger_stale.detail} ${CAUSES.ledger_server_down.detail}`,
    });
    expect(health.cache.status).toBe('down');
    expect(health.queue.status).toBe('operational');
    expect(health.platform.status).toBe('degraded');
    expect(health.platform.detail).toContain(CAUSES.cache_down.detail);
  });

  test('knows an effect of every cause', () => {
    for (const cause of CAUSE_NAMES) {
      expect(partHealth([cause])[CAUSES[cause].part].status, cause).toBe(
        CAUSES[cause].part === 'platform' ? 'degraded' : CAUSES[cause].status,
      );
    }
  });
});
