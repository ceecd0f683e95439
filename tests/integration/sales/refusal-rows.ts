import type { PartialReason, RefusalReason } from '@tranche/rules/types.ts';
import type { Wallet } from 'xrpl';
import { addEntries } from '#lib/sales/lists/add-entries.ts';
import { commitList } from '#lib/sales/lists/commit-list.ts';
import { createList } from '#lib/sales/lists/create-list.ts';
import { DISTRIBUTOR, XRP } from '#tests/support/sale.ts';
import type { ProjectBody, Sale, Stage } from './stage.ts';

/** Long after every ledger of this file. */
const LATER = '2031-01-01T00:00:00.000Z';
const SOURCE_TAG = 4_294_967_295;

/** Ten tokens for ten XRP. */
const TIER = { price_per_token: '1', total_tokens: '10' };
/** One unit costs one XRP: the token has six decimals. */
export const DEAR = { price_per_token: '1000000', total_tokens: '0.001' };

/** The payment that a row is about. */
export interface Paid {
  drops: bigint;
  tag?: number | null;
  sourceTag?: number | null;
}

/** Sends XRP as any wallet might; it stands in the open ledger. */
export const pay = (
  stage: Stage,
  from: Wallet,
  sale: Sale,
  { drops, tag, sourceTag = null }: Paid,
): Promise<string> => {
  const destinationTag = tag === undefined ? sale.project.destination_tag : tag;
  return stage.desk.send(from, {
    TransactionType: 'Payment',
    Account: from.address,
    Destination: sale.deposit.address,
    Amount: drops.toString(),
    ...(destinationTag === null ? {} : { DestinationTag: destinationTag }),
    ...(sourceTag === null ? {} : { SourceTag: sourceTag }),
  });
};

/** Puts a list in force: wallets with what they may invest in listed tiers, in XRP. */
export async function admit(stage: Stage, sale: Sale, caps: Record<string, string | null>): Promise<void> {
  const { id: projectId } = sale.project;
  const { id: listId } = await createList(stage.ctx, { projectId });
  const entries = Object.entries(caps).map(([wallet, cap]) => ({ wallet_address: wallet, cap_xrp: cap }));
  await addEntries(stage.ctx, { projectId, listId, entries });
  await commitList(stage.ctx, { projectId, listId, reason: 'asked for' });
  await stage.settle(sale.deposit);
}

const moveTo = (action: 'pause' | 'end' | 'cancel') => async (stage: Stage, sale: Sale) => {
  await stage.act(sale, action);
  await stage.settle(sale.deposit);
};
const paidBefore =
  (drops: bigint, by: 'investor' | 'another') => async (stage: Stage, sale: Sale, investor: Wallet) => {
    await pay(stage, by === 'investor' ? investor : await stage.account(), sale, { drops });
    await stage.settle(sale.deposit);
  };
const OTHERS_ONLY = { [DISTRIBUTOR]: null };

/** A refusal: the sale, what happened before, the payment, and what of it was invested. */
export interface Row {
  reason: RefusalReason | PartialReason;
  when: string;
  body?: Partial<ProjectBody>;
  draft?: true;
  /** Who is on the list that is in force before the launch, and up to what. */
  list?: (investor: Wallet) => Record<string, string | null>;
  before?: (stage: Stage, sale: Sale, investor: Wallet) => Promise<void>;
  paid: Paid;
  /** Null for a payment refused whole. */
  invested: bigint | null;
}

const XRP_5 = { drops: 5n * XRP };
const TAGGED = { ...XRP_5, sourceTag: SOURCE_TAG };

