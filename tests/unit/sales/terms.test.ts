import { expect, test } from 'vitest';
import type { ProjectRow, TierRow } from '#drizzle/schema/sale.ts';
import { termsOf } from '#lib/sales/projects/get-terms.ts';

const AT = new Date('2026-11-21T12:00:00Z');

const row: ProjectRow = {
  id: 'proj_0000000000000000000000',
  name: 'Sale',
  slug: 'sale',
  description: '',
  website: null,
  logo: null,
  links: [],
  team: [],
  documents: [],
  status: 'draft',
  tokenKind: 'mpt',
  currency: null,
  issuer: 'rIssuer',
  issuanceId: '0'.repeat(48),
  decimals: 2,
  distributor: 'rDistributor',
  depositAddress: 'rDeposit',
  destinationTag: 77,
  startsAt: null,
  endsAt: null,
  softCapDrops: null,
  minInvestmentDrops: null,
  maxPerWalletDrops: null,
  access: 'open',
  distribution: 'immediate',
  vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
  treasury: null,
  claimDays: 90,
  refundMinDrops: 1_000n,
  raisedDrops: 0n,
  investors: 0,
  investorsDrops: 0n,
  terms: null,
  termsHash: null,
  custody: null,
  custodyThroughLedger: null,
  locks: [],
  unsoldUntil: null,
  vestingLocked: false,
  vestingLocksOwed: false,
  listHash: null,
  launchedAt: null,
  endedAt: null,
  endReason: null,
  cancelledDrops: 0n,
  cancellationCompletedAt: null,
  deletedAt: null,
  tenantId: null,
  createdAt: AT,
};
const tier: TierRow = {
  projectId: row.id,
  tier: 1,
  price: 10n ** 12n,
  totalUnits: 100n,
  soldUnits: 0n,
  valueDrops: 0n,
  access: 'open',
  credential: null,
  startsAt: null,
  openedAt: null,
  completedAt: null,
};
const hashOf = (project: Partial<ProjectRow> = {}, step: Partial<TierRow> = {}) =>
  termsOf({ ...row, ...project }, [{ ...tier, ...step }]).termsHash;

test.each<[field: string, project: Partial<ProjectRow>, step?: Partial<TierRow>]>([
  ['the project', { id: 'proj_1111111111111111111111' }],
  ['the issuance', { issuanceId: '1'.repeat(48) }],
  ['the issuer of the issuance, as an operating account', { issuer: 'rOther' }],
  ['the decimals', { decimals: 3 }],
  ['the distributor', { distributor: 'rOther' }],
  ['the deposit account', { depositAddress: 'rOther' }],
  ['the tag', { destinationTag: 78 }],
  ['the start', { startsAt: AT }],
  ['the end', { endsAt: AT }],
  ['the soft cap', { softCapDrops: 1n }],
  ['the minimum', { minInvestmentDrops: 1n }],
  ['the maximum of a wallet', { maxPerWalletDrops: 1n }],
  ['the access', { access: 'allowlist' }],
  ['the distribution', { distribution: 'at_end' }],
  ['the vesting', { vesting: { immediate_bps: 9_999, cliff_days: 0, period_days: 1, periods: 1 } }],
  ['the treasury', { treasury: 'rTreasury' }],
  ['the claim time', { claimDays: 91 }],
  ['the smallest refund', { refundMinDrops: 1_001n }],
  [
    'a lock',
    { locks: [{ label: 'Team', receiver: 'rTeam', amount: '1.000000', until: AT.toISOString(), escrows: [] }] },
  ],
  ['the time before which unsold tokens cannot move', { unsoldUntil: AT }],
  ['that what vesting owes is locked', { vestingLocked: true }],
  ['a tier’s price', {}, { price: 10n ** 12n + 1n }],
  ['a tier’s supply', {}, { totalUnits: 101n }],
  ['a tier’s access', {}, { access: 'allowlist' }],
  ['a tier’s start', {}, { startsAt: AT }],
  ['a tier’s credential', {}, { credential: { credential_type: '4B5943', issuers: ['rIssuer'] } }],
])('%s is part of the terms', (_, project, step) => {
  expect(hashOf(project, step)).not.toBe(hashOf());
});

test('what becomes of a sale is no part of its terms', () => {
  const later: Partial<ProjectRow> = {
    description: 'Told anew',
    website: 'https://sale.example',
    logo: 'https://sale.example/logo.png',
    links: [{ label: 'Code', url: 'https://code.sale.example/' }],
    team: [{ name: 'Ada', role: 'Founder', url: null }],
    documents: [{ title: 'Paper', url: 'https://sale.example/paper.pdf', sha256: null }],
    status: 'completed',
    raisedDrops: 5n,
    listHash: '0'.repeat(64),
    launchedAt: AT,
    endedAt: AT,
    endReason: 'ended',
  };
  expect(hashOf(later, { soldUnits: 5n, valueDrops: 5n, openedAt: AT, completedAt: AT })).toBe(hashOf());
});
