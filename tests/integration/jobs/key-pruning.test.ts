import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { idempotencyKeys } from '#drizzle/schema/access.ts';
import { applyEnv } from '#lib/base/env.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { keyPruning } from './key-pruning.ts';

let database: FreshDatabase;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.db.execute(sql`truncate idempotency_keys, leases, job_runs, job_schedules`);
  await database.db.execute(sql`
    insert into idempotency_keys (scope, key, request_hash, request_id, locked_until, created_at)
    select 'scope', 'key-' || n, 'hash', 'req', now(), now() - interval '1 day' * (n % 2) * 2
    from generate_series(1, 12000) n`);
});
const kept = () => database.db.$count(idempotencyKeys);

test('the example of a job in CONTRIBUTING.md is a job', async () => {
  const guide = await readFile(new URL('../../../CONTRIBUTING.md', import.meta.url), 'utf8');
  expect(guide).toContain(await readFile(new URL('./key-pruning.ts', import.meta.url), 'utf8'));
});

test('it goes on where it stopped when its time was up', async () => {
  const ctx = testCtx({ db: database.db });
  const first = await runJobs(ctx, { jobs: [keyPruning], deadlineMs: 0 });
  await database.db.execute(sql`update job_schedules set due_at = now()`);
  const second = await runJobs(ctx, { jobs: [keyPruning] });
  expect(first.of(keyPruning)).toMatchObject({ removed: 5_000, more: true });
  expect(second.of(keyPruning)).toMatchObject({ removed: 1_000 });
  expect(await kept()).toBe(6_000);
});

test('two at once do the work once', async () => {
  const ctx = testCtx({ db: database.db });
  const results = await Promise.all([1, 2].map(() => runJobs(ctx, { jobs: [keyPruning] })));
  expect(results.map((each) => each.of(keyPruning)).filter((done) => done !== null)).toMatchObject([
    { removed: 6_000 },
  ]);
  expect(await kept()).toBe(6_000);
});
