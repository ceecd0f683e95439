import { encodeAccountPublic } from 'ripple-address-codec';
import { ownedIndexes, pageOf } from '../engine/directory.ts';
import { isPublicKey } from '../engine/paymentChannel.ts';
import { account } from '../engine/view.ts';
import type { Entry, PayChannel } from '../entries.ts';
import type { JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import type { ReadView } from '../state.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),(\d+)$/i;

function shownChannel(channel: PayChannel, index: string): JsonObject {
  const { CancelAfter, DestinationTag, Expiration, PublicKey, SourceTag } = channel;
  const key = isPublicKey(PublicKey)
    ? { public_key: encodeAccountPublic(Buffer.from(PublicKey, 'hex')), public_key_hex: PublicKey }
    : {};
  return {
    account: channel.Account,
    amount: channel.Amount,
    balance: channel.Balance,
    ...(CancelAfter === undefined ? {} : { cancel_after: CancelAfter }),
    channel_id: index,
    destination_account: channel.Destination,
    ...(DestinationTag === undefined ? {} : { destination_tag: DestinationTag }),
    ...(Expiration === undefined ? {} : { expiration: Expiration }),
    ...key,
    settle_delay: channel.SettleDelay,
    ...(SourceTag === undefined ? {} : { source_tag: SourceTag }),
  };
}

/** The page of the account's own directory on which an entry stands, in hex; undefined for what is not listed there. */
function ownNode(entry: Entry, address: string): string | undefined {
  if (entry.LedgerEntryType === 'RippleState') {
    if (entry.LowLimit.issuer === address) return entry.LowNode;
    return entry.HighLimit.issuer === address ? entry.HighNode : undefined;
  }
  const fields: JsonObject = entry;
  const node = fields.Destination === address && fields.Account !== address ? fields.DestinationNode : fields.OwnerNode;
  return typeof node === 'string' ? node : undefined;
}

/** Where a marker says to go on: behind which entry, on which page. */
function resumeAt(view: ReadView, address: string, marker: JsonObject[string]) {
  const after = typeof marker === 'string' ? MARKER.exec(marker)?.[1]?.toUpperCase() : undefined;
  const entry = after === undefined ? undefined : view.get(after);
  const node = entry && ownNode(entry, address);
  return after !== undefined && node !== undefined ? { after, page: pageOf(address, node) } : undefined;
}

/**
 * `account_channels`: the channels an account pays into, page by page. A page is `limit` entries of the account's
 * directory, of whatever type, so that it may show fewer channels than that.
 */
export const accountChannels: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound');
  const { destination_account: receiver = '', marker } = request;
  if (receiver !== '' && (typeof receiver !== 'string' || !isAddress(receiver))) throw new RpcError('actMalformed');
  const limit = pageLimit(request, LIMITS);
  const resumed = marker === undefined ? undefined : resumeAt(view, address, marker);
  if (marker !== undefined && !(resumed && typeof marker === 'string' && context.node.markers.isGood(marker))) {
    throw new RpcError('invalidParams');
  }
  const channels: JsonObject[] = [];
  let seen = 0;
  let last: string | undefined;
  let skipping = resumed !== undefined;
  for (const { index } of ownedIndexes(view, address, resumed?.page)) {
    if (skipping) {
      skipping = index !== resumed?.after;
      continue;
    }
    seen += 1;
    if (seen > limit) break;
    const entry = view.get(index);
    if (seen === limit && entry) last = `${index},${BigInt(`0x${ownNode(entry, address) ?? '0'}`)}`;
    if (entry?.LedgerEntryType !== 'PayChannel' || entry.Account !== address) continue;
    if (receiver === '' || entry.Destination === receiver) channels.push(shownChannel(entry, index));
  }
  if (skipping) throw new RpcError('invalidParams');
  return {
    account: address,
    channels,
    ...(seen > limit && last ? { limit, marker: context.node.markers.give(last) } : {}),
    ...selected.fields,
  };
};
