import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../index.ts';

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = secretOf();
const body = JSON.stringify({ event_type: 'project.cancelled', event_id: 'evt_1', data: { name: 'Köln €' } });
const nowSeconds = () => Math.floor(Date.now() / 1_000);

function headersBy(by: string, timestamp = nowSeconds()): Record<string, string> {
  const key = Buffer.from(by.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1a,AAAA v1,%%% v1,${mac}`,
    'x-platform-signature': createHmac('sha256', by).update(body).digest('hex'),
  };
}

describe.each(['standard', 'platform'] as const)('a webhook with the %s signature', (signature) => {
  it('is taken from text, bytes, a Headers object and headers of any case', async () => {
    const headers = headersBy(secret);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [headers, upper, new Headers(headers)]) {
      for (const raw of [body, new TextEncoder().encode(body)]) {
        expect(await verifyWebhook(raw, given, secret, { signature })).toEqual(JSON.parse(body));
      }
    }
  });

  it('is taken while one of several secrets matches, and by no other secret', async () => {
    expect(await verifyWebhook(body, headersBy(secret), [secretOf(), secret], { signature })).toEqual(JSON.parse(body));
    const other = verifyWebhook(body, headersBy(secret), [secretOf(), secretOf()], { signature });
    await expect(other).rejects.toThrow(WebhookVerificationError);
  });

  it('is refused with a changed body, without its headers, with damaged ones, and without any secret', async () => {
    const headers = headersBy(secret);
    await expect(verifyWebhook(`${body} `, headers, secret, { signature })).rejects.toThrow(WebhookVerificationError);
    await expect(verifyWebhook(body, {}, secret, { signature })).rejects.toThrow(WebhookVerificationError);
    for (const damaged of ['', 'zz', 'ab', `${headers['x-platform-signature']}0`.slice(1), '\u0000']) {
      const given = { ...headers, 'x-platform-signature': damaged, 'webhook-signature': `v1,${damaged}` };
      await expect(verifyWebhook(body, given, secret, { signature })).rejects.toThrow(WebhookVerificationError);
    }
    await expect(verifyWebhook(body, headers, [], { signature })).rejects.toThrow(WebhookVerificationError);
    for (const none of ['', signature === 'standard' ? 'whsec_' : '']) {
      await expect(verifyWebhook(body, headers, none, { signature })).rejects.toThrow('empty or damaged');
    }
  });
});

it('a recorded request is refused after five minutes, and one from the future', async () => {
  for (const offset of [-301, 301]) {
    const headers = headersBy(secret, nowSeconds() + offset);
    await expect(verifyWebhook(body, headers, secret)).rejects.toThrow('too far from the time');
  }
  const headers = headersBy(secret, nowSeconds() - 299);
  expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
});
