import { afterEach, describe, expect, test } from 'vitest';
import { clientIp } from '#lib/api/client-ip.ts';
import { applyEnv } from '#lib/base/env.ts';
import { callerNetworks } from '#lib/base/rate-limiter.ts';
import { testEnv } from '#tests/support/env.ts';

afterEach(() => applyEnv(testEnv()));

const behind = (
  proxies: string | undefined,
  forwardedFor: string | null,
  more: Record<string, string | undefined> = {},
) => {
  applyEnv(testEnv({ TRUSTED_PROXIES: proxies, ...more }));
  return clientIp(new Headers(forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor }));
};

describe("a caller's address", () => {
  test('is what the one trusted proxy wrote, whatever the client claims left of it', () => {
    expect(behind(undefined, '1.1.1.1')).toBe('1.1.1.1');
    expect(behind(undefined, '9.9.9.9, 8.8.8.8, 1.1.1.1')).toBe('1.1.1.1');
  });

  test('stands as many places from the right as there are trusted proxies', () => {
    expect(behind('2', '9.9.9.9, 1.1.1.1, 10.0.0.1')).toBe('1.1.1.1');
    expect(behind('3', '9.9.9.9,1.1.1.1,10.0.0.1,10.0.0.2')).toBe('1.1.1.1');
  });

  test('is unknown when the request did not come through all of them', () => {
    expect(behind('2', '9.9.9.9')).toBe('unknown');
  });

  test('is the one that Next.js filled in from the socket where there is no proxy', () => {
    expect(behind('0', '1.1.1.1')).toBe('1.1.1.1');
    expect(behind('0', '9.9.9.9, 1.1.1.1')).toBe('1.1.1.1');
  });

  test('is unknown when the header is missing or holds no address', () => {
    for (const header of [null, '', 'somebody', '1.1.1.1, ', '1.1.1.1:port'])
      expect(behind('1', header)).toBe('unknown');
  });

  test("is Vercel's own header on Vercel", () => {
    applyEnv(testEnv({ VERCEL: '1', WEBHOOK_ALLOW_LOOPBACK: '0', TRUSTED_PROXIES: '2' }));
    expect(clientIp(new Headers({ 'x-forwarded-for': '9.9.9.9, 8.8.8.8', 'x-real-ip': '1.1.1.1' }))).toBe('1.1.1.1');
  });

  test('counts by its /56 when it is IPv6, and as IPv4 when that is mapped', () => {
    expect(behind('1', '2001:db8:1:2:3::4')).toBe(behind('1', '2001:db8:1:2:ffff::1'));
    expect(behind('1', '2001:db8:1:2::1')).toBe(behind('1', '2001:db8:1:ff::1'));
    expect(behind('1', '2001:db8:1:2::1')).not.toBe(behind('1', '2001:db8:1:100::1'));
    expect(behind('1', '::ffff:1.1.1.1')).toBe('1.1.1.1');
  });

  test('counts in its /48 besides, which all of its /56 share', () => {
    const networks = (address: string) => callerNetworks(behind('1', address));
    expect(networks('2001:db8:1:200::1')).toEqual([
      { name: '32.1.13.184.0.1.2/56', share: 1 },
      { name: '32.1.13.184.0.1/48', share: 4 },
    ]);
    expect(networks('2001:db8:1:900::1')[1]).toEqual(networks('2001:db8:1:200::1')[1]);
    expect(networks('2001:db8:2:200::1')[1]).not.toEqual(networks('2001:db8:1:200::1')[1]);
    expect(networks('1.1.1.1')).toEqual([{ name: '1.1.1.1', share: 1 }]);
    expect(networks('nobody')).toEqual([{ name: 'unknown', share: 1 }]);
  });
});
