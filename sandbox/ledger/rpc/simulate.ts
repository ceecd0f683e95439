import { applyTransaction } from '../engine/apply.ts';
import { account } from '../engine/view.ts';
import { isObject, type JsonObject } from '../json.ts';
import { engineResult } from '../results.ts';
import { encoded, parsed } from './blobs.ts';
import { metaBlob, shownMeta } from './render.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

/** Fills in what a simulated transaction may leave out. */
function completed({ chain }: RpcContext, fields: JsonObject): JsonObject {
  const sender = typeof fields.Account === 'string' ? account(chain.open, fields.Account) : undefined;
  return {
    Fee: String(chain.rules.baseFeeDrops),
    Sequence: sender?.Sequence ?? 0,
    SigningPubKey: '',
    TxnSignature: '',
    ...fields,
  };
}

/** `simulate`: what an unsigned transaction would do to the open ledger. */
export const simulate: Handler = (context, request) => {
  const { chain } = context;
  const { tx_blob: blob, tx_json: json } = request;
  if (typeof blob !== 'string' && !isObject(json)) {
    throw new RpcError('invalidParams', { message: 'Neither `tx_blob` nor `tx_json` included.' });
  }
  const given = typeof blob === 'string' ? (parsed(blob).fields as JsonObject) : isObject(json) ? json : {};
  if (given.TxnSignature) throw new RpcError('transactionSigned');
  const tx = parsed(encoded(completed(context, given)));
  if (tx.fields.TransactionType === 'Batch') throw new RpcError('notImpl');
  const outcome = applyTransaction(chain.open, tx, chain.rules, { open: false, refuseTec: false, dryRun: true });
  const meta = {
    AffectedNodes: outcome.affectedNodes,
    ...(outcome.deliveredAmount === undefined ? {} : { DeliveredAmount: outcome.deliveredAmount }),
    TransactionIndex: 0,
    TransactionResult: outcome.result,
  };
  const named = engineResult(outcome.result);
  const binary = request.binary === true;
  return {
    applied: false,
    ...named,
    ...(outcome.result === 'tesSUCCESS'
      ? { engine_result_message: 'The simulated transaction would have been applied.' }
      : {}),
    ledger_index: chain.open.ledgerIndex,
    ...(!outcome.applied ? {} : binary ? { meta_blob: metaBlob(meta) } : { meta: shownMeta(meta, tx.fields) }),
    ...(binary ? { tx_blob: tx.blob } : { tx_json: { ...(tx.fields as JsonObject), hash: tx.hash } }),
  };
};
