import { distributionParts, type Vesting } from '@tranche/rules/vesting.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryText } from '../../../app/(site)/_data/delivery-text.ts';
import { custodyOfTerms, type TermsField, termsFields } from '../../../app/(site)/sales/[slug]/terms/terms-fields.ts';

const DAY_MS = 86_400_000;
const NO_VESTING: Vesting = { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 };
const distribution = fc.constantFrom('immediate' as const, 'at_end' as const);
const vesting = fc.record({
  immediate_bps: fc.integer({ min: 0, max: 10_000 }),
  cliff_days: fc.integer({ min: 0, max: 3_650 }),
  period_days: fc.integer({ min: 1, max: 365 }),
  periods: fc.integer({ min: 0, max: 120 }),
});

describe('when tokens are sent', () => {
  test.each([
    ['immediate', NO_VESTING, 'As soon as the payment is confirmed'],
    ['at_end', NO_VESTING, 'When the sale has ended'],
    [
      'immediate',
      { immediate_bps: 2_500, cliff_days: 30, period_days: 30, periods: 6 },
      '25% as soon as the payment is confirmed, the rest in 6 equal parts, 60 to 210 days after the payment',
    ],
    [
      'at_end',
      { immediate_bps: 0, cliff_days: 0, period_days: 90, periods: 1 },
      'In one part, 90 days after the end of the sale',
    ],
  ] as const)('%s, %j: %s', (given, parts, text) => {
    expect(deliveryText({ distribution: given, vesting: parts })).toBe(text);
  });

  test('what is said of any vesting is what the rules send: how much at once, in how many parts, and when', () => {
    fc.assert(
      fc.property(distribution, vesting, (given, terms) => {
        const text = deliveryText({ distribution: given, vesting: terms }).replaceAll(/(?<=\d),(?=\d)/g, '');
        // So many units that every part has some.
        const parts = distributionParts(10n ** 12n, terms, 0);
        const later = parts.filter(({ dueAtMs }) => dueAtMs > 0);
        if (later.length === 0) {
          expect(text).not.toMatch(/\d/);
          return;
        }
        const [atOnce] = parts.filter(({ dueAtMs }) => dueAtMs === 0);
        const percent = atOnce === undefined ? null : `${Number(atOnce.units) / 10 ** 10}%`;
        expect(/^[\d.]+%/.exec(text)?.[0] ?? null).toBe(percent);
        expect(text).toContain(later.length === 1 ? 'one part' : `${later.length} equal parts`);
        const at = [later[0], later.at(-1)].map((part) => (part?.dueAtMs ?? 0) / DAY_MS);
        expect(text).toContain(later.length === 1 ? `${at[0]} day` : `${at[0]} to ${at[1]} days`);
        expect(text).toContain(given === 'immediate' ? 'after the payment' : 'after the end of the sale');
      }),
    );
  });
});

describe('the terms in words', () => {
  const terms = {
    v: 1,
    name: 'Harbor',
    token: { kind: 'iou', currency: 'DMO', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', decimals: 6 },
    destination_tag: 1000,
    tiers: [
      { tier: 1, price_per_token: '0.10', total_tokens: '1000.000000', access: 'open', starts_at: null },
      {
        tier: 2,
        price_per_token: '0.20',
        total_tokens: '5000',
        access: 'allowlist',
        starts_at: '2026-12-01T12:00:00.000Z',
      },
    ],
    ends_at: null,
    soft_cap_xrp: null,
    min_investment_xrp: '1.000000',
    distribution: 'immediate',
    vesting: NO_VESTING,
    claim_days: 90,
    operating_accounts: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    custody: {
      quorum: 4,
      platform: { account: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', weight: 2 },
      witnesses: ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji', 'rrrrrrrrrrrrrrrrrNAMEtxvNvQ'].map(
        (account) => ({
          account,
          weight: 1,
          name: 'North',
          operator: 'North Audit',
        }),
      ),
      ledgers_to_live: 20,
      from_ledger: 1234,
      refund_min_xrp: '0.001000',
    },
    of_a_later_version: 'as it is',
  };
  const lines = (fields: readonly TermsField[]): string[] =>
    fields.flatMap((field) =>
      'text' in field ? [`${field.name}: ${field.text}`] : [`${field.name}:`, ...field.parts.flatMap(lines)],
    );
  const said = lines(termsFields(JSON.stringify(terms)));

  test('name what a field means, and no code of the interface', () => {
    expect(said).toContain('Delivery: Tokens are delivered at once');
    expect(said).toContain('Vesting: none: all tokens are due at once');
    expect(said).toContain('Kind of token: issued currency');
    expect(said).toContain('Price: 0.1 XRP a token');
    expect(said).toContain('Open to: the wallets of the published list');
    expect(said).toContain('Minimum payment: 1 XRP');
    expect(said).toContain('End: when sold out');
    expect(said).toContain('Run by: North Audit');
    expect(said).toContain('Weight of signatures needed: 4');
    expect(said.join('\n')).not.toMatch(/\biou\b|\bbps\b|at_end|allowlist|_/);
  });

  test('say who must sign as the console and the sale page show it, and one key where they name nobody', () => {
    const { custody, ...others } = terms;
    expect(custodyOfTerms(JSON.stringify(terms))).toEqual(custody);
    expect(custodyOfTerms(JSON.stringify(others))).toBeNull();
    expect(() => custodyOfTerms(JSON.stringify({ ...terms, custody: { quorum: 1 } }))).toThrow();
  });

  test('leave no field out, also none of a later version', () => {
    const count = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 1
        : Object.values(value).reduce((sum: number, one) => sum + count(one), Array.isArray(value) ? 0 : 1);
    // Vesting that is none is one line in place of its four fields, and the whole is no line of its own.
    expect(said.length).toBeGreaterThanOrEqual(count(terms) - 4 - 1 - terms.tiers.length);
    expect(said).toContain('Of a later version: as it is');
    expect(said.filter((line) => line.includes('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'))).toHaveLength(2);
  });
});
