import { hash } from 'node:crypto';

/**
 * Crypto-conditions of the one type the ledger takes, PREIMAGE-SHA-256, in their DER encoding. Source: the XRP Ledger's
 * reference on escrows and draft-thomas-crypto-conditions.
 */
export type Condition = {
  /** SHA-256 of the preimage, in upper-case hex. */
  readonly fingerprint: string;
  /** Length of the preimage in bytes. */
  readonly cost: number;
};

const MAX_CONDITION_BYTES = 128;
const MAX_FULFILLMENT_BYTES = 256;
const MAX_PREIMAGE_BYTES = 128;
const FINGERPRINT_BYTES = 32;
/** The most bytes of a length, and of a cost, which may begin with a zero byte. */
const MAX_LENGTH_BYTES = 8;
const MAX_COST_BYTES = 5;

/** Tags: the only type of condition, and the two fields inside one. A fulfillment has only the first field. */
const PREIMAGE_SHA_256 = 0xa0;
const FIRST_FIELD = 0x80;
const SECOND_FIELD = 0x81;

class Malformed extends Error {}

function bigEndian(bytes: Buffer): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** Takes one field with that tag from the front; answers its contents and what follows it. */
function takeField(bytes: Buffer, tag: number): { contents: Buffer; rest: Buffer } {
  const [actualTag, first = 0] = bytes;
  if (bytes.length < 2 || actualTag !== tag) throw new Malformed();
  let length = BigInt(first);
  let headerBytes = 2;
  if (first >= 0x80) {
    const lengthBytes = first - 0x80;
    headerBytes += lengthBytes;
    if (lengthBytes > MAX_LENGTH_BYTES || headerBytes > bytes.length) throw new Malformed();
    length = bigEndian(bytes.subarray(2, headerBytes));
    // Nothing is as short as that in this form; without any length bytes the length is indefinite.
    if (length === 0n) throw new Malformed();
  }
  if (length > bytes.length - headerBytes) throw new Malformed();
  const end = headerBytes + Number(length);
  return { contents: bytes.subarray(headerBytes, end), rest: bytes.subarray(end) };
}

function readCost(bytes: Buffer): number {
  const tooLong = bytes.length > MAX_COST_BYTES || (bytes.length === MAX_COST_BYTES && bytes[0] !== 0);
  const [first = 0x80] = bytes;
  if (tooLong || first >= 0x80) throw new Malformed();
  return Number(bigEndian(bytes));
}

function decodeCondition(bytes: Buffer): Condition {
  const { contents, rest } = takeField(bytes, PREIMAGE_SHA_256);
  if (rest.length > 0 || contents.length > MAX_CONDITION_BYTES) throw new Malformed();
  const fingerprint = takeField(contents, FIRST_FIELD);
  if (fingerprint.contents.length !== FINGERPRINT_BYTES) throw new Malformed();
  const costField = takeField(fingerprint.rest, SECOND_FIELD);
  const cost = readCost(costField.contents);
  if (costField.rest.length > 0 || cost > MAX_PREIMAGE_BYTES) throw new Malformed();
  return { fingerprint: fingerprint.contents.toString('hex').toUpperCase(), cost };
}

function decodeFulfillment(bytes: Buffer): Buffer {
  const { contents, rest } = takeField(bytes, PREIMAGE_SHA_256);
  if (rest.length > 0 || contents.length > MAX_FULFILLMENT_BYTES) throw new Malformed();
  const preimage = takeField(contents, FIRST_FIELD);
  if (preimage.rest.length > 0 || preimage.contents.length > MAX_PREIMAGE_BYTES) throw new Malformed();
  return preimage.contents;
}

function attempt<T>(decode: (bytes: Buffer) => T, hex: string): T | undefined {
  try {
    return decode(Buffer.from(hex, 'hex'));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** Decodes a condition in hex; undefined when it is malformed or of a type that the ledger does not take. */
export function parseCondition(hex: string): Condition | undefined {
  return attempt(decodeCondition, hex);
}

/** Whether a fulfillment in hex is well-formed and the one that a condition in hex asks for. */
export function fulfills(fulfillmentHex: string, conditionHex: string): boolean {
  const condition = parseCondition(conditionHex);
  const preimage = attempt(decodeFulfillment, fulfillmentHex);
  if (condition === undefined || preimage === undefined) return false;
  return condition.cost === preimage.length && condition.fingerprint === hash('sha256', preimage).toUpperCase();
}
