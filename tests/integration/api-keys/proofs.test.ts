import { sql } from 'drizzle-orm';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ECDSA, Wallet } from 'xrpl';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { issueChallenge } from '#lib/accounts/api-keys/issue-challenge.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { type Challenge, type Created, type Listed, openStage, proofOf, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

const create = (wallet: Wallet, proof: unknown) =>
  stage.ask<Created>('create', { wallet_address: wallet.address, proof });

describe('a challenge', () => {
  test('names domain, network, action, wallet, nonce and end, and begins as nothing on the ledger does', async () => {
    const wallet = Wallet.generate();
    const { id, message, expires_at } = await stage.challenge(wallet, 'create_key');
    expect(message.split('\n')).toEqual([
      'Tranche wallet proof',
      'Domain: sale.example.org',
      `Network: ${NETWORK_ID}`,
      'Action: create_key',
      `Wallet: ${wallet.address}`,
      `Nonce: ${id}`,
      `Expires: ${expires_at}`,
    ]);
    expect(message).not.toContain('\0');
    const lifetimeMs = Date.parse(expires_at) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(4 * 60_000);
    expect(lifetimeMs).toBeLessThanOrEqual(5 * 60_000 + 1_000);
  });

  test('to revoke names the key, and no other one takes a key', async () => {
    const wallet = Wallet.generate();
    const key_id = 'key_0000000000000000000000';
    expect((await stage.challenge(wallet, 'revoke_key', { key_id })).message).toContain(`Action: revoke_key ${key_id}`);
    for (const body of [
      { wallet_address: wallet.address, action: 'revoke_key' },
      { wallet_address: wallet.address, action: 'create_key', key_id },
    ]) {
      const asked = await stage.ask('challenge', body);
      expect(asked).toMatchObject({ status: 400, body: { errors: [{ field: 'key_id' }] } });
    }
  });

  test('takes an X-address as the classic one, and refuses one with a tag', async () => {
    const { address } = Wallet.generate();
    const wallet_address = classicAddressToXAddress(address, false, true);
    const asked = await stage.ask<Challenge>('challenge', { wallet_address, action: 'list_keys' });
    expect(asked.body).toMatchObject({
      wallet_address: address,
      message: expect.stringContaining(`Wallet: ${address}`),
    });
    const tagged = classicAddressToXAddress(address, 7, true);
    expect(await stage.ask('challenge', { wallet_address: tagged, action: 'list_keys' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'wallet_address' }] },
    });
  });

  test('is limited to ten per caller and wallet, and one wallet’s callers do not use up another’s', async () => {
    const [wallet, other] = [Wallet.generate(), Wallet.generate()];
    const ip = stage.newIp();
    const ask = ({ address }: Wallet) =>
      stage.ask('challenge', { wallet_address: address, action: 'create_key' }, { ip });
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask(wallet)));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 429, 429]);
    expect(Number(asked.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(other)).status).toBe(201);
  });

  test('is given to the wallet’s owner however many strangers have opened for that wallet, and theirs use none up', async () => {
    const wallet = Wallet.generate();
    const body = { wallet_address: wallet.address, action: 'create_key' } as const;
    const mine = await stage.challenge(wallet);
    // As by five IPv6 networks: what each may ask for, and more of them than were needed to shut a wallet out.
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => issueChallenge(stage.ctx, body, `198.51.100.${Math.floor(n / 10)}`)),
    );
    const proof = await stage.proof(wallet);
    expect((await create(wallet, proof)).status).toBe(201);
    const rows = await rowsOf(stage.database.db, 'walletChallenges');
    expect(rows.map(({ id }) => id)).toContain(mine.id);
  });

  test('that is over is gone with the next one of its wallet', async () => {
    const wallet = Wallet.generate();
    await Promise.all(Array.from({ length: 3 }, () => stage.challenge(wallet)));
    await stage.database.db.execute(sql`update wallet_challenges set expires_at = now()`);
    const next = await stage.challenge(wallet);
    const rows = await rowsOf(stage.database.db, 'walletChallenges');
    expect(rows.filter(({ walletAddress }) => walletAddress === wallet.address).map(({ id }) => id)).toEqual([next.id]);
  });

  test('is still given while Redis is away', async () => {
    stage.redis.faults.inject({ kind: 'down', how: 'reset' });
    try {
      expect((await stage.challenge(Wallet.generate())).id).toMatch(/^chl_/);
    } finally {
      stage.redis.faults.clear();
    }
  });
});

describe('a proof', () => {
  test.each([
    ['secp256k1', ECDSA.secp256k1],
    ['Ed25519', ECDSA.ed25519],
  ])('by the master key of a wallet that is not funded yet is taken, %s', async (_, algorithm) => {
    const wallet = Wallet.generate(algorithm);
    const made = await create(wallet, await stage.proof(wallet));
    expect(made).toMatchObject({ status: 201, body: { wallet_verified: true } });
  });

  test('in small letters is the same proof', async () => {
    const wallet = Wallet.generate(ECDSA.secp256k1);
    const { challenge_id, public_key, signature } = await stage.proof(wallet);
    const proof = { challenge_id, public_key: public_key.toLowerCase(), signature: signature.toLowerCase() };
    expect((await create(wallet, proof)).status).toBe(201);
  });

  test('is refused with 503 while no ledger server answers, and is used up', async () => {
    const wallet = Wallet.generate();
    const proof = await stage.proof(wallet);
    stage.set({ XRPL_URLS: 'ws://127.0.0.1:9' });
    const made = await create(wallet, proof);
    stage.set({ XRPL_URLS: stage.desk.ledger.wsUrl });
    expect(made).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } });
    expect((await create(wallet, proof)).body.code).toBe('invalid_proof');
  });
});

