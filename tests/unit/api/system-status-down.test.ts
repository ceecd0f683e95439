import { expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { systemStatus } from '#lib/ops/status/contracts.ts';
import { testEnv } from '#tests/support/env.ts';
import { GET } from '../../../app/api/system/status/route.ts';

test('with every part away the status says so with 503, in time and without a reason that is nobody’s business', async () => {
  applyEnv(testEnv());
  const startedAt = performance.now();
  const request = new Request('http://127.0.0.1:3000/api/system/status');
  const response = await GET(request, { params: Promise.resolve({}) });
  const text = await response.text();
  const { status, checks, ledger } = systemStatus.parse(JSON.parse(text));

  expect(response.status).toBe(503);
  expect(status).toBe('down');
  expect(Object.values(checks).map((one) => one.status)).toEqual(['down', 'down', 'down', 'down']);
  expect(ledger).toEqual({ validated_index: null, age_seconds: null, processed_index: null, lag: null, servers: [] });
  expect(text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|nobody@/);
  // The slowest check's own time-out, and room for a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
}, 15_000);
