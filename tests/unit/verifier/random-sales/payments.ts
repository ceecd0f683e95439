import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import { DEPOSIT } from './accounts.ts';
import type { PaymentStep } from './steps.ts';
import type { DrawnProject } from './terms.ts';

interface Sent {
  tx_json: Record<string, unknown>;
  meta: Record<string, unknown>;
}

/** A transaction by which XRP reaches the account, or seems to; `Amount` never says how much. */
export function arrivalOf({ by, sender, tag, sourceTag, to }: PaymentStep, drops: bigint): Sent {
  const tx_json = {
    TransactionType: 'Payment',
    Account: sender,
    Destination: DEPOSIT,
    Amount: String(drops * 3n),
    DeliverMax: String(drops * 3n),
    ...(tag === null ? {} : { DestinationTag: tag === 'project' ? 70 + to : tag }),
    ...(sourceTag === null ? {} : { SourceTag: sourceTag }),
  };
  const meta = { TransactionResult: 'tesSUCCESS', delivered_amount: String(drops) };
  switch (by) {
    case 'payment':
      return { tx_json, meta };
    case 'check':
      return { tx_json: { ...tx_json, TransactionType: 'CheckCash' }, meta };
    case 'failed':
      return { tx_json, meta: { ...meta, TransactionResult: 'tecPATH_PARTIAL' } };
    case 'token':
      return { tx_json, meta: { ...meta, delivered_amount: { currency: 'DMO', issuer: 'rIssuer', value: '7' } } };
    case 'unavailable':
      return { tx_json, meta: { ...meta, delivered_amount: 'unavailable' } };
    case 'leading_zero':
      return { tx_json, meta: { ...meta, delivered_amount: `0${drops}` } };
    case 'to_itself':
      return { tx_json: { ...tx_json, Account: DEPOSIT }, meta };
    case 'sent_away':
      return { tx_json: { ...tx_json, Account: DEPOSIT, Destination: sender }, meta };
  }
}

export function dropsOf({ amount }: PaymentStep, { row, tiers }: DrawnProject): bigint {
  if ('drops' in amount) return amount.drops;
  const all = fullRaiseDrops(tiers, row.decimals);
  if ('permilleOfAll' in amount) return (all * BigInt(amount.permilleOfAll)) / 1_000n + 1n;
  const [first] = tiers;
  const limits = {
    minimum: row.minInvestmentDrops,
    wallet_cap: row.maxPerWalletDrops,
    refund_min: row.refundMinDrops,
    first_unit: first && fullRaiseDrops([{ ...first, totalUnits: 1n }], row.decimals),
    first_tier: first && fullRaiseDrops([first], row.decimals),
  };
  const drops = (limits[amount.about as keyof typeof limits] ?? all) + amount.more;
  return drops > 0n ? drops : 1n;
}
