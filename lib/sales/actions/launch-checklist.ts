import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import type { ProjectRow } from '#drizzle/schema/sale.ts';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { formatDrops, formatUnits, type TokenUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import { keyEntryFault } from '#lib/xrpl/keys.ts';
import { payingNeedDrops } from '#lib/xrpl/server-state.ts';
import { signerFor } from '#lib/xrpl/signer.ts';
import type { LedgerToken } from '#lib/xrpl/token.ts';
import { type IouFacts, type MptFacts, readTokenFacts, type TokenFacts } from '#lib/xrpl/token-facts.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import { type LockFacts, missingEscrow, readLocks } from '../projects/check-locks.ts';
import { mostVestingLocks } from '../projects/check-vesting-locked.ts';
import { tokenOf as lockedTokenOf } from '../projects/project-resource.ts';
import { readCustodyFaults } from './custody-checklist.ts';

/** What the ledger shows of everything that a launch depends on. */
export interface LaunchFacts {
  distributor: AccountState | null;
  deposit: AccountState | null;
  token: TokenFacts;
  /** False when the terms name a treasury that is gone. */
  treasuryExists: boolean;
  server: Pick<ServerState, 'reserveBaseDrops' | 'reserveIncrementDrops' | 'validatedIndex' | 'validatedAtMs'>;
  /** What is wrong with the configured signing keys; null when they work. */
  depositKeyFault: string | null;
  distributorKeyFault: string | null;
  /** What of the custody is not as the terms say. */
  custodyFaults: FieldError[];
  /** What the escrows lock that the terms name. */
  locks: LockFacts[];
}

/** The terms that a launch anchors are for good. */
const NO_TREASURY =
  'is not named: what the sale raises could never be released. Name an account whose key is kept elsewhere';

/**
 * What still stands between a draft and its launch at `nowMs`; empty when it can go. `supplyUnits` is what the distributor
 * owes then, over all its sales, and `locksElsewhere` how many escrows it has still to create for the others. Pure.
 */
export function launchFaults(
  row: ProjectRow,
  { supplyUnits, locksElsewhere, nowMs }: { supplyUnits: TokenUnits; locksElsewhere: number; nowMs: number },
  facts: LaunchFacts,
): FieldError[] {
  const faults: FieldError[] = [...facts.custodyFaults];
  const fault = (field: string, message: string) => void faults.push({ field, message });
  const vestingEscrows = row.vestingLocked ? mostVestingLocks(row, nowMs) : 0;
  if (facts.depositKeyFault !== null) fault('deposit_address', facts.depositKeyFault);
  if (facts.distributorKeyFault !== null) fault('distributor', facts.distributorKeyFault);
  for (const [field, account] of [
    ['deposit_address', facts.deposit],
    ['distributor', facts.distributor],
  ] as const) {
    if (account === null) {
      fault(field, 'does not exist on the ledger');
      continue;
    }
    // Each escrow that the platform creates is an entry more.
    const escrows = field === 'distributor' ? (row.unsoldUntil === null ? 0 : 1) + vestingEscrows + locksElsewhere : 0;
    const neededDrops = payingNeedDrops(account.ownerCount + escrows, facts.server);
    if (account.balanceDrops < neededDrops) {
      fault(field, `needs at least ${formatDrops(neededDrops)} XRP for reserves, tickets and fees`);
    }
  }
  if (facts.deposit !== null && hasAccountFlag(facts.deposit, 'depositAuthorization')) {
    fault('deposit_address', 'has DepositAuth set, so nobody can pay it');
  }
  if (row.treasury === null) fault('treasury', NO_TREASURY);
  else if (!facts.treasuryExists) fault('treasury', 'does not exist on the ledger');
  return [...faults, ...tokenFaults(row, supplyUnits, facts.token), ...lockFaults(row, facts)];
}

/** Reads the facts for `launchFaults`, side by side. */
export async function readLaunchFacts(ctx: Ctx, row: ProjectRow): Promise<LaunchFacts> {
  // First: what is validated after this ledger counts as owed, and the token is looked at in it.
  const server = await ctx.ledger.serverState();
  const [distributor, deposit, treasury, token] = await Promise.all([
    ctx.ledger.account(row.distributor),
    ctx.ledger.account(row.depositAddress),
    row.treasury === null ? null : ctx.ledger.account(row.treasury),
    readTokenFacts(ctx.ledger, row.distributor, tokenOf(row), server.validatedIndex),
  ]);
  const [depositKeyFault, distributorKeyFault, locks] = await Promise.all([
    signerFault(deposit, row.custody),
    signerFault(distributor, row.custody),
    readLocks(ctx, lockedTokenOf(row), row.locks),
  ]);
  return {
    distributor,
    deposit,
    token,
    treasuryExists: row.treasury === null || treasury !== null,
    server,
    depositKeyFault,
    distributorKeyFault,
    custodyFaults: await readCustodyFaults(ctx, row, { deposit, distributor, treasury }, server.validatedIndex),
    locks,
  };
}

/**
 * Makes the signer once: a key that the ledger would not take is found out before the sale, not after. Of an account that
 * does not exist nothing is said here.
 */
async function signerFault(account: AccountState | null, custody: ProjectRow['custody']): Promise<string | null> {
  if (account === null) return null;
  // Payouts need every entry right (payouts/attempts.ts), whichever one the ledger takes.
  const fault = await keyEntryFault(account.address);
  if (fault !== null) return `cannot be signed for: an entry of SIGNING_KEYS is invalid (${fault})`;
  try {
    await signerFor(account, custody);
    return null;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return `cannot be signed for (SIGNING_KEYS): ${error.detail}`;
  }
}

const tokenOf = (row: ProjectRow): LedgerToken =>
  row.tokenKind === 'mpt'
    ? { kind: 'mpt', issuanceId: row.issuanceId ?? '' }
    : { kind: 'iou', currency: row.currency ?? '', issuer: row.issuer ?? '' };

const fault = (field: string, message: string): FieldError => ({ field, message });

function short(heldUnits: TokenUnits, supplyUnits: TokenUnits, decimals: number): FieldError {
  const [held, owed, missing] = [heldUnits, supplyUnits, supplyUnits - heldUnits].map((units) =>
    formatUnits(units, decimals),
  );
  return fault(
    'distributor',
    `holds ${held} tokens; the sales that it pays for owe up to ${owed}: send it ${missing} more, or lower total_tokens`,
  );
}

/** Why the distributor could not pay `supplyUnits` of the token to holders; empty when it could. Pure. */
const tokenFaults = (row: ProjectRow, supplyUnits: TokenUnits, facts: TokenFacts): FieldError[] =>
  facts.kind === 'iou' ? iouFaults(row, supplyUnits, facts) : mptFaults(row, supplyUnits, facts);

function iouFaults(row: ProjectRow, supplyUnits: TokenUnits, { issuer, line }: IouFacts): FieldError[] {
  if (issuer === null) return [fault('token.issuer', 'does not exist on the ledger')];
  const faults: FieldError[] = [];
  if (hasAccountFlag(issuer, 'globalFreeze')) faults.push(fault('token.issuer', 'has frozen its tokens globally'));
  if (row.distributor === row.issuer) return faults;
  if (!hasAccountFlag(issuer, 'defaultRipple')) {
    faults.push(fault('token.issuer', 'must have DefaultRipple set, or holders cannot receive from the distributor'));
  }
  if (issuer.transferRate !== NO_TRANSFER_FEE) {
    faults.push(fault('token.issuer', 'charges a transfer fee: then the distributor must be the issuer itself'));
  }
  if (line === null) return [...faults, fault('distributor', 'has no trust line to the issuer of the token')];
  if (line.frozen) faults.push(fault('distributor', 'its trust line is frozen by the issuer'));
  if (hasAccountFlag(issuer, 'requireAuthorization') && !line.authorized) {
    faults.push(fault('distributor', 'its trust line is not authorised by the issuer'));
  }
  const heldUnits = parseLedgerValue(line.balance, row.decimals);
  return heldUnits < supplyUnits ? [...faults, short(heldUnits, supplyUnits, row.decimals)] : faults;
}

function mptFaults(row: ProjectRow, supplyUnits: TokenUnits, { issuance, holding }: MptFacts): FieldError[] {
  if (issuance === null) return [fault('token.issuance_id', 'does not exist on the ledger')];
  const faults: FieldError[] = [];
  if (issuance.assetScale !== row.decimals) {
    faults.push(fault('token.decimals', `must be ${issuance.assetScale}, the AssetScale of the issuance`));
  }
  if (issuance.locked) faults.push(fault('token.issuance_id', 'is locked by its issuer for all holders'));
  if (row.distributor === issuance.issuer) {
    const leftUnits = issuance.maximum - issuance.outstanding;
    if (leftUnits >= supplyUnits) return faults;
    const [left, owed, missing] = [leftUnits, supplyUnits, supplyUnits - leftUnits].map((units) =>
      formatUnits(units, row.decimals),
    );
    return [
      ...faults,
      fault(
        'token.issuance_id',
        `allows ${left} tokens more (MaximumAmount); the sales that its issuer pays for owe up to ${owed}: lower total_tokens by ${missing}`,
      ),
    ];
  }
  if (!issuance.canTransfer) {
    faults.push(
      fault('token.issuance_id', 'cannot be transferred (CanTransfer): then the distributor must be the issuer itself'),
    );
  }
  if (issuance.transferFee !== 0) {
    faults.push(fault('token.issuance_id', 'charges a transfer fee: then the distributor must be the issuer itself'));
  }
  if (holding === null) return [...faults, fault('distributor', 'has not opted in to the token (MPTokenAuthorize)')];
  if (holding.locked) faults.push(fault('distributor', 'its tokens are locked by the issuer'));
  if (issuance.requiresAuthorization && !holding.authorized) {
    faults.push(fault('distributor', 'is not authorised by the issuer to hold the token'));
  }
  return holding.amount < supplyUnits ? [...faults, short(holding.amount, supplyUnits, row.decimals)] : faults;
}

/** Locks whose escrows do not stand yet, with what to sign, and a token that cannot be held in escrow. Pure. */
function lockFaults(row: ProjectRow, { locks, token }: LaunchFacts): FieldError[] {
  const lacking = locks.flatMap((lock, index) => (lock.missingUnits === 0n ? [] : [{ lock, index }]));
  const faults = lacking.map(({ lock, index }) => {
    const [locked, missing] = [lock.lockedUnits, lock.missingUnits].map((units) => formatUnits(units, row.decimals));
    const toSign = JSON.stringify(missingEscrow(lock, lockedTokenOf(row)));
    return fault(
      `locks[${index}]`,
      `its escrows lock ${locked} of ${lock.amount} tokens. Let a holder sign an EscrowCreate for the missing ${missing}, and add its hash to the escrows of the lock: ${toSign}`,
    );
  });
  const asking = [
    ...(lacking.length === 0 ? [] : ['the locks']),
    ...(row.unsoldUntil === null ? [] : ['unsold_until']),
    ...(row.vestingLocked ? ['vesting_locked'] : []),
  ];
  const refused = asking.length === 0 ? null : escrowRefusal(token, asking.join(' and '));
  return refused === null ? faults : [...faults, refused];
}

/** Why the ledger would refuse the escrows that `asking` needs (docs/ledger-facts.md, 36); null when it would not. */
function escrowRefusal(token: TokenFacts, asking: string): FieldError | null {
  if (token.kind === 'iou') {
    if (token.issuer === null || hasAccountFlag(token.issuer, 'allowTrustLineLocking')) return null;
    return fault(
      'token.issuer',
      `does not allow escrows of its tokens: set AllowTrustLineLocking on it (AccountSet, SetFlag 17), or remove ${asking}`,
    );
  }
  if (token.issuance === null || token.issuance.canEscrow) return null;
  return fault('token.issuance_id', `cannot be held in escrow (CanEscrow): remove ${asking}`);
}
