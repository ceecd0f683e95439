import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { isPermittedAddress, targetUrlFault } from '#lib/webhooks/delivery/target-policy.ts';
import { testEnv } from '#tests/support/env.ts';
import { PRIVATE_ADDRESSES, PRIVATE_HOSTS } from './private-targets.ts';

beforeEach(() => applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '0' })));
afterEach(() => applyEnv(testEnv()));

const REFUSED = [
  'http://receiver.example.com/hook',
  'ftp://receiver.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ws://receiver.example.com/',
  'wss://receiver.example.com/',
  'data:application/json,{}',
  'blob:https://receiver.example.com/x',
  'gopher://receiver.example.com/',
  'https:receiver.example.com/',
  'https:///receiver.example.com/',
  '//receiver.example.com/',
  '\u0001https://receiver.example.com/',
  'https://receiver.example.com/\u0000',
  'https://rec\teiver.example.com/',
  'https://rec\neiver.example.com/',
  'receiver.example.com/hook',
  'https://',
  ' https://receiver.example.com/',
  'https://receiver.example.com/a b',
  'https:\\\\receiver.example.com\\',
  'https://user@receiver.example.com/',
  'https://@127.0.0.1/',
  'https://receiver.example.com@127.0.0.1/',
  'https://receiver.example.com:443@127.0.0.1/',
  'https://127.0.0.1%2f@receiver.example.com/',
  'https://user:secret@receiver.example.com/',
  'https://receiver.example.com:0/',
  'https://receiver.example.com:-1/',
  'https://receiver.example.com:1/',
  'https://receiver.example.com:444/',
  'https://receiver.example.com:65535/',
  'https://receiver.example.com:65536/',
  'https://receiver.example.com:80/',
  'https://receiver.example.com:22/',
  'https://receiver.example.com:8080/',
  'https://receiver.example.com/#part',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://intranet/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127。0。0。1/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://100.64.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  // Not given out by IANA, so nobody public can be there: only 2000::/3 is.
  'https://[::7f00:1]/',
  'https://[200::1]/',
  'https://[4000::1]/',
  'https://[5f00::1]/',
  'https://[8000::1]/',
];

describe('the target policy', () => {
  test.each(REFUSED)('refuses %s', (url) => {
    expect(targetUrlFault(url)).not.toBeNull();
  });

  test.each(PRIVATE_HOSTS)('refuses the host %s on every port', (host) => {
    for (const port of ['', ':443', ':8443']) expect(targetUrlFault(`https://${host}${port}/hook`)).not.toBeNull();
  });

  test.each(PRIVATE_ADDRESSES)('dials no %s', (address) => {
    expect(isPermittedAddress(address)).toBe(false);
    expect(targetUrlFault(`https://${address.includes(':') ? `[${address}]` : address}/`)).not.toBeNull();
  });

  test('dials public addresses, also those at the edge of a private range', () => {
    for (const address of [
      ...['8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255', '128.0.0.1'],
      ...['169.253.255.255', '169.255.0.1', '172.15.255.255', '172.32.0.1', '192.167.255.255', '192.169.0.1'],
      ...['198.17.255.255', '198.20.0.1', '223.255.255.255', '168.63.129.17'],
      ...['2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'],
    ]) {
      expect({ address, permitted: isPermittedAddress(address) }).toEqual({ address, permitted: true });
    }
  });

  test.each([
    'https://receiver.example.com/hook?token=1',
    'https://receiver.example.com:443/',
    'https://receiver.example.com:8443/a/b',
    'https://93.184.215.14/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
    'https://BÜCHER.example/',
    'HTTPS://Receiver.Example.COM/',
    'https://receiver.example.com./',
    'https://receiver.example.com:0443/',
    'https://xn--bcher-kva.example/',
    'https://a_b.example.com/',
    'https://127.0.0.1.example.com/',
    'https://localhost.example.com/',
  ])('takes %s', (url) => {
    expect(targetUrlFault(url)).toBeNull();
  });

  test('never quotes a password in its fault', () => {
    expect(targetUrlFault('https://user:hunter2@receiver.example.com/')).not.toContain('hunter2');
  });

  test('takes no text for an address that is none', () => {
    for (const text of ['', 'receiver.example.com', '1.2.3.4.5', '::g']) expect(isPermittedAddress(text)).toBe(false);
  });

  test('lets 127.0.0.0/8 and localhost in on any port with WEBHOOK_ALLOW_LOOPBACK, and nothing else', () => {
    applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '1' }));
    for (const url of [
      ...['http://127.0.0.1:4000/hook', 'https://127.9.9.9:1/', 'http://127.0.0.1/'],
      ...['http://localhost:4000/hook', 'https://localhost:1/', 'http://LOCALHOST/'],
    ]) {
      expect({ url, fault: targetUrlFault(url) }).toEqual({ url, fault: null });
    }
    for (const url of [
      ...['http://10.0.0.1/', 'http://[::1]/', 'ftp://127.0.0.1/', 'ftp://localhost/', 'http://a.com/'],
      ...['http://a.localhost/', 'http://localhost.example.com/', 'http://localhost@a.com/', 'http://localhost./'],
    ]) {
      expect({ url, fault: targetUrlFault(url) }).not.toEqual({ url, fault: null });
    }
  });

  test('says which http addresses the sandbox takes, and elsewhere names https alone', () => {
    expect(targetUrlFault('http://receiver.example.com/')).toBe('must start with https://');
    expect(targetUrlFault('http://localhost:4000/')).toBe('must start with https://');
    applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '1' }));
    expect(targetUrlFault('http://receiver.example.com/')).toBe(
      'must start with https://, or with http:// and the host 127.0.0.1 or localhost',
    );
  });
});
