import { account } from '../engine/view.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { FIRST_NETWORK_WITH_FIELD } from '../rules.ts';
import type { Transaction } from '../transaction.ts';
import { encoded, parsed } from './blobs.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

/**
 * `sandbox_impersonate`: lets unsigned transactions of exactly these accounts pass, as if a regular key had signed them; an
 * empty list ends it. No real server has this command.
 */
export const sandboxImpersonate: Handler = ({ node }, { accounts }) => {
  if (!Array.isArray(accounts) || !accounts.every((each: Json) => typeof each === 'string' && isAddress(each))) {
    throw new RpcError('invalidParams', { message: "Invalid field 'accounts'." });
  }
  if (!node.mayImpersonate) throw new RpcError('noPermission');
  node.impersonate(accounts as readonly string[]);
  return { accounts: [...node.chain.impersonated] };
};

/** Whether a transaction may pass without a signature. */
export function isImpersonated({ chain }: RpcContext, { fields }: Transaction): boolean {
  const { SigningPubKey: key, TxnSignature: signature = '', Signers: signers } = fields;
  return (
    key === '' && signature === '' && signers === undefined && chain.impersonated.has(fields.Delegate ?? fields.Account)
  );
}

/** The transaction of an impersonated account that a request to submit has in JSON, completed; else undefined. */
export function impersonatedTransaction({ chain }: RpcContext, request: JsonObject): Transaction | undefined {
  const { tx_json: json } = request;
  if (!isObject(json) || typeof json.Account !== 'string' || !chain.impersonated.has(json.Account)) return undefined;
  if (['secret', 'seed', 'seed_hex', 'passphrase'].some((name) => name in request)) return undefined;
  const { DeliverMax: deliverMax, ...rest } = json;
  const { networkId, baseFeeDrops } = chain.rules;
  return parsed(
    encoded({
      Fee: String(baseFeeDrops),
      Sequence: json.TicketSequence === undefined ? (account(chain.open, json.Account)?.Sequence ?? 0) : 0,
      ...(networkId < FIRST_NETWORK_WITH_FIELD ? {} : { NetworkID: networkId }),
      ...(deliverMax === undefined ? {} : { Amount: deliverMax }),
      ...rest,
      SigningPubKey: '',
    }),
  );
}
