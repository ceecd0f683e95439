import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientIp } from '#lib/api/client-ip.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

const TRUE = '198.51.100.7';
const FORGED = '203.0.113.66';

let server: Server;
beforeAll(async () => {
  // Node's own reading of header lines, handed on as the framework does.
  server = createServer((request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, one);
    }
    response.end(clientIp(headers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** What the server takes for the caller when these bytes arrive as header lines. */
async function callerOf(...lines: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.startsWith('HTTP/1.1 200') ? (text.split('\r\n\r\n')[1] ?? '') : text.slice(9, 12);
}

const behind = (proxies: string) => applyEnv(testEnv({ TRUSTED_PROXIES: proxies }));
const of = (forwardedFor: string) => clientIp(new Headers({ 'x-forwarded-for': forwardedFor }));

describe('header smuggling of the client IP', () => {
  test('a header that the client sent itself stands left of what the proxy wrote, and decides nothing', async () => {
    behind('1');
    expect(await callerOf(`X-Forwarded-For: ${FORGED}, ${TRUE}`)).toBe(TRUE);
    expect(await callerOf(`X-Forwarded-For: ${FORGED}`, `X-Forwarded-For: ${TRUE}`)).toBe(TRUE);
    expect(await callerOf(`x-forwarded-for: ${FORGED}`, `X-FORWARDED-FOR: ${FORGED}`, `X-Forwarded-For: ${TRUE}`)).toBe(
      TRUE,
    );
    behind('2');
    expect(await callerOf(`X-Forwarded-For: ${FORGED}`, `X-Forwarded-For: ${TRUE}, 10.0.0.1`)).toBe(TRUE);
  });

  test('headers that other platforms trust are nobody’s word here', async () => {
    behind('1');
    const others = ['X-Real-IP', 'X-Vercel-Forwarded-For', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'];
    const forged = others.map((name) => `${name}: ${FORGED}`);
    expect(await callerOf(`X-Forwarded-For: ${TRUE}`, ...forged, `Forwarded: for=${FORGED}`)).toBe(TRUE);
    expect(await callerOf(...forged)).toBe('unknown');
  });

  test('on Vercel only the header that Vercel overwrites counts', () => {
    applyEnv(testEnv({ VERCEL: '1', WEBHOOK_ALLOW_LOOPBACK: '0' }));
    const forged = { 'x-forwarded-for': FORGED, 'x-vercel-forwarded-for': FORGED, forwarded: `for=${FORGED}` };
    expect(clientIp(new Headers({ ...forged, 'x-real-ip': TRUE }))).toBe(TRUE);
    expect(clientIp(new Headers(forged))).toBe('unknown');
  });

  test('any number of commas moves nothing into the trusted place', () => {
    behind('2');
    for (const claim of [',', ',,,,', ` ${','.repeat(8_000)}`, `${FORGED},${','.repeat(500)}`, `"${FORGED},`]) {
      expect(of(`${claim}, ${TRUE}, 10.0.0.1`), claim.slice(0, 20)).toBe(TRUE);
    }
    for (const empty of [`${TRUE}, , 10.0.0.1`, ',,,']) expect(of(empty), empty).toBe('unknown');
  });

  test('one address is one caller in every form that a proxy writes it in', () => {
    behind('1');
    for (const form of [
      TRUE,
      `${TRUE}:1`,
      `${TRUE}:65535`,
      `::ffff:${TRUE}`,
      '::ffff:c633:6407',
      `[::ffff:${TRUE}]:443`,
    ]) {
      expect(of(`${FORGED}, ${form}`), form).toBe(TRUE);
    }
    const net = of('2001:db8:0:1::1');
    for (const form of ['2001:DB8:0:1::2', '[2001:db8:0:1::3]', '[2001:db8:0:1::3]:8080', '2001:0db8:0000:0001:f::']) {
      expect(of(`${FORGED}, ${form}`), form).toBe(net);
    }
  });

  test('garbage is one caller, however it varies', () => {
    behind('1');
    const garbage = [
      '1',
      '16843009',
      '0x7f.1',
      '0177.0.0.1',
      '1.1.1.256',
      '1.1.1',
      '1.1.1.1.1',
      'fe80::1%eth0',
      '::1%a',
      '[::1',
      '::1]:80',
      '1.1.1.1:',
      '1.1.1.1:http',
      '1.1.1.1 2.2.2.2',
      '"1.1.1.1"',
      'for=1.1.1.1',
      'unknown',
      '_hidden',
      'localhost',
      '1.1.1.1\t;x',
    ];
    for (const text of garbage) expect(of(`${FORGED}, ${text}`), text).toBe('unknown');
  });

  test('a line that is folded or cut by a bare line feed does not pass as another header', async () => {
    behind('1');
    expect(await callerOf(`X-Forwarded-For: ${TRUE}\n X-Forwarded-For: ${FORGED}`)).not.toBe(FORGED);
    expect(await callerOf(`X-Forwarded-For : ${FORGED}`, `X-Forwarded-For: ${TRUE}`)).not.toBe(FORGED);
    expect(await callerOf(`X_Forwarded_For: ${FORGED}`, `X-Forwarded-For: ${TRUE}`)).toBe(TRUE);
  });
});
