import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { webhooks } from '#drizzle/schema/events.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as commitRoute from '../../../app/api/webhooks/[id]/rotate-secret/commit/route.ts';
import * as rotateRoute from '../../../app/api/webhooks/[id]/rotate-secret/route.ts';
import * as webhookRoute from '../../../app/api/webhooks/[id]/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import * as testRoute from '../../../app/api/webhooks/test/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { type Received, status } from './receiver.ts';
import { asDeveloper, reportInvestments } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let apiKey: string;
let id: string;
let oldSecret: string;

beforeEach(async () => {
  apiKey = (await asDeveloper(desk.stage.ctx)).apiKey;
  ({ id, secret: oldSecret } = await register(apiKey));
});

async function register(key: string): Promise<{ id: string; secret: string }> {
  const { body } = await call(webhooksRoute, 'POST', { apiKey: key, body: { url: desk.receiver.url } });
  return { id: String(body.id), secret: String(body.secret) };
}

const rotate = (key = apiKey) => call(rotateRoute, 'POST', { apiKey: key, params: { id } });
const cancel = (key = apiKey) => call(rotateRoute, 'DELETE', { apiKey: key, params: { id } });
const commit = (key = apiKey) => call(commitRoute, 'POST', { apiKey: key, params: { id } });
const shown = async () => (await call(webhookRoute, 'GET', { apiKey, params: { id } })).body;
const newSecretOf = ({ body }: { body: Record<string, unknown> }) => String(body.secret);

/** Sends one event for real; gives what arrived. */
async function deliver(): Promise<Received> {
  const before = desk.receiver.received.length;
  await reportInvestments(desk.stage.ctx.db);
  await dispatchFirstAttempts(desk.stage.ctx, desk.stage.ctx.clock.nowMs() + 5_000);
  expect(desk.receiver.received).toHaveLength(before + 1);
  return desk.receiver.received[before]!;
}

/**
 * Which of the secrets each header was made with, judged by the standardwebhooks package and by the documented rule.
 */
function signers({ body, headers }: Received, secrets: Record<string, string>) {
  const verifies = (secret: string) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };
  const names = Object.keys(secrets);
  return {
    standard: names.filter((name) => verifies(secrets[name]!)),
    platform: names.filter(
      (name) => createHmac('sha256', secrets[name]!).update(body).digest('hex') === headers['x-platform-signature'],
    ),
  };
}

/** As if the rotation had begun so long ago. */
const age = (hours: number) =>
  changeRows(
    desk.stage.ctx.db,
    'webhooks',
    {},
    { rotatedAt: sql`rotated_at - make_interval(hours => ${hours}::integer)` },
  );

