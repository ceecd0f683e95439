import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { MAX_BODY_BYTES } from '#lib/api/parse-request.ts';
import { type Handlers, operation, resource } from '#lib/api/route.ts';
import type { Contract } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { newWebhook, openStage, type Stage } from '#tests/integration/webhooks/stage.ts';
import { TEST_ADMIN_TOKEN, testEnv } from '#tests/support/env.ts';
import { fillPath } from '#tests/support/http.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { addDepositAccount, addProject, DEPOSIT } from '#tests/support/sale.ts';

/** Longer than any parse of a body of 64 KiB may take, on a machine that has much else to do. */
const SOON_MS = 2_000;

const withBody = CONTRACTS.filter(
  (one) => one.body !== undefined && !one.access.some(({ kind }) => kind === 'queue'),
).map((one) => [`${one.method} ${one.path}`, one] as const);

const SAMPLE = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

let stage: Stage;
let redis: RunningRedisRest;
let apiKey: string;
let memberToken: string;
let ownProjectId: string;
let webhookId: string;
let received: unknown[];
beforeAll(async () => {
  // Key creation and chat stop while Redis is away.
  redis = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  stage = await openStage({ RATE_LIMIT_SCALE: '1000', KV_REST_API_URL: redis.url });
  const { developer, webhook } = await newWebhook(stage.ctx, 'http://127.0.0.1:9/hook');
  apiKey = developer.apiKey;
  webhookId = webhook.id;
  memberToken = await openMemberSession();
  const [{ id: tenantId } = { id: null }] = await rowsOf(stage.database.db, 'tenants');
  await addDepositAccount(stage.database.db, DEPOSIT);
  ownProjectId = await addProject(stage.database.db, { tenantId });
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await stage.close();
  await redis.close();
});

const fieldsOf = ({ body }: Contract): string[] => (body instanceof z.ZodObject ? Object.keys(body.shape) : []);

/** A session of an owner, in the tenant of the key. */
async function openMemberSession(): Promise<string> {
  const { db } = stage.database;
  const [tenant] = await rowsOf(db, 'tenants');
  const member = {
    id: newId('mem', randomBytes),
    tenantId: tenant?.id ?? '',
    walletAddress: SAMPLE,
    role: 'owner' as const,
  };
  await addRows(db, 'members', member);
  const token = `tr_member_${'0'.repeat(43)}`;
  const session = { id: newId('ses', randomBytes), memberId: member.id, tokenHash: sha256Hex(token) };
  await addRows(db, 'memberSessions', { ...session, expiresAt: new Date(Date.now() + 3_600_000) });
  return token;
}

const tokenFor = ({ access: [first] }: Contract): string | null => {
  if (first.kind === 'public') return null;
  if (first.kind === 'member') return memberToken;
  return first.kind === 'api_key' ? apiKey : TEST_ADMIN_TOKEN;
};

async function send(route: Handlers, contract: Contract, text: string, query = ''): Promise<Response> {
  const token = tokenFor(contract);
  const path = fillPath(contract.path, contract.path.startsWith('/api/owner/projects/') ? { id: ownProjectId } : {});
  const values = path.split('/');
  const params = Object.fromEntries(
    contract.path.split('/').flatMap((step, index) => {
      const name = /^\{(\w+)\}$/.exec(step)?.[1];
      return name === undefined ? [] : [[name, values[index] ?? '']];
    }),
  );
  const headers = {
    'content-type': 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const request = new Request(`http://127.0.0.1:3000${path}${query}`, { method: contract.method, headers, body: text });
  return route[contract.method](request, { params: Promise.resolve(params) });
}

/** The whole way of a request to its verb, which takes down what arrives and does nothing. */
const upToVerb = (contract: Contract): Handlers =>
  resource(
    // What counting requests in Redis costs belongs to no attack of these.
    operation({ ...contract, rateLimit: 'internal' }, async (_, input) => {
      received.push(input);
      throw new PlatformError('conflict', 'It arrived.');
    }),
  );

/** Own names of an object and of everything in it. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...namesIn(part)]);
}

const POISON = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"prototype":{"polluted":1}}',
];

describe('prototype pollution', () => {
  test.each(withBody)('by %s reaches no prototype, and no verb', async (_, contract) => {
    const route = upToVerb(contract);
    const fields = fieldsOf(contract);
    const inFields = POISON.map((poison) => `{${fields.map((field) => `"${field}":${poison}`).join(',')}}`);
    const asFields = `{"__proto__":{${fields.map((field) => `"${field}":"${SAMPLE}"`).join(',')}}}`;
    for (const text of [...POISON, ...inFields, asFields]) {
      const { status } = await send(route, contract, text);
      expect(status, text).toBeLessThan(500);
    }
    for (const query of ['?__proto__=1', '?__proto__[polluted]=1', '?constructor.prototype.polluted=1']) {
      expect((await send(route, contract, '{}', query)).status, query).toBe(400);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('polluted' in {}).toBe(false);
    expect(received.flatMap(namesIn).filter((name) => name === '__proto__')).toEqual([]);
  });
});

const nested = (open: string, close: string, bytes: number): string => {
  const depth = Math.floor(bytes / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
};
const ROOM = MAX_BODY_BYTES - 1_000;
const BOMBS = [nested('[', ']', ROOM), `${nested('{"a":', '}', ROOM - 8).replace('}', '1}')}`];

async function expectQuick(route: Handlers, contract: Contract, text: string): Promise<void> {
  const startedAt = performance.now();
  const response = await send(route, contract, text);
  expect(response.status, text.slice(0, 60)).toBeLessThan(500);
  expect(performance.now() - startedAt, text.slice(0, 60)).toBeLessThan(SOON_MS);
}

describe('a JSON depth bomb', () => {
  test.each(withBody)('in %s is refused like any other bad input', async (_, contract) => {
    const route = upToVerb(contract);
    for (const bomb of BOMBS) await expectQuick(route, contract, bomb);
    for (const [index, field] of [...fieldsOf(contract), 'unknown_field'].entries()) {
      await expectQuick(route, contract, `{"${field}":${BOMBS[index % BOMBS.length]}}`);
    }
    await expectQuick(route, contract, '['.repeat(ROOM));
  });

  test('that also holds U+0000 is refused, whatever its depth', async () => {
    for (const [, contract] of withBody.slice(0, 1)) {
      const bomb = nested('[', ']', ROOM);
      await expectQuick(upToVerb(contract), contract, `{"a":${bomb},"b":"\\u0000"}`);
    }
  });

  test('in the one field that takes anything, of a test event, does not reach the receiver', async () => {
    const route = await import('../../../../app/api/webhooks/test/route.ts');
    const contract = CONTRACTS.find(({ id }) => id === 'sendTestEvent');
    if (contract === undefined) throw new Error('No such operation');
    const index = `"webhook_id":"${webhookId}","event_type":"investment.created"`;
    for (const bomb of BOMBS) {
      await expectQuick(route, contract, `{${index},"test_data":{"deep":${bomb}}}`);
      await expectQuick(route, contract, `{${index},"test_data":${bomb}}`);
    }
  });
});
