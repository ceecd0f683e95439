import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import type { LockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
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
  const project = { status, token, locks, unsold_until: null, vesting_locked: false } as unknown as ProjectResource;
  return renderToStaticMarkup(createElement(Locks, { project, nowMs, unsold: null, vesting: null }));
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
    const given = { status, token, locks: [], unsold_until: UNTIL, vesting_locked: false, distributor: lock.receiver };
    const project = given as unknown as ProjectResource;
    return renderToStaticMarkup(createElement(Locks, { project, nowMs, unsold, vesting: null }));
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

test('what vesting owes is shown as promised before the end, then day by day with its escrows, and what is still in them', () => {
  const endedAt = '2028-01-01T00:00:00.000Z';
  const at = (days: number): string => new Date(Date.parse(endedAt) + days * 86_400_000).toISOString();
  const shownVesting = (status: ProjectResource['status'], vesting: LockedVesting | null, days = 1) => {
    const token = { kind: 'iou', currency: 'DMO', issuer: lock.receiver, decimals: 2 };
    const given = { status, token, locks: [], unsold_until: null, vesting_locked: true, distributor: lock.receiver };
    const project = { ...given, ended_at: status === 'active' ? null : endedAt } as unknown as ProjectResource;
    return renderToStaticMarkup(createElement(Locks, { project, nowMs: Date.parse(at(days)), unsold: null, vesting }));
  };
  expect(shownVesting('active', null)).toMatch(
    /will hold the investors’ unvested tokens.*Investors’ unvested tokens.*Promised.*the day on which each part is due.*not yet/s,
  );
  const day = (days: number, hash: string | null, is_released = false) => ({
    until: at(days),
    tokens: '240.000000',
    transaction_hash: hash,
    is_released,
  });
  const of = (in_escrow: string, days: LockedVesting['days']): LockedVesting => ({
    tokens: '720.000000',
    in_escrow,
    days,
  });
  expect(shownVesting('completed', null, 0)).toMatch(
    /will hold the investors’ unvested tokens.*Being locked.*not yet/s,
  );
  const making = shownVesting('completed', of('240.000000', [day(40, HASH), day(70, null), day(100, null)]));
  expect(making).toMatch(
    /Released to.*which sends them.*Without a lock.*due on days that begin within two days.*the transaction that locked them/s,
  );
  expect(making).toMatch(
    /will hold the investors’ unvested tokens.*Being locked.*240.*of.*720.*10 Feb 2028.*>Locked<.*11 Mar 2028.*Being locked/s,
  );
  const locked = shownVesting('completed', of('480.000000', [day(40, HASH, true), day(70, HASH), day(100, HASH)]), 70);
  expect(locked).toMatch(/>Locked<.*the last on 10 Apr 2028.*480.*of.*720.*>Released<.*>Being released<.*>Locked</s);
  expect(locked).toContain(`https://explorer.example/transactions/${HASH}`);
  expect(locked).toContain('Escrows on the ledger hold these tokens');
  expect(shownVesting('completed', of('0.000000', [day(40, HASH, true)]), 200)).toMatch(/>Ended<.*>Released</s);
  const missed = shownVesting('completed', of('240.000000', [day(40, null), day(70, HASH)]), 41);
  expect(missed).toMatch(/>Locked<.*10 Feb 2028.*>Not locked<.*11 Mar 2028.*>Locked</s);
  const nothing = /The terms promised to lock the investors’ unvested tokens.*Nothing to lock/s;
  expect(shownVesting('completed', of('0.000000', []), 0)).toMatch(nothing);
  expect(shownVesting('completed', of('0.000000', []))).toContain(
    'nothing is due to investors on a day that begins two days or more',
  );
  expect(shownVesting('cancelled', null)).toMatch(nothing);
  expect(shownVesting('cancelled', null)).toContain('what was paid for tokens that were not sent is refunded');
  // However long it takes to work out what is owed: until then nobody says that it is nothing.
  expect(shownVesting('completed', null, 400)).toMatch(
    /will hold the investors’ unvested tokens.*Being locked.*not yet/s,
  );
});

test('of many days the first four are open, and the others on demand', () => {
  const days = Array.from({ length: 6 }, (_, index) => ({
    until: new Date(Date.parse(UNTIL) + index * 86_400_000).toISOString(),
    tokens: '1.000000',
    transaction_hash: HASH,
    is_released: false,
  }));
  const token = { kind: 'iou', currency: 'DMO', issuer: lock.receiver, decimals: 2 };
  const given = {
    status: 'completed',
    token,
    locks: [],
    unsold_until: null,
    vesting_locked: true,
    distributor: lock.receiver,
  };
  const project = given as unknown as ProjectResource;
  const vesting = { tokens: '6.000000', in_escrow: '6.000000', days };
  const card = renderToStaticMarkup(createElement(Locks, { project, nowMs: 0, unsold: null, vesting }));
  expect(card.split('<details>').map((part) => part.split('>Locked<').length - 1)).toEqual([5, 2]);
  expect(card).toContain('2 more days');
});
