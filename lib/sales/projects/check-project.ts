import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ProjectInput } from '../schemas.ts';
import { checkAccounts, checkParties } from './check-accounts.ts';
import { checkDates } from './check-dates.ts';
import { checkIssuance } from './check-issuance.ts';
import { checkLimits } from './check-limits.ts';
import { type CheckedTier, checkTiers } from './check-tiers.ts';
import { checkVesting } from './check-vesting.ts';
import { Faults } from './faults.ts';

/**
 * The one check of a whole project, new or changed: first what its fields say of each other, then what the ledger says of
 * them. Throws `invalid_request` with every fault, each under its field.
 */
export async function checkProject(ctx: Ctx, input: ProjectInput): Promise<CheckedTier[]> {
  const faults = new Faults();
  const tiers = checkFields(input, ctx.clock.nowMs(), faults);
  if (faults.errors.length === 0) {
    await checkAccounts(ctx.ledger, input, faults);
    await checkIssuance(ctx.ledger, input.token, tiers, faults);
  }
  const [first] = faults.errors;
  if (first !== undefined) {
    throw new PlatformError('invalid_request', `${first.field}: ${first.message}`, { errors: faults.errors });
  }
  return tiers;
}

/** What the fields say of each other; reads the settings, not the ledger. */
function checkFields(input: ProjectInput, nowMs: number, faults: Faults): CheckedTier[] {
  const tiers = checkTiers(input, faults);
  checkDates(input, nowMs, faults);
  checkLimits(input, tiers, faults);
  checkVesting(input, faults);
  checkParties(input, faults);
  return tiers;
}
