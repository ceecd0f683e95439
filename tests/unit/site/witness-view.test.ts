import { REFUSALS } from '@tranche/witness/protocol.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import type { WitnessResource } from '#lib/ops/status/witnesses/contracts.ts';
import { testEnv } from '#tests/support/env.ts';
import { WitnessView } from '../../../app/(site)/operator/overview/witness-view.tsx';

const AT = '2026-11-24T12:00:00.000Z';
const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const READY: WitnessResource = {
  key: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  name: 'North',
  operator: 'North Audit Ltd',
  accounts: [ACCOUNT],
  configured: true,
  reachable: true,
  fault: null,
  version: '0.1.0',
  ledger_index: 1_234,
  ledger_time: AT,
  servers: [
    { host: 'one.example', ok: true },
    { host: 'two.example', ok: false },
  ],
  halted: null,
  refusing: [],
  signed_24h: 41,
  refused_24h: 2,
  recent_refusals: [],
};
// An address may be a link to the explorer of the network.
beforeAll(() => void applyEnv(testEnv()));

/** What a person reads of it. */
const textOf = (over: Partial<WitnessResource>): string =>
  renderToStaticMarkup(createElement(WitnessView, { witness: { ...READY, ...over } })).replaceAll(/<[^>]+>/g, ' ');

test('a witness that answers shows its ledger, its servers, and what it signed and refused', () => {
  const text = textOf({});
  expect(text).toMatch(/North .*run by North Audit Ltd.* ready/);
  expect(text).toContain('1,234');
  expect(text).toContain('one.example, two.example (does not answer)');
  expect(text).toContain('41 and 2');
});

test('a witness that is halted, refuses an account or has refused lately says why in words', () => {
  expect(textOf({ halted: { since: AT, reason: 'a strange payment' } })).toContain('halted: a strange payment');
  const refusing = textOf({ refusing: [{ account: ACCOUNT, reason: 'history_unexplained', detail: 'see ledger 7' }] });
  expect(refusing).toContain(REFUSALS.history_unexplained);
  expect(refusing).toContain('see ledger 7');
  const refused = textOf({ recent_refusals: [{ at: AT, reason: 'not_due', kind: 'ticket_create', purpose: null }] });
  expect(refused).toContain(REFUSALS.not_due);
  expect(refused).toContain('ticket create');
});

test('of a witness that does not answer nothing is shown as if it had', () => {
  const text = textOf({ reachable: false, fault: 'cannot be reached', ledger_index: null, signed_24h: null });
  expect(text).toContain('not reachable');
  expect(text).toContain('North: cannot be reached');
  expect(text).not.toContain('At ledger');
  expect(text).not.toContain('24 hours');
});
