import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Wallet } from 'xrpl';
import * as api from '#tests/support/client/generated.ts';

// What a developer has who knows the OpenAPI document only: a client generated from it.
const { manifest } = inject('sandbox');

interface Delivered {
  headers: Record<string, string>;
  body: string;
}

const received: Delivered[] = [];
let receiver: Server;
let url: string;
beforeAll(async () => {
  api.defaults.baseUrl = manifest.base_url;
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.end('thank you');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});

afterAll(() => receiver.close());

type Body<Answer, Status> = Extract<Answer, { status: Status; data: unknown }>;

/** The body of a success answer; any other status fails with what was answered. */
function successOf<Answer extends { status: number }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Body<Answer, Status>['data'] {
  expect(answer).toMatchObject({ status });
  return (answer as Body<Answer, Status>).data;
}

it('a developer with the generated client registers a webhook, tries it, reads its log, changes its secret and leaves', async () => {
  const wallet_address = Wallet.generate().classicAddress;
  const key = successOf(await api.createApiKey({ wallet_address, name: 'e2e' }), 201);
  const as = { headers: { authorization: `Bearer ${key.api_key}` } };

  const webhook = successOf(await api.registerWebhook({ url, events: ['investment.confirmed'] }, {}, as), 201);
  const verifier = new Webhook(webhook.secret);

  const sent = successOf(
    await api.sendTestEvent({ webhook_id: webhook.id, event_type: 'investment.confirmed' }, {}, as),
    200,
  );
  expect(sent).toMatchObject({ status: 'success', response_code: 200 });
  const [delivered] = received;
  expect(verifier.verify(delivered?.body ?? '', delivered?.headers ?? {})).toMatchObject({ test: true });

  const log = successOf(await api.listDeliveries(webhook.id, { status: 'success', limit: 10 }, as), 200);
  expect(log.deliveries.map(({ id }) => id)).toEqual([sent.id]);
  const detail = successOf(await api.getDelivery(webhook.id, sent.id, as), 200);
  expect(detail.attempt_log.map(({ response_code }) => response_code)).toEqual([200]);

  const rotated = successOf(await api.rotateWebhookSecret(webhook.id, {}, as), 200);
  expect(rotated.secret).not.toBe(webhook.secret);
  const committed = successOf(await api.commitWebhookSecretRotation(webhook.id, {}, as), 200);
  expect(committed.secret_rotation).toBeNull();

  const paused = successOf(await api.updateWebhook(webhook.id, { active: false }, as), 200);
  expect(paused.active).toBe(false);
  successOf(await api.deleteWebhook(webhook.id, as), 200);
  const gone = await api.getWebhook(webhook.id, as);
  expect(gone).toMatchObject({ status: 404, data: { code: 'webhook_not_found' } });

  successOf(await api.revokeApiKey({ api_key: key.api_key }), 200);
  expect(await api.listWebhooks({}, as)).toMatchObject({ status: 401, data: { code: 'unauthorized' } });
});

it('what everyone may read comes through the same client, typed', async () => {
  const { projects, next_cursor } = successOf(await api.listProjects({ limit: 5 }), 200);
  expect(projects.length).toBeLessThanOrEqual(5);
  expect(next_cursor === null || typeof next_cursor === 'string').toBe(true);
  const { event_types } = successOf(await api.listEventTypes(), 200);
  expect(event_types.map(({ type }) => type)).toContain('investment.created');
  expect(await api.getProject('proj_0000000000000000000000')).toMatchObject({
    status: 404,
    data: { code: 'project_not_found' },
  });
});
