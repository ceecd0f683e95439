import { randomBytes } from 'node:crypto';
import { count, eq } from 'drizzle-orm';
import { classicAddressToXAddress, encodeAccountID } from 'ripple-address-codec';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { platformIds } from '#drizzle/schema/holders.ts';
import { getPlatformIdProfileContract, getPlatformIdStatusContract } from '#lib/accounts/platform-ids/contracts.ts';
import { issuePlatformId } from '#lib/accounts/platform-ids/issue-platform-id.ts';
import { PLATFORM_ID_PATTERN, withCheck } from '#lib/accounts/platform-ids/platform-id-form.ts';
import { showPlatformIdProfile } from '#lib/accounts/platform-ids/show-profile.ts';
import { showPlatformIdStatus } from '#lib/accounts/platform-ids/show-status.ts';
import { openStage, type Stage } from '#tests/integration/api-keys/stage.ts';
import { serveRoutes } from '#tests/integration/webhooks/callbacks.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { askProfile, askStatus, askToGenerate } from './ask.ts';
import { type Held, writeSnapshot } from './snapshots.ts';

let stage: Stage;
const ISSUER = encodeAccountID(randomBytes(20));
/** One token a test, so that snapshots do not meet. */
let token: string;
let tokens = 0;

const newWallet = () => encodeAccountID(randomBytes(20));
const snapshot = (...held: Held[]) => writeSnapshot(stage.database.db, token, held);
const holds = (account: string, balance: string) => snapshot({ account, balance });
const statusNow = async (wallet: string) =>
  getPlatformIdStatusContract.responses[200].parse(await showPlatformIdStatus(stage.ctx, wallet));
const profileNow = async (wallet: string) =>
  getPlatformIdProfileContract.responses[200].parse(await showPlatformIdProfile(stage.ctx, wallet));

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => {
  tokens += 1;
  token = `T${String(tokens).padStart(2, '0')}.${ISSUER}`;
  stage.set({
    PLATFORM_TOKEN: token,
    PLATFORM_ID_MIN_BALANCE: '',
    PLATFORM_ID_LEVELS: '',
    HOLDERS_EXCLUDED: '',
    RATE_LIMIT_SCALE: '1000',
  });
});
afterAll(() => stage.end());

describe('the status of a wallet', () => {
  const refused = async (wallet: string, reason: string) => {
    const { status, body } = await askStatus(wallet);
    expect(status).toBe(200);
    expect(body).toMatchObject({ eligible: false, reason, level: null, has_platform_id: false, platform_id: null });
    expect(body.explanation).toMatch(/\.$/);
    expect(body.next_step).toMatch(/\.$/);
    const generated = await askToGenerate({ wallet_address: wallet });
    expect(generated).toMatchObject({
      status: 403,
      body: {
        code: 'not_eligible',
        detail: `${body.explanation} ${body.next_step}`,
        errors: [{ field: 'wallet_address', message: reason }],
      },
    });
    return body;
  };

  test('says that there is no platform token, and no number that nobody knows', async () => {
    stage.set({ PLATFORM_TOKEN: '' });
    expect(await refused(newWallet(), 'no_platform_token')).toMatchObject({ balance: null, ledger_index: null });
  });

  test('says that no snapshot was made yet', async () => {
    expect(await refused(newWallet(), 'no_snapshot')).toMatchObject({ balance: null, synced_at: null });
  });

  test('says that the issuer and excluded accounts are no holders, whatever they hold', async () => {
    const [treasury, exchange] = [newWallet(), newWallet()];
    const ledger = await snapshot(
      { account: newWallet(), balance: '5' },
      { account: treasury, balance: '500', excluded: true },
    );
    stage.set({ HOLDERS_EXCLUDED: exchange });
    for (const account of [ISSUER, treasury, exchange]) {
      expect(await refused(account, 'excluded_account')).toMatchObject({ balance: null, ledger_index: ledger });
    }
  });

  test('says that a wallet holds nothing, in which ledger, and what to hold', async () => {
    const ledger = await holds(newWallet(), '5');
    const body = await refused(newWallet(), 'no_balance');
    expect(body).toMatchObject({ balance: '0.000000', required_balance: null, ledger_index: ledger });
    expect(body.explanation).toContain(String(ledger));
    expect(body.next_step).toContain('any amount');
  });

  test('says how much is missing, exactly, to the last digit of the ledger', async () => {
    const wallet = newWallet();
    stage.set({ PLATFORM_ID_MIN_BALANCE: '100' });
    await holds(wallet, '99.99999999999999');
    const body = await refused(wallet, 'balance_too_low');
    expect(body).toMatchObject({ balance: '99.99999999999999', required_balance: '100.000000' });
    await holds(wallet, '100');
    expect(await statusNow(wallet)).toMatchObject({ eligible: true, reason: null, balance: '100.000000' });
  });

  test('of who is eligible says how to get the Platform ID, and shows it afterwards', async () => {
    const wallet = newWallet();
    const ledger = await holds(wallet, '0.000000000001');
    const before = await askStatus(wallet);
    expect(before.body).toMatchObject({
      eligible: true,
      has_platform_id: false,
      level: 'holder',
      next_step: expect.stringContaining('/api/platform-id/generate'),
      ledger_index: ledger,
    });
    const { body } = await askToGenerate({ wallet_address: wallet });
    expect(await statusNow(wallet)).toMatchObject({
      has_platform_id: true,
      platform_id: body.platform_id,
      next_step: null,
    });
  });

  test('follows the newest snapshot; a Platform ID once given stays', async () => {
    const wallet = newWallet();
    await holds(wallet, '10000');
    const { body: given } = await askToGenerate({ wallet_address: wallet });
    expect(given).toMatchObject({ level: 'gold' });
    await holds(wallet, '1000');
    expect(await statusNow(wallet)).toMatchObject({ level: 'silver', eligible: true });
    await holds(newWallet(), '1');
    expect(await statusNow(wallet)).toMatchObject({
      has_platform_id: true,
      platform_id: given.platform_id,
      eligible: false,
      reason: 'no_balance',
      level: null,
    });
    const again = await askToGenerate({ wallet_address: wallet });
    expect(again).toMatchObject({ status: 200, body: { platform_id: given.platform_id, level: null } });
    expect(await profileNow(wallet)).toMatchObject({ platform_id: given.platform_id, level: null, rank: null });
  });
});

