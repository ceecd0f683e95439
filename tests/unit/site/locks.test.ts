import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import type { UnsoldLock } from '#lib/sales/published/get-unsold-lock.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { testEnv } from '#tests/support/env.ts';
import { Locks } from '../../../app/(site)/sales/[slug]/locks.tsx';

const UNTIL = '2028-01-01T00:00:00.000Z';
const HASH = 'A'.repeat(64);
const lock = {
  label: 'Team',
  receiver: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  amount: '100.000000',
  until: UNTIL,
  escrows: [{ transaction_hash: HASH, ledger_index: 4 }],
};

beforeAll(() => applyEnv(testEnv({ EXPLORER_URL: 'https://explorer.example' })));

function shown(status: ProjectResource['status'], nowMs: number, locks = [lock]): string {
  const token = { kind: 'iou', currency: 'DMO', issuer: lock.receiver, decimals: 2 };
  const project = { status, token, locks, unsold_until: null } as unknown as ProjectResource;
  return renderToStaticMarkup(createElement(Locks, { project, nowMs, unsold: null }));
}

test('a lock is shown as promised in a draft, as locked from the launch on, and as ended after its time', () => {
  const before = Date.parse(UNTIL) - 1;
  expect(shown('draft', before, [{ ...lock, escrows: [] }])).toMatch(/Promised.*none yet/s);
  expect(shown('active', before)).toMatch(/>Locked<.*Until/s);
  expect(shown('completed', before + 1)).toMatch(/>Ended<.*Could be released since/s);
});

test('a lock leads to its receiver and to each transaction that proves it, and a sale without locks has no card', () => {
  const card = shown('active', 0);
  expect(card).toContain(`https://explorer.example/transactions/${HASH}`);
  expect(card).toContain(`https://explorer.example/accounts/${lock.receiver}`);
  expect(shown('active', 0, [])).toBe('');
});

test('unsold tokens are shown as promised before the end, then with their amount and escrow, and not when all was sold', () => {
  const shownUnsold = (status: ProjectResource['status'], unsold: UnsoldLock | null, nowMs = Date.parse(UNTIL) - 1) => {
    const token = { kind: 'iou', currency: 'DMO', issuer: lock.receiver, decimals: 2 };
    const given = { status, token, locks: [], unsold_until: UNTIL, distributor: lock.receiver };
    return renderToStaticMarkup(createElement(Locks, { project: given as unknown as ProjectResource, nowMs, unsold }));
  };
  expect(shownUnsold('active', null)).toMatch(
    /will hold what the sale does not sell.*Unsold tokens.*Promised.*Stay locked until.*not yet/s,
  );
  const tokens = '5500.000000';
  expect(shownUnsold('completed', { tokens, transaction_hash: null, finish: null })).toMatch(
    /5,500.*Being locked.*not yet/s,
  );
  const locked = shownUnsold('completed', { tokens, transaction_hash: HASH, finish: null });
  expect(locked).toMatch(/5,500.*>Locked<.*Stay locked until/s);
  expect(locked).toContain(`https://explorer.example/transactions/${HASH}`);
  expect(locked).toContain('Escrows on the ledger hold these tokens');
  expect(shownUnsold('completed', { tokens, transaction_hash: HASH, finish: null }, Date.parse(UNTIL))).toMatch(
    />Ended<.*Could be released since/s,
  );
  for (const status of ['completed', 'cancelled'] as const) {
    expect(shownUnsold(status, null)).toMatch(/The terms promised.*Nothing to lock/s);
    expect(shownUnsold(status, null)).not.toContain('locked until');
  }
});