describe('a proven wallet', () => {
  test('has one tenant, also when its first two keys are made at once', async () => {
    const wallet = Wallet.generate();
    const proofs = await Promise.all([1, 2, 3].map(() => stage.proof(wallet)));
    const made = await Promise.all(proofs.map((proof) => create(wallet, proof)));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const rows = await rowsOf(stage.database.db, 'tenants');
    expect(rows.filter(({ provenWallet }) => provenWallet === wallet.address)).toHaveLength(1);
  });

  test('may have twenty live keys, however many are made at once', async () => {
    const wallet = Wallet.generate();
    const { api_key: apiKey } = await stage.provenKey(wallet);
    const asking = await stage.as(apiKey);
    const make = () => createApiKey(asking, { wallet_address: wallet.address });
    const made = await Promise.allSettled(Array.from({ length: 22 }, make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'limit_reached' } });
  });

  test('counts no key that has expired among its twenty, and an expired key makes no other', async () => {
    const wallet = Wallet.generate();
    const { id, api_key: apiKey } = await stage.provenKey(wallet);
    const asking = await stage.as(apiKey);
    const make = (by = asking) => createApiKey(by, { wallet_address: wallet.address });
    const made = await Promise.all(Array.from({ length: 19 }, () => make()));
    await expect(make()).rejects.toMatchObject({ code: 'limit_reached' });
    const expire = (keyId: string) =>
      stage.database.db.execute(sql`update api_keys set expires_at = now() where id = ${keyId}`);
    await expire(made[0]?.id ?? '');
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'limit_reached' });
    // It was live at the door, and is not any more.
    await expire(id);
    await expect(make()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('reads names and scopes of its own keys with a proof, not of those others made in its name', async () => {
    const wallet = Wallet.generate();
    const own = await stage.provenKey(wallet, { name: 'mine', scopes: ['webhooks:read'] });
    const foreign = await stage.ask<Created>('create', { wallet_address: wallet.address, name: 'theirs' });
    const proof = await stage.proof(wallet, 'list_keys');
    const { status, body } = await stage.ask<Listed>('list', { proof }, { wallet: wallet.address });
    expect(status).toBe(200);
    expect(body.api_keys.map(({ id, name, scopes }) => ({ id, name, scopes }))).toEqual([
      { id: foreign.body.id, name: undefined, scopes: undefined },
      { id: own.id, name: 'mine', scopes: ['webhooks:read'] },
    ]);
    const open = await stage.ask<Listed>('list', undefined, { method: 'GET', wallet: wallet.address });
    expect(open.body.api_keys.some((key) => 'name' in key || 'scopes' in key)).toBe(false);
    const byKey = await stage.ask<Listed>('list', undefined, {
      method: 'GET',
      wallet: wallet.address,
      apiKey: own.api_key,
    });
    expect(byKey.body.api_keys.map(({ name }) => name)).toEqual([undefined, 'mine']);
  });

  test('revokes a key by its id, and again with the same answer', async () => {
    const wallet = Wallet.generate();
    const { id, api_key: apiKey } = await stage.provenKey(wallet);
    const revoke = async () =>
      stage.ask('revoke', { key_id: id, proof: await stage.proof(wallet, 'revoke_key', { key_id: id }) });
    const first = await revoke();
    expect(first).toMatchObject({ status: 200, body: { id } });
    expect((await revoke()).body).toEqual(first.body);
    const asked = await stage.ask('list', undefined, { method: 'GET', wallet: wallet.address, apiKey });
    expect(asked.status).toBe(401);
  });

  test('is not held up by what strangers make in its name', async () => {
    const wallet = Wallet.generate();
    for (let n = 0; n < 6; n += 1) await stage.ask('create', { wallet_address: wallet.address });
    expect((await stage.provenKey(wallet)).wallet_verified).toBe(true);
  });
});

describe('what a proof and a key come with', () => {
  test('is one of both, and an id never comes without a proof', async () => {
    const wallet = Wallet.generate();
    const { id, api_key: apiKey } = await stage.provenKey(wallet);
    const proof = proofOf(await stage.challenge(wallet), wallet);
    const both = await stage.ask('create', { wallet_address: wallet.address, proof }, { apiKey });
    expect(both).toMatchObject({ status: 400, body: { errors: [{ field: 'proof' }] } });
    for (const body of [
      {},
      { key_id: id },
      { api_key: apiKey, key_id: id, proof },
      { api_key: apiKey, proof },
      { proof },
    ]) {
      expect(await stage.ask('revoke', body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });
});