describe('generating', () => {
  test('is 201 once and 200 with the same Platform ID ever after, in either form of the address', async () => {
    const wallet = newWallet();
    await holds(wallet, '1');
    const first = await askToGenerate({ wallet_address: wallet });
    expect(first).toMatchObject({ status: 201, body: { wallet_address: wallet, level: 'bronze', display_name: null } });
    expect(first.body.platform_id).toMatch(PLATFORM_ID_PATTERN);
    const xAddress = classicAddressToXAddress(wallet, false, true);
    for (const wallet_address of [wallet, xAddress]) {
      expect(await askToGenerate({ wallet_address })).toMatchObject({ status: 200, body: first.body });
    }
    for (const given of [wallet, xAddress, String(first.body.platform_id).toLowerCase()]) {
      expect(await askProfile(given)).toMatchObject({ status: 200, body: { wallet_address: wallet } });
    }
    expect((await askStatus(xAddress)).body).toMatchObject({ wallet_address: wallet, has_platform_id: true });
  });

  test('refuses an X-address with a tag: a tag names somebody else’s customer', async () => {
    const wallet_address = classicAddressToXAddress(newWallet(), 7, true);
    expect(await askToGenerate({ wallet_address })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'wallet_address' }] },
    });
  });

  test('is seen by everybody who asks once it was given, also by who has asked before', async () => {
    const wallet = newWallet();
    await holds(wallet, '1');
    expect((await askStatus(wallet)).body).toMatchObject({ has_platform_id: false });
    expect((await askProfile(wallet)).status).toBe(404);
    const generated = await askToGenerate({ wallet_address: wallet });
    expect(generated.status).toBe(201);
    const { headers, body } = await askStatus(wallet);
    expect(body).toMatchObject({ has_platform_id: true, platform_id: generated.body.platform_id });
    // Nobody between the platform and the caller may answer from memory either.
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect((await askProfile(wallet)).body).toMatchObject({ platform_id: generated.body.platform_id });
  });

  test('asked for by fifty at the same time over HTTP makes one, told to one, the same for all', async () => {
    const wallet = newWallet();
    await holds(wallet, '1');
    const app = await serveRoutes({
      '/api/platform-id/generate': () => import('../../../app/api/platform-id/generate/route.ts'),
    });
    const ask = async () => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ wallet_address: wallet });
      await fetch(`http://127.0.0.1:${app.port}/api/platform-id/generate`, { method: 'POST', headers, body });
    };
    await Promise.all(Array.from({ length: 50 }, ask));
    await app.close();
    const bodies = app.answers.map(({ body }) => body as { platform_id: string });
    expect(app.answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(app.answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(bodies.map(({ platform_id }) => platform_id)).size).toBe(1);
    const [rows] = await stage.database.db
      .select({ rows: count() })
      .from(platformIds)
      .where(eq(platformIds.walletAddress, wallet));
    expect(rows).toEqual({ rows: 1 });
  });

  test('draws anew when the Platform ID is another wallet’s already, also under a race', async () => {
    const { db } = stage.database;
    // Every draw of seven characters comes twice, whoever asks.
    let draws = 0;
    const random = () => Uint8Array.from({ length: 14 }, () => 0).fill(Math.floor(draws++ / 2) % 23, 6, 7);
    const ctx = testCtx({ db, overrides: { random } });
    const wallets = Array.from({ length: 10 }, newWallet);
    const given = await Promise.all(
      wallets.map((walletAddress) => issuePlatformId(ctx, { walletAddress, displayName: null })),
    );
    expect(given.every(({ isNew }) => isNew)).toBe(true);
    const ids = given.map(({ row }) => row.id);
    expect(new Set(ids).size).toBe(10);
    expect(ids).toContain(withCheck('2222222'));
    expect(draws).toBeGreaterThan(10);
  });

  test('gives up with the database’s own error when every draw is taken', async () => {
    const ctx = testCtx({ db: stage.database.db, overrides: { random: () => new Uint8Array(14).fill(22) } });
    await issuePlatformId(ctx, { walletAddress: newWallet(), displayName: null });
    await expect(issuePlatformId(ctx, { walletAddress: newWallet(), displayName: null })).rejects.toThrow();
  });
});

