import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { parseEnv } from '#lib/platform/env.ts';
import { appEnvironment } from '#sandbox/launcher/app-env.ts';
import { realServicesIn, usedOf } from '#sandbox/launcher/env-local.ts';
import { fingerprintOf } from '#sandbox/launcher/fingerprint.ts';
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
    ledgerUrl: 'ws://127.0.0.1:3001',
    networkId: 63456,
    secrets: generateSecrets(),
  };

  it('is what the app accepts', () => {
    const settings = parseEnv({ ...appEnvironment({ ...surroundings, real: {} }), VERCEL: undefined });
    expect(settings).toMatchObject({ XRPL_NETWORK_ID: 63456, WEBHOOK_ALLOW_LOOPBACK: true, HEARTBEAT_SECONDS: 1 });
    expect(settings.SIGNING_KEYS).toHaveLength(2);
  });

  it('has the real services of .env.local in place of stand-ins', () => {
    const real = realServicesIn({
      POSTGRES_URL: '',
      UPSTASH_REDIS_REST_URL: 'https://real.upstash.io',
      UPSTASH_REDIS_REST_TOKEN: 'real-token',
      XRPL_URLS: 'wss://s.altnet.rippletest.net',
      XRPL_NETWORK_ID: '1',
    });
    expect(Object.keys(real)).toEqual(['redis', 'ledger']);
    expect(appEnvironment({ ...surroundings, networkId: null, real })).toMatchObject({
      POSTGRES_URL: surroundings.postgresUrl,
      KV_REST_API_URL: 'https://real.upstash.io',
      KV_REST_API_TOKEN: 'real-token',
      XRPL_URLS: 'wss://s.altnet.rippletest.net',
      XRPL_NETWORK_ID: '1',
    });
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
