import { ceilOfQuotient, millisOfLedger, room, smaller } from './arithmetic.ts';
import type { ArrivedPayment } from './feed.ts';
import type { ReadCredential } from './publications.ts';
import { isSoldWhole, type Sale, type Tier, walletOf } from './sale.ts';

export interface Part {
  tier: Tier;
  drops: bigint;
  units: bigint;
}

export type Judgement = { refusedFor: string } | { parts: Part[]; refunded: bigint; rounding: bigint };

/** Where a payment is decided. */
export interface Decided {
  at: number;
  ledger: number;
}

const ACCEPTED = 0x00010000;

/** What a sale says to a payment, without touching the sale (docs/verification.md section 3). */
export function judge(sale: Sale, payment: ArrivedPayment, by: Decided, read: ReadCredential): Judgement {
  const { at } = by;
  const closed = whyClosed(sale, payment, at);
  if (closed !== null) return { refusedFor: closed };

  const { parts, rest, stopped } = fill(sale, payment, by, read);
  const last = parts.at(-1);
  if (last === undefined) return { refusedFor: stopped === 'change' ? 'below_one_unit' : stopped };
  if (rest >= sale.refundMin) return { parts, refunded: rest, rounding: 0n };
  last.drops += rest;
  return { parts, refunded: 0n, rounding: rest };
}

function whyClosed(sale: Sale, payment: ArrivedPayment, at: number): string | null {
  if (sale.status === 'cancelled') return sale.endReason === 'soft_cap_missed' ? 'soft_cap_missed' : 'cancelled';
  if (sale.status === 'completed') return isSoldWhole(sale) ? 'sold_out' : 'after_end';
  if (sale.status !== 'active') return 'not_active';
  if (at < sale.opensAt) return 'before_start';
  if (sale.minimum !== null && payment.received < sale.minimum) return 'below_minimum';
  return null;
}

function holds(credential: Tier['credential'], sender: string, { at, ledger }: Decided, read: ReadCredential): boolean {
  if (credential === undefined) return true;
  return credential.issuers.some((issuer) => {
    const entry = read(ledger - 1, sender, issuer, credential.credential_type);
    if (entry === null || (entry.Flags & ACCEPTED) === 0) return false;
    return entry.Expiration === undefined || at <= millisOfLedger(entry.Expiration);
  });
}

function fill(sale: Sale, { sender, received }: ArrivedPayment, by: Decided, read: ReadCredential) {
  const scale = 10n ** (6n + sale.decimals);
  const wallet = walletOf(sale, sender);
  const list = sale.listHash === null ? undefined : sale.lists.get(sale.listHash);
  const cap = list?.get(sender) ?? null;

  const parts: Part[] = [];
  let rest = received;
  let spentListed = 0n;
  let stopped = 'sold_out';

  for (const tier of sale.tiers) {
    const left = tier.total - tier.sold;
    if (left === 0n) continue;
    if (tier.startsAt !== null && by.at < tier.startsAt) {
      stopped = 'between_tiers';
      break;
    }
    if (tier.listed && !list?.has(sender)) {
      stopped = 'not_admitted';
      break;
    }
    let budget = rest;
    if (sale.walletCap !== null) budget = smaller(budget, room(sale.walletCap, wallet.invested + received - rest));
    if (tier.listed && cap !== null) budget = smaller(budget, room(cap, wallet.investedListed + spentListed));

    const affordable = (budget * scale) / tier.price;
    const couldAfford = (rest * scale) / tier.price;
    const units = smaller(affordable, left);
    if (units > 0n && !holds(tier.credential, sender, by, read)) {
      stopped = 'not_admitted';
      break;
    }
    if (units > 0n) {
      const drops = ceilOfQuotient(units * tier.price, scale);
      parts.push({ tier, drops, units });
      rest -= drops;
      if (tier.listed) spentListed += drops;
    }
    if (units < left) {
      stopped = couldAfford > affordable ? 'above_wallet_cap' : 'change';
      break;
    }
  }
  return { parts, rest, stopped };
}
