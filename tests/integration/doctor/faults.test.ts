import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountSetAsfFlags, Wallet } from 'xrpl';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { applyEnv } from '#lib/base/env.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Finding } from '#lib/ops/doctor/finding.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { openWorld, type Settings, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** What is not well with the settings changed so. */
const ill = async (changed: Settings = {}, aheadMs = 0, stopwatchMs?: () => number): Promise<Finding[]> =>
  (await world.examine(changed, aheadMs, stopwatchMs)).findings.filter(({ status }) => status !== 'ok');

const told = (check: string, status: Finding['status'], found: string | RegExp, advice: string) =>
  expect.objectContaining({
    check,
    status,
    found: typeof found === 'string' ? expect.stringContaining(found) : expect.stringMatching(found),
    advice: expect.stringContaining(advice),
  });

const NOWHERE = '127.0.0.1:9';
const ELSEWHERE = 'https://sale.invalid';
const regularKey = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

describe('a setting', () => {
  test.each([
    ['CRON_SECRET', undefined, 'is not set: no scheduled call is accepted', 'openssl rand'],
    ['CRON_SECRET', 'short', 'must be at least 32 characters', 'Set CRON_SECRET'],
    ['CRON_SECRET', 'abababababababababababababababababab', 'is too regular', 'openssl rand'],
    ['CRON_SECRET', 'please-change-me-0123456789-abcdefghijklm', 'looks like a placeholder', 'openssl rand'],
    ['ADMIN_TOKENS', `eve:operator:${sha256Hex('admin')}`, 'the token of eve is the first one', 'admin-token'],
    ['ADMIN_TOKENS', 'eve:owner:00', 'must be name:role:sha256-of-token', 'Set ADMIN_TOKENS'],
    ['WEBHOOK_ENCRYPTION_KEYS', regularKey, 'the key k1 is not random', 'reencrypt-webhooks'],
    ['WEBHOOK_ENCRYPTION_KEYS', 'k1:short', 'must be id:base64-of-32-bytes', 'Set WEBHOOK_ENCRYPTION_KEYS'],
    ['POSTGRES_URL', '', 'is not set', 'Set POSTGRES_URL'],
  ])('%s = %s: %s', async (name, value, found, advice) => {
    expect(await ill({ [name]: value })).toContainEqual(told(`setting ${name}`, 'fault', found, advice));
  });

  test('that is fine on this machine alone is a fault anywhere else', async () => {
    const found = await ill({
      BASE_URL: 'http://sale.invalid',
      QSTASH_CURRENT_SIGNING_KEY: 'sig_7kYjw48mhY7kAjqNGcy6cr29RJ6r',
    });
    expect(found).toContainEqual(told('setting BASE_URL', 'fault', 'is not https', 'https address'));
    expect(found).toContainEqual(
      told('setting WEBHOOK_ALLOW_LOOPBACK', 'fault', 'is on', 'Set WEBHOOK_ALLOW_LOOPBACK to 0'),
    );
    expect(found).toContainEqual(told('setting VALIDATE_RESPONSES', 'warning', 'is on', 'Set it to 0'));
    expect(found).toContainEqual(
      told('setting QSTASH_CURRENT_SIGNING_KEY', 'fault', 'is one that everybody knows', 'QStash console'),
    );
  });

  test('that names nobody, or one server only, is a warning', async () => {
    const found = await ill({ ADMIN_TOKENS: '', BASE_URL: ELSEWHERE, XRPL_URLS: world.desk.ledger.wsUrl });
    expect(found).toContainEqual(told('setting ADMIN_TOKENS', 'warning', 'names nobody', 'admin-token'));
    expect(found).toContainEqual(told('setting XRPL_URLS', 'warning', 'names one server', 'second one'));
  });

  test('that is faulty leaves whatever does not need it to be checked by the command, and its advice whole', async () => {
    const program = path.join(import.meta.dirname, '../../../lib/cli/tranche.cjs');
    const environment = { ...process.env, ...world.settings, CRON_SECRET: 'short' };
    const doctor = spawn(process.execPath, [program, 'doctor', '--json'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { findings } = JSON.parse(await text(doctor.stdout)) as { findings: Finding[] };
    expect(findings).toContainEqual(
      told(
        'setting CRON_SECRET',
        'fault',
        'must be at least 32 characters',
        'Set CRON_SECRET: Secret that the scheduler',
      ),
    );
    expect(findings).toContainEqual(told('signing accounts', 'warning', 'not checked: CRON_SECRET', 'Correct these'));
    expect(findings.filter(({ check }) => check === 'base url').map(({ status }) => status)).toEqual(['ok']);
    expect(JSON.stringify(findings)).not.toContain('[redacted]');
  });

  test('that is faulty hides no other finding', async () => {
    const found = await ill({ XRPL_NETWORK_ID: 'x', KV_REST_API_TOKEN: 'wrong-token' });
    expect(found).toContainEqual(told('setting XRPL_NETWORK_ID', 'fault', '', 'Set XRPL_NETWORK_ID'));
    expect(found).toContainEqual(told('ledger', 'warning', 'not checked: XRPL_NETWORK_ID', 'Correct these settings'));
    expect(found).toContainEqual(told('redis', 'fault', '', 'KV_REST_API_TOKEN'));
  });
});

describe('the database', () => {
  test.each([
    ['is not there', `postgres://u@${NOWHERE}/x`, 'ECONNREFUSED', 'Start the server'],
    ['has another name', null, '3D000', 'Correct the database name'],
    [
      'is a hosted one by its direct address',
      'postgres://u:p@ep-a-1.eu.neon.tech/x',
      'not the pooled address',
      '-pooler.',
    ],
  ])('%s', async (_, url, found, advice) => {
    const POSTGRES_URL = url ?? world.database.url.replace(/[^/]+$/, 'nobodys');
    expect(await ill({ POSTGRES_URL })).toContainEqual(told('database', 'fault', found, advice));
  });

  test('lacks a migration, has one that nobody knows, or none at all', async () => {
    const { db } = world.database;
    const migrations = sql`drizzle.__drizzle_migrations`;
    const last = sql`(select max(created_at) from ${migrations})`;
    const { rows } = await db.execute(sql`delete from ${migrations} where created_at = ${last} returning *`);
    expect(await ill()).toContainEqual(told('migrations', 'fault', 'pending: 00', 'npx tranche migrate'));
    const [row] = rows as { hash: string; created_at: string }[];
    await db.execute(sql`insert into ${migrations} (hash, created_at) values (${row?.hash}, ${row?.created_at})`);
    await db.execute(sql`insert into ${migrations} (hash, created_at) values ('x', ${row?.created_at})`);
    await db.execute(sql`delete from ${migrations} where hash = 'x'`);
    expect(await ill()).toEqual([]);
    await db.execute(sql`insert into ${migrations} (hash, created_at) values ('x', 99999999999999)`);
    expect(await ill()).toContainEqual(
      told('migrations', 'fault', '1 applied that this code does not know', 'Deploy the code'),
    );
    await db.execute(sql`delete from ${migrations} where hash = 'x'`);
    await db.execute(sql`alter schema drizzle rename to hidden`);
    expect(await ill()).toContainEqual(told('migrations', 'fault', 'none was ever applied', 'npx tranche migrate'));
    await db.execute(sql`alter schema hidden rename to drizzle`);
  });

  test('tells of a job that has not begun for too long, or never', async () => {
    const { db } = world.database;
    await db.execute(
      sql`update job_runs set started_at = now() - interval '10 minutes' where name = 'process-payments'`,
    );
    expect(await ill()).toContainEqual(
      told('job process-payments', 'warning', /late: began 60\d s ago/, 'npx tranche setup'),
    );
    await db.execute(sql`update job_runs set started_at = null where name = 'process-payments'`);
    expect(await ill()).toContainEqual(told('job process-payments', 'warning', 'has never run', 'npx tranche setup'));
    await db.execute(sql`update job_runs set started_at = now() where name = 'process-payments'`);
  });
});

describe('the cache', () => {
  test('is away, or refuses the token', async () => {
    expect(await ill({ KV_REST_API_URL: `http://${NOWHERE}` })).toContainEqual(
      told('redis', 'fault', '', 'KV_REST_API_URL'),
    );
    expect(await ill({ KV_REST_API_TOKEN: 'wrong-token' })).toContainEqual(
      told('redis', 'fault', '', 'KV_REST_API_TOKEN'),
    );
  });

  test('is slow', async () => {
    world.redis.faults.inject({ kind: 'slow', milliseconds: 200 });
    const startedAt = performance.now();
    const found = await ill({}, 0, () => performance.now());
    const lastedMs = performance.now() - startedAt;
    expect(found).toContainEqual(told('redis', 'warning', 'a read takes', 'region'));
    const takes = found.map((finding) => /a read takes (\d+) ms/.exec(finding.found)?.[1]).find(Boolean);
    expect(Number(takes)).toBeGreaterThanOrEqual(199);
    expect(Number(takes)).toBeLessThan(lastedMs);
    world.redis.faults.clear();
  });
});

describe('QStash', () => {
  const { current, next } = { current: 'QSTASH_CURRENT_SIGNING_KEY', next: 'QSTASH_NEXT_SIGNING_KEY' };
  const keys = 'qstash signing keys';

  test('is away, or refuses the token', async () => {
    expect(await ill({ QSTASH_URL: `http://${NOWHERE}` })).toContainEqual(told('qstash', 'fault', '', 'QSTASH_URL'));
    expect(await ill({ QSTASH_TOKEN: 'of-another-region' })).toContainEqual(
      told('qstash', 'fault', 'refuses the token (HTTP 401)', 'one region'),
    );
  });

  test('signs with keys that are not ours', async () => {
    const of = (name: string) => world.settings[name];
    expect(await ill({ [current]: 'sig_x', [next]: 'sig_y' })).toContainEqual(
      told(keys, 'fault', 'every callback is refused', current),
    );
    expect(await ill({ [next]: 'sig_y' })).toContainEqual(told(keys, 'warning', 'the next one differs', next));
    expect(await ill({ [current]: of(next), [next]: of(current) })).toContainEqual(
      told(keys, 'warning', 'exchanged', current),
    );
    expect(await ill({ [current]: 'sig_old', [next]: of(current) })).toContainEqual(
      told(keys, 'warning', 'rotated', current),
    );
  });
});

describe('a ledger server', () => {
  const host = () => new URL(world.desk.ledger.wsUrl).host;

  test('does not answer', async () => {
    const XRPL_URLS = `${world.desk.ledger.wsUrl},ws://${NOWHERE}`;
    expect(await ill({ XRPL_URLS })).toContainEqual(told(`ledger ${NOWHERE}`, 'fault', '', 'correct XRPL_URLS'));
  });

  test('is of another network', async () => {
    const found = await ill({ XRPL_NETWORK_ID: '1' });
    expect(found).toContainEqual(told(`ledger ${host()}`, 'fault', `network ${NETWORK_ID}`, 'XRPL_NETWORK_ID'));
    expect(found).toContainEqual(
      told('base url', 'fault', `is for network ${NETWORK_ID}, these settings for 1`, 'XRPL_NETWORK_ID'),
    );
  });

  test('stands still', async () => {
    expect(await ill({}, 120_000)).toContainEqual(told(`ledger ${host()}`, 'fault', 's old', 'in step'));
  });

  test('that could list the holders of an MPT is missing: nobody knows mpt_holders, which only Clio does', async () => {
    const PLATFORM_TOKEN = 'AB'.repeat(24);
    const { faults } = world.desk.ledger;
    faults.set({ lacksClioCommands: true });
    const [found, needed] = [await ill({}), await ill({ PLATFORM_TOKEN })];
    faults.clear();
    const advice = 'Put a Clio server into XRPL_URLS';
    expect(found).toContainEqual(told('ledger mpt_holders', 'warning', 'no server knows it', advice));
    expect(needed).toContainEqual(told('ledger mpt_holders', 'fault', 'PLATFORM_TOKEN is an MPT', advice));
    expect((await ill({ PLATFORM_TOKEN })).map(({ check }) => check)).not.toContain('ledger mpt_holders');
  });

  test('shows another ledger than the other one', async () => {
    const other = await startLedger({ intervalMs: 1000, networkId: NETWORK_ID });
    const XRPL_URLS = `${world.desk.ledger.wsUrl},${other.wsUrl}`;
    try {
      expect(await ill({ XRPL_URLS })).toContainEqual(
        told('ledger agreement', 'fault', 'differs between the servers', 'Take the wrong one out'),
      );
    } finally {
      await other.close();
    }
  });
});

describe('a signing account', () => {
  const withKey = async (entry: string) => {
    const SIGNING_KEYS = `${world.settings.SIGNING_KEYS},${entry}`;
    applyEnv({ ...world.settings, SIGNING_KEYS });
    try {
      return await ill({ SIGNING_KEYS });
    } finally {
      applyEnv(world.settings);
    }
  };
  const nameOf = ({ address }: Wallet) => `signing account ${address}`;

  test('does not exist, or has a seed of the other algorithm or none that can be read', async () => {
    const stranger = Wallet.generate();
    expect(await withKey(`${stranger.address}=ed25519:${stranger.seed}`)).toContainEqual(
      told(nameOf(stranger), 'fault', 'does not exist on the ledger', 'Send it at least'),
    );
    expect(await withKey(`${stranger.address}=secp256k1:${stranger.seed}`)).toContainEqual(
      told(nameOf(stranger), 'fault', 'key_unfit', ''),
    );
    expect(await withKey(`${stranger.address}=ed25519:sEdBroken`)).toContainEqual(
      told(nameOf(stranger), 'fault', 'key_unfit', 'cannot be read'),
    );
  });

  test('has its master key disabled, or little above its reserve', async () => {
    const [owner, poor] = (await world.desk.accounts(2, 5)) as [Wallet, Wallet];
    const Account = owner.address;
    await world.desk.send(owner, { TransactionType: 'SetRegularKey', Account, RegularKey: poor.address });
    world.desk.close();
    const SetFlag = AccountSetAsfFlags.asfDisableMaster;
    await world.desk.send(owner, { TransactionType: 'AccountSet', Account, SetFlag });
    world.desk.close();
    const found = await withKey(`${Account}=ed25519:${owner.seed},${poor.address}=ed25519:${poor.seed}`);
    expect(found).toContainEqual(told(nameOf(owner), 'fault', 'key_unfit', 'Add its regular key'));
    expect(found).toContainEqual(told(nameOf(poor), 'warning', 'above its reserve', 'Send it some XRP'));
  });

  test('is the one that every ledger begins with, or there is none', async () => {
    const { address, seed } = world.desk.genesis;
    expect(await ill({ SIGNING_KEYS: `${address}=secp256k1:${seed}` })).toContainEqual(
      told('setting SIGNING_KEYS', 'fault', 'every ledger begins with', 'yours alone'),
    );
    expect(await ill({ SIGNING_KEYS: '' })).toContainEqual(
      told('signing accounts', 'warning', 'none', 'Set SIGNING_KEYS'),
    );
  });
});

describe('the deployment', () => {
  const answering = async (answer: NonNullable<World['deployment']['answer']>) => {
    world.deployment.answer = answer;
    try {
      return await ill();
    } finally {
      world.deployment.answer = null;
    }
  };
  const status = (changed: object) => () =>
    Response.json({
      status: 'operational',
      version: '0.1.0',
      network_id: NETWORK_ID,
      time: new Date().toISOString(),
      checks: {},
      ...changed,
    });

  test('is not at BASE_URL', async () => {
    expect(await ill({ BASE_URL: `http://${NOWHERE}` })).toContainEqual(
      told('base url', 'fault', '', 'Correct BASE_URL'),
    );
  });

  test('is somewhere else, or behind something else', async () => {
    const moved = () => new Response(null, { status: 308, headers: { location: 'https://www.sale.example/' } });
    expect(await answering(moved)).toContainEqual(
      told('base url', 'fault', 'redirects to https://www.sale.example/', 'Set BASE_URL'),
    );
    const login = () => new Response('<html>', { status: 401 });
    expect(await answering(login)).toContainEqual(
      told('base url', 'fault', 'something else answers there (HTTP 401)', 'login'),
    );
  });

  test('is of another version, or not well', async () => {
    expect(await answering(status({ version: '9.9.9' }))).toContainEqual(
      told('base url', 'warning', 'version 9.9.9 is deployed', 'Deploy this code'),
    );
    const checks = { database: { status: 'down' }, cache: { status: 'up' } };
    const found = await answering(
      status({ status: 'down', checks, causes: ['database_down', 'job_late', 'new_cause'] }),
    );
    expect(found).toContainEqual(told('base url', 'fault', 'away: database', 'log'));
    expect(found).toContainEqual(told('deployment database_down', 'fault', 'nothing works', 'provider'));
    expect(found).toContainEqual(told('deployment job_late', 'warning', 'has not begun', 'npx tranche setup'));
  });

  test('has another CRON_SECRET', async () => {
    const CRON_SECRET = `${world.settings.CRON_SECRET}1`;
    expect(await ill({ CRON_SECRET })).toContainEqual(
      told('scheduler secret', 'fault', 'another CRON_SECRET', 'npx tranche setup'),
    );
  });
});

test('a clock that is wrong is told of each other clock', async () => {
  const found = await ill({}, -10_000);
  for (const other of ['the database', 'QStash', 'the deployment']) {
    expect(found).toContainEqual(told(`clock against ${other}`, 'fault', 'ahead', 'time server'));
  }
});
