import { expect, test } from 'vitest';
import { systemStatus } from '#lib/system/contracts.ts';
import { call } from '#tests/support/http.ts';

test('every part of a running platform answers, and the ledger block shows how far it is', async () => {
  const answer = await call('/api/system/status');
  expect(answer.status).toBe(200);
  const { checks, ledger, metrics, invariants, time } = systemStatus.parse(answer.json);
  for (const [part, { status, latency_ms }] of Object.entries(checks)) {
    expect(status, part).toBe('up');
    expect(latency_ms, part).toBeLessThan(4_000);
  }
  expect(ledger.validated_index).toBeGreaterThan(0);
  expect(ledger.age_seconds).toBeGreaterThanOrEqual(0);
  expect(invariants).toMatchObject({ balances: { accounts: [] }, unknown_withdrawals: 0, late_discoveries: 0 });
  expect(metrics?.payouts.map(({ status }) => status)).toContain('ready');
  expect(metrics?.jobs.map(({ name }) => name)).toContain('process-payments');
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
});

test('a crowd of callers gets one reading', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('/api/system/status')));
  const readings = new Set(answers.map(({ json }) => (json as { time: string }).time));
  // A reading may end and grow old while they come.
  expect(readings.size).toBeLessThanOrEqual(2);
});
