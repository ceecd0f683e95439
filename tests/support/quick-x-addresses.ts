import type * as Library from 'ripple-address-codec';

export type XAddresses = Pick<typeof Library, 'isValidXAddress'>;

/**
 * What the ledger library asks of every address that it encodes, most of which are classic: answered without decoding
 * those, and without an error for each. A leading `r` is a leading byte of zero, which no X-address has.
 */
export const quickXAddresses = (library: XAddresses): XAddresses => ({
  isValidXAddress: (address) => !/^r/.test(address) && library.isValidXAddress(address),
});
