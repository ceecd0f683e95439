import { assetOf, isXrp } from '../engine/paths/quantity.ts';
import { balanceTowards, fundsOf } from '../engine/paths/transfers.ts';
import { isMpt } from '../entries.ts';
import type { NetworkRules } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { quantityText } from './bookOffers.ts';

/**
 * What the sender of an offer has of what it sells, frozen or not, as answers show it beside the offer; undefined of other
 * transactions and of those who sell what they issue.
 */
export function ownerFunds(view: ReadView, rules: NetworkRules, fields: TransactionFields): string | undefined {
  const { TransactionType: type, Account: owner, TakerGets: gets } = fields;
  if (type !== 'OfferCreate' || gets === undefined || isMpt(gets)) return undefined;
  const asset = assetOf(gets);
  if (isXrp(asset)) return quantityText(fundsOf(view, rules, owner, asset, 0n));
  return asset.issuer === owner ? undefined : quantityText(balanceTowards(view, owner, asset.issuer, asset.currency));
}
