import type { PartialReason, RefusalReason } from '@tranche/rules/types.ts';

const WORDS: Record<RefusalReason | PartialReason, string> = {
  no_tag: 'it came without a destination tag',
  unknown_tag: 'its destination tag belongs to no sale',
  not_active: 'the sale was not open',
  before_start: 'it came before the start',
  after_end: 'it came after the end',
  between_tiers: 'the next tier had not started',
  below_minimum: 'it is below the minimum payment',
  above_wallet_cap: 'it is above what one wallet may invest',
  not_admitted: 'the wallet is not on the list',
  below_one_unit: 'it buys no whole unit',
  sold_out: 'the sale is sold out',
  soft_cap_missed: 'the sale missed its soft cap',
  cancelled: 'the sale was cancelled',
  change: 'the rest buys no further unit',
};

const isKnown = (reason: string): reason is keyof typeof WORDS => Object.hasOwn(WORDS, reason);

/** Why a payment, or a part of it, goes back, within a sentence; other reasons with their underscores as spaces. */
export const reasonText = (reason: string): string => (isKnown(reason) ? WORDS[reason] : reason.replaceAll('_', ' '));
