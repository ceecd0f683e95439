import { decodeAccountID, encodeAccountID } from 'ripple-address-codec';
import { sha512HalfHex, uintHex } from './hashing.ts';

const idCache = new Map<string, string>();
const rootCache = new Map<string, string>();

/** The 160-bit account ID of a classic address as upper-case hex. Throws on a malformed address. */
export function accountIdHex(address: string): string {
  let id = idCache.get(address);
  if (id === undefined) {
    id = Buffer.from(decodeAccountID(address)).toString('hex').toUpperCase();
    idCache.set(address, id);
  }
  return id;
}

/** The classic address of a 160-bit account ID in hex. */
export function addressOfId(idHex: string): string {
  return encodeAccountID(Buffer.from(idHex, 'hex'));
}

/** Whether the text is a well-formed classic address (X-addresses are not). */
export function isAddress(text: string): boolean {
  if (idCache.has(text)) return true;
  try {
    accountIdHex(text);
    return true;
  } catch {
    return false;
  }
}

/** 160-bit currency code of a three-character or hex currency. */
export function currencyHex(currency: string): string {
  if (currency.length === 40) return currency.toUpperCase();
  return `${'0'.repeat(24)}${Buffer.from(currency, 'ascii').toString('hex').toUpperCase()}${'0'.repeat(10)}`;
}

export function accountIndex(address: string): string {
  let index = rootCache.get(address);
  if (index === undefined) {
    index = sha512HalfHex('0061', accountIdHex(address));
    rootCache.set(address, index);
  }
  return index;
}

/** Whether the first account is the low side of a trust line with the second. */
export function isLow(address: string, peer: string): boolean {
  return accountIdHex(address) < accountIdHex(peer);
}

export function lineIndex(a: string, b: string, currency: string): string {
  const [low, high] = isLow(a, b) ? [a, b] : [b, a];
  return sha512HalfHex('0072', accountIdHex(low), accountIdHex(high), currencyHex(currency));
}

export const ticketIndex = (address: string, ticketSequence: number): string =>
  sha512HalfHex('0054', accountIdHex(address), uintHex(ticketSequence, 4));

export const ownerDirectoryIndex = (address: string): string => sha512HalfHex('004F', accountIdHex(address));

export const directoryPageIndex = (rootIndex: string, page: bigint): string =>
  page === 0n ? rootIndex : sha512HalfHex('0064', rootIndex, uintHex(page, 8));

export const signerListIndex = (address: string): string => sha512HalfHex('0053', accountIdHex(address), '00000000');

export const depositPreauthIndex = (owner: string, authorized: string): string =>
  sha512HalfHex('0070', accountIdHex(owner), accountIdHex(authorized));

export const issuanceId = (sequence: number, issuer: string): string => uintHex(sequence, 4) + accountIdHex(issuer);

export const issuanceIndex = (mptIssuanceId: string): string => sha512HalfHex('007E', mptIssuanceId);

export const mptokenIndex = (mptIssuanceId: string, holder: string): string =>
  sha512HalfHex('0074', issuanceIndex(mptIssuanceId), accountIdHex(holder));

export const FEE_SETTINGS_INDEX = sha512HalfHex('0065');
