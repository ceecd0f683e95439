import { createHash } from 'node:crypto';
import type { Custody } from '@tranche/rules/custody.ts';
import fc from 'fast-check';
import type { ProjectRow, TierRow } from '#drizzle/schema/sale.ts';
import { formatDrops } from '#lib/base/money.ts';
import { termsOf } from '#lib/sales/projects/get-terms.ts';
import { CAPPED, DEPOSIT, DISTRIBUTOR, FREE, ISSUER, OTHER, START_MS, TREASURY, XRP } from './accounts.ts';
import { requirementOf } from './credentials.ts';

/** A sale as it is published, with what a generator of payments wants to know of it. */
export interface DrawnProject {
  row: ProjectRow;
  tiers: TierRow[];
  canonical: string;
  /** By hash: the bytes of each version. */
  lists: Map<string, string>;
}

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });
/** Sums that a few payments can make up exactly (steps.ts). */
const round = fc.constantFrom(XRP, 2n * XRP, 3n * XRP);
const perhaps = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(null) }, { weight, arbitrary });
const access = (listed: number) =>
  fc.oneof(
    { weight: 10 - listed, arbitrary: fc.constant('open' as const) },
    { weight: listed, arbitrary: fc.constant('allowlist' as const) },
  );
/** Mostly whole seconds, as ledgers close, so that a ledger can close just then. */
const second = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.constantFrom(0, 0, 0, 500))
    .map(([seconds, ms]) => new Date(START_MS + seconds * 1_000 + ms));

const tier = fc.record({
  totalUnits: fc.oneof(between(1n, 5n), between(6n, 2_000n), between(10_000n, 10n ** 10n)),
  valueDrops: fc.oneof(
    { weight: 1, arbitrary: between(2_000n, 10n * XRP) },
    { weight: 2, arbitrary: between(10n * XRP, 200n * XRP) },
  ),
  access: access(4),
  startsAt: perhaps(3, second(-5, 60)),
});

const vesting = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 }) },
  {
    weight: 3,
    arbitrary: fc.record({
      immediate_bps: fc.nat(10_000),
      cliff_days: fc.nat(3),
      period_days: fc.integer({ min: 1, max: 30 }),
      periods: fc.nat(5),
    }),
  },
);

const drawnTerms = fc.record({
  tiers: fc.array(tier, { minLength: 1, maxLength: 4, size: 'max' }),
  decimals: fc.nat(6),
  access: access(1),
  startsAt: perhaps(3, second(-20, 20)),
  endsAt: perhaps(4, second(20, 300)),
  softCapPercent: perhaps(5, fc.integer({ min: 1, max: 110 })),
  minInvestmentDrops: perhaps(3, between(1n, 2n * XRP)),
  maxPerWalletDrops: perhaps(4, fc.oneof(round, between(2_000n, 30n * XRP))),
  refundMinDrops: fc.constantFrom(1_000n, 1_000n, 20_000n, XRP),
  distribution: fc.constantFrom('immediate' as const, 'immediate' as const, 'at_end' as const),
  vesting,
  listCaps: fc.array(fc.tuple(perhaps(8, fc.oneof(round, between(1_000n, 20n * XRP))), fc.boolean()), {
    minLength: 2,
    maxLength: 2,
  }),
});

export const project = (at: number): fc.Arbitrary<DrawnProject> =>
  drawnTerms.map(({ tiers: given, listCaps, softCapPercent, ...over }) => {
    const id = `proj_${'0'.repeat(21)}${at}`;
    const valueDrops = given.reduce((sum, each) => sum + each.valueDrops, 0n);
    const row: ProjectRow = {
      ...blank,
      ...over,
      id,
      slug: id,
      destinationTag: 70 + at,
      softCapDrops: softCapPercent === null ? null : (valueDrops * BigInt(softCapPercent)) / 100n,
    };
    const tiers = given.map(({ valueDrops: value, totalUnits, ...rest }, index): TierRow => {
      // Odd prices: a unit costs a fraction of a drop, or many drops.
      const price = (value * 10n ** BigInt(6 + over.decimals)) / totalUnits + 1n;
      return {
        ...unsold,
        projectId: id,
        tier: index + 1,
        totalUnits,
        price,
        credential: requirementOf(totalUnits + value),
        ...rest,
      };
    });
    const versions = listCaps.map(([cap, withOther], index) => listBytes(index, cap, withOther));
    return {
      row,
      tiers,
      canonical: termsOf(row, tiers).terms,
      lists: new Map(versions.map((bytes) => [sha256(bytes), bytes])),
    };
  });

/** The same sale with another soft cap, and so with other terms. */
export function withSoftCap(drawn: DrawnProject, softCapDrops: bigint): DrawnProject {
  const row = { ...drawn.row, softCapDrops };
  return { ...drawn, row, canonical: termsOf(row, drawn.tiers).terms };
}

/** The same sale under custody. */
export function withCustody(drawn: DrawnProject, custody: Custody): DrawnProject {
  const row = { ...drawn.row, custody };
  return { ...drawn, row, canonical: termsOf(row, drawn.tiers).terms };
}

function listBytes(version: number, cap: bigint | null, withOther: boolean): string {
  const entries: [string, bigint | null][] = [
    [CAPPED, cap],
    // The second version drops a wallet that the first one has.
    ...(version === 0 ? [[FREE, null] as [string, null]] : []),
    ...(withOther ? [[OTHER, 5n * XRP] as [string, bigint]] : []),
  ];
  return entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([wallet, drops]) => `${JSON.stringify({ wallet_address: wallet, cap_xrp: drops && formatDrops(drops) })}\n`)
    .join('');
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const unsold = { soldUnits: 0n, valueDrops: 0n, openedAt: null, completedAt: null };

const blank = {
  name: 'A random sale',
  description: '',
  website: null,
  logo: null,
  links: [],
  team: [],
  documents: [],
  status: 'draft',
  tokenKind: 'iou',
  currency: 'DMO',
  issuer: ISSUER,
  issuanceId: null,
  distributor: DISTRIBUTOR,
  depositAddress: DEPOSIT,
  treasury: TREASURY,
  claimDays: 90,
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
  createdAt: new Date(START_MS),
} satisfies Partial<ProjectRow>;
