import { expect, test } from 'vitest';
import { witnessState } from '../../../app/(site)/_data/witness-state.ts';
import { adviceFor } from '../../../app/(site)/operator/reason-text.ts';

const READY = { configured: true, reachable: true, fault: null, halted: null, refusing: [] };
const HALTED = { since: '2026-11-24T12:00:00.000Z', reason: 'inspection' };

test.each([
  ['ready', {}],
  ['not configured', { configured: false, reachable: false, fault: 'WITNESSES does not say where it listens' }],
  ['not reachable', { reachable: false, fault: 'cannot be reached' }],
  ['not usable', { fault: 'has another key than WITNESSES says', halted: HALTED }],
  ['halted', { halted: HALTED }],
  ['refuses an account', { refusing: [{ account: 'rA', reason: 'custody_differs' as const, detail: '' }] }],
])('a witness is called %s by what keeps it from signing', (said, over) => {
  const state = witnessState({ ...READY, ...over });
  expect(state.said).toBe(said);
  expect(state.tone === 'good').toBe(said === 'ready');
});

test('a payout that waits for witnesses says what to do, any other reason speaks for itself', () => {
  expect(adviceFor('waiting_witnesses')).toContain('ask the operators');
  expect(adviceFor('witness_refused')).toContain('wrong record here');
  expect([adviceFor(null), adviceFor('trust_line_missing')]).toEqual([null, null]);
});
