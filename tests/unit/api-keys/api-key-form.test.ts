import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isApiKeyForm, newApiKey, visiblePrefix } from '#lib/accounts/api-keys/authenticate-api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  test.each(['live', 'test'] as const)('has the form tr_%s_, 32 base62 digits and 6 of checksum', (mode) => {
    const apiKey = newApiKey(mode, randomBytes);
    expect(apiKey).toMatch(new RegExp(`^tr_${mode}_[0-9A-Za-z]{38}$`));
    expect(isApiKeyForm(apiKey)).toBe(true);
  });

  test('ends in the CRC-32 of everything before it', () => {
    const apiKey = newApiKey('live', randomBytes);
    const value = [...apiKey.slice(-6)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(crc32(apiKey.slice(0, -6)));
  });

  test('is told from a mistyped one: no single changed character passes', () => {
    const apiKey = newApiKey('test', randomBytes);
    for (let index = 0; index < apiKey.length; index++) {
      const other = apiKey.charAt(index) === 'a' ? 'b' : 'a';
      expect(isApiKeyForm(apiKey.slice(0, index) + other + apiKey.slice(index + 1))).toBe(false);
    }
    for (const text of ['', 'tr_live_', `${apiKey} `, `${apiKey}\n`, apiKey.replace('test', 'live')]) {
      expect(isApiKeyForm(text)).toBe(false);
    }
  });

  test('never comes twice, and shows only its first six digits', () => {
    const apiKeys = Array.from({ length: 500 }, () => newApiKey('live', randomBytes));
    expect(new Set(apiKeys).size).toBe(500);
    expect(visiblePrefix(apiKeys[0] ?? '')).toMatch(/^tr_live_[0-9A-Za-z]{6}$/);
  });
});
