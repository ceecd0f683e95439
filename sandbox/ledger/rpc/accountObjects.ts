import { ownedIndexes } from '../engine/directory.ts';
import type { JsonObject } from '../json.ts';
import { wantedBlockers, wantedOwnedType } from './entryTypes.ts';
import { asBool, expectedField, hashIn, invalidField } from './fields.ts';
import { shownEntry } from './render.ts';
import { pageLimit, selectAccountInLedger } from './select.ts';
import type { Handler, RpcContext } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const NO_KEY = '0'.repeat(64);

type Resume = { readonly page: string | undefined; readonly entry: string } | undefined;

/** Where a page goes on: the directory page and the entry on it with which it begins. */
function resumeAt({ node }: RpcContext, request: JsonObject): Resume {
  const { marker } = request;
  if (!('marker' in request)) return undefined;
  if (typeof marker !== 'string') throw expectedField('marker', 'string');
  const comma = marker.indexOf(',');
  const page = comma < 0 ? undefined : hashIn(marker.slice(0, comma));
  const entry = comma < 0 ? undefined : hashIn(marker.slice(comma + 1));
  if (page === undefined || entry === undefined || !node.markers.isGood(marker)) throw invalidField('marker');
  return { page: page === NO_KEY ? undefined : page, entry };
}

/**
 * `account_objects`: what an account owns, in directory order, page by page. A page is `limit` entries of whatever
 * type, so that one that asks for a type may show fewer.
 */
export const accountObjects: Handler = (context, request) => {
  const { address, view, fields } = selectAccountInLedger(context, request);
  const blockers = asBool(request.deletion_blockers_only) ? wantedBlockers(request) : undefined;
  const type = blockers ? undefined : wantedOwnedType(request);
  const isWanted = (name: string): boolean => (blockers ? blockers.has(name) : type === undefined || name === type);
  const limit = pageLimit(request, LIMITS);
  const resume = resumeAt(context, request);
  const objects: JsonObject[] = [];
  let next: string | undefined;
  let seen = 0;
  let skipping = resume !== undefined;
  for (const { page, index } of ownedIndexes(view, address, resume?.page)) {
    if (skipping && index !== resume?.entry) continue;
    skipping = false;
    if (seen === limit) {
      next = context.node.markers.give(`${page},${index}`);
      break;
    }
    seen += 1;
    const entry = view.get(index);
    if (entry && isWanted(entry.LedgerEntryType)) objects.push(shownEntry(entry, index));
  }
  if (skipping) throw invalidField('marker');
  return {
    account: address,
    account_objects: objects,
    ...(next === undefined ? {} : { limit, marker: next }),
    ...fields,
  };
};
