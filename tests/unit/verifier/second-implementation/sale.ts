import { createHash } from 'node:crypto';
import { millisOrNull, scaled, scaledOrNull } from './arithmetic.ts';
import type { PublishedProject, PublishedTerms, PublishedTier } from './publications.ts';

export interface Tier {
  tier: number;
  /** XRP a token, in 10^-12. */
  price: bigint;
  /** Units of the token. */
  total: bigint;
  sold: bigint;
  listed: boolean;
  credential: PublishedTier['credential'];
  startsAt: number | null;
}

export interface Wallet {
  invested: bigint;
  investedListed: bigint;
}

/** The page that the book keeps for one project: what was promised, and where it stands. */
export interface Sale {
  terms: PublishedTerms;
  termsHash: string;
  decimals: bigint;
  opensAt: number;
  endsAt: number | null;
  softCap: bigint | null;
  minimum: bigint | null;
  walletCap: bigint | null;
  refundMin: bigint;
  /** By the hash of a version: wallet to cap in drops, null without one of its own. */
  lists: Map<string, Map<string, bigint | null>>;

  launchLedger: number | null;
  status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';
  tiers: Tier[];
  raised: bigint;
  endedAt: number | null;
  endReason: string | null;
  listHash: string | null;
  wallets: Map<string, Wallet>;
}

export function openPage(project: PublishedProject): Sale {
  const terms: PublishedTerms = JSON.parse(project.canonical);
  const tiers = terms.tiers.map((tier) => openTier(tier, terms));
  return {
    terms,
    termsHash: sha256(project.canonical),
    decimals: BigInt(terms.token.decimals),
    opensAt: Math.max(millisOrNull(terms.starts_at) ?? 0, tiers[0]?.startsAt ?? 0),
    endsAt: millisOrNull(terms.ends_at),
    softCap: scaledOrNull(terms.soft_cap_xrp, 6),
    minimum: scaledOrNull(terms.min_investment_xrp, 6),
    walletCap: scaledOrNull(terms.max_per_wallet_xrp, 6),
    refundMin: scaled(terms.refund_min_xrp, 6),
    lists: new Map(project.lists.map((bytes) => [sha256(bytes), readList(bytes)])),
    launchLedger: null,
    status: 'draft',
    tiers,
    raised: 0n,
    endedAt: null,
    endReason: null,
    listHash: null,
    wallets: new Map(),
  };
}

export function walletOf(sale: Sale, address: string): Wallet {
  return sale.wallets.get(address) ?? { invested: 0n, investedListed: 0n };
}

export function isSoldWhole(sale: Sale): boolean {
  return sale.tiers.every((tier) => tier.sold === tier.total);
}

/** docs/verification.md section 5. */
export function endSale(sale: Sale, reason: string, endedAt: number): void {
  const missed = sale.softCap !== null && sale.raised < sale.softCap;
  sale.status = missed ? 'cancelled' : 'completed';
  sale.endReason = missed ? 'soft_cap_missed' : reason;
  sale.endedAt = endedAt;
}

function openTier(tier: PublishedTier, terms: PublishedTerms): Tier {
  return {
    tier: tier.tier,
    price: scaled(tier.price_per_token, 12),
    total: scaled(tier.total_tokens, terms.token.decimals),
    sold: 0n,
    listed: terms.access === 'allowlist' || tier.access === 'allowlist',
    credential: tier.credential,
    startsAt: millisOrNull(tier.starts_at),
  };
}

function readList(bytes: string): Map<string, bigint | null> {
  const lines = bytes.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => JSON.parse(line)).map((row) => [row.wallet_address, scaledOrNull(row.cap_xrp, 6)]),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
