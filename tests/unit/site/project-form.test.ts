import { expect, test } from 'vitest';
import { projectInput, projectPatch } from '#lib/sales/projects/project-input.ts';
import { draftOf, patchOf, textsPatchOf } from '../../../app/(site)/operator/projects/form/body-of.ts';
import { BLANK, type ProjectValues, type TierValues } from '../../../app/(site)/operator/projects/form/values.ts';

const OTHER = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const [NO_TIER] = BLANK.tiers as [TierValues];
const FILLED: ProjectValues = {
  ...BLANK,
  name: 'A sale',
  currency: 'DMO',
  issuer: ADDRESS,
  deposit_address: ADDRESS,
  distributor: ADDRESS,
};

/** The form as a browser would send it. */
function sent(values: ProjectValues): FormData {
  const form = new FormData();
  const { tiers, locks, links, team, documents, ...texts } = values;
  for (const [name, value] of Object.entries(texts)) form.set(name, value);
  for (const [list, entries] of Object.entries({ links, team, documents })) {
    for (const entry of entries) {
      for (const [name, value] of Object.entries(entry)) form.append(`${list}_${name}`, value);
    }
  }
  for (const tier of tiers) {
    form.append('tier_price', tier.price_per_token);
    form.append('tier_tokens', tier.total_tokens);
    form.append('tier_starts_at', tier.starts_at);
    form.append('tier_access', tier.access);
    form.append('tier_credential', tier.credential_type);
    form.append('tier_issuers', tier.credential_issuers);
  }
  for (const lock of locks) {
    for (const [name, value] of Object.entries(lock)) form.append(`lock_${name}`, value);
  }
  return form;
}

test('what the form for a new project holds is what the interface takes, exactly', () => {
  const tiers = [
    { ...NO_TIER, price_per_token: '0.000000000001', total_tokens: '1000000.5' },
    {
      ...NO_TIER,
      price_per_token: '0.2',
      total_tokens: '7',
      starts_at: '2027-01-02T03:04',
      access: 'allowlist' as const,
      credential_type: 'KYC',
      credential_issuers: ` ${ADDRESS}  ${OTHER}`,
    },
    { ...NO_TIER, price_per_token: '1', total_tokens: '1', credential_type: '0xff00', credential_issuers: ADDRESS },
  ];
  const values = {
    ...FILLED,
    tiers,
    immediate_percent: '12.5',
    periods: '3',
    period_days: '30',
    ends_at: '2027-02-01T00:00:01',
  };
  const read = projectInput.parse(draftOf(sent(values)));
  expect(read).toMatchObject({
    tiers: [
      { price_per_token: 1n, total_tokens: '1000000.5', access: 'open' },
      {
        total_tokens: '7',
        access: 'allowlist',
        starts_at: new Date('2027-01-02T03:04:00Z'),
        credential: { credential_type: '4B5943', issuers: [ADDRESS, OTHER] },
      },
      { credential: { credential_type: 'FF00', issuers: [ADDRESS] } },
    ],
    vesting: { immediate_bps: 1_250, cliff_days: 0, period_days: 30, periods: 3 },
    ends_at: new Date('2027-02-01T00:00:01Z'),
    claim_days: 90,
  });
  expect(read.treasury).toBeUndefined();
});

test('an emptied field of a draft is cleared, and what is no number is refused at its field', () => {
  const tiers = [{ ...NO_TIER, price_per_token: '1', total_tokens: '1' }];
  const { reason, ...patch } = patchOf(sent({ ...FILLED, tiers }));
  expect(reason).toBe('');
  expect(projectPatch.parse(patch)).toMatchObject({ treasury: null, ends_at: null, soft_cap_xrp: null, website: null });
  const odd = patchOf(sent({ ...FILLED, tiers, immediate_percent: '12.555', claim_days: 'ninety' }));
  const { error } = projectPatch.safeParse({ ...odd, reason: undefined });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(
    expect.arrayContaining(['vesting.immediate_bps', 'claim_days']),
  );
});

test('links, team and documents go from the form to the interface in their order, and what is optional may be empty', () => {
  const lists = {
    links: [{ label: 'Code', url: 'https://code.example/' }],
    team: [
      { name: 'Ada', role: 'Founder', url: '' },
      { name: 'Ben', role: 'Design', url: 'https://ben.example/' },
    ],
    documents: [
      { title: 'Paper', url: 'https://paper.example/', sha256: 'AB'.repeat(32) },
      { title: 'Audit', url: 'https://audit.example/', sha256: '' },
    ],
  };
  const { reason: _, ...patch } = textsPatchOf(sent({ ...FILLED, ...lists }));
  expect(projectPatch.parse(patch)).toMatchObject({
    links: lists.links,
    team: [
      { name: 'Ada', url: null },
      { name: 'Ben', url: 'https://ben.example/' },
    ],
    documents: [{ sha256: 'ab'.repeat(32) }, { title: 'Audit', sha256: null }],
  });
  const { reason: __, ...emptied } = textsPatchOf(sent(FILLED));
  expect(projectPatch.parse(emptied)).toMatchObject({ links: [], team: [], documents: [] });
});

test('locks go from the form to the interface, their escrows however they are separated', () => {
  const [one, other] = ['A'.repeat(64), 'b'.repeat(64)];
  const lock = { label: 'Team', receiver: ADDRESS, amount: '1,000,000.5', until: '2028-01-02T03:04:05' };
  const locks = [
    { ...lock, escrows: ` ${one},\n${other} ` },
    { ...lock, label: 'Advisors', escrows: '' },
  ];
  const tiers = [{ ...NO_TIER, price_per_token: '1', total_tokens: '1' }];
  expect(projectInput.parse(draftOf(sent({ ...FILLED, tiers, locks }))).locks).toEqual([
    {
      ...lock,
      amount: '1000000.5',
      until: new Date('2028-01-02T03:04:05Z'),
      escrows: [one, other.toUpperCase()],
    },
    { ...lock, label: 'Advisors', amount: '1000000.5', until: new Date('2028-01-02T03:04:05Z'), escrows: [] },
  ]);
});

test('that what vesting owes is locked goes from the form to the interface, as that it is not', () => {
  const tiers = [{ ...NO_TIER, price_per_token: '1', total_tokens: '1' }];
  for (const [chosen, locked] of [
    ['yes', true],
    ['no', false],
  ] as const) {
    const filled = { ...FILLED, tiers, vesting_locked: chosen };
    expect(projectInput.parse(draftOf(sent(filled))).vesting_locked).toBe(locked);
    const { reason: _, ...patch } = patchOf(sent(filled));
    expect(projectPatch.parse(patch)).toMatchObject({ vesting_locked: locked });
  }
});

test('the time until which unsold tokens are locked goes from the form to the interface, and is cleared when it is emptied', () => {
  const tiers = [{ ...NO_TIER, price_per_token: '1', total_tokens: '1' }];
  const filled = { ...FILLED, tiers, unsold_until: '2028-01-02T03:04:05' };
  expect(projectInput.parse(draftOf(sent(filled))).unsold_until).toEqual(new Date('2028-01-02T03:04:05Z'));
  const { reason: _, ...patch } = patchOf(sent({ ...filled, unsold_until: '' }));
  expect(projectPatch.parse(patch)).toMatchObject({ unsold_until: null });
});
