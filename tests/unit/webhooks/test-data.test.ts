import { describe, expect, test } from 'vitest';
import { EVENT_CATALOGUE, EVENT_TYPES } from '#lib/events/catalogue.ts';
import { sendTestEventBody } from '#lib/webhooks/contracts.ts';
import { testData } from '#lib/webhooks/testing/send-test-event.ts';

const SOMEBODY = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const ALERT = {
  ledger_index: 1,
  expected_xrp: '1.000000',
  actual_xrp: '1.000000',
  difference_xrp: '0.000000',
};
const now = new Date('2026-11-21T12:00:00Z');
const given = (test_data: object) =>
  sendTestEventBody.parse({ webhook_id: 'wh_1', event_type: 'investment.created', test_data }).test_data;

describe('a test event', () => {
  test.each(EVENT_TYPES)('of type %s has a sample that keeps the event catalogue', (type) => {
    const data = testData(type, {}, now);
    // What the catalogue does not know is cut off.
    expect(EVENT_CATALOGUE[type].parse(data)).toEqual(data);
  });

  test('carries the amount and account it was given, with tokens that fit', () => {
    const data = testData('investment.created', given({ amount_xrp: '12.5', investor_account: SOMEBODY }), now);
    expect(data).toMatchObject({
      amount_xrp: '12.500000',
      investor_account: SOMEBODY,
      tier_info: { tokens_expected: '125.000000' },
    });
    expect(testData('investment.confirmed', given({ amount_xrp: '12.5' }), now)).toMatchObject({
      confirmed_amount_xrp: '12.500000',
      final_tier_allocation: [{ amount_xrp: '12.500000' }],
    });
  });

  test.each(EVENT_TYPES.filter((type) => !type.startsWith('investment.')))(
    'of type %s refuses an amount and an account, which it would have to drop',
    (type) => {
      for (const [name, value] of Object.entries({ amount_xrp: '1', investor_account: SOMEBODY })) {
        expect(() => testData(type, given({ [name]: value }), now)).toThrow(
          expect.objectContaining({ code: 'invalid_request', detail: expect.stringContaining(`test_data.${name}`) }),
        );
      }
    },
  );

  test.each([
    { investor_account: 'not an account' },
    { investor_account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi' },
    { investor_account: '' },
    { amount_xrp: '-1' },
    { amount_xrp: '1.0000001' },
    { amount_xrp: 'a lot' },
    { amount_xrp: '100000000001' },
  ])('refuses %j, which no event could carry', (test_data) => {
    const body = { webhook_id: 'wh_1', event_type: 'investment.created', test_data };
    const [issue] = sendTestEventBody.safeParse(body).error?.issues ?? [];
    expect(issue?.path).toEqual(['test_data', Object.keys(test_data)[0]]);
  });

  test('refuses a wrong account in any of its fields', () => {
    expect(() => testData('project.launched', given({ deposit_address: 'not an account' }), now)).toThrow(
      /test_data\.deposit_address: is not an XRP Ledger account address/,
    );
    expect(() => testData('system.alert', given({ details: { ...ALERT, account: 'rNobody' } }), now)).toThrow(
      /test_data\.details\.account: is not an XRP Ledger account address/,
    );
  });

  test('refuses a field that the type does not have, and a value it may not carry', () => {
    expect(() => testData('investment.created', given({ colour: 'red' }), now)).toThrow(/test_data\.colour/);
    expect(() => testData('investment.created', given({ status: 'confirmed' }), now)).toThrow(/test_data\.status/);
  });

  test('names at most fifty faults, and back only what looks like a name', () => {
    const many = Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`${n}`, 1]));
    expect(() => testData('investment.created', given(many), now)).toThrow(
      expect.objectContaining({ errors: expect.toSatisfy((errors: unknown[]) => errors.length === 50) }),
    );
    const odd = given({ 'My Secret Name': 1 });
    expect(() => testData('investment.created', odd, now)).toThrow('test_data.(unnamed): is not a field');
  });

  test.each([
    { investor_account: 'my sEdTM1uX8pu2do5XvTnutH6HsouMaM2' },
    { deposit_address: 'seed:snoPBrXtMeMyMHUVTgbuqAfg1SUTb' },
    { tier_info: { tier: 1, price_per_token: ['sEdTM1uX8pu2do5XvTnutH6HsouMaM2'] } },
    { sEdTM1uX8pu2do5XvTnutH6HsouMaM2: 1 },
  ])('is refused with a seed anywhere in its data, %#', (test_data) => {
    const result = sendTestEventBody.safeParse({ webhook_id: 'wh_1', event_type: 'project.launched', test_data });
    expect(result.error?.message).toMatch(/never paste a seed/i);
    expect(result.error?.message).not.toMatch(/sEdTM|snoPB/);
  });

  test('never carries a pasted seed, nor quotes it', () => {
    const seed = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
    const result = sendTestEventBody.safeParse({
      webhook_id: 'wh_1',
      event_type: 'investment.created',
      test_data: { investor_account: seed },
    });
    expect(result.success).toBe(false);
    expect(result.error?.message).toMatch(/never paste a seed/i);
    expect(result.error?.message).not.toContain(seed);
  });
});
