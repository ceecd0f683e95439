import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/ledger/account.ts';
import { signerFor } from '#lib/ledger/signer.ts';
import type { AccountState, ServerState, TrustLine } from '#lib/ledger/types.ts';
import { parseLedgerValue } from '#lib/ledger/value.ts';
import { type FieldError, PlatformError } from '#lib/platform/errors.ts';
import { formatDrops, formatUnits, type TokenUnits } from '#lib/platform/money.ts';
import type { ProjectRow, TierRow } from '../project-resource.ts';

/** What the ledger shows of everything that a launch depends on. */
export interface LaunchFacts {
  issuer: AccountState | null;
  distributor: AccountState | null;
  deposit: AccountState | null;
  /** The distributor's line to the issuer; null when there is none or the distributor is the issuer. */
  line: TrustLine | null;
  server: Pick<ServerState, 'reserveBaseDrops' | 'reserveIncrementDrops' | 'validatedIndex'>;
  /** What is wrong with the configured signing keys; null when they work. */
  depositKeyFault: string | null;
  distributorKeyFault: string | null;
}

/** Objects (tickets, mostly) that the paying accounts must be able to afford beside what they own. */
const SPARE_OBJECTS = 10n;
/** For fees of moves, refunds and payouts, and what payouts keep back for them, in drops. */
const FEE_FLOAT_DROPS = 5_000_000n;

/** What still stands between a draft and its launch; empty when it can go. Pure. */
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
    if (hasAccountFlag(account, 'disableMasterKey'))
      fault(field, 'has its master key disabled: nothing can be signed for it');
    if (account.balanceDrops < neededDrops(account)) {
      fault(field, `needs at least ${formatDrops(neededDrops(account))} XRP for reserves, tickets and fees`);
    }
  }
  if (facts.deposit !== null && hasAccountFlag(facts.deposit, 'depositAuthorization')) {
    fault('deposit_address', 'has DepositAuth set: nobody could pay in');
  }
  if (facts.issuer === null) {
    fault('token.issuer', 'does not exist on the ledger');
    return faults;
  }
  if (hasAccountFlag(facts.issuer, 'globalFreeze')) fault('token.issuer', 'has frozen its tokens globally');
  if (row.distributor === row.issuer) return faults;
  if (!hasAccountFlag(facts.issuer, 'defaultRipple')) {
    fault('token.issuer', 'must have DefaultRipple set, or holders cannot receive from the distributor');
  }
  if (facts.issuer.transferRate !== NO_TRANSFER_FEE) {
    fault('token.issuer', 'charges a transfer fee: then the distributor must be the issuer itself');
  }
  if (facts.line === null) {
    fault('distributor', 'has no trust line to the issuer of the token');
    return faults;
  }
  if (facts.line.frozen) fault('distributor', 'its trust line is frozen by the issuer');
  if (hasAccountFlag(facts.issuer, 'requireAuthorization') && !facts.line.authorized) {
    fault('distributor', 'its trust line is not authorised by the issuer');
  }
  const heldUnits = parseLedgerValue(facts.line.balance, row.decimals);
  if (heldUnits < supplyUnits) {
    fault(
      'distributor',
      `holds ${formatUnits(heldUnits, row.decimals)} tokens; the sales that it pays for owe up to ${formatUnits(supplyUnits, row.decimals)}`,
    );
  }
  return faults;
}

/** Reads the facts for `launchFaults`, side by side. */
export async function readLaunchFacts(ctx: Ctx, row: ProjectRow): Promise<LaunchFacts> {
  const issuer = row.issuer ?? '';
  // First: what is validated after this ledger may be missing from the balances.
  const server = await ctx.ledger.serverState();
  const [issuerState, distributor, deposit, line, depositKeyFault, distributorKeyFault] = await Promise.all([
    ctx.ledger.account(issuer),
    ctx.ledger.account(row.distributor),
    ctx.ledger.account(row.depositAddress),
    row.distributor === issuer ? null : ctx.ledger.trustLine(row.distributor, issuer, row.currency ?? ''),
    keyFault(row.depositAddress),
    keyFault(row.distributor),
  ]);
  return {
    issuer: issuerState,
    distributor,
    deposit,
    line,
    server,
    depositKeyFault,
    distributorKeyFault,
  };
}

/** Makes the signer once: a key that belongs to another account is found out before the sale, not after. */
async function keyFault(address: string): Promise<string | null> {
  try {
    await signerFor(address);
    return null;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return `cannot be signed for (SIGNING_KEYS): ${error.detail}`;
  }
}

/** Units that the tiers still owe to buyers. */
export const unsoldUnits = (tierRows: readonly TierRow[]): TokenUnits =>
  tierRows.reduce((sum, tier) => sum + tier.totalUnits - tier.soldUnits, 0n);
