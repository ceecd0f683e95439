import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { envSchema, parseEnv } from '#lib/base/env.ts';
import { appEnvironment, buildEnvironment } from '#sandbox/launcher/app-env.ts';
import { readEnvFile, realServicesIn, redisServerOf, usedOf } from '#sandbox/launcher/env-file.ts';
import { fingerprintOf } from '#sandbox/launcher/fingerprint.ts';
import { type LedgerChoice, ledgerRefusal } from '#sandbox/launcher/ledger-choice.ts';
import { type Manifest, removeManifest, writeManifest } from '#sandbox/launcher/manifest.ts';
import { requireFreePorts } from '#sandbox/launcher/ports.ts';
import { generateSecrets } from '#sandbox/launcher/secrets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the ports', () => {
  it('say which one is busy, what it is for, and how to choose others', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const address = busy.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(requireFreePorts({ redis: port }, 3000)).rejects.toThrow(
      `Port ${port} is needed for Redis (REST), but another program is using it.\n` +
        'Choose another base port: npm run sandbox -- --port 4000',
    );
    busy.close();
    await once(busy, 'close');
    await requireFreePorts({ redis: port }, 3000);
  });
});

describe('the environment of the app', () => {
  const surroundings = {
    port: 3000,
    baseUrl: 'http://127.0.0.1:3000',
    postgresUrl: 'postgres://u:p@127.0.0.1:3004/tranche',
    redisUrl: 'http://127.0.0.1:3003',
    qstashUrl: 'http://127.0.0.1:3002',
    walletApps: null,
    witnesses: [],
    twoPersons: false,
    ledgerUrl: 'ws://127.0.0.1:3001',
    networkId: 63456,
    secrets: generateSecrets(),
    openai: {},
  };

  it('is what the app accepts', () => {
    const settings = parseEnv({ ...appEnvironment({ ...surroundings, real: {} }), VERCEL: undefined });
    expect(settings).toMatchObject({ XRPL_NETWORK_ID: 63456, WEBHOOK_ALLOW_LOOPBACK: true, HEARTBEAT_SECONDS: 1 });
    expect(settings.SIGNING_KEYS).toHaveLength(4);
  });

  it('has the real services of this machine in place of stand-ins', () => {
    const real = realServicesIn({
      POSTGRES_URL: '',
      UPSTASH_REDIS_REST_URL: 'http://localhost:8079',
      UPSTASH_REDIS_REST_TOKEN: 'real-token',
    });
    expect(Object.keys(real)).toEqual(['redis']);
    expect(appEnvironment({ ...surroundings, real })).toMatchObject({
      POSTGRES_URL: surroundings.postgresUrl,
      KV_REST_API_URL: 'http://localhost:8079',
      KV_REST_API_TOKEN: 'real-token',
    });
  });

  it('and that of the build stay as they are whatever .env files Next.js finds in the folder', async () => {
    const names = [...envSchema().keyof().options, 'DATABASE_URL', 'PGHOST', 'REDIS_URL', 'NEXT_PUBLIC_ANYTHING'];
    const leak = names.map((name) => `${name}=of-a-file\n`).join('');
    for (const file of ['.env', '.env.local', '.env.production', '.env.production.local']) {
      await writeFile(path.join(folder, file), leak);
    }
    const program = `
      require(${JSON.stringify(createRequire(import.meta.url).resolve('@next/env'))}).loadEnvConfig(process.cwd(), false, { info() {}, error: console.error });
      console.log(JSON.stringify(process.env));`;
    for (const env of [appEnvironment({ ...surroundings, real: {} }), buildEnvironment()]) {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
        cwd: folder,
        env: { NODE_ENV: 'production', ...env },
      });
      expect(stdout).not.toContain('of-a-file');
      expect(JSON.parse(stdout)).toMatchObject(env);
    }
  });

  it('holds nothing of the settings that are exported in the shell', () => {
    const before = { ...process.env };
    for (const name of envSchema().keyof().options) {
      if (name !== 'LOG_LEVEL' && name !== 'RATE_LIMIT_SCALE') process.env[name] = 'of-the-shell';
    }
    try {
      expect(JSON.stringify(appEnvironment({ ...surroundings, real: {} }))).not.toContain('of-the-shell');
      expect(JSON.stringify(buildEnvironment())).not.toContain('of-the-shell');
    } finally {
      process.env = before;
    }
  });
});

