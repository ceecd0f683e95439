import { ne, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { revokeApiKey } from '#lib/accounts/api-keys/revoke-api-key.ts';
import { encodeCursor } from '#lib/base/cursor.ts';
import { applyEnv } from '#lib/base/env.ts';
import { PUBLIC_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as keysRoute from '../../../app/api/api-keys/list/[wallet_address]/route.ts';
import * as deliveryRoute from '../../../app/api/webhooks/[id]/deliveries/route.ts';
import * as webhookRoute from '../../../app/api/webhooks/[id]/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import * as testRoute from '../../../app/api/webhooks/test/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { asDeveloper, newWebhook, reportInvestments, WALLET } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let apiKey: string;

beforeEach(async () => {
  apiKey = (await asDeveloper(desk.stage.ctx)).apiKey;
});

const register = (body: object = {}, key = apiKey) =>
  call(webhooksRoute, 'POST', { apiKey: key, body: { url: desk.receiver.url, ...body } });
const idOf = (called: { body: Record<string, unknown> }) => String(called.body.id);

describe('registering', () => {
  test('needs only a url: all public events, active, and the secret this once', async () => {
    const { status: code, body } = await register();
    expect(code).toBe(201);
    expect(body).toMatchObject({ url: desk.receiver.url, active: true, description: '', api_version: '2026-11' });
    expect(body.id).toMatch(/^wh_[0-9A-Za-z]{22}$/);
    expect(body.events).toEqual(PUBLIC_EVENT_TYPES);
    expect(body.secret).toMatch(/^whsec_/);
    const list = await call(webhooksRoute, 'GET', { apiKey });
    expect(JSON.stringify(list.body)).not.toContain('whsec_');
    const [row] = await rowsOf(desk.stage.ctx.db, 'webhooks');
    expect(JSON.stringify(row)).not.toContain(String(body.secret).slice(6, 30));
  });

  test('names the field at fault', async () => {
    for (const [body, field] of [
      [{ url: 'http://desk.receiver.example.com/' }, 'url'],
      [{ url: 'https://10.0.0.1/' }, 'url'],
      [{ events: [] }, 'events'],
      [{ events: ['investment.unknown'] }, 'events[0]'],
      [{ active: 'yes' }, 'active'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      const answer = await register(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
    }
  });

  test('with U+0000 in any text is 400, and so it is in a query and a cursor of any list', async () => {
    for (const body of [
      { description: 'a\0b' },
      { url: `${desk.receiver.url}\0` },
      { events: ['\0'] },
      { 'a\0b': 1 },
      { description: { deep: ['\0'] } },
    ]) {
      expect(await register(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect((await register({ description: 'a\\u0000b' })).body.description).toBe('a\\u0000b');
    const cursor = Buffer.from(JSON.stringify(['2026-01-01T00:00:00.000Z', 'wh_\0'])).toString('base64url');
    for (const query of ['?limit=%00', '?x%00y=1', '?cursor=%00', `?cursor=${cursor}`]) {
      const answer = await call(webhooksRoute, 'GET', { apiKey, query });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    const keys = await call(keysRoute, 'GET', { params: { wallet_address: WALLET }, query: `?cursor=${cursor}` });
    expect(keys.status).toBe(400);
  });

  test.each(['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb'])(
    'and changing with something that looks like a seed is refused with a warning: not stored, not repeated (%s)',
    async (seed) => {
      const params = { id: idOf(await register()) };
      const texts = [
        { url: `${desk.receiver.url}/${seed}` },
        { url: `${desk.receiver.url}?seed=${seed}` },
        { description: `my seed is ${seed}.` },
      ];
      const test = { webhook_id: params.id, event_type: 'project.launched', test_data: { project_name: `x ${seed}` } };
      const answers = [
        ...(await Promise.all(texts.map((body) => register(body)))),
        ...(await Promise.all(texts.map((body) => call(webhookRoute, 'PATCH', { apiKey, params, body })))),
        await call(testRoute, 'POST', { apiKey, body: test }),
      ];
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/never paste a seed/i) } });
        expect(JSON.stringify(answer.body)).not.toContain(seed);
      }
      for (const query of [`?${seed}=1`, `?${seed}=1&${seed}=2`]) {
        const answer = await call(webhooksRoute, 'GET', { apiKey, query });
        expect(answer.status).toBe(400);
        expect(JSON.stringify(answer.body)).not.toContain(seed);
      }
      const stored = [rowsOf(desk.stage.ctx.db, 'webhooks'), rowsOf(desk.stage.ctx.db, 'events')];
      expect(JSON.stringify(await Promise.all(stored))).not.toContain(seed);
      expect(desk.receiver.received).toEqual([]);
    },
  );

  test('the same event twice counts once', async () => {
    const { body } = await register({ events: ['project.launched', 'investment.created', 'project.launched'] });
    expect(body.events).toEqual(['investment.created', 'project.launched']);
  });

  test('a tenant without a proof has three webhooks, however many register at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register()));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    expect(answers.filter((answer) => answer.body.code === 'limit_reached')).toHaveLength(5);
    const list = await call(webhooksRoute, 'GET', { apiKey });
    const [first] = list.body.webhooks as { id: string }[];
    expect((await call(webhookRoute, 'DELETE', { apiKey, params: { id: first?.id ?? '' } })).status).toBe(200);
    expect((await register()).status).toBe(201);
  });

  describe('at a host of somebody else', () => {
    const AT_HOST = 10;
    const named = { status: 409, body: { code: 'limit_reached', errors: [{ field: 'url' }] } };
    const strangers = (count: number) => Promise.all(Array.from({ length: count }, () => asDeveloper(desk.stage.ctx)));

    test('all tenants without a proof have ten webhooks together, however many register at once', async () => {
      const answers = await Promise.all(
        (await strangers(AT_HOST + 4)).map(({ apiKey: key }, n) =>
          register({ url: `https://${n % 2 === 0 ? 'victim.example.com' : 'VICTIM.example.com.:8443'}/${n}` }, key),
        ),
      );
      expect(answers.filter(({ status: code }) => code === 201)).toHaveLength(AT_HOST);
      for (const answer of answers.filter(({ status: code }) => code !== 201)) expect(answer).toMatchObject(named);
      expect((await register({ url: 'https://other.example.com/' })).status).toBe(201);
    });

    test('nobody goes round that by changing a url, and who is there may change theirs', async () => {
      const there = await strangers(AT_HOST);
      const ids = [];
      for (const { apiKey: key } of there) ids.push(idOf(await register({ url: 'https://victim.example.com/' }, key)));
      const change = (key: string, id: string) =>
        call(webhookRoute, 'PATCH', { apiKey: key, params: { id }, body: { url: 'https://victim.example.com/new' } });
      expect(await change(apiKey, idOf(await register({ url: 'https://other.example.com/' })))).toMatchObject(named);
      expect((await change(there[0]?.apiKey ?? '', ids[0] ?? '')).status).toBe(200);
    });

    describe('a proven wallet', () => {
      const UNFUNDED = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
      let ledger: SandboxLedger;
      beforeEach(async () => {
        const networkId = Number(desk.stage.settings.XRPL_NETWORK_ID);
        ledger = await startLedger({ intervalMs: 0, networkId });
        applyEnv({ ...desk.stage.settings, XRPL_URLS: ledger.wsUrl });
      });
      afterEach(async () => {
        await closeLedger();
        await ledger.close();
        applyEnv(desk.stage.settings);
      });

      /** Registers for a new developer who has proven the wallet. */
      async function provenRegistrar(provenWallet: string) {
        const proven = await asDeveloper(desk.stage.ctx);
        if (proven.actor.kind !== 'api_key') throw new Error('A developer acts with a key');
        await changeRows(desk.stage.ctx.db, 'tenants', { id: proven.actor.tenantId }, { provenWallet });
        return () => register({ url: 'https://many.example.com/hook' }, proven.apiKey);
      }

      test('has 20 unless the operators say otherwise, also when it asks for many at once', async () => {
        const registerOne = await provenRegistrar(WALLET);
        const answers = await Promise.all(Array.from({ length: 24 }, registerOne));
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
        const refused = answers.filter(({ body }) => body.code === 'limit_reached');
        expect(refused).toHaveLength(4);
        applyEnv({ ...desk.stage.settings, XRPL_URLS: ledger.wsUrl, WEBHOOKS_PER_TENANT: '21' });
        expect((await registerOne()).status).toBe(201);
        expect((await registerOne()).status).toBe(409);
      });

      test('without an account on the ledger has three unless the operators say otherwise, and 20 once it is funded', async () => {
        const registerOne = await provenRegistrar(UNFUNDED);
        const answers = await Promise.all(Array.from({ length: 6 }, registerOne));
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
        const refused = answers.filter(({ status }) => status !== 201);
        for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
        applyEnv({ ...desk.stage.settings, XRPL_URLS: ledger.wsUrl, WEBHOOKS_PER_UNFUNDED_WALLET: '4' });
        expect((await registerOne()).status).toBe(201);
        expect((await registerOne()).status).toBe(409);
        ledger.writePayments({ count: 1, destination: UNFUNDED, amountDrops: 20_000_000n });
        expect((await registerOne()).status).toBe(201);
      });

      test('is told to come again when the ledger is away, and has its first three all the same', async () => {
        await ledger.close();
        const registerOne = await provenRegistrar(WALLET);
        for (let n = 0; n < 3; n += 1) expect((await registerOne()).status).toBe(201);
        expect(await registerOne()).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } });
      });
    });

    test('they do not count against a proven tenant, nor it against them', async () => {
      for (const { apiKey: key } of await strangers(AT_HOST))
        await register({ url: 'https://victim.example.com/' }, key);
      const proven = await asDeveloper(desk.stage.ctx);
      if (proven.actor.kind !== 'api_key') throw new Error('A developer acts with a key');
      await changeRows(desk.stage.ctx.db, 'tenants', { id: proven.actor.tenantId }, { provenWallet: WALLET });
      const url = 'https://victim.example.com/';
      expect((await register({ url }, proven.apiKey)).status).toBe(201);
      const [freed] = await desk.stage.ctx.db
        .select()
        .from(webhooks)
        .where(ne(webhooks.tenantId, proven.actor.tenantId));
      await changeRows(desk.stage.ctx.db, 'webhooks', { id: freed?.id ?? '' }, { deletedAt: sql`now()` });
      expect((await register({ url })).status).toBe(201);
      expect(await register({ url })).toMatchObject(named);
    });
  });

  test('needs a key, and one that may write', async () => {
    expect((await call(webhooksRoute, 'POST', { body: { url: desk.receiver.url } })).status).toBe(401);
    expect((await register({}, 'tr_test_nonsense')).status).toBe(401);
  });
});

