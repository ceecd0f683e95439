import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { formatDrops, type TokenUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import { keyEntryFault } from '#lib/xrpl/keys.ts';
import { signerFor } from '#lib/xrpl/signer.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import type { ProjectRow } from '../projects/project-resource.ts';
import { readTokenFacts, type TokenFacts, tokenFaults } from './launch-token.ts';

/** What the ledger shows of everything that a launch depends on. */
export interface LaunchFacts {
  distributor: AccountState | null;
  deposit: AccountState | null;
  token: TokenFacts;
  /** False when the terms name a treasury that is gone. */
  treasuryExists: boolean;
  server: Pick<ServerState, 'reserveBaseDrops' | 'reserveIncrementDrops' | 'validatedIndex'>;
  /** What is wrong with the configured signing keys; null when they work. */
  depositKeyFault: string | null;
  distributorKeyFault: string | null;
}

/** Objects (tickets, mostly) that the paying accounts must be able to afford beside what they own. */
const SPARE_OBJECTS = 10n;
/** For fees of moves, refunds and payouts, and what payouts keep back for them, in drops. */
const FEE_FLOAT_DROPS = 5_000_000n;

/**
 * What still stands between a draft and its launch; empty when it can go. `supplyUnits` is what the distributor owes then,
 * over all its sales. Pure.
 */
export function launchFaults(row: ProjectRow, supplyUnits: TokenUnits, facts: LaunchFacts): FieldError[] {
  const faults: FieldError[] = [];
  const fault = (field: string, message: string) => void faults.push({ field, message });
  if (facts.depositKeyFault !== null) fault('deposit_address', facts.depositKeyFault);
  if (facts.distributorKeyFault !== null) fault('distributor', facts.distributorKeyFault);
  const neededDrops = (account: AccountState): bigint =>
    facts.server.reserveBaseDrops +
    facts.server.reserveIncrementDrops * (BigInt(account.ownerCount) + SPARE_OBJECTS) +
    FEE_FLOAT_DROPS;
  for (const [field, account] of [
    ['deposit_address', facts.deposit],
    ['distributor', facts.distributor],
  ] as const) {
    if (account === null) {
      fault(field, 'does not exist on the ledger');
      continue;
    }
    if (account.balanceDrops < neededDrops(account)) {
      fault(field, `needs at least ${formatDrops(neededDrops(account))} XRP for reserves, tickets and fees`);
    }
  }
  if (facts.deposit !== null && hasAccountFlag(facts.deposit, 'depositAuthorization')) {
    fault('deposit_address', 'has DepositAuth set: nobody could pay in');
  }
  if (!facts.treasuryExists) fault('treasury', 'does not exist on the ledger');
  return [...faults, ...tokenFaults(row, supplyUnits, facts.token)];
}

/** Reads the facts for `launchFaults`, side by side. */
export async function readLaunchFacts(ctx: Ctx, row: ProjectRow): Promise<LaunchFacts> {
  // First: what is validated after this ledger may be missing from the balances.
  const server = await ctx.ledger.serverState();
  const [distributor, deposit, treasury, token] = await Promise.all([
    ctx.ledger.account(row.distributor),
    ctx.ledger.account(row.depositAddress),
    row.treasury === null ? null : ctx.ledger.account(row.treasury),
    readTokenFacts(ctx.ledger, row),
  ]);
  const [depositKeyFault, distributorKeyFault] = await Promise.all([signerFault(deposit), signerFault(distributor)]);
  return {
    distributor,
    deposit,
    token,
    treasuryExists: row.treasury === null || treasury !== null,
    server,
    depositKeyFault,
    distributorKeyFault,
  };
}

/**
 * Makes the signer once: a key that the ledger would not take is found out before the sale, not after. Of an account that
 * does not exist nothing is said here.
 */
async function signerFault(account: AccountState | null): Promise<string | null> {
  if (account === null) return null;
  // Payouts need every entry right (payouts/sign.ts), whichever one the ledger takes.
  const fault = await keyEntryFault(account.address);
  if (fault !== null) return `cannot be signed for: an entry of SIGNING_KEYS is wrong in itself (${fault})`;
  try {
    await signerFor(account);
    return null;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return `cannot be signed for (SIGNING_KEYS): ${error.detail}`;
  }
}
