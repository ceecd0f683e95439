import { expect, test } from 'vitest';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { changes, EMPTY_FORM, formOf, registration } from '../../../app/(site)/developers/webhook-form.ts';

const WEBHOOK: Webhook = {
  id: 'wh_0000000000000000000000',
  url: 'https://receiver.example.com/hook',
  events: ['investment.confirmed'],
  project_id: null,
  min_amount_xrp: '10.500000',
  statuses: ['confirmed'],
  active: true,
  description: '',
  header_names: ['x-api-key'],
  rate_limit: 20,
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  backlog_full: false,
  api_version: '2026-11',
  secret_rotation: null,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};
const before = formOf(WEBHOOK);

test('a registration says nothing of what was left empty', () => {
  const form = { ...EMPTY_FORM, url: ' https://receiver.example.com/hook ', headers: [{ name: '', value: '' }] };
  expect(registration(form)).toEqual({ url: 'https://receiver.example.com/hook', description: '' });
  const whole = {
    ...form,
    project: 'proj_0000000000000000000000',
    events: ['investment.created'],
    minAmount: '1.5',
    statuses: ['failed' as const],
    headers: [{ name: ' x-api-key ', value: 'a' }],
    rateLimit: '5',
  };
  expect(registration(whole)).toMatchObject({
    project_id: 'proj_0000000000000000000000',
    events: ['investment.created'],
    min_amount_xrp: '1.5',
    statuses: ['failed'],
    headers: { 'x-api-key': 'a' },
    rate_limit: 5,
  });
});

test('a change names what is other than before, and leaves headers whose values nobody knows as they are', () => {
  expect(changes(before, before)).toEqual({});
  expect(changes({ ...before, description: 'x' }, before)).toEqual({ description: 'x' });
  const emptied = { ...before, minAmount: ' ', statuses: null, rateLimit: '', headers: [] };
  expect(changes(emptied, before)).toEqual({ min_amount_xrp: null, statuses: null, rate_limit: null, headers: {} });
});

test.each([
  ['10.500000', '10.5'],
  ['1000.000000', '1000'],
  ['0.000001', '0.000001'],
  ['100', '100'],
  [null, ''],
])('the amount %s is shown as %s', (amount, shown) => {
  expect(formOf({ ...WEBHOOK, min_amount_xrp: amount }).minAmount).toBe(shown);
});
