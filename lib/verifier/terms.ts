import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import { parseDecimal, parsePrice, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { credentialSchema } from '@tranche/rules/credentials.ts';
import { custodySchema } from '@tranche/rules/custody.ts';
import { lockSchema } from '@tranche/rules/locks.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import type { ProjectState, TierState } from '@tranche/rules/types.ts';
import * as z from 'zod';
import { ReadError } from './errors.ts';
import type { PublishedTerms } from './types.ts';

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('not a decimal of that precision');
  return value;
};
const drops = z.string().transform((text) => must(parseDecimal(text, XRP_DECIMALS)));
const timeMs = z.iso.datetime().transform((text) => Date.parse(text));
const access = z.enum(['open', 'allowlist']);
const decimals = z.int().min(0).max(6);

/** The terms as the launch anchors them (docs/verification.md, section 1); amounts and times as the reducer takes them. */
const termsText = z.lazy(() =>
  z.object({
    /** 2 when a tier requires a credential. */
    v: z.literal([1, 2]),
    project: z.string(),
    token: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('iou'), currency: z.string(), issuer: z.string(), decimals }),
      z.object({ kind: z.literal('mpt'), issuance_id: z.string(), decimals }),
    ]),
    distributor: z.string(),
    deposit_address: z.string(),
    destination_tag: z.int(),
    tiers: z.array(
      z.object({
        tier: z.int(),
        price_per_token: z.string().transform((text) => must(parsePrice(text))),
        total_tokens: z.string(),
        access,
        /** Absent when none is required. */
        credential: credentialSchema.optional(),
        starts_at: timeMs.nullable(),
      }),
    ),
    starts_at: timeMs.nullable(),
    ends_at: timeMs.nullable(),
    soft_cap_xrp: drops.nullable(),
    min_investment_xrp: drops.nullable(),
    max_per_wallet_xrp: drops.nullable(),
    access,
    distribution: z.enum(['immediate', 'at_end']),
    vesting: z.object({
      immediate_bps: z.int(),
      cliff_days: z.int(),
      period_days: z.int(),
      periods: z.int(),
    }),
    treasury: z.string().nullable(),
    refund_min_xrp: drops,
    operating_accounts: z.array(z.string()),
    /** Absent when one key signs. */
    custody: custodySchema.optional(),
    /** Absent when nothing is locked. */
    locks: z.array(lockSchema).default([]),
    /** Absent when nothing is promised of unsold tokens. */
    unsold_until: z.iso.datetime().nullable().default(null),
    /** Absent when what vesting owes is not locked. */
    vesting_locked: z.boolean().default(false),
  }),
);

export interface ParsedTerms {
  projectId: string;
  terms: z.output<typeof termsText>;
  /** Of the text as it was published, not as the platform says. */
  hash: string;
  /** The text itself, for comparison with what else shows the terms. */
  shown: Record<string, unknown>;
}

/** Reads published terms and hashes their bytes. Throws `service_unavailable` for what is no terms of form 1. */
export function parseTerms(projectId: string, { canonical }: PublishedTerms): ParsedTerms {
  try {
    const shown = JSON.parse(canonical) as Record<string, unknown>;
    return { projectId, terms: termsText.parse(shown), hash: sha256Hex(canonical), shown };
  } catch (cause) {
    throw new ReadError('service_unavailable', `The published terms of ${projectId} cannot be read`, { cause });
  }
}

/** The sale before its first entry: a draft with these terms. */
export function draftOf({ projectId, terms, hash }: ParsedTerms): ProjectState {
  const { decimals: tokenDecimals } = terms.token;
  const tiers = terms.tiers.map(
    (tier): TierState => ({
      tier: tier.tier,
      price: tier.price_per_token,
      totalUnits: must(parseDecimal(tier.total_tokens, tokenDecimals)),
      listed: terms.access === 'allowlist' || tier.access === 'allowlist',
      credential: tier.credential ?? null,
      startsAtMs: tier.starts_at,
      soldUnits: 0n,
      valueDrops: 0n,
      openedAtMs: null,
      completedAtMs: null,
    }),
  );
  return {
    id: projectId,
    destinationTag: terms.destination_tag,
    status: 'draft',
    decimals: tokenDecimals,
    startsAtMs: terms.starts_at,
    endsAtMs: terms.ends_at,
    softCapDrops: terms.soft_cap_xrp,
    minInvestmentDrops: terms.min_investment_xrp,
    maxPerWalletDrops: terms.max_per_wallet_xrp,
    fullRaiseDrops: fullRaiseDrops(tiers, tokenDecimals),
    refundMinDrops: terms.refund_min_xrp,
    termsHash: hash,
    custody: terms.custody ?? null,
    operatingAccounts: terms.operating_accounts,
    raisedDrops: 0n,
    launchedAtMs: null,
    endedAtMs: null,
    endReason: null,
    listHash: null,
    lists: new Map(),
    wallets: new Map(),
    tiers,
  };
}
