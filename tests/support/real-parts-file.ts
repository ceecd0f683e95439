import { createRequire } from 'node:module';
import { type Keypairs, nativeKeypairs } from './native-keypairs.ts';

// vitest setupFiles of the projects with ledgers: whole crowds of wallets are made and sign there, by Node's own crypto. The
// unit tests sign with the library itself, as every other process does.
const library: Keypairs & { isNative?: true } = createRequire(import.meta.url)('ripple-keypairs');
if (!library.isNative) Object.assign(library, nativeKeypairs({ ...library }), { isNative: true });
