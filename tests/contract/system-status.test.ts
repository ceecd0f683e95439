import { expect, inject, test } from 'vitest';
import { systemStatus } from '#lib/ops/status/contracts.ts';
import { call } from '#tests/support/http.ts';

interface Closed {
  index: number;
  closedAtMs: number;
}

/** Closes a ledger and gives it, as the ledger server itself tells of it. */
async function closeLedger(): Promise<Closed> {
  const ask = async (method: string, params: object) => {
    const body = JSON.stringify({ method, params: [params] });
    const response = await fetch(String(inject('sandbox').manifest.ledger_rpc), { method: 'POST', body });
    return (await response.json()) as { result: { ledger_index: number; ledger: { close_time_iso: string } } };
  };
  await ask('ledger_accept', {});
  const { result } = await ask('ledger', { ledger_index: 'validated' });
  return { index: result.ledger_index, closedAtMs: Date.parse(result.ledger.close_time_iso) };
}

const readStatus = async () => systemStatus.parse((await call('/api/system/status')).json);

test('every part of a running platform answers, and the ledger block shows how far it is', async () => {
  const closed = await closeLedger();
  // A reading is kept for a moment.
  await expect.poll(async () => (await readStatus()).ledger.validated_index, { interval: 250 }).toBe(closed.index);
  const answer = await call('/api/system/status');
  expect(answer.status).toBe(200);
  const { checks, ledger, metrics, invariants, time } = systemStatus.parse(answer.json);
  expect(Object.entries(checks).map(([part, { status }]) => `${part} ${status}`)).toEqual([
    'database up',
    'cache up',
    'ledger up',
    'queue up',
  ]);
  for (const [part, { latency_ms }] of Object.entries(checks)) expect(latency_ms, part).toBeLessThan(4_000);
  expect(ledger.validated_index).toBe(closed.index);
  const ageSeconds = Math.max(0, (Date.parse(time) - closed.closedAtMs) / 1000);
  expect(Math.abs((ledger.age_seconds ?? Number.NaN) - ageSeconds)).toBeLessThanOrEqual(1);
  const { processed_index: processed } = ledger;
  expect(ledger.lag).toBe(processed === null ? null : Math.max(0, closed.index - processed));
  expect(invariants).toMatchObject({ balances: { accounts: [] }, unknown_withdrawals: 0, late_discoveries: 0 });
  expect(metrics?.payouts.map(({ status }) => status)).toContain('ready');
  expect(metrics?.jobs.map(({ name }) => name)).toContain('process-payments');
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
});

test('a crowd of callers gets one reading', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('/api/system/status')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const readings = new Set(answers.map(({ json }) => (json as { time: string }).time));
  // A reading may end and grow old while they come.
  expect(readings.size).toBeLessThanOrEqual(2);
});
