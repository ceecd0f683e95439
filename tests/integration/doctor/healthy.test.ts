import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseEnv } from '#lib/base/env.ts';
import type { Diagnosis } from '#lib/ops/doctor/examine.ts';
import { runSetup } from '#lib/ops/setup/command.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const TRANCHE = path.resolve(import.meta.dirname, '../../../lib/cli/tranche.cjs');
const run = (settings: Record<string, string | undefined>, args: string[]) =>
  promisify(execFile)(process.execPath, [TRANCHE, 'doctor', ...args], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings,
    },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );

test('a deployment that is well has nothing but ok, and every part is named', async () => {
  const { status, findings } = await world.examine();
  expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([]);
  expect(status).toBe('ok');
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'setting CRON_SECRET',
      'setting ADMIN_TOKENS',
      'setting WEBHOOK_ENCRYPTION_KEYS',
      'deployment',
      'database',
      'clock against the database',
      'migrations',
      'redis',
      'qstash',
      'qstash signing keys',
      'clock against QStash',
      'qstash schedules',
      'ledger agreement',
      'ledger mpt_holders',
      `signing account ${world.payer.address}`,
      'base url',
      'clock against the deployment',
      'scheduler secret',
      'job process-payments',
    ]),
  );
});

test('the scheduler’s secret is tried without beginning any work', async () => {
  const before = await world.database.db.execute('select started_at from job_runs order by name');
  await world.examine();
  expect(world.deployment.requests).toContain('GET /api/cron/process-payments');
  expect((await world.database.db.execute('select started_at from job_runs order by name')).rows).toEqual(before.rows);
});

test('schedules that were set up are ok, and the command says so', async () => {
  const said: string[] = [];
  const say = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
  expect(await runSetup(parseEnv(world.settings), { dryRun: false, remove: false }, say)).toBe(0);
  const { findings } = await world.examine();
  expect(findings.find(({ check }) => check === 'qstash schedules')).toMatchObject({ status: 'ok', found: '3' });
  const paused = await world.examine({ CRON_SECRET: `${world.settings.CRON_SECRET}9` });
  expect(paused.findings.find(({ check }) => check === 'qstash schedules')).toMatchObject({
    status: 'fault',
    found: expect.stringContaining('it sends another CRON_SECRET'),
    advice: 'Run `npx tranche setup`.',
  });
  expect(await runSetup(parseEnv(world.settings), { dryRun: false, remove: true }, say)).toBe(0);
});

test('the command ends with 1 on a fault, gives JSON, and shows no secret', async () => {
  const POSTGRES_URL = 'postgres://u:hunter2hunter2@127.0.0.1:9/x';
  const { code, stdout } = await run({ ...world.settings, QSTASH_TOKEN: 'of-another-region', POSTGRES_URL }, [
    '--json',
  ]);
  expect(code).toBe(1);
  const { status, findings } = JSON.parse(stdout) as Diagnosis;
  expect(status).toBe('fault');
  expect(findings).toContainEqual({
    check: 'qstash',
    status: 'fault',
    found: 'refuses the token (HTTP 401)',
    advice: 'Set QSTASH_URL and QSTASH_TOKEN to those of one region of the QStash console.',
  });
  for (const name of ['KV_REST_API_TOKEN', 'QSTASH_CURRENT_SIGNING_KEY', 'CRON_SECRET', 'WEBHOOK_ENCRYPTION_KEYS']) {
    expect(stdout).not.toContain(world.settings[name]);
  }
  for (const secret of [world.payer.seed, 'hunter2', 'of-another-region']) expect(stdout).not.toContain(secret);
});
