import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { problemResponse, validationError } from '#lib/api/problem.ts';
import { applyEnv } from '#lib/base/env.ts';
import { ERROR_STATUS, ERROR_TITLE, type ErrorCode, PlatformError } from '#lib/base/errors.ts';
import type { Logger } from '#lib/base/log.ts';
import { testEnv } from '#tests/support/env.ts';

applyEnv(testEnv());
const error = vi.fn();
const info = vi.fn();
const log = () => ({ error, info }) as Partial<Logger> as Logger;

test.each(Object.keys(ERROR_STATUS) as ErrorCode[])(
  '%s is answered as problem+json with its status and title',
  async (code) => {
    const response = problemResponse(new PlatformError(code, 'A detail.'), 'req_1', log);
    expect(response.status).toBe(ERROR_STATUS[code]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toBe('req_1');
    expect(await response.json()).toEqual({
      type: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors/${code}$`)),
      title: ERROR_TITLE[code],
      status: ERROR_STATUS[code],
      detail: 'A detail.',
      code,
      request_id: 'req_1',
    });
  },
);

test('what was not foreseen is answered with a constant text and logged whole', async () => {
  const failure = new Error('relation "secret_table" does not exist at /srv/app/lib/db.ts:12');
  const text = await problemResponse(failure, 'req_1', log).text();
  expect(text).not.toMatch(/secret_table|\/srv/);
  expect(error).toHaveBeenCalledWith({ err: failure, request_id: 'req_1' }, expect.any(String));
});

test('a limit that holds is logged as information, although its answer is 503', () => {
  error.mockClear();
  const full = new PlatformError('service_unavailable', 'All are taken.', { isExpected: true });
  expect(problemResponse(full, 'req_1', log).status).toBe(503);
  expect(info).toHaveBeenCalledWith({ request_id: 'req_1' }, 'service_unavailable: All are taken.');
  expect(error).not.toHaveBeenCalled();
});

test.each([
  ['the database', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['the ledger', new PlatformError('ledger_unavailable', 'Try again.', { cause: new Error('No server') })],
])('requests that fail while %s is away are one error line, and each can be found by its id', (part, failure) => {
  // An outage is of the services that the settings name.
  applyEnv(testEnv({ POSTGRES_URL: `postgres://127.0.0.1:9/${encodeURIComponent(part)}` }));
  error.mockClear();
  info.mockClear();
  const ids = Array.from({ length: 20 }, (__, index) => `req_${index}`);
  for (const id of ids) expect(problemResponse(failure, id, log).status).toBe(503);
  expect(error.mock.calls).toEqual([[expect.objectContaining({ request_id: 'req_0' }), 'an outage began']]);
  expect(info.mock.calls.map(([fields]) => fields.request_id)).toEqual(ids);
});

test('a private cause never reaches the client', async () => {
  const failure = new PlatformError('ledger_unavailable', 'Try again.', { cause: new Error('wss://user:pass@node') });
  expect(await problemResponse(failure, 'req_1', log).text()).not.toContain('wss');
});

test('a fault names the field and never quotes the value', () => {
  const schema = z.strictObject({
    tiers: z.array(z.strictObject({ price: z.string().regex(/^\d+$/, 'must be digits') })),
  });
  const failure = schema.safeParse({ tiers: [{ price: 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2', pirce: 1 }] }).error!;
  const problem = validationError('body', failure);
  expect(problem.errors).toEqual([
    { field: 'tiers[0].price', message: 'must be digits' },
    { field: 'tiers[0].pirce', message: 'is not a known field' },
  ]);
  expect(JSON.stringify(problem.errors) + problem.detail).not.toContain('sEd');
});

test('an unknown field is named only when its name looks like one: a secret may stand in its place', () => {
  const names = ['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'tr_live_A1b2C3d4', 'a'.repeat(41), 'two words'];
  const failure = z.strictObject({}).safeParse(Object.fromEntries(names.map((name) => [name, 1]))).error!;
  const problem = validationError('query', failure);
  expect(problem.errors).toEqual(names.map(() => ({ field: '(unnamed)', message: 'is not a known field' })));
  expect(problem.detail).toBe('(unnamed): is not a known field');
});

test('a key of the client inside a path of faults is named only when it looks like a name', () => {
  const failure = z.record(z.string(), z.int()).safeParse({ sEdTM1uX8pu2do5XvTnutH6HsouMaM2: 'x' }).error!;
  expect(validationError('body', failure).errors.map(({ field }) => field)).toEqual(['(unnamed)']);
});
