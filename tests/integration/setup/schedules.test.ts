import { readFile } from 'node:fs/promises';
import { Client } from '@upstash/qstash';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyEnv, parseEnv } from '#lib/base/env.ts';
import { CRONS } from '#lib/jobs/crons.ts';
import { runSetup } from '#lib/ops/setup/command.ts';
import { KNOWN_JOBS } from '#lib/ops/status/schedule/known-jobs.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { type ServedDeployment, serveDeployment } from '#tests/integration/doctor/deployment.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';

let database: FreshDatabase;
let qstash: RunningQStash;
let deployment: ServedDeployment;
let settings: Record<string, string | undefined>;
let client: Client;
let said: string[];

beforeAll(async () => {
  database = await freshDatabase();
  deployment = await serveDeployment({
    '/api/cron/process-payments': () => import('../../../app/api/cron/process-payments/route.ts'),
  });
  const given = testEnv();
  qstash = await startQStash({
    token: given.QSTASH_TOKEN ?? '',
    currentSigningKey: given.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: given.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  settings = testEnv({ BASE_URL: deployment.url, POSTGRES_URL: database.url, QSTASH_URL: qstash.url });
  applyEnv(settings);
  client = new Client({ baseUrl: qstash.url, token: given.QSTASH_TOKEN ?? '', devMode: false, enableTelemetry: false });
});
afterAll(async () => {
  await qstash.close();
  await deployment.close();
  await database.close();
});
beforeEach(() => {
  said = [];
});

const setup = (
  options: { dryRun?: boolean; remove?: boolean } = {},
  changed: Record<string, string | undefined> = {},
) =>
  runSetup(
    parseEnv({ ...settings, ...changed }),
    { dryRun: false, remove: false, ...options },
    { out: (text) => void said.push(text), err: (text) => void said.push(text) },
  );
const acts = () => said.map((line) => line.split(' tranche-')[0]);

test('the crons stand as they do in vercel.json, and jobs know how often theirs comes', async () => {
  const { crons } = JSON.parse(await readFile(new URL('../../../vercel.json', import.meta.url), 'utf8'));
  expect(CRONS).toEqual(crons);
  const everySeconds = { '* * * * *': 60, '0 * * * *': 3_600, '30 4 * * *': 86_400 };
  for (const job of KNOWN_JOBS.filter(({ path }) => path !== null)) {
    const cron = CRONS.find(({ path }) => path === job.path);
    expect(everySeconds[cron?.schedule as keyof typeof everySeconds]).toBe(job.everySeconds);
  }
});

test('every cron is a job that operators see', () => {
  expect(CRONS.filter(({ path }) => !KNOWN_JOBS.some((job) => job.path === path))).toEqual([]);
});

test('a trial says what it would do, and does nothing', async () => {
  expect(await setup({ dryRun: true })).toBe(0);
  expect(acts()).toEqual(['would make', 'would make', 'would make']);
  expect(await client.schedules.list()).toEqual([]);
});

test('each schedule is made once, however often it is asked for, and its secret is not to be read from QStash', async () => {
  await setup();
  expect(acts()).toEqual(['made', 'made', 'made']);
  said = [];
  await setup();
  expect(acts()).toEqual(['kept', 'kept', 'kept']);
  const schedules = await client.schedules.list();
  expect(schedules.map(({ destination, cron, method }) => [new URL(destination).pathname, cron, method])).toEqual(
    CRONS.map(({ path, schedule }) => [path, schedule, 'GET']),
  );
  expect(JSON.stringify([schedules, said])).not.toContain(settings.CRON_SECRET);
});

test('the call of a schedule arrives, and begins a run as the scheduler', async () => {
  await setup();
  const ran = () => database.db.execute<{ name: string }>("select name from job_runs where name = 'process-payments'");
  expect((await ran()).rows).toEqual([]);
  await fetch(`${qstash.url}/sandbox/advance`, { method: 'POST', body: JSON.stringify({ seconds: 60 }) });
  expect(deployment.requests).toContain('GET /api/cron/process-payments');
  expect((await ran()).rows).toHaveLength(1);
  const { events } = await client
    .logs({ filter: { scheduleId: (await client.schedules.list())[0]?.scheduleId ?? '' } })
    .then(({ logs }) => ({ events: logs }));
  expect(events.map(({ state }) => state)).toContain('DELIVERED');
});

test('what has changed is replaced, alone', async () => {
  await setup();
  const [first, second] = await client.schedules.list();
  await client.schedules.pause({ schedule: first?.scheduleId ?? '' });
  await client.schedules.create({
    destination: second?.destination ?? '',
    scheduleId: second?.scheduleId ?? '',
    cron: '5 * * * *',
  });
  said = [];
  await setup();
  expect(acts()).toEqual(['replaced', 'replaced', 'kept']);
  expect(said[0]).toContain('it is paused');
  expect(said[1]).toContain('it runs at "5 * * * *", it calls by POST, it sends another CRON_SECRET');
  said = [];
  await setup({}, { CRON_SECRET: 'another-secret-0123456789-0123456789-ab' });
  expect(acts()).toEqual(['replaced', 'replaced', 'replaced']);
});

test('removing takes this deployment’s schedules away and leaves others alone', async () => {
  await setup();
  await client.schedules.create({ destination: deployment.url, scheduleId: 'somebody-elses', cron: '0 0 * * *' });
  said = [];
  await setup({ remove: true });
  expect(acts()).toEqual(['removed', 'removed', 'removed']);
  expect((await client.schedules.list()).map(({ scheduleId }) => scheduleId)).toEqual(['somebody-elses']);
  said = [];
  await setup({ remove: true });
  expect(said).toEqual(['There is no schedule of this deployment.']);
});

test.each([
  ['without CRON_SECRET', { CRON_SECRET: undefined }, 'CRON_SECRET is not set'],
  ['for an address that QStash cannot reach', { QSTASH_URL: 'https://qstash.upstash.io' }, 'QStash cannot reach'],
])('%s nothing is made', async (_, changed, message) => {
  expect(await setup({}, changed)).toBe(1);
  expect(said).toEqual([expect.stringContaining(message)]);
});
