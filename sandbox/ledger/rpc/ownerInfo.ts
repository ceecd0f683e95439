import { ownedIndexes } from '../engine/directory.ts';
import type { JsonObject } from '../json.ts';
import { addressIn, asText, missingField } from './fields.ts';
import { shownEntry } from './render.ts';
import { type Selected, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

function owned({ view }: Selected, address: string): JsonObject {
  const entries = [...ownedIndexes(view, address)].flatMap(({ index }) => {
    const entry = view.get(index);
    return entry ? [{ type: entry.LedgerEntryType, shown: shownEntry(entry, index) }] : [];
  });
  const of = (type: string): JsonObject[] => entries.filter((each) => each.type === type).map(({ shown }) => shown);
  const [offers, lines] = [of('Offer'), of('RippleState')];
  return {
    ...(offers.length === 0 ? {} : { offers }),
    ...(lines.length === 0 ? {} : { ripple_lines: lines }),
  };
}

/** `owner_info`: an account's offers and trust lines, in the last closed ledger and in the open one. */
export const ownerInfo: Handler = (context, request) => {
  if (!('account' in request) && !('ident' in request)) throw missingField('account');
  const address = addressIn(asText('account' in request ? request.account : request.ident));
  if (address === undefined) {
    const { fields: malformed } = new RpcError('actMalformed');
    return { accepted: malformed, current: malformed };
  }
  return {
    accepted: owned(selectLedger(context, { ledger_index: 'closed' }), address),
    current: owned(selectLedger(context, {}), address),
  };
};
