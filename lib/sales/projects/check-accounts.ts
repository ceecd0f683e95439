import { canSignFor } from '#lib/xrpl/keys.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import type { ProjectInput } from '../schemas.ts';
import type { Faults } from './faults.ts';
import { issuerOf } from './issuer-of.ts';

type Parties = Pick<ProjectInput, 'token' | 'deposit_address' | 'distributor' | 'treasury'>;

/** The deposit account can be signed for and has no other part in the sale. Reads the settings. */
export function checkParties(input: Parties, faults: Faults): void {
  if (input.treasury === input.deposit_address) faults.add('treasury', 'must not be the deposit address');
  if (!canSignFor(input.deposit_address)) {
    faults.add('deposit_address', 'has no signing key configured (SIGNING_KEYS): its refunds could never be sent');
  }
  if (input.deposit_address === input.distributor) faults.add('deposit_address', 'must not be the distributor');
  if (input.deposit_address === issuerOf(input.token)) {
    faults.add('deposit_address', 'must not be the issuer of the token');
  }
}

/** Every account that the sale depends on stands on the ledger; that of an MPT's issuer does while the issuance does. */
export async function checkAccounts(ledger: Ledger, input: Parties, faults: Faults): Promise<void> {
  const named = [
    ['deposit_address', input.deposit_address],
    ['distributor', input.distributor],
    ['token.issuer', input.token.kind === 'iou' ? input.token.issuer : null],
    ['treasury', input.treasury ?? null],
  ] as const;
  const missing = await Promise.all(
    named.map(async ([, address]) => address !== null && (await ledger.account(address)) === null),
  );
  for (const [place, [field]] of named.entries()) {
    if (missing[place]) faults.add(field, 'does not exist on the ledger: fund it first');
  }
}