describe('a rotation', () => {
  test('shows the new secret this once, seals it, and says until when it lasts', async () => {
    const answer = await rotate();
    expect(answer.status).toBe(200);
    const secret = newSecretOf(answer);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(oldSecret);
    const rotation = answer.body.secret_rotation as { started_at: string; ends_at: string };
    expect(Date.parse(rotation.ends_at) - Date.parse(rotation.started_at)).toBe(24 * 3_600_000);
    expect(await shown()).toMatchObject({ id, secret_rotation: rotation });
    expect(await shown()).not.toHaveProperty('secret');
    const [row] = await rowsOf(desk.stage.ctx.db, 'webhooks');
    expect(row?.nextSealedSecret).toMatch(/^k1\./);
    expect(JSON.stringify(row)).not.toContain(secret.slice(6, 30));
  });

  test('breaks no receiver: both keys sign the standard way, the platform’s own signature stays with the old one', async () => {
    expect(signers(await deliver(), { old: oldSecret })).toEqual({ standard: ['old'], platform: ['old'] });
    const secrets = { old: oldSecret, new: newSecretOf(await rotate()) };
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['old', 'new'], platform: ['old'] });
    expect((await commit()).body).toMatchObject({ id, secret_rotation: null });
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['new'], platform: ['new'] });
  });

  test('reaches retries and test events too', async () => {
    desk.receiver.answerWith(status(500));
    await deliver();
    desk.receiver.answerWith(status(200));
    const secrets = { old: oldSecret, new: newSecretOf(await rotate()) };
    await desk.stage.advance(5);
    await call(testRoute, 'POST', { apiKey, body: { webhook_id: id, event_type: 'investment.created' } });
    const [, retried, tested] = desk.receiver.received;
    expect(signers(retried!, secrets)).toEqual({ standard: ['old', 'new'], platform: ['old'] });
    expect(signers(tested!, secrets)).toEqual({ standard: ['old', 'new'], platform: ['old'] });
  });

  test('that is cancelled leaves the old secret alone', async () => {
    const secrets = { old: oldSecret, new: newSecretOf(await rotate()) };
    expect((await cancel()).body).toMatchObject({ id, secret_rotation: null });
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['old'], platform: ['old'] });
  });

  test('commits itself after 24 hours, before any job has run, and the sweeper writes it down', async () => {
    const secrets = { old: oldSecret, new: newSecretOf(await rotate()) };
    await age(23);
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['old', 'new'], platform: ['old'] });
    await age(1);
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['new'], platform: ['new'] });
    expect((await shown()).secret_rotation).toBeNull();
    const written = desk.stage.ctx.db
      .select({ next: webhooks.nextSealedSecret, at: webhooks.rotatedAt })
      .from(webhooks);
    expect((await written)[0]?.next).toMatch(/^k1\./);
    await sweepDeliveries(desk.stage.ctx);
    expect(await written).toEqual([{ next: null, at: null }]);
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['new'], platform: ['new'] });
  });

  test('whose time is over is out of the way of the next one, and of no use to commit or cancel', async () => {
    const second = newSecretOf(await rotate());
    await age(24);
    expect(await commit()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const secrets = { old: oldSecret, second, third: newSecretOf(await rotate()) };
    expect(signers(await deliver(), secrets)).toEqual({ standard: ['second', 'third'], platform: ['second'] });
  });

  test('under way refuses another and says what to do; without one there is nothing to commit or cancel', async () => {
    for (const answer of [await commit(), await cancel()]) {
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'conflict', detail: expect.stringContaining('No rotation') },
      });
    }
    const first = newSecretOf(await rotate());
    expect(await rotate()).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringMatching(/ends at \d{4}-.*rotate-secret\/commit.*DELETE/) },
    });
    expect(signers(await deliver(), { old: oldSecret, first }).standard).toEqual(['old', 'first']);
  });

  test('is not undone by a cancellation that waited for a lock over the 24th hour', async () => {
    const rotated = newSecretOf(await rotate());
    const { cancelled } = await desk.stage.ctx.db.transaction(async (tx) => {
      await tx.execute(sql`select from tenants for no key update`);
      const cancelled = cancel();
      await expect
        .poll(async () => {
          const { rows } = await desk.stage.ctx.db.execute(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        })
        .toBe(1);
      await desk.stage.ctx.db.execute(sql`update webhooks set rotated_at = clock_timestamp() - interval '24 hours'`);
      return { cancelled };
    });
    expect(await cancelled).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(signers(await deliver(), { old: oldSecret, new: rotated })).toEqual({
      standard: ['new'],
      platform: ['new'],
    });
  });

  test('asked for, committed and cancelled many times at once ends in a secret that somebody was shown', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([rotate(), commit(), rotate(), cancel(), commit(), rotate()]);
      for (const { status: code } of answers) expect([200, 409]).toContain(code);
      const begun = [answers[0]!, answers[2]!, answers[5]!].filter(({ status: code }) => code === 200).map(newSecretOf);
      const ended = [answers[1]!, answers[3]!, answers[4]!].filter(({ status: code }) => code === 200).length;
      const underWay = (await shown()).secret_rotation === null ? 0 : 1;
      expect(begun.length).toBe(ended + underWay);
      if (underWay === 1) expect((await commit()).status).toBe(200);
      const known = Object.fromEntries([oldSecret, ...begun].map((secret) => [secret, secret]));
      const { standard, platform } = signers(await deliver(), known);
      expect(standard).toHaveLength(1);
      expect(platform).toEqual(standard);
      oldSecret = standard[0]!;
    }
  });
});

describe('who may rotate', () => {
  test('nobody another’s, and nothing that is deleted', async () => {
    const stranger = (await asDeveloper(desk.stage.ctx)).apiKey;
    const refused = { status: 404, body: { code: 'webhook_not_found' } };
    expect(await rotate(stranger)).toMatchObject(refused);
    await rotate();
    expect(await commit(stranger)).toMatchObject(refused);
    expect(await cancel(stranger)).toMatchObject(refused);
    expect((await shown()).secret_rotation).not.toBeNull();
    await call(webhookRoute, 'DELETE', { apiKey, params: { id } });
    for (const answer of [await rotate(), await commit(), await cancel()]) expect(answer).toMatchObject(refused);
  });

  test('an operator the administrators’, audited without the secret; a reader not', async () => {
    ({ id } = await register(TEST_ADMIN_TOKEN));
    for (const refused of [await rotate(TEST_READ_ONLY_TOKEN), await commit(TEST_READ_ONLY_TOKEN)]) {
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    const secrets = [newSecretOf(await rotate(TEST_ADMIN_TOKEN))];
    await cancel(TEST_ADMIN_TOKEN);
    secrets.push(newSecretOf(await rotate(TEST_ADMIN_TOKEN)));
    await commit(TEST_ADMIN_TOKEN);
    const entries = await rowsOf(desk.stage.ctx.db, 'auditEntries', { subject: id });
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'webhook.cancel_rotation',
      'webhook.commit_secret',
      'webhook.register',
      'webhook.rotate_secret',
      'webhook.rotate_secret',
    ]);
    for (const secret of secrets) expect(JSON.stringify(entries)).not.toContain(secret.slice(6));
  });
});
