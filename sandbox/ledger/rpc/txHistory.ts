import type { Json } from '../json.ts';
import { asUint } from './fields.ts';
import { shownFields } from './render.ts';
import { type Handler, RpcError } from './types.ts';

const PAGE = 20;

/** `tx_history`, of version 1 only: the last transactions, newest ledger first, from the `start`-th on. */
export const txHistory: Handler = ({ node }, request) => {
  if (!('start' in request)) throw new RpcError('invalidParams');
  const start = asUint(request.start);
  const txs: Json[] = [];
  let skipped = 0;
  for (let index = node.lastIndex; index >= 1 && txs.length < PAGE; index--) {
    for (const { tx } of node.ledger(index)?.transactions ?? []) {
      if (skipped++ < start || txs.length === PAGE) continue;
      txs.push({ ...shownFields(tx.fields, 1), hash: tx.hash, inLedger: index, ledger_index: index });
    }
  }
  return { index: start, txs };
};
