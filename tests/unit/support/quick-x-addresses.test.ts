import fc from 'fast-check';
import * as library from 'ripple-address-codec';
import { expect, test } from 'vitest';
import { quickXAddresses } from '#tests/support/quick-x-addresses.ts';

const { isValidXAddress } = quickXAddresses(library);

const accountId = fc.uint8Array({ minLength: 20, maxLength: 20 });
const tag = fc.option(fc.nat(), { nil: false as const });
const anyAddress = fc.oneof(
  accountId.map((id) => library.encodeAccountID(id)),
  fc.tuple(accountId, tag, fc.boolean()).map(([id, tagged, isTest]) => library.encodeXAddress(id, tagged, isTest)),
);
/** What has one character changed, or another one in front. */
const spoilt = fc
  .tuple(anyAddress, fc.nat(), fc.constantFrom(...'rXT1ps0'), fc.boolean())
  .map(([address, at, character, isLonger]) => {
    const index = at % address.length;
    return isLonger ? character + address : address.slice(0, index) + character + address.slice(index + 1);
  });

test('the quick question whether an address is an X-address is answered as the library answers it', () => {
  fc.assert(
    fc.property(fc.oneof(anyAddress, spoilt, fc.string()), (address) => {
      expect(isValidXAddress(address)).toBe(library.isValidXAddress(address));
    }),
    { numRuns: 500 },
  );
});
