import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { webhooks } from '#drizzle/schema/events.ts';
import { applyEnv } from '#lib/base/env.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';
import { openHeaders, storedHeaders } from '#lib/webhooks/custom-headers.ts';
import { resealSecrets } from '#lib/webhooks/reencrypt/command.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { addWebhooks } from '#tests/support/sale.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const OLD = `old_1:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;

const HEADERS = { 'x-api-key': 'key of a gateway' };
let database: FreshDatabase;
let secrets: Map<string, { secret: string; next: string | null }>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const useKeys = (...keys: string[]) => applyEnv(testEnv({ WEBHOOK_ENCRYPTION_KEYS: keys.join(',') }));

beforeEach(async () => {
  useKeys(OLD);
  await database.db.execute(sql`truncate webhooks, tenants cascade`);
  await addRows(database.db, 'tenants', { id: 'ten_1' });
  const ids = Array.from({ length: 7 }, (_, i) => `wh_${i}`);
  secrets = new Map(
    ids.map((id, i) => [id, { secret: newSecret(randomBytes), next: i % 3 === 0 ? newSecret(randomBytes) : null }]),
  );
  await addWebhooks(
    database.db,
    [...secrets].map(([id, { secret, next }]) => ({
      id,
      tenantId: 'ten_1',
      sealedSecret: seal(secret, id, randomBytes),
      nextSealedSecret: next === null ? null : seal(next, id, randomBytes),
      rotatedAt: next === null ? null : new Date(),
      ...storedHeaders(id, id === 'wh_2' ? HEADERS : {}, randomBytes),
      deletedAt: id === 'wh_6' ? new Date() : null,
    })),
  );
});

const rows = () =>
  database.db
    .select({
      id: webhooks.id,
      sealed: webhooks.sealedSecret,
      next: webhooks.nextSealedSecret,
      headers: webhooks.sealedHeaders,
    })
    .from(webhooks)
    .orderBy(asc(webhooks.id));

/** Everything opens as it was, under the keys in force. */
async function expectUnchanged() {
  const open = (sealed: string | null, id: string) => (sealed === null ? null : unseal(sealed, id));
  for (const { id, sealed, next, headers } of await rows()) {
    expect(openHeaders(id, headers)).toEqual(id === 'wh_2' ? HEADERS : {});
    expect({ secret: open(sealed, id), next: open(next, id) }).toEqual(secrets.get(id));
  }
}

test('the command brings every secret under the newest key, so that the old one can go, and prints none', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['lib/cli/tranche.cjs', 'reencrypt-webhooks'],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ...testEnv({ POSTGRES_URL: database.url, WEBHOOK_ENCRYPTION_KEYS: [NEW, OLD].join(',') }),
      },
    },
  );
  expect(stdout).toBe('re-sealed 7 of 7 webhooks\n7 webhooks re-sealed, 0 not under the newest key new\n');
  expect(stdout + stderr).not.toMatch(/whsec_|AQEB|AgIC/);
  useKeys(NEW);
  await expectUnchanged();
});

test('a run that is broken off is made up for by the next, and nothing is sealed twice', async () => {
  useKeys(NEW, OLD);
  const broken = resealSecrets(
    database.db,
    randomBytes,
    (done) => {
      if (done === 4) throw new Error('killed');
    },
    2,
  );
  await expect(broken).rejects.toThrow('killed');
  const half = await rows();
  expect(half.filter(({ sealed }) => sealed.startsWith('new.'))).toHaveLength(4);
  const heard: number[] = [];
  expect(await resealSecrets(database.db, randomBytes, (done) => heard.push(done), 2)).toEqual({
    resealed: 3,
    unreadable: [],
    left: 0,
  });
  expect(heard).toEqual([2, 3]);
  expect((await rows()).slice(0, 4)).toEqual(half.slice(0, 4));
  useKeys(NEW);
  await expectUnchanged();
});

test('a secret moved to another webhook does not open there, is named, and stops nothing', async () => {
  const [first] = await rows();
  await changeRows(database.db, 'webhooks', { id: 'wh_2' }, { sealedSecret: first?.sealed });
  useKeys(NEW, OLD);
  const moved = (await rows())[2];
  expect(() => unseal(moved?.sealed ?? '', 'wh_2')).toThrow();
  const result = await resealSecrets(database.db, randomBytes, () => undefined, 2);
  expect(result).toEqual({ resealed: 6, unreadable: ['wh_2'], left: 1 });
  expect((await rows())[2]).toEqual(moved);
});

test('a webhook that somebody is changing is left for the next run, and nobody waits', async () => {
  useKeys(NEW, OLD);
  await database.db.transaction(async (tx) => {
    await tx.select().from(webhooks).where(eq(webhooks.id, 'wh_3')).for('no key update');
    expect(await resealSecrets(database.db, randomBytes, () => undefined)).toMatchObject({ resealed: 6, left: 1 });
  });
  expect(await resealSecrets(database.db, randomBytes, () => undefined)).toMatchObject({ resealed: 1, left: 0 });
});
