import type { Custody } from '@tranche/rules/custody.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isInForce } from '#lib/xrpl/multi-signer.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import { readAgreedFeed } from '../feed/agreed-feed.ts';

const ENTRIES_A_PAGE = 200;

/**
 * The ledger that put this custody's list in force on an account, when that is after the period's beginning and one key set
 * it: what one key may have signed since is no witness's to explain. Null otherwise; signers before it are those of an
 * earlier period, who count until the list (docs/custody.md). Throws `ledger_unavailable`.
 */
export async function lateListOfOneKey(
  ctx: Ctx,
  custody: Custody,
  { address: account, signerList: list }: AccountState,
): Promise<number | null> {
  if (list === null || !isInForce(custody, list) || list.setInLedger <= custody.from_ledger) return null;
  const throughLedger = list.setInLedger;
  let afterLedger = throughLedger - 1;
  while (afterLedger < throughLedger) {
    const request = { account, afterLedger, afterHash: null, throughLedger, maxEntries: ENTRIES_A_PAGE };
    const { entries, readThrough } = await readAgreedFeed(ctx, request);
    const set = entries.flatMap((entry) => (entry.kind === 'payment' ? [] : (entry.own ?? []))).findLast(isListSet);
    if (set !== undefined) return set.signers.length === 0 ? throughLedger : null;
    if (readThrough <= afterLedger) break;
    afterLedger = readThrough;
  }
  return throughLedger;
}

const isListSet = ({ setSigners }: { setSigners?: unknown }): boolean => setSigners !== undefined;
