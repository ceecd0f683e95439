import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { type Drops, MAX_DROPS, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import type { EntryInput } from './contracts.ts';

/** A whole part of wrong entries has one cause: the first faults show it. */
const MAX_FAULTS = 20;

/** A wallet with what it may invest; null is no limit of its own. */
export interface Entry {
  walletAddress: string;
  capDrops: Drops | null;
}

/**
 * The entries of one part with canonical addresses and caps in drops. Throws `invalid_request` with the first 20 faults,
 * each under its place (`entries[17].wallet_address`), and with the line of the caller's file where `lineOf` knows it; a wallet given twice is one, also in two forms of its address.
 */
export function checkEntries(
  given: readonly EntryInput[],
  lineOf: (index: number) => number | null = () => null,
): Entry[] {
  const faults: FieldError[] = [];
  const placeOf = new Map<string, number>();
  const entries = given.map(({ wallet_address, cap_xrp }, place): Entry => {
    const line = lineOf(place);
    const fault = (field: keyof EntryInput, message: string) =>
      void faults.push({
        field: `entries[${place}].${field}`,
        message: line === null ? message : `line ${line}: ${message}`,
      });
    const parsed = parseAccountAddress(wallet_address);
    const walletAddress = 'address' in parsed ? parsed.address : '';
    if ('fault' in parsed) {
      fault('wallet_address', parsed.fault);
    } else {
      const earlier = placeOf.get(walletAddress);
      if (earlier === undefined) placeOf.set(walletAddress, place);
      else
        fault(
          'wallet_address',
          `is the same wallet as ${lineOf(earlier) === null ? `entries[${earlier}]` : `line ${lineOf(earlier)}`}`,
        );
    }
    const capDrops = cap_xrp == null ? null : parseDecimal(cap_xrp, XRP_DECIMALS);
    if (cap_xrp != null && (capDrops === null || capDrops === 0n || capDrops > MAX_DROPS)) {
      fault('cap_xrp', 'must be an XRP amount above 0 of up to 6 fractional digits, or null for no limit of its own');
    }
    return { walletAddress, capDrops };
  });
  const [first] = faults;
  if (first !== undefined) {
    const errors = faults.slice(0, MAX_FAULTS);
    throw new PlatformError('invalid_request', `${first.field}: ${first.message}`, { errors });
  }
  return entries;
}
