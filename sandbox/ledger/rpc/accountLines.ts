import { formatDecimal } from '../amount.ts';
import { ownedIndexes, pageOf } from '../engine/directory.ts';
import { addressOf, balanceFrom, limitOf, otherSide, sideOf } from '../engine/lines.ts';
import { has, LINE, type RippleState } from '../entries.ts';
import type { JsonDraft, JsonObject } from '../json.ts';
import { type ReadView, read } from '../state.ts';
import { addressIn, asBool, asText, expectedField } from './fields.ts';
import { pageLimit, selectAccountInLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),(\d+)$/i;

/** The lines of an account in directory order, from the page with that index on. */
export function* linesOf(
  view: ReadView,
  address: string,
  from?: string,
): Generator<{ index: string; line: RippleState }> {
  for (const { index } of ownedIndexes(view, address, from)) {
    const line = read(view, 'RippleState', index);
    if (line) yield { index, line };
  }
}

/** A line as the account sees it: the issuer's balances are negative, and flags appear only when set. */
function shownLine(line: RippleState, address: string): JsonObject {
  const side = sideOf(line, address);
  const peerSide = otherSide(side);
  const own = LINE[side];
  const peer = LINE[peerSide];
  const [qualityIn, qualityOut] =
    side === 'low' ? [line.LowQualityIn, line.LowQualityOut] : [line.HighQualityIn, line.HighQualityOut];
  const shown: JsonDraft = {
    account: addressOf(line, peerSide),
    balance: formatDecimal(balanceFrom(line, side)),
    currency: line.Balance.currency,
    limit: formatDecimal(limitOf(line, side)),
    limit_peer: formatDecimal(limitOf(line, peerSide)),
    quality_in: qualityIn ?? 0,
    quality_out: qualityOut ?? 0,
  };
  const flags: readonly [string, number][] = [
    ['authorized', own.auth],
    ['peer_authorized', peer.auth],
    ['no_ripple', own.noRipple],
    ['no_ripple_peer', peer.noRipple],
    ['freeze', own.freeze],
    ['freeze_peer', peer.freeze],
    ['deep_freeze', own.deepFreeze],
    ['deep_freeze_peer', peer.deepFreeze],
  ];
  for (const [name, bit] of flags) if (has(line.Flags, bit)) shown[name] = true;
  return shown;
}

/** The account's directory page that the line stands on, in hex. */
const ownNode = (line: RippleState, address: string): string =>
  sideOf(line, address) === 'low' ? line.LowNode : line.HighNode;

/** The last line of a page and, for the server to resume there, the number of its directory page. */
const markerOf = ({ index, line }: { index: string; line: RippleState }, address: string): string =>
  `${index},${BigInt(`0x${ownNode(line, address)}`)}`;

/** Whether the account itself never asked for the line; `ignore_default` leaves it out. */
function isDefaultFor(line: RippleState, address: string): boolean {
  return !has(line.Flags, LINE[sideOf(line, address)].reserve);
}

export const accountLines: Handler = (context, request) => {
  const { address, view, fields } = selectAccountInLedger(context, request);
  const { marker } = request;
  const named = asText(request.peer);
  const peer = named === '' ? undefined : addressIn(named);
  if (named !== '' && peer === undefined) throw new RpcError('actMalformed', { fields });
  const limit = pageLimit(request, LIMITS);
  if (marker !== undefined && typeof marker !== 'string') throw expectedField('marker', 'string');
  const after = typeof marker === 'string' ? MARKER.exec(marker)?.[1]?.toUpperCase() : undefined;
  const resumed = after === undefined ? undefined : read(view, 'RippleState', after);
  if (marker !== undefined && !(resumed && context.node.markers.isGood(marker))) throw new RpcError('invalidParams');
  const from = resumed && pageOf(address, ownNode(resumed, address));
  const ignoresDefault = asBool(request.ignore_default);
  const lines: JsonObject[] = [];
  let last: { index: string; line: RippleState } | undefined;
  let more = false;
  let skipping = after !== undefined;
  for (const { index, line } of linesOf(view, address, from)) {
    if (skipping) {
      if (index === after) skipping = false;
      continue;
    }
    if (lines.length === limit) {
      more = true;
      break;
    }
    last = { index, line };
    if (peer !== undefined && addressOf(line, otherSide(sideOf(line, address))) !== peer) continue;
    if (ignoresDefault && isDefaultFor(line, address)) continue;
    lines.push(shownLine(line, address));
  }
  if (skipping) throw new RpcError('invalidParams');
  return {
    account: address,
    ...(more && last ? { limit, marker: context.node.markers.give(markerOf(last, address)) } : {}),
    lines,
    ...fields,
  };
};
