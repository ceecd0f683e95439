import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { createLogger } from '#lib/base/log.ts';
import { redis } from '#lib/base/redis.ts';
import { seal } from '#lib/base/secretbox.ts';
import { createPayload } from '#lib/xaman/platform.ts';
import { cancelSignRequest, followSignRequest, makeSignRequest } from '#lib/xaman/sign-request.ts';
import { startWalletApps, type WalletApps } from '#sandbox/wallet-apps/index.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { testEnv } from '#tests/support/env.ts';
import { withStandIns } from '#tests/support/stand-ins.ts';

const KEY = '5f7e0c1a-1111-4222-8333-444455556666';
const SECRET = '9a8b7c6d-aaaa-4bbb-8ccc-ddddeeeeffff';
const ME = '203.0.113.7';
const STRANGER = '198.51.100.9';

const standIns = withStandIns();
let apps: WalletApps;
let ctx: TestCtx;
let lines: string[];

const settings = (over: Record<string, string | undefined> = {}) =>
  applyEnv(
    testEnv({
      KV_REST_API_URL: standIns.redisUrl,
      QSTASH_URL: standIns.qstashUrl,
      XAMAN_API_KEY: KEY,
      XAMAN_API_SECRET: SECRET,
      XAMAN_API_URL: apps.xamanUrl,
      XAMAN_NETWORK: 'SANDBOX',
      ...over,
    }),
  );

beforeAll(async () => {
  apps = await startWalletApps({
    port: 0,
    host: '127.0.0.1',
    xaman: { apiKey: KEY, apiSecret: SECRET, network: 'SANDBOX' },
    walletConnect: { projectId: '0'.repeat(32) },
    // Nothing is signed here.
    ledger: { rpcUrl: 'http://127.0.0.1:9', faucetUrl: 'http://127.0.0.1:9' },
  });
});
afterAll(() => apps?.close());
beforeEach(async () => {
  settings();
  await redis().flushall();
  lines = [];
  // No database is asked.
  ctx = testCtx({ db: {} as never, overrides: { log: createLogger('debug', (line) => lines.push(line)) } });
});

const signIn = {
  txjson: { TransactionType: 'SignIn' },
  signer: null,
  returnUrl: null,
  instruction: 'Show your account.',
};
const uuidIn = (link: string) => link.split('/').at(-1) ?? '';