describe('a display name', () => {
  const member = async () => {
    const wallet = Wallet.generate();
    await holds(wallet.address, '5');
    return wallet;
  };
  const proofFor = (wallet: Wallet) => stage.proof(wallet, 'set_display_name');

  test('is set by a proof of the wallet, with the Platform ID or later, and changed by another proof', async () => {
    const wallet = await member();
    const ask = async (display_name: string) =>
      askToGenerate({ wallet_address: wallet.address, display_name, proof: await proofFor(wallet) });
    expect(await ask('Ada')).toMatchObject({ status: 201, body: { display_name: 'Ada' } });
    expect(await ask('Ada Lovelace 🚀')).toMatchObject({ status: 200, body: { display_name: 'Ada Lovelace 🚀' } });
    const unnamed = await askToGenerate({ wallet_address: wallet.address });
    expect(unnamed).toMatchObject({ status: 200, body: { display_name: 'Ada Lovelace 🚀' } });
    expect(await profileNow(wallet.address)).toMatchObject({ display_name: 'Ada Lovelace 🚀' });
  });

  test('is not set without a proof, by another wallet’s, by one for something else, or by one twice', async () => {
    const [wallet, other] = [await member(), Wallet.generate()];
    const ask = (proof?: unknown) => askToGenerate({ wallet_address: wallet.address, display_name: 'Ada', proof });
    expect(await ask()).toMatchObject({ status: 400, body: { errors: [{ field: 'proof' }] } });
    await holds(wallet.address, '5');
    for (const proof of [
      await proofFor(other),
      await stage.proof(wallet, 'create_key'),
      await stage.proof(wallet, 'set_display_name', { signer: other }),
    ]) {
      expect(await ask(proof)).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
    }
    expect(await statusNow(wallet.address)).toMatchObject({ has_platform_id: false });
    const once = await proofFor(wallet);
    expect(await ask(once)).toMatchObject({ status: 201 });
    expect(await ask(once)).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
  });

  test('proof is not used up by who is not eligible', async () => {
    const wallet = Wallet.generate();
    await holds(newWallet(), '5');
    const proof = await proofFor(wallet);
    const ask = () => askToGenerate({ wallet_address: wallet.address, display_name: 'Ada', proof });
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'not_eligible' } });
    await holds(wallet.address, '5');
    expect(await ask()).toMatchObject({ status: 201, body: { display_name: 'Ada' } });
  });

  test('a proof without a name is a mistake, and says so', async () => {
    const wallet = await member();
    const asked = await askToGenerate({ wallet_address: wallet.address, proof: await proofFor(wallet) });
    expect(asked).toMatchObject({ status: 400, body: { errors: [{ field: 'display_name' }] } });
  });

  test.each([
    ['nothing visible', '\u2800'],
    ['nothing at all', '   '],
    ['a turn of direction', 'Ada\u202eadA'],
    ['an invisible character', 'A\u200bda'],
    ['a control character', 'Ada\n'],
    ['more than 64 characters', 'A'.repeat(65)],
  ])('with %s is refused', async (_, display_name) => {
    const proof = {
      challenge_id: 'chl_0000000000000000000000',
      public_key: `ED${'0'.repeat(64)}`,
      signature: '00'.repeat(64),
    };
    const asked = await askToGenerate({ wallet_address: newWallet(), display_name, proof });
    expect(asked).toMatchObject({ status: 400, body: { errors: [{ field: 'display_name' }] } });
  });
});
