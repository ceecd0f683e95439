import { isObject, type Json, type JsonObject } from '../json.ts';
import { accountIdHex, isAddress } from '../keylets.ts';
import { missingField } from './fields.ts';
import { RpcError } from './types.ts';

const invalid = (message: string): RpcError => new RpcError('invalidParams', { message });

const SIGNER_FIELDS = ['Account', 'SigningPubKey', 'TxnSignature'];

/** What signs: each entry by its account, or undefined where an entry is none. */
function signerAccount(entry: Json): string | undefined {
  const signer = isObject(entry) && Object.keys(entry).length === 1 ? entry.Signer : undefined;
  if (!isObject(signer) || Object.keys(signer).length !== SIGNER_FIELDS.length) return undefined;
  if (SIGNER_FIELDS.some((name) => typeof signer[name] !== 'string')) return undefined;
  return typeof signer.Account === 'string' && isAddress(signer.Account) ? signer.Account : undefined;
}

/** The signers in the order in which a ledger wants them. */
export function sortedSigners(fields: JsonObject): readonly Json[] {
  const { Signers: signers } = fields;
  if (signers === undefined) throw missingField('tx_json.Signers');
  if (!Array.isArray(signers) || signers.length === 0) throw invalid('tx_json.Signers array may not be empty.');
  const entries = signers.map((entry: Json) => {
    const address = signerAccount(entry);
    if (address === undefined) throw invalid('Signers array may only contain Signer entries.');
    return { entry, address, id: accountIdHex(address) };
  });
  entries.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const twice = entries.find(({ id }, i) => id === entries[i + 1]?.id);
  if (twice) throw invalid(`Duplicate Signers:Signer:Account entries (${twice.address}) are not allowed.`);
  if (entries.some(({ address }) => address === fields.Account)) {
    throw invalid(`A Signer may not be the transaction's Account (${fields.Account}).`);
  }
  return entries.map(({ entry }) => entry);
}