describe('the settings that --env-file names', () => {
  it.each([
    ['POSTGRES_URL', 'postgres://u:hunter2@ep-cool-name.eu-central-1.aws.neon.tech/db'],
    ['POSTGRES_URL', 'postgres://u:hunter2@127.0.0.1/db?host=db.example.com'],
    ['POSTGRES_URL', 'postgres://u:hunter2@127.0.0.1.example.com/db'],
    ['POSTGRES_URL', 'postgres://u:hunter2@10.0.0.7/db'],
    ['POSTGRES_URL_NON_POOLING', 'postgres://u:hunter2@db.example.com/db'],
    ['KV_REST_API_URL', 'https://fit-hunter2-1.upstash.io'],
    ['UPSTASH_REDIS_REST_URL', 'https://fit-hunter2-1.upstash.io'],
    ['QSTASH_URL', 'https://hunter2.upstash.io'],
  ])('may name nothing on another machine: %s=%s', (name, value) => {
    const refused = () => realServicesIn({ [name]: value });
    expect(refused).toThrow(/ does not name this machine\. /);
    expect(refused).not.toThrow(/hunter2/);
  });

  it('may name a database of this machine, by a socket too', () => {
    for (const POSTGRES_URL of [
      ...['postgres://u:p@localhost/db', 'postgres://u:p@127.0.0.1:5432/db', 'postgres://u:p@[::1]:5432/db'],
      'postgres:///db?host=/var/run/postgresql',
    ]) {
      expect(realServicesIn({ POSTGRES_URL })).toEqual({ postgres: { POSTGRES_URL } });
    }
  });

  it('are an error when they cannot be read, and none without the flag', async () => {
    await expect(readEnvFile(path.join(folder, 'missing'))).rejects.toThrow(/^--env-file .*missing cannot be read/);
    expect(await readEnvFile(null)).toEqual({});
  });
});

test('a redis-server of another machine never stands behind the sandbox', () => {
  expect(redisServerOf({})).toBeUndefined();
  expect(redisServerOf({ REDIS_URL: 'redis://127.0.0.1:6379' })).toBe('redis://127.0.0.1:6379');
  expect(() => redisServerOf({ REDIS_URL: 'redis://:hunter2@cache.example.com' })).toThrow(/^REDIS_URL does not name/);
});

describe('the servers of --ledger', () => {
  const choice = (over: Partial<LedgerChoice>): LedgerChoice => ({
    urls: [],
    networkId: null,
    isMainNetworkMeant: false,
    ...over,
  });
  const remote = (networkId: number) => ({ url: 'wss://s.example.com', networkId, hasMptHolders: true });
  const local = (networkId: number) => ({ url: 'ws://127.0.0.1:6006', networkId, hasMptHolders: false });

  it('are used on a test network, whose id they tell', () => {
    expect(ledgerRefusal(choice({}), [remote(1), local(1)])).toBeNull();
    expect(ledgerRefusal(choice({ networkId: 1 }), [remote(1)])).toBeNull();
  });

  it('are refused on another network than the one that is named, and on several', () => {
    expect(ledgerRefusal(choice({ networkId: 2 }), [remote(1)])).toContain('is on network 1, and --network-id says 2');
    expect(ledgerRefusal(choice({ networkId: 0 }), [remote(1)])).toContain('is on network 1');
    expect(ledgerRefusal(choice({}), [remote(1), local(2)])).toContain('on different networks: 1, 2');
  });

  it('are refused on the main network unless both its id is given and --main-network', () => {
    expect(ledgerRefusal(choice({}), [remote(0)])).toContain('Give --network-id 0');
    expect(ledgerRefusal(choice({ isMainNetworkMeant: true }), [remote(0)])).toContain('Give --network-id 0');
    expect(ledgerRefusal(choice({ networkId: 0 }), [remote(0)])).toContain('add --main-network');
    expect(ledgerRefusal(choice({ networkId: 0 }), [local(0), remote(0)])).toContain('add --main-network');
    expect(ledgerRefusal(choice({ networkId: 0, isMainNetworkMeant: true }), [remote(0)])).toBeNull();
  });

  it('may be a standalone server of this machine, which says 0 as well, when its id is given', () => {
    expect(ledgerRefusal(choice({}), [local(0)])).toContain('Give --network-id 0');
    expect(ledgerRefusal(choice({ networkId: 0 }), [local(0)])).toBeNull();
  });
});

test('a real Redis is used beside a real Postgres only: it remembers what a database has done', () => {
  const redis = { KV_REST_API_URL: 'https://real.upstash.io', KV_REST_API_TOKEN: 'real-token' };
  const postgres = { POSTGRES_URL: 'postgres://real' };
  expect(usedOf({ redis })).toEqual({});
  expect(usedOf({ redis, postgres })).toEqual({ redis, postgres });
});

describe('the fingerprint of a build', () => {
  it('changes with a source and not with anything else', async () => {
    await mkdir(path.join(folder, 'app/deep'), { recursive: true });
    await writeFile(path.join(folder, 'app/deep/page.tsx'), 'one');
    const first = await fingerprintOf(folder);
    await writeFile(path.join(folder, 'README.md'), 'text');
    // No build of the sandbox reads it.
    await writeFile(path.join(folder, '.env.local'), 'NEXT_PUBLIC_ANYTHING=1');
    expect(await fingerprintOf(folder)).toBe(first);
    await writeFile(path.join(folder, 'app/deep/page.tsx'), 'two');
    expect(await fingerprintOf(folder)).not.toBe(first);
  });
});

describe('the manifest', () => {
  it('is readable by its owner only, and is removed by the one who wrote it', async () => {
    const file = path.join(folder, 'state/manifest.json');
    const mine = { base_url: 'http://127.0.0.1:3000' } as Manifest;
    await writeManifest(file, mine);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(mine);

    await removeManifest(file, { base_url: 'http://127.0.0.1:4000' } as Manifest);
    expect((await stat(file)).isFile()).toBe(true);
    await removeManifest(file, mine);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});
