import { verify as verifyBytes } from 'node:crypto';
import { encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress, verify as verifySecp256k1 } from 'ripple-keypairs';
import { signingHex } from '../binary/encode.ts';
import type { AccountRoot } from '../entries.ts';
import { has, LSF } from '../entries.ts';
import { accountIdHex, signerListIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import type { Transaction, TransactionFields } from '../transaction.ts';
import { account } from './view.ts';

/** The fixed DER header of an ed25519 public key. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** At most this many may sign together. */
const MAX_SIGNERS = 32;

const MAX_CACHED_KEYS = 100_000;
const addressCache = new Map<string, string>();

/** The classic address of a public key in hex. */
export function addressOfKey(publicKeyHex: string): string {
  let address = addressCache.get(publicKeyHex);
  if (address === undefined) {
    address = deriveAddress(publicKeyHex);
    if (addressCache.size >= MAX_CACHED_KEYS) addressCache.clear();
    addressCache.set(publicKeyHex, address);
  }
  return address;
}

/** Whether the hex is of a public key of one of the two kinds there are. */
export function isPublicKey(hex: string): boolean {
  return hex.length === 66 && /^(?:ED|02|03)/i.test(hex);
}

/** Whether the account's own master key signed, alone. */
export function signedByMaster(fields: TransactionFields): boolean {
  return fields.SigningPubKey !== '' && addressOfKey(fields.SigningPubKey) === fields.Account;
}

/** Whether a signature of either key type covers a message; all in hex. */
export function verifies(messageHex: string, signatureHex: string, publicKeyHex: string): boolean {
  try {
    if (/^ED/i.test(publicKeyHex)) {
      const key = Buffer.concat([ED25519_SPKI, Buffer.from(publicKeyHex.slice(2), 'hex')]);
      return verifyBytes(
        null,
        Buffer.from(messageHex, 'hex'),
        { key, format: 'der', type: 'spki' },
        Buffer.from(signatureHex, 'hex'),
      );
    }
    return verifySecp256k1(messageHex, signatureHex, publicKeyHex);
  } catch {
    return false;
  }
}

/** Why the signatures do not stand by themselves, in the server's words; undefined when they do. */
export function signatureProblem({ blob, fields }: Transaction): string | undefined {
  if (fields.SigningPubKey !== '') {
    if (fields.Signers) return 'Cannot both single- and multi-sign.';
    const signature = fields.TxnSignature ?? '';
    // The signature of a channel claim is, like the transaction's own, no part of what is signed.
    const quick = fields.Signature === undefined ? signingHex(blob, fields.SigningPubKey, signature) : undefined;
    const signed = quick ?? encodeForSigning(fields);
    const ok = verifies(signed, signature, fields.SigningPubKey);
    return ok ? undefined : 'Invalid signature.';
  }
  if (!fields.Signers) return 'Empty SigningPubKey.';
  if (fields.TxnSignature !== undefined) return 'Cannot both single- and multi-sign.';
  if (fields.Signers.length === 0 || fields.Signers.length > MAX_SIGNERS) return 'Invalid Signers array size.';
  let previousId = '';
  for (const { Signer: signer } of fields.Signers) {
    const id = accountIdHex(signer.Account);
    if (signer.Account === fields.Account) return 'Invalid multisigner.';
    if (id <= previousId) return id === previousId ? 'Duplicate Signers not allowed.' : 'Unsorted Signers array.';
    previousId = id;
    if (!verifies(encodeForMultisigning(fields, signer.Account), signer.TxnSignature, signer.SigningPubKey)) {
      return `Invalid signature on account ${signer.Account}.`;
    }
  }
  return undefined;
}

/** Whether a key may sign alone for an account. */
function checkKey(root: AccountRoot, publicKeyHex: string): ResultName {
  const signer = addressOfKey(publicKeyHex);
  if (signer === root.RegularKey) return 'tesSUCCESS';
  if (signer !== root.Account) return 'tefBAD_AUTH';
  return has(root.Flags, LSF.disableMaster) ? 'tefMASTER_DISABLED' : 'tesSUCCESS';
}

function checkMultisign(view: ReadView, fields: TransactionFields): ResultName {
  const list = read(view, 'SignerList', signerListIndex(fields.Account));
  if (!list) return 'tefNOT_MULTI_SIGNING';
  const weights = new Map(list.SignerEntries.map(({ SignerEntry: entry }) => [entry.Account, entry.SignerWeight]));
  let weight = 0;
  for (const { Signer: signer } of fields.Signers ?? []) {
    const signerWeight = weights.get(signer.Account);
    if (signerWeight === undefined) return 'tefBAD_SIGNATURE';
    const root = account(view, signer.Account);
    if (root) {
      const result = checkKey(root, signer.SigningPubKey);
      if (result !== 'tesSUCCESS') return result === 'tefBAD_AUTH' ? 'tefBAD_SIGNATURE' : result;
    } else if (addressOfKey(signer.SigningPubKey) !== signer.Account) return 'tefBAD_SIGNATURE';
    weight += signerWeight;
  }
  return weight >= list.SignerQuorum ? 'tesSUCCESS' : 'tefBAD_QUORUM';
}

/** Whether the keys that signed may act for the account in this ledger. */
export function checkAuthority(view: ReadView, root: AccountRoot, fields: TransactionFields): ResultName {
  if (fields.Signers) return checkMultisign(view, fields);
  // Without any key it comes this far only for an account that is impersonated.
  return fields.SigningPubKey === '' ? 'tesSUCCESS' : checkKey(root, fields.SigningPubKey);
}
