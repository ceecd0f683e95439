import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReceivedEvent, type Receiver, startReceiver } from '#sandbox/receiver/index.ts';

const SECRET = 'whsec_c2VjcmV0';
const BODY = JSON.stringify({ event_type: 'investment.created', event_id: 'evt_1', data: { text: 'Zürich' } });
const sign = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver({ secret: SECRET });
});
afterEach(() => receiver.close());

const deliver = (body: string, signature?: string) =>
  fetch(`${receiver.url}/webhook`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...(signature ? { 'X-Platform-Signature': signature } : {}) },
  });
const tell = (path: string, body: unknown, type = 'application/json') =>
  fetch(receiver.url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': type } });
const events = async () => (await (await fetch(`${receiver.url}/events`)).json()) as ReceivedEvent[];

describe('the webhook receiver', () => {
  it('accepts an event whose signature fits the raw body', async () => {
    expect((await deliver(BODY, sign(BODY))).status).toBe(200);
    expect(await events()).toMatchObject([{ verified: true, status: 200, event: JSON.parse(BODY) }]);
  });

  it.each([
    ['none', undefined],
    ['one of another body', sign(`${BODY} `)],
    ['one by another secret', sign(BODY, 'whsec_other')],
    ['one in capitals', sign(BODY).toUpperCase()],
    ['half of one', sign(BODY).slice(0, 32)],
  ])('answers 401 to a signature that is %s', async (_name, signature) => {
    expect((await deliver(BODY, signature)).status).toBe(401);
    expect(await events()).toMatchObject([{ verified: false, status: 401 }]);
  });

  it('learns further secrets, from JSON only', async () => {
    const signature = sign(BODY, 'whsec_second');
    expect((await tell('/secret', { secret: 'whsec_second' }, 'text/plain')).status).toBe(415);
    expect((await tell('/secret', { secrets: 'whsec_second' })).status).toBe(400);
    expect((await deliver(BODY, signature)).status).toBe(401);
    expect((await tell('/secret', { secret: 'whsec_second' })).status).toBe(200);
    expect((await deliver(BODY, signature)).status).toBe(200);
    expect((await deliver(BODY, sign(BODY))).status).toBe(200);
  });

  it('fails on demand, as often as it is told', async () => {
    await tell('/behaviour', { status: 503, times: 2, headers: { 'Retry-After': '7' } });
    const answers = [];
    for (let index = 0; index < 3; index++) answers.push(await deliver(BODY, sign(BODY)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.headers.get('Retry-After')).toBe('7');
    expect((await deliver(BODY)).status).toBe(401);
  });

  it('keeps the last 1,000 events, newest first', async () => {
    for (let index = 0; index < 1_002; index++) {
      const body = `{"n":${index}}`;
      await (await deliver(body, sign(body))).text();
    }
    const kept = await events();
    expect(kept).toHaveLength(1_000);
    expect(kept[0]?.event).toEqual({ n: 1_001 });
    expect((await fetch(`${receiver.url}/health`)).status).toBe(200);
  });
});
