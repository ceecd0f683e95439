import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { authenticateApiKey, newApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { type RandomBytes, randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { type Created, openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

const WALLET = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const create = (more: object = {}, options: { ip?: string; apiKey?: string } = {}) =>
  stage.ask<Created>('create', { wallet_address: WALLET, ...more }, options);
const stored = async (id: string) => (await rowsOf(stage.database.db, 'apiKeys')).find((row) => row.id === id);

describe('another wallet’s key id', () => {
  test('is revoked by nobody else, and tells no more than an id that there is not', async () => {
    const [owner, thief] = [Wallet.generate(), Wallet.generate()];
    const { id } = await stage.provenKey(owner);
    const revoke = async (key_id: string, signer: Wallet) => {
      const proof = await stage.proof(signer, 'revoke_key', { key_id });
      const { status, body } = await stage.ask('revoke', { key_id, proof });
      return { status, code: body.code, detail: body.detail };
    };
    const known = await revoke(id, thief);
    expect(known).toMatchObject({ status: 404, code: 'not_found' });
    expect(await revoke('key_0000000000000000000000', thief)).toEqual(known);
    expect(await stored(id)).toMatchObject({ revokedAt: null });
  });

  test('is no matter of the wallet that a stranger named: only its own tenant’s keys are its to revoke', async () => {
    const named = Wallet.generate();
    const { body } = await stage.ask<Created>('create', { wallet_address: named.address });
    const proof = await stage.proof(named, 'revoke_key', { key_id: body.id });
    expect((await stage.ask('revoke', { key_id: body.id, proof })).status).toBe(404);
    expect(await stored(body.id)).toMatchObject({ revokedAt: null, walletVerified: false });
  });
});

describe('the timing of a key’s look-up', () => {
  test('tells nothing: it asks one and the same question whatever the key is, by its hash alone', async () => {
    const { body } = await create();
    const asked: { query: string; params: unknown[] }[] = [];
    const pool = new Pool({ connectionString: stage.database.url });
    const logger = { logQuery: (query: string, params: unknown[]) => void asked.push({ query, params }) };
    const ctx = testCtx({ db: drizzle(pool, { casing: 'snake_case', logger }) });
    // The same first digits as the real one's, which a look-up by prefix would find.
    const sixDigits = body.api_key.slice(8, 14);
    const sameStart = (): string => {
      for (;;) {
        const bytes: RandomBytes = (size) => ctx.random(size);
        const apiKey = newApiKey('test', startingWith(sixDigits, bytes));
        if (apiKey.startsWith(body.prefix)) return apiKey;
      }
    };
    const unknown = [newApiKey('test', ctx.random), sameStart()];
    for (const token of unknown) expect(await authenticateApiKey(ctx, token)).toBeNull();
    expect(await authenticateApiKey(ctx, body.api_key)).not.toBeNull();
    await pool.end();
    const [first, second, known] = asked;
    expect(new Set([first?.query, second?.query, known?.query]).size).toBe(1);
    expect(known?.params).toContain(sha256Hex(body.api_key));
    const sent = JSON.stringify(asked);
    for (const token of [...unknown, body.api_key]) {
      expect(sent).not.toContain(token);
      expect(sent).not.toContain(token.slice(0, 14));
    }
  });
});

/** Bytes whose first base62 digits are the given ones. */
function startingWith(digits: string, rest: RandomBytes): RandomBytes {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return (size) =>
    Buffer.concat([Buffer.from([...digits].map((digit) => alphabet.indexOf(digit))), rest(size)]).subarray(0, size);
}

describe('keys without a proof', () => {
  test('are five a day and address, however many are asked for at once', async () => {
    const [anonymous, ip] = [await stage.as(), stage.newIp()];
    // The first script that a store runs is the slow one, and a call to it may take a second.
    await createApiKey(anonymous, { wallet_address: WALLET }, stage.newIp());
    const make = () => createApiKey(anonymous, { wallet_address: WALLET }, ip);
    const made = await Promise.allSettled(Array.from({ length: 6 }, make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'rate_limited', headers: { 'retry-after': expect.stringMatching(/^\d+$/) } },
    });
    expect(await create({}, { ip })).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  test('are five a day and /56, whichever of its addresses asks, and twenty a /48', async () => {
    const statusFrom = async (ip: string) => (await create({}, { ip })).status;
    for (let host = 1; host <= 5; host += 1) expect(await statusFrom(`2001:db8:1:${host}::1`)).toBe(201);
    expect(await statusFrom('2001:db8:1:ff:ffff::1')).toBe(429);
    for (let network = 1; network <= 15; network += 1) {
      expect(await statusFrom(`2001:db8:1:${network.toString(16)}00::1`)).toBe(201);
    }
    expect(await statusFrom('2001:db8:1:ff00::1')).toBe(429);
    expect(await statusFrom('2001:db8:2::1')).toBe(201);
  });

  test('count when a key without a proof makes them, and not when a proof or a proven key does', async () => {
    const ip = stage.newIp();
    const wallet = Wallet.generate();
    const { body } = await create({}, { ip });
    for (let n = 2; n <= 5; n += 1) expect((await create({}, { ip })).status).toBe(201);
    expect((await create({}, { ip, apiKey: body.api_key })).status).toBe(429);
    const proof = await stage.proof(wallet);
    const proven = await stage.ask<Created>('create', { wallet_address: wallet.address, proof }, { ip });
    expect(proven.status).toBe(201);
    const rotated = await stage.ask('create', { wallet_address: wallet.address }, { ip, apiKey: proven.body.api_key });
    expect(rotated.status).toBe(201);
  });

  test('are not made while Redis is away, with or without a proof', async () => {
    const wallet = Wallet.generate();
    const proof = await stage.proof(wallet);
    stage.redis.faults.inject({ kind: 'down', how: 'reset' });
    const made = [await create(), await stage.ask('create', { wallet_address: wallet.address, proof })];
    stage.redis.faults.clear();
    expect(made.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([503, 'service_unavailable']));
  });
});

describe('a key that makes keys', () => {
  test('gives its tenant and at most its scopes', async () => {
    const { body: parent } = await create({ scopes: ['webhooks:read'] });
    const asking = { apiKey: parent.api_key };
    const child = await create({}, asking);
    expect(child).toMatchObject({ status: 201, body: { scopes: ['webhooks:read'], wallet_verified: false } });
    expect((await stored(child.body.id))?.tenantId).toBe((await stored(parent.id))?.tenantId);
    const more = await create({ scopes: ['webhooks:read', 'webhooks:write'] }, asking);
    expect(more).toMatchObject({ status: 403, body: { code: 'forbidden', errors: [{ field: 'scopes' }] } });
    const other = await stage.ask('create', { wallet_address: Wallet.generate().address }, asking);
    expect(other).toMatchObject({ status: 400, body: { errors: [{ field: 'wallet_address' }] } });
  });

  test('makes none once it is revoked or over, and an unknown one makes none at all', async () => {
    const [revoked, over] = [(await create()).body, (await create()).body];
    await stage.ask('revoke', { api_key: revoked.api_key });
    await stage.database.db.execute(sql`update api_keys set expires_at = now() where id = ${over.id}`);
    const unknown = newApiKey('test', (size) => Buffer.from(randomBase62(stage.ctx.random, size)));
    for (const apiKey of [revoked.api_key, over.api_key, unknown]) {
      expect(await create({}, { apiKey })).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
  });

  test('has at most five live ones beside it without a proof, itself included', async () => {
    const { body } = await create();
    const asking = await stage.as(body.api_key);
    const make = () => createApiKey(asking, { wallet_address: WALLET }, stage.newIp());
    const made = await Promise.allSettled(Array.from({ length: 6 }, make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'limit_reached' } });
  });
});