/** Refused whole. */
export const WHOLE: Row[] = [
  { reason: 'no_tag', when: 'it has no tag', paid: { ...XRP_5, tag: null }, invested: null },
  { reason: 'no_tag', when: 'it has no tag but a SourceTag', paid: { ...TAGGED, tag: null }, invested: null },
  { reason: 'unknown_tag', when: 'its tag is nobody’s', paid: { ...TAGGED, tag: 0 }, invested: null },
  { reason: 'not_active', when: 'the sale is a draft', draft: true, paid: XRP_5, invested: null },
  { reason: 'not_active', when: 'the sale is paused', before: moveTo('pause'), paid: TAGGED, invested: null },
  { reason: 'before_start', when: 'the sale starts later', body: { starts_at: LATER }, paid: XRP_5, invested: null },
  {
    reason: 'before_start',
    when: 'its first tier starts later',
    body: { tiers: [{ ...TIER, starts_at: LATER }] },
    paid: TAGGED,
    invested: null,
  },
  { reason: 'after_end', when: 'the sale was ended', before: moveTo('end'), paid: TAGGED, invested: null },
  {
    reason: 'between_tiers',
    when: 'the next tier starts later',
    body: { tiers: [TIER, { ...TIER, starts_at: LATER }] },
    before: paidBefore(10n * XRP, 'another'),
    paid: XRP_5,
    invested: null,
  },
  {
    reason: 'below_minimum',
    when: 'it is a drop below the minimum',
    body: { min_investment_xrp: '5' },
    paid: { drops: 5n * XRP - 1n, sourceTag: 0 },
    invested: null,
  },
  {
    reason: 'above_wallet_cap',
    when: 'earlier payments used the wallet’s cap',
    body: { max_per_wallet_xrp: '3' },
    before: paidBefore(3n * XRP, 'investor'),
    paid: TAGGED,
    invested: null,
  },
  {
    reason: 'not_admitted',
    when: 'the list in force does not name the wallet',
    body: { access: 'allowlist' },
    list: () => OTHERS_ONLY,
    paid: TAGGED,
    invested: null,
  },
  {
    reason: 'below_one_unit',
    when: 'it is a drop less than a unit costs',
    body: { tiers: [DEAR] },
    paid: { drops: XRP - 1n, sourceTag: 7 },
    invested: null,
  },
  {
    reason: 'sold_out',
    when: 'nothing is left',
    body: { tiers: [TIER] },
    before: paidBefore(10n * XRP, 'another'),
    paid: TAGGED,
    invested: null,
  },
  {
    reason: 'soft_cap_missed',
    when: 'the sale ended below its soft cap',
    body: { tiers: [TIER], soft_cap_xrp: '5', distribution: 'at_end', ends_at: LATER },
    before: moveTo('end'),
    paid: TAGGED,
    invested: null,
  },
  { reason: 'cancelled', when: 'the sale was cancelled', before: moveTo('cancel'), paid: XRP_5, invested: null },
];

/** Invested in part, the rest refused. */
export const PARTIAL: Row[] = [
  {
    reason: 'change',
    when: 'the rest buys no unit',
    body: { tiers: [DEAR] },
    paid: { drops: 2_500_001n, sourceTag: 7 },
    invested: 2n * XRP,
  },
  {
    reason: 'sold_out',
    when: 'it takes all that is left',
    body: { tiers: [TIER] },
    before: paidBefore(8n * XRP, 'another'),
    paid: TAGGED,
    invested: 2n * XRP,
  },
  {
    reason: 'above_wallet_cap',
    when: 'the wallet’s cap takes a part only',
    body: { max_per_wallet_xrp: '3' },
    before: paidBefore(XRP, 'investor'),
    paid: XRP_5,
    invested: 2n * XRP,
  },
  {
    reason: 'above_wallet_cap',
    when: 'the list lets the wallet have a part only',
    body: { access: 'allowlist' },
    list: (investor) => ({ [investor.address]: '4' }),
    paid: TAGGED,
    invested: 4n * XRP,
  },
  {
    reason: 'not_admitted',
    when: 'it goes beyond the open tier into a listed one',
    body: { tiers: [TIER, { ...TIER, access: 'allowlist' }] },
    list: () => OTHERS_ONLY,
    paid: { drops: 12n * XRP + 1n, sourceTag: SOURCE_TAG },
    invested: 10n * XRP,
  },
  {
    reason: 'between_tiers',
    when: 'it goes beyond the open tier into one that starts later',
    body: { tiers: [TIER, { ...TIER, starts_at: LATER }] },
    paid: { drops: 12n * XRP },
    invested: 10n * XRP,
  },
];
