import { expect, test, vi } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { logger, redactText } from '#lib/base/log.ts';
import { testEnv } from '#tests/support/env.ts';

// Well-known or made up; nobody's.
const SECRETS = {
  'a secp256k1 seed': 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
  'an ed25519 seed': 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2',
  'an API key': `tr_live_${'A1b2C3d4'.repeat(4)}abcdef`,
  'a webhook secret': `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

test.each(Object.entries(SECRETS))('%s is taken out of any text', (_, secret) => {
  for (const text of [secret, `value=${secret}`, `"${secret}"`, `at ${secret}, then`, `seed_${secret}`]) {
    expect(redactText(text)).not.toContain(secret);
  }
});

test.each(Object.entries(SECRETS))(
  '%s is taken out of a line of JSON, also behind an escaped character',
  (_, secret) => {
    for (const before of ['\n', '\t', '\r', '\b', '\f', '\u0001', '"', '\\']) {
      expect(redactText(JSON.stringify({ text: `${before}${secret}` }))).not.toContain(secret);
    }
  },
);

test('a seed is taken out behind the percent sign of an address, and its Ed25519 form inside a word, too', () => {
  for (const text of ['/sales/%20snoPBrXtMeMyMHUVTgbuqAfg1SUTb', '?q=%0AsnoPBrXtMeMyMHUVTgbuqAfg1SUTb']) {
    expect(redactText(text)).not.toContain('snoPB');
  }
  expect(redactText('00sEdTM1uX8pu2do5XvTnutH6HsouMaM2zz')).not.toContain('TM1uX8pu2');
});

test('a password without a user name in an address is taken out', () => {
  expect(redactText('connect redis://:pa55word@127.0.0.1:6379')).toBe('connect redis://:[redacted]@127.0.0.1:6379');
});

test('bearer tokens and passwords in addresses are taken out', () => {
  expect(redactText('Authorization: Bearer abc.def')).toBe('Authorization: Bearer [redacted]');
  expect(redactText('connect postgres://tranche:pa55word@127.0.0.1:5432/x')).toBe(
    'connect postgres://tranche:[redacted]@127.0.0.1:5432/x',
  );
});

test('addresses, hashes and ids stay readable', () => {
  const text = `rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh ${'AB'.repeat(32)} inv_4qUZk0r2bJ8sVd1mX7nTqL`;
  expect(redactText(text)).toBe(text);
});

test('a log line carries no secret, whatever field or message it stands in', () => {
  applyEnv(testEnv({ LOG_LEVEL: 'debug' }));
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
  try {
    for (const secret of Object.values(SECRETS)) {
      const error = new Error(`could not use ${secret}`, { cause: new Error(`because of ${secret}`) });
      logger().error({ err: error, seed: secret, deep: { api_key: secret, note: secret } }, `failed with ${secret}`);
    }
  } finally {
    write.mockRestore();
  }
  const text = lines.join('');
  expect(text).toContain('failed with');
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
});
