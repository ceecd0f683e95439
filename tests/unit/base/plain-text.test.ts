import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApiKeyBody } from '#lib/accounts/api-keys/contracts.ts';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { projectPatch } from '#lib/sales/schemas.ts';

const WALLET = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/** The `reason` that an operation asks for, in its body or query. */
const reasons = CONTRACTS.filter(({ method }) => method !== 'GET').flatMap((contract) =>
  [contract.body, contract.query].flatMap((part) =>
    part instanceof z.ZodObject && 'reason' in part.shape
      ? [[contract.id, part.shape.reason as z.ZodType] as const]
      : [],
  ),
);

describe('a reason that stands in the audit log', () => {
  test('is asked for by every operation of an operator', () => {
    expect(reasons.map(([id]) => id)).toEqual(
      expect.arrayContaining([
        'moveProject',
        'issueTokens',
        'processTransactions',
        'discardAllowlist',
        'haltDepositAccount',
      ]),
    );
  });

  test.each(reasons)('of %s holds no seed and no control character, and says something', (_, reason) => {
    for (const text of [
      'the key is snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
      'a\u0007b',
      'a\nb',
      'no',
      '   a   ',
      'x'.repeat(501),
    ]) {
      expect(reason.safeParse(text).success, text).toBe(false);
    }
    expect(reason.parse('  asked for by the owner ')).toBe('asked for by the owner');
  });
});

describe.each([
  ['a project', (name: string) => projectPatch.safeParse({ name })],
  ['an API key', (name: string) => createApiKeyBody.safeParse({ wallet_address: WALLET, name })],
])('the name of %s', (_, named) => {
  test.each([
    ['a right-to-left override', 'Demo\u202Enekot'],
    ['an isolate', 'Demo\u2067'],
    ['a zero-width space', 'De\u200Bmo'],
    ['a zero-width joiner', 'De\u200Dmo'],
    ['a byte order mark', 'De\uFEFFmo'],
    ['a soft hyphen', 'De\u00ADmo'],
    ['a line separator', 'De\u2028mo'],
    ['a Hangul filler', 'De\u3164mo'],
    ['a control character', 'De\u0007mo'],
  ])('holds no %s', (_what, name) => {
    expect(named(name).success).toBe(false);
  });

  test.each(['', '   ', '\u2800', '\u0301', '\u3164', '\u00A0\u3000'])('shows something: not %j', (name) => {
    expect(named(name).success).toBe(false);
  });

  test.each(['Demo', 'Zürich Åland', '東京トークン', 'سهم', '❤️ Token 2', 'e\u0301'])('may be %s', (name) => {
    expect(named(name).success).toBe(true);
  });
});