describe('only the page that asked may follow or cancel a sign request', () => {
  test('its link, which anybody near the screen can scan, tells nothing of it', async () => {
    const { link, sealedId } = await makeSignRequest(ctx, signIn, ME);
    expect(sealedId).not.toContain(uuidIn(link));
    await expect(followSignRequest(ctx, uuidIn(link), STRANGER)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(followSignRequest(ctx, link, STRANGER)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(cancelSignRequest(ctx, uuidIn(link), STRANGER)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(followSignRequest(ctx, sealedId, ME)).resolves.toMatchObject({ state: 'waiting' });
  });

  test('a sealed id that was altered, or sealed for something else, is none, and Xaman is not asked', async () => {
    const { link, sealedId } = await makeSignRequest(ctx, signIn, ME);
    const [keyId, nonce, body = ''] = sealedId.split('.');
    const altered = [keyId, nonce, `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`].join('.');
    const content = JSON.stringify({ uuid: uuidIn(link), untilMs: ctx.clock.nowMs() + 60_000 });
    const elsewhere = seal(content, 'hook_0123', ctx.random);
    const before = apps.xaman.calls.GET ?? 0;
    for (const forged of [altered, elsewhere, '', 'k1..', content]) {
      await expect(followSignRequest(ctx, forged, STRANGER)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(apps.xaman.calls.GET ?? 0).toBe(before);
  });

  test('an old sealed id costs no call, and is not said to have sent nothing', async () => {
    const { sealedId } = await makeSignRequest(ctx, signIn, ME);
    ctx.clock.advance(25 * 60 * 60_000);
    const before = apps.xaman.calls.GET ?? 0;
    await expect(followSignRequest(ctx, sealedId, ME)).rejects.toMatchObject({ code: 'invalid_request' });
    await cancelSignRequest(ctx, sealedId, ME);
    expect(apps.xaman.calls.GET ?? 0).toBe(before);
  });
});

describe('what Xaman allows the operator cannot be used up by one visitor', () => {
  test('a visitor makes ten sign requests a minute, and others go on to buy', async () => {
    const before = apps.xaman.calls.POST ?? 0;
    for (let made = 0; made < 10; made += 1) await makeSignRequest(ctx, signIn, ME);
    await expect(makeSignRequest(ctx, signIn, ME)).rejects.toMatchObject({ code: 'rate_limited' });
    expect((apps.xaman.calls.POST ?? 0) - before).toBe(10);
    await expect(makeSignRequest(ctx, signIn, STRANGER)).resolves.toMatchObject({ sealedId: expect.any(String) });
  });

  test('all visitors together stay below what Xaman takes; half of it is for sign requests', async () => {
    settings({ XAMAN_CALLS_PER_MINUTE: '8' });
    const before = apps.xaman.calls.POST ?? 0;
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => makeSignRequest(ctx, signIn, `192.0.2.${n}`)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect((apps.xaman.calls.POST ?? 0) - before).toBe(4);
    // What was made can still be followed.
    const made = asked.find(({ status }) => status === 'fulfilled') as PromiseFulfilledResult<{ sealedId: string }>;
    await expect(followSignRequest(ctx, made.value.sealedId, ME)).resolves.toMatchObject({ state: 'waiting' });
  });

  test('looks grow rarer when many are buying', async () => {
    settings({ XAMAN_CALLS_PER_MINUTE: '8' });
    const { sealedId } = await makeSignRequest(ctx, signIn, ME);
    expect(await followSignRequest(ctx, sealedId, ME)).toMatchObject({ askAgainMs: 3_000 });
    expect(await followSignRequest(ctx, sealedId, ME)).toMatchObject({ askAgainMs: 10_000 });
  });

  test('nothing is asked while it cannot be counted', async () => {
    settings({ KV_REST_API_URL: 'http://127.0.0.1:9' });
    const before = apps.xaman.calls.POST ?? 0;
    await expect(makeSignRequest(ctx, signIn, ME)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(apps.xaman.calls.POST ?? 0).toBe(before);
  });
});

describe('what is sent and said', () => {
  test('a sign request names its only network and signer, expires in five minutes, and goes back to where we said', async () => {
    const returnUrl = 'https://sale.example/sales/x?amount=5&watch={txid}#watch';
    const order = {
      txjson: { TransactionType: 'Payment', Amount: '5000000' },
      signer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      returnUrl,
      instruction: 'Buys 10 DMO.',
    };
    const { link } = await makeSignRequest(ctx, order, ME);
    expect(apps.xaman.bodies.find(({ uuid }) => uuid === uuidIn(link))).toMatchObject({
      txjson: order.txjson,
      options: {
        submit: true,
        expire: 5,
        force_network: 'SANDBOX',
        signers: [order.signer],
        return_url: { app: returnUrl, web: returnUrl },
      },
      custom_meta: { instruction: 'Buys 10 DMO.' },
    });
  });

  test('a wrong secret is told to the operator, and neither it nor a sealed id stands in the log or the answer', async () => {
    const { sealedId } = await makeSignRequest(ctx, signIn, ME);
    settings({ XAMAN_API_SECRET: '00000000-0000-4000-8000-000000000000' });
    const failure = await followSignRequest(ctx, sealedId, ME).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'service_unavailable', detail: 'Xaman could not be asked just now.' });
    const log = lines.join('\n');
    expect(log).toContain('Xaman answered 403');
    for (const kept of [SECRET, KEY, sealedId, '00000000-0000-4000-8000-000000000000']) {
      expect(log).not.toContain(kept);
      expect(JSON.stringify(failure)).not.toContain(kept);
    }
  });

  test('without its keys, or on a network that Xaman has no name for, it is not asked', async () => {
    for (const over of [{ XAMAN_API_KEY: undefined, XAMAN_API_SECRET: undefined }, { XAMAN_NETWORK: undefined }]) {
      settings(over);
      await expect(makeSignRequest(ctx, signIn, ME)).rejects.toMatchObject({ code: 'service_unavailable' });
      await expect(createPayload({ ...signIn, expireMinutes: 5 })).rejects.toMatchObject({
        code: 'service_unavailable',
      });
    }
  });
});
