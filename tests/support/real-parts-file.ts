import { createRequire } from 'node:module';
import type * as AddressCodec from 'ripple-address-codec';
import { type Keypairs, nativeKeypairs } from './native-keypairs.ts';
import { quickXAddresses } from './quick-x-addresses.ts';

// vitest setupFiles of the projects with ledgers: whole crowds of wallets are made and sign there, by Node's own crypto. The
// unit tests sign with the library itself, as every other process does.
const require = createRequire(import.meta.url);
const library: Keypairs & { isNative?: true } = require('ripple-keypairs');
const addresses: typeof AddressCodec = require('ripple-address-codec');
if (!library.isNative) {
  Object.assign(library, nativeKeypairs({ ...library }), { isNative: true });
  Object.assign(addresses, quickXAddresses({ ...addresses }));
}
