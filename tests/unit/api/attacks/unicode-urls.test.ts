import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { targetUrlFault } from '#lib/webhooks/delivery/target-policy.ts';
import { testEnv } from '#tests/support/env.ts';
import { PRIVATE_HOSTS } from '#tests/unit/webhooks/private-targets.ts';

beforeAll(() => applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '0' })));
afterAll(() => applyEnv(testEnv()));

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);

describe('Unicode tricks in URLs', () => {
  test.each(PRIVATE_HOSTS.filter((host) => !isPlain(host)))('a private address written as %s is refused', (host) => {
    expect(targetUrlFault(`https://${host}/`)).toEqual(expect.any(String));
  });

  test.each([
    ['a slash of another script', 'https://receiver.example.com\u2044@127.0.0.1/'],
    ['a slash of full width', 'https://receiver.example.com\uff0f@127.0.0.1/'],
    ['an at sign of full width', 'https://receiver.example.com\uff20127.0.0.1/'],
    ['a colon of full width', 'https://127.0.0.1\uff1a443/'],
    ['dots of full width', 'https://localhost\uff0elocaldomain'],
    ['a dotless name that folds to localhost', 'https://\uff4cocalhost/'],
    ['characters of no width', 'https://local\u200bhost/'],
    ['text that is turned around', 'https://\u202e1.0.0.721/'],
  ])('%s hides no host', (_, url) => {
    expect(targetUrlFault(url)).toEqual(expect.any(String));
  });
});
