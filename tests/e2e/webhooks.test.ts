import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  all,
  commitWebhookSecretRotation,
  connect,
  createApiKey,
  deleteWebhook,
  getDelivery,
  getProject,
  getWebhook,
  listDeliveries,
  listEvents,
  listEventTypes,
  listProjects,
  listWebhooks,
  type ProblemError,
  registerWebhook,
  revokeApiKey,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
  verifyWebhook,
} from '@tranche/client/index.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, expectTypeOf, inject, it } from 'vitest';
import { Wallet } from 'xrpl';

// What a developer has: the client, which is made from nothing but the OpenAPI document.
const { manifest } = inject('sandbox');
const everyone = connect({ baseUrl: manifest.base_url });

interface Delivered {
  headers: Record<string, string>;
  body: string;
}

const received: Delivered[] = [];
let receiver: Server;
let url: string;
beforeAll(async () => {
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

it('a developer with the client registers a webhook, tries it, reads its log, changes its secret and leaves', async () => {
  const wallet_address = Wallet.generate().classicAddress;
  const key = await createApiKey({ body: { wallet_address, name: 'e2e' } }, everyone);
  const tranche = connect({ baseUrl: manifest.base_url, apiKey: key.api_key });

  const { id, secret } = await registerWebhook({ body: { url, events: ['investment.confirmed'] } }, tranche);
  const sent = await sendTestEvent({ body: { webhook_id: id, event_type: 'investment.confirmed' } }, tranche);
  expect(sent).toMatchObject({ status: 'success', response_code: 200 });
  const [{ body, headers } = { body: '', headers: {} }] = received;
  for (const signature of ['standard', 'platform'] as const) {
    const event = await verifyWebhook(body, headers, secret, { signature });
    expect(event).toMatchObject({ event_type: 'investment.confirmed', test: true });
    if (event.event_type !== 'investment.confirmed') throw new Error('another event than the test sent');
    expectTypeOf(event.data.confirmed_amount_xrp).toEqualTypeOf<string>();
    expect(Number(event.data.confirmed_amount_xrp)).toBeGreaterThan(0);
    await expect(verifyWebhook(body.replace('}', ' }'), headers, secret, { signature })).rejects.toThrow(
      'No signature',
    );
  }
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ test: true });

  const deliveries = await Array.fromAsync(
    all(listDeliveries, { webhook_id: id, status: 'success', limit: 10 }, tranche),
  );
  expect(deliveries.map((delivery) => delivery.id)).toEqual([sent.id]);
  const detail = await getDelivery({ webhook_id: id, delivery_id: sent.id }, tranche);
  expect(detail.attempt_log.map(({ response_code }) => response_code)).toEqual([200]);

  // A list without an end is read up to where it is now; a test event is not in it.
  const events = await Array.fromAsync(all(listEvents, { types: 'investment.confirmed', limit: 1 }, tranche));
  expect(events.map(({ event_id }) => event_id)).not.toContain(sent.event_id);

  const rotated = await rotateWebhookSecret({ webhook_id: id }, tranche);
  expect(rotated.secret).not.toBe(secret);
  const committed = await commitWebhookSecretRotation({ webhook_id: id }, tranche);
  expect(committed.secret_rotation).toBeNull();

  const paused = await updateWebhook({ id, body: { active: false } }, tranche);
  expect(paused.active).toBe(false);
  await deleteWebhook({ id }, tranche);
  await expect(getWebhook({ id }, tranche)).rejects.toMatchObject({ status: 404, code: 'webhook_not_found' });

  await revokeApiKey({ body: { api_key: key.api_key } }, tranche);
  await expect(listWebhooks({}, tranche)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
});

it('what everyone may read comes through the same client, typed, and a refusal names what is wrong', async () => {
  const projects = await Array.fromAsync(all(listProjects, { limit: 1 }, everyone));
  expect(projects.map(({ id }) => id)).toEqual([...new Set(projects.map(({ id }) => id))]);
  const { event_types } = await listEventTypes({}, everyone);
  expect(event_types.map(({ type }) => type)).toContain('investment.created');
  await expect(getProject({ id: 'proj_0000000000000000000000' }, everyone)).rejects.toMatchObject({
    status: 404,
    code: 'project_not_found',
  });
  const refused = await listProjects({ limit: 0 }, everyone).catch((error: ProblemError) => error);
  expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ field: 'limit' }] });
});
