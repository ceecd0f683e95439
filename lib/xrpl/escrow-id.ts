import { createHash } from 'node:crypto';
import { decodeAccountID } from 'ripple-address-codec';

/** Namespace of escrows among the keys of the ledger's entries. */
const ESCROW_SPACE = Buffer.from([0, 0x75]);
const HALF_BYTES = 32;

/**
 * Key of the escrow that an account's transaction with this sequence or ticket has created. Pure. By hand, because `hashEscrow` of xrpl.js cannot be
 * imported without the codecs of all transactions, 560 kB that every route over these verbs would load before its first answer.
 */
export function escrowId(owner: string, sequence: number): string {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(sequence);
  const hash = createHash('sha512').update(ESCROW_SPACE).update(decodeAccountID(owner)).update(number).digest();
  return hash.subarray(0, HALF_BYTES).toString('hex').toUpperCase();
}
