import { expect, test } from 'vitest';
import { createApiKeyBody } from '#lib/accounts/api-keys/contracts.ts';

const named = (name: string) =>
  createApiKeyBody.safeParse({ wallet_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', name });

test.each(['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'my snoPBrXtMeMyMHUVTgbuqAfg1SUTb'])(
  'a name that holds what looks like a seed is refused with a warning that does not repeat it, %#',
  (name) => {
    const { error } = named(name);
    expect(error?.message).toMatch(/never paste a seed/i);
    expect(error?.message).not.toMatch(/sEdTM|snoPB/);
  },
);

test('an everyday name is taken', () => {
  expect(named('Production receiver').success).toBe(true);
});