describe('a webhook', () => {
  test('of another tenant does not exist: not read, changed, deleted, tested, nor its log', async () => {
    const id = idOf(await register());
    const stranger = (await asDeveloper(desk.stage.ctx)).apiKey;
    const params = { id };
    const test = { webhook_id: id, event_type: 'investment.created' };
    const answers = [
      await call(webhookRoute, 'GET', { apiKey: stranger, params }),
      await call(webhookRoute, 'PATCH', { apiKey: stranger, params, body: { active: false } }),
      await call(webhookRoute, 'DELETE', { apiKey: stranger, params }),
      await call(deliveryRoute, 'GET', { apiKey: stranger, params }),
      await call(testRoute, 'POST', { apiKey: stranger, body: test }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe('webhook_not_found');
    }
    expect((await call(webhooksRoute, 'GET', { apiKey: stranger })).body.webhooks).toEqual([]);
    expect((await call(webhookRoute, 'GET', { apiKey, params })).body.active).toBe(true);
    expect(desk.receiver.received).toHaveLength(0);
  });

  test('changes only in what is given, and a refused url changes nothing', async () => {
    const params = { id: idOf(await register({ description: 'old' })) };
    const changed = await call(webhookRoute, 'PATCH', { apiKey, params, body: { events: ['project.launched'] } });
    expect(changed.body).toMatchObject({ events: ['project.launched'], description: 'old', url: desk.receiver.url });
    const refused = await call(webhookRoute, 'PATCH', { apiKey, params, body: { url: 'https://[::1]/' } });
    expect(refused.status).toBe(400);
    expect((await call(webhookRoute, 'GET', { apiKey, params })).body.url).toBe(desk.receiver.url);
  });

  test('that is deleted is gone, also the second time', async () => {
    const params = { id: idOf(await register()) };
    expect((await call(webhookRoute, 'DELETE', { apiKey, params })).body).toMatchObject({ id: params.id });
    expect((await call(webhookRoute, 'DELETE', { apiKey, params })).status).toBe(404);
    expect((await call(webhookRoute, 'GET', { apiKey, params })).status).toBe(404);
  });

  test('is not brought back by a change that was let in just before its last key was revoked', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await revokeApiKey(desk.stage.ctx, { api_key: developer.apiKey });
    await expect(updateWebhook(developer, webhook.id, { active: true })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const [row] = await rowsOf(desk.stage.ctx.db, 'webhooks', { id: webhook.id });
    expect(row?.active).toBe(false);
  });

  test('is inactive after a revocation and a change at once, whichever comes first', async () => {
    const owned = await Promise.all(Array.from({ length: 10 }, () => newWebhook(desk.stage.ctx, desk.receiver.url)));
    await Promise.all(
      owned.flatMap(({ developer, webhook }) => [
        updateWebhook(developer, webhook.id, { active: true }).catch((failure) =>
          expect(failure).toMatchObject({ code: 'unauthorized' }),
        ),
        revokeApiKey(desk.stage.ctx, { api_key: developer.apiKey }),
      ]),
    );
    const rows = await rowsOf(desk.stage.ctx.db, 'webhooks');
    expect(rows.map((row) => row.active)).toEqual(owned.map(() => false));
  });

  test('list takes no cursor of another list, nor its delivery log, nor the list of keys', async () => {
    const params = { id: idOf(await register()) };
    const cursorOf = (id: string) => `?cursor=${encodeCursor(new Date('2026-01-01T00:00:00Z'), id)}`;
    const lists = {
      wh: (query: string) => call(webhooksRoute, 'GET', { apiKey, query }),
      del: (query: string) => call(deliveryRoute, 'GET', { apiKey, params, query }),
      key: (query: string) => call(keysRoute, 'GET', { params: { wallet_address: WALLET }, query }),
    };
    for (const [own, list] of Object.entries(lists)) {
      for (const prefix of ['wh', 'del', 'key', 'proj']) {
        const answer = await list(cursorOf(`${prefix}_0000000000000000000000`));
        expect([own, prefix, answer.status]).toEqual([own, prefix, own === prefix ? 200 : 400]);
      }
    }
  });

  test('list pages meet every webhook once', async () => {
    const ids = [idOf(await register()), idOf(await register()), idOf(await register())];
    const first = await call(webhooksRoute, 'GET', { apiKey, query: '?limit=2' });
    const rest = await call(webhooksRoute, 'GET', { apiKey, query: `?limit=2&cursor=${first.body.next_cursor}` });
    const seen = [first, rest].flatMap(({ body }) => body.webhooks as { id: string }[]).map(({ id }) => id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(rest.body.next_cursor).toBeNull();
  });
});

describe('the delivery log', () => {
  test('pages through deliveries that were written at the same instant, each once', async () => {
    const params = { id: idOf(await register()) };
    await reportInvestments(desk.stage.ctx.db, 7);
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = `?limit=3${cursor}`;
      const { body } = await call(deliveryRoute, 'GET', { apiKey, params, query });
      seen.push(...(body.deliveries as { id: string }[]).map(({ id }) => id));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
  });

  test('gives the documented fields and can be filtered by status', async () => {
    const params = { id: idOf(await register()) };
    await reportInvestments(desk.stage.ctx.db);
    await dispatchFirstAttempts(desk.stage.ctx, desk.stage.ctx.clock.nowMs() + 10_000);
    const all = await call(deliveryRoute, 'GET', { apiKey, params, query: '?status=success' });
    expect(all.body.deliveries).toEqual([
      {
        id: expect.stringMatching(/^del_/),
        event_id: expect.stringMatching(/^evt_/),
        event_type: 'investment.created',
        status: 'success',
        cancelled_reason: null,
        response_code: 200,
        delivered_at: expect.stringMatching(/Z$/),
        duration_ms: expect.any(Number),
        attempts: 1,
        resend_of: null,
        replay_id: null,
        pruned: false,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const none = await call(deliveryRoute, 'GET', { apiKey, params, query: '?status=failed' });
    expect(none.body.deliveries).toEqual([]);
  });
});

describe('a test send', () => {
  test('makes one attempt now and gives its record', async () => {
    const webhookId = idOf(await register());
    const test_data = { amount_xrp: '250.000000', investor_account: WALLET };
    const body = { webhook_id: webhookId, event_type: 'investment.created', test_data };
    const answer = await call(testRoute, 'POST', { apiKey, body });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'success', response_code: 200, attempts: 1 });
    const [sent] = desk.receiver.received;
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ test: true, event_id: answer.body.event_id, data: test_data });
  });

  test('to a receiver that fails is failed at once and never repeated', async () => {
    desk.receiver.answerWith(status(500));
    const webhookId = idOf(await register({ active: false }));
    const body = { webhook_id: webhookId, event_type: 'project.tier_completed' };
    const answer = await call(testRoute, 'POST', { apiKey, body });
    expect(answer).toMatchObject({ status: 200, body: { status: 'failed', response_code: 500, attempts: 1 } });
    expect(await desk.stage.waiting()).toEqual([]);
    await dispatchFirstAttempts(desk.stage.ctx, desk.stage.ctx.clock.nowMs() + 10_000);
    expect(desk.receiver.received).toHaveLength(1);
  });

  test('reaches no other webhook', async () => {
    const webhookId = idOf(await register());
    await register();
    await call(testRoute, 'POST', { apiKey, body: { webhook_id: webhookId, event_type: 'project.launched' } });
    const [event] = await rowsOf(desk.stage.ctx.db, 'events', { isTest: true });
    expect(await rowsOf(desk.stage.ctx.db, 'deliveries')).toMatchObject([{ eventId: event?.id, webhookId }]);
  });
});
