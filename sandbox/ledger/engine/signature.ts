import { verify as verifyBytes } from 'node:crypto';
import { encodeForMultisigning, encodeForSigning, encodeForSigningBatch } from 'ripple-binary-codec';
import { deriveAddress, verify as verifySecp256k1 } from 'ripple-keypairs';
import { signingHex } from '../binary/encode.ts';
import type { AccountRoot } from '../entries.ts';
import { has, LSF } from '../entries.ts';
import { accountIdHex, signerListIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import {
  innerTransactions,
  type Signer,
  sequenceKey,
  type Transaction,
  type TransactionFields,
} from '../transaction.ts';
import { account } from './view.ts';

/** The fixed DER header of an ed25519 public key. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** At most this many may sign together. */
const MAX_SIGNERS = 32;
/** At most so many accounts may let a Batch hold their transactions. */
export const MAX_BATCH_SIGNERS = 24;

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

type Signed = Pick<TransactionFields, 'Signers' | 'TxnSignature'>;

/** Why those who sign together for an account do not; `messageOf` gives what each of them signs, in hex. */
function multisignProblem(signed: Signed, owner: string, messageOf: (address: string) => string): string | undefined {
  if (!signed.Signers) return 'Empty SigningPubKey.';
  if (signed.TxnSignature !== undefined) return 'Cannot both single- and multi-sign.';
  if (signed.Signers.length === 0 || signed.Signers.length > MAX_SIGNERS) return 'Invalid Signers array size.';
  let previousId = '';
  for (const { Signer: signer } of signed.Signers) {
    const id = accountIdHex(signer.Account);
    if (signer.Account === owner) return 'Invalid multisigner.';
    if (id <= previousId) return id === previousId ? 'Duplicate Signers not allowed.' : 'Unsorted Signers array.';
    previousId = id;
    if (!verifies(messageOf(signer.Account), signer.TxnSignature, signer.SigningPubKey)) {
      return `Invalid signature on account ${signer.Account}.`;
    }
  }
  return undefined;
}

/** Why the signatures of those who let a Batch hold their transactions do not stand. */
export function batchSignersProblem(fields: TransactionFields): string | undefined {
  const { BatchSigners: signers } = fields;
  if (!signers) return undefined;
  if (signers.length > MAX_BATCH_SIGNERS) return 'BatchSigners array exceeds max entries.';
  const batch = {
    account: fields.Account,
    sequence: sequenceKey(fields).value,
    flags: fields.Flags ?? 0,
    txIDs: innerTransactions(fields).map(({ hash }) => hash),
  };
  for (const { BatchSigner: signer } of signers) {
    const own = { ...batch, batchAccount: signer.Account };
    const { SigningPubKey: key = '', TxnSignature: signature = '' } = signer;
    if (key === '') {
      const problem = multisignProblem(signer, signer.Account, (address) =>
        encodeForSigningBatch({ ...own, signerAccount: address }),
      );
      if (problem !== undefined) return problem;
    } else {
      if (signer.Signers) return 'Cannot both single- and multi-sign.';
      if (!verifies(encodeForSigningBatch(own), signature, key)) return 'Invalid signature.';
    }
  }
  return undefined;
}

function ownSignatureProblem({ blob, fields }: Transaction): string | undefined {
  if (fields.SigningPubKey === '') {
    const owner = fields.Delegate ?? fields.Account;
    return multisignProblem(fields, owner, (address) => encodeForMultisigning(fields, address));
  }
  if (fields.Signers) return 'Cannot both single- and multi-sign.';
  const signature = fields.TxnSignature ?? '';
  // The signature of a channel claim and those of a batch are, like the transaction's own, no part of what is signed.
  const hasOthers = fields.Signature !== undefined || fields.BatchSigners !== undefined;
  const quick = hasOthers ? undefined : signingHex(blob, fields.SigningPubKey, signature);
  const signed = quick ?? encodeForSigning(fields);
  return verifies(signed, signature, fields.SigningPubKey) ? undefined : 'Invalid signature.';
}

/** Why the signatures do not stand by themselves, in the server's words; undefined when they do. */
export function signatureProblem(tx: Transaction): string | undefined {
  return ownSignatureProblem(tx) ?? batchSignersProblem(tx.fields);
}

/** Whether a key may sign alone for an account. */
function checkKey(root: AccountRoot, publicKeyHex: string): ResultName {
  const signer = addressOfKey(publicKeyHex);
  if (signer === root.RegularKey) return 'tesSUCCESS';
  if (signer !== root.Account) return 'tefBAD_AUTH';
  return has(root.Flags, LSF.disableMaster) ? 'tefMASTER_DISABLED' : 'tesSUCCESS';
}

/** Whether a member of a list may sign: by its own key, which needs no account, or by its regular key. */
function checkMember(view: ReadView, address: string, publicKeyHex: string): ResultName {
  const root = account(view, address);
  // A simulation names signers without their keys.
  const isOwnKey = publicKeyHex === '' || addressOfKey(publicKeyHex) === address;
  if (isOwnKey) return root && has(root.Flags, LSF.disableMaster) ? 'tefMASTER_DISABLED' : 'tesSUCCESS';
  return root?.RegularKey === addressOfKey(publicKeyHex) ? 'tesSUCCESS' : 'tefBAD_SIGNATURE';
}

function checkMultisign(view: ReadView, owner: string, signers: readonly Signer[]): ResultName {
  const list = read(view, 'SignerList', signerListIndex(owner));
  if (!list) return 'tefNOT_MULTI_SIGNING';
  const weights = new Map(list.SignerEntries.map(({ SignerEntry: entry }) => [entry.Account, entry.SignerWeight]));
  let weight = 0;
  for (const { Signer: signer } of signers) {
    const signerWeight = weights.get(signer.Account);
    if (signerWeight === undefined) return 'tefBAD_SIGNATURE';
    const member = checkMember(view, signer.Account, signer.SigningPubKey);
    if (member !== 'tesSUCCESS') return member;
    weight += signerWeight;
  }
  return weight >= list.SignerQuorum ? 'tesSUCCESS' : 'tefBAD_QUORUM';
}

/** Whether the keys that signed may act for the account in this ledger. */
export function checkAuthority(view: ReadView, root: AccountRoot, fields: TransactionFields): ResultName {
  if (fields.Signers) return checkMultisign(view, root.Account, fields.Signers);
  // Without any key it comes this far only for an account that is impersonated.
  return fields.SigningPubKey === '' ? 'tesSUCCESS' : checkKey(root, fields.SigningPubKey);
}

/** Whether the keys of those who let a Batch hold their transactions may act for them. */
export function checkBatchSigners(view: ReadView, { BatchSigners: signers = [] }: TransactionFields): ResultName {
  for (const { BatchSigner: signer } of signers) {
    const { Account: address, SigningPubKey: key = '' } = signer;
    const root = account(view, address);
    let result: ResultName;
    if (key === '') result = checkMultisign(view, address, signer.Signers ?? []);
    else if (root) result = checkKey(root, key);
    // An earlier transaction of the batch may be what creates the account.
    else result = addressOfKey(key) === address ? 'tesSUCCESS' : 'tefBAD_AUTH';
    if (result !== 'tesSUCCESS') return result;
  }
  return 'tesSUCCESS';
}
