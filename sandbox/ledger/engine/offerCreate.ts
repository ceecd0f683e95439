import { isPositive, parseDecimal } from '../amount.ts';
import { has, isIssued, LINE } from '../entries.ts';
import { offerIndex } from '../keylets.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { isInDomain } from './domains.ts';
import { findLine } from './lines.ts';
import { placeOffer, removeOffer } from './offers.ts';
import type { TransactionType } from './types.ts';
import { account } from './view.ts';

/** Whether `OfferSequence` names an offer that cannot be there yet. */
function namesTheFuture(view: ReadView, { Account: owner, OfferSequence: sequence }: TransactionFields): boolean {
  return sequence !== undefined && (account(view, owner)?.Sequence ?? 0) <= sequence;
}

/** OfferCreate, as far as the sandbox has order books: an offer of XRP for an issued currency, which rests. */
export const offerCreate: TransactionType = {
  flags: 0,
  preflight({ TakerGets: gets, TakerPays: pays, Expiration: expiration }) {
    if (typeof gets !== 'string' || pays === undefined || !isIssued(pays) || expiration !== undefined) {
      return 'temDISABLED';
    }
    return BigInt(gets) > 0n && isPositive(parseDecimal(pays.value)) ? 'tesSUCCESS' : 'temBAD_OFFER';
  },
  preclaim({ view, fields }) {
    const { TakerPays: pays } = fields;
    if (namesTheFuture(view, fields)) return 'temBAD_SEQUENCE';
    if (!pays || !isIssued(pays) || !account(view, pays.issuer)) return 'tecNO_ISSUER';
    const line = findLine(view, fields.Account, pays.issuer, pays.currency);
    // What is deeply frozen cannot be received, so nobody may offer to take it.
    const frozen = has(line?.Flags ?? 0, LINE.low.deepFreeze | LINE.high.deepFreeze);
    if (frozen) return 'tecFROZEN';
    if (fields.DomainID === undefined) return 'tesSUCCESS';
    return isInDomain(view, fields.DomainID, fields.Account) ? 'temDISABLED' : 'tecNO_PERMISSION';
  },
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    const { TakerGets: gets, TakerPays: pays, OfferSequence: replaced } = fields;
    if (typeof gets !== 'string' || pays === undefined || !isIssued(pays)) return 'tecINTERNAL';
    if (replaced !== undefined) removeOffer(view, offerIndex(root.Account, replaced));
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUF_RESERVE_OFFER';
    placeOffer(view, root.Account, fields.TicketSequence ?? fields.Sequence, { TakerGets: gets, TakerPays: pays });
    return 'tesSUCCESS';
  },
};

/** OfferCancel: an offer that is not there is no failure. */
export const offerCancel: TransactionType = {
  flags: 0,
  preflight: ({ OfferSequence: sequence }) => (sequence ? 'tesSUCCESS' : 'temBAD_SEQUENCE'),
  preclaim: ({ view, fields }) => (namesTheFuture(view, fields) ? 'temBAD_SEQUENCE' : 'tesSUCCESS'),
  apply({ view, fields, account: root }) {
    removeOffer(view, offerIndex(root.Account, fields.OfferSequence ?? 0));
    return 'tesSUCCESS';
  },
};
