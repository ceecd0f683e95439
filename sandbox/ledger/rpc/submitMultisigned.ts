import { signatureProblem } from '../engine/signature.ts';
import { account } from '../engine/view.ts';
import type { JsonDraft } from '../json.ts';
import { engineResult } from '../results.ts';
import { transactionOf } from './blobs.ts';
import { asBool, missingField } from './fields.ts';
import { shownFields } from './render.ts';
import { sortedSigners } from './signers.ts';
import { readTransactionJson } from './transactionJson.ts';
import { checkMultiSigned, checkPayment, checkSender, transactionJson } from './transactionRequest.ts';
import { type Handler, RpcError } from './types.ts';

const DROPS = /^-?\d+$/;

/** `submit_multisigned`: a transaction in JSON that already carries its Signers, in any order. */
export const submitMultisigned: Handler = (context, request) => {
  const given = transactionJson(request);
  checkMultiSigned(given);
  if (!account(context.chain.open, checkSender(given))) throw new RpcError('srcActNotFound');
  if (!('Fee' in given)) throw missingField('tx_json.Fee');
  const fields: JsonDraft = { ...readTransactionJson(checkPayment(given, request, false)) };
  const read = transactionOf(fields);
  if ('TxnSignature' in given) throw new RpcError('signingMalformed');
  const { Fee: fee } = read.fields;
  if (typeof fee !== 'string' || !DROPS.test(fee)) throw badFee('specified in XRP');
  if (BigInt(fee) <= 0n) throw badFee('greater than zero');
  fields.Signers = sortedSigners(fields);
  const tx = transactionOf(fields);
  if (signatureProblem(tx) !== undefined) throw new RpcError('internal', { message: 'Invalid signature.' });

  const { result } = context.node.submit(tx, asBool(request.fail_hard));
  const shown = shownFields(tx.fields, context.apiVersion);
  const answer = { ...engineResult(result), tx_blob: tx.blob };
  return context.apiVersion === 1
    ? { ...answer, tx_json: { ...shown, hash: tx.hash } }
    : { ...answer, hash: tx.hash, tx_json: shown };
};

const badFee = (what: string): RpcError =>
  new RpcError('invalidParams', { message: `Invalid Fee field.  Fees must be ${what}.` });
