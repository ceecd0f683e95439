import { decodeAccountID, encodeAccountID } from 'ripple-address-codec';
import type { CredentialKind } from './entries.ts';
import { sha512HalfHex, uintHex } from './hashing.ts';

/** Addresses are decoded again and again, but a run with millions of them must not keep them all. */
const MAX_CACHED = 200_000;
const idCache = new Map<string, string>();
const rootCache = new Map<string, string>();
const lineCache = new Map<string, string>();

function remember(cache: Map<string, string>, key: string, value: string): string {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, value);
  return value;
}

/** The 160-bit account ID of a classic address as upper-case hex. Throws on a malformed address. */
export function accountIdHex(address: string): string {
  return (
    idCache.get(address) ??
    remember(idCache, address, Buffer.from(decodeAccountID(address)).toString('hex').toUpperCase())
  );
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

/** A currency as answers spell it: three characters where its code stands for such, else 160 bits in hex. */
export function plainCurrency(codeHex: string): string {
  const [, code] = /^0{24}([0-9A-F]{6})0{10}$/.exec(codeHex) ?? [];
  const text = code === undefined ? '' : Buffer.from(code, 'hex').toString('latin1');
  return /^[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}$/.test(text) && text !== 'XRP' ? text : codeHex;
}

export function accountIndex(address: string): string {
  return rootCache.get(address) ?? remember(rootCache, address, sha512HalfHex('0061', accountIdHex(address)));
}

/** Whether the first account is the low side of a trust line with the second. */
export function isLow(address: string, peer: string): boolean {
  return accountIdHex(address) < accountIdHex(peer);
}

/** Key of the trust line between two accounts. A payment asks for the same few again and again. */
export function lineIndex(a: string, b: string, currency: string): string {
  const key = `${a}${b}${currency}`;
  const known = lineCache.get(key);
  if (known !== undefined) return known;
  const [low, high] = isLow(a, b) ? [a, b] : [b, a];
  return remember(lineCache, key, sha512HalfHex('0072', accountIdHex(low), accountIdHex(high), currencyHex(currency)));
}

export const ticketIndex = (address: string, ticketSequence: number): string =>
  sha512HalfHex('0054', accountIdHex(address), uintHex(ticketSequence, 4));

export const ownerDirectoryIndex = (address: string): string => sha512HalfHex('004F', accountIdHex(address));

export const directoryPageIndex = (rootIndex: string, page: bigint): string =>
  page === 0n ? rootIndex : sha512HalfHex('0064', rootIndex, uintHex(page, 8));

export const signerListIndex = (address: string): string => sha512HalfHex('0053', accountIdHex(address), '00000000');

export const delegateIndex = (owner: string, delegate: string): string =>
  sha512HalfHex('0045', accountIdHex(owner), accountIdHex(delegate));

export const depositPreauthIndex = (owner: string, authorized: string): string =>
  sha512HalfHex('0070', accountIdHex(owner), accountIdHex(authorized));

export const credentialIndex = (subject: string, { Issuer: issuer, CredentialType: type }: CredentialKind): string =>
  sha512HalfHex('0044', accountIdHex(subject), accountIdHex(issuer), type);

/** Key of the authorization of everybody with all these credentials, which are sorted by issuer, then type. */
export const credentialPreauthIndex = (owner: string, credentials: readonly CredentialKind[]): string =>
  sha512HalfHex(
    '0050',
    accountIdHex(owner),
    ...credentials.map(({ Issuer: issuer, CredentialType: type }) => sha512HalfHex(accountIdHex(issuer), type)),
    uintHex(credentials.length, 8),
  );

export const didIndex = (owner: string): string => sha512HalfHex('0049', accountIdHex(owner));

export const oracleIndex = (owner: string, documentId: number): string =>
  sha512HalfHex('0052', accountIdHex(owner), uintHex(documentId, 4));

export const permissionedDomainIndex = (owner: string, sequence: number): string =>
  sha512HalfHex('006D', accountIdHex(owner), uintHex(sequence, 4));

export const issuanceId = (sequence: number, issuer: string): string => uintHex(sequence, 4) + accountIdHex(issuer);

export const issuanceIndex = (mptIssuanceId: string): string => sha512HalfHex('007E', mptIssuanceId);

export const mptokenIndex = (mptIssuanceId: string, holder: string): string =>
  sha512HalfHex('0074', issuanceIndex(mptIssuanceId), accountIdHex(holder));

export const checkIndex = (owner: string, sequence: number): string =>
  sha512HalfHex('0043', accountIdHex(owner), uintHex(sequence, 4));

export const channelIndex = (owner: string, destination: string, sequence: number): string =>
  sha512HalfHex('0078', accountIdHex(owner), accountIdHex(destination), uintHex(sequence, 4));

export const escrowIndex = (owner: string, sequence: number): string =>
  sha512HalfHex('0075', accountIdHex(owner), uintHex(sequence, 4));

export const FEE_SETTINGS_INDEX = sha512HalfHex('0065');
export const AMENDMENTS_INDEX = sha512HalfHex('0066');

/** Where the hashes of the last 256 ledgers stand. */
export const RECENT_HASHES_INDEX = sha512HalfHex('0073');
/** Where the hash of every 256th ledger stands, one entry for 65,536 ledgers. */
export const hashesIndex = (ledgerIndex: number): string => sha512HalfHex('0073', uintHex(ledgerIndex >>> 16, 4));

export const offerIndex = (owner: string, sequence: number): string =>
  sha512HalfHex('006F', accountIdHex(owner), uintHex(sequence, 4));

const ZERO_160 = '0'.repeat(40);

/** 160-bit code of a currency as order books have it: XRP is all zeros. */
export const bookCurrencyHex = (currency: string): string => (currency === 'XRP' ? ZERO_160 : currencyHex(currency));
/** Account ID of an issuer as order books have it: XRP has none, which is all zeros. */
export const bookIssuerHex = (issuer: string): string => (issuer === '' ? ZERO_160 : accountIdHex(issuer));

type BookSide = { readonly currency: string; readonly issuer: string };

/** Key of an order book; its last 64 bits are replaced by those of a price. */
export const bookIndex = (pays: BookSide, gets: BookSide, domainId = ''): string =>
  sha512HalfHex(
    '0042',
    bookCurrencyHex(pays.currency),
    bookCurrencyHex(gets.currency),
    bookIssuerHex(pays.issuer),
    bookIssuerHex(gets.issuer),
    domainId,
  );
