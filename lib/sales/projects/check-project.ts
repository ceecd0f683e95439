import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import type { CredentialRequirement } from '@tranche/rules/credentials.ts';
import type { Lock } from '@tranche/rules/locks.ts';
import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import {
  type Drops,
  formatUnits,
  MAX_DROPS,
  minBigInt,
  parseUnits,
  type ScaledPrice,
  type TokenUnits,
  unitsBoughtFloor,
} from '#lib/base/money.ts';
import { decimalFault } from '#lib/base/typed-number.ts';
import type { Ctx } from '#lib/ctx.ts';
import { canSignFor } from '#lib/xrpl/keys.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { checkLockFields, findEscrows } from './check-locks.ts';
import { unsoldFaults } from './check-unsold.ts';
import { vestingLockedFaults } from './check-vesting-locked.ts';
import { Faults } from './faults.ts';
import { issuerOf, NO_VESTING } from './project-columns.ts';
import { type ProjectInput, projectInput, type TokenInput } from './project-input.ts';

/**
 * The one check of a whole project, new or changed: what its fields say of each other, and what the ledger says of them.
 * Throws `invalid_request` with every fault, each under its field; `ledger_unavailable` when that is all that is wrong.
 */
export async function checkProject(ctx: Ctx, input: ProjectInput): Promise<{ tiers: CheckedTier[]; locks: Lock[] }> {
  const faults = new Faults();
  const tiers = checkFields(input, ctx.clock.nowMs(), faults);
  let locks: Lock[] = [];
  try {
    locks = await findEscrows(ctx, input, faults);
    await checkAccounts(ctx.ledger, input, faults);
    await checkIssuance(ctx.ledger, input.token, tiers, faults);
    await checkCredentialIssuers(ctx.ledger, input, faults);
  } catch (err) {
    if (faults.errors.length === 0 || !(err instanceof PlatformError)) throw err;
  }
  const [first] = faults.errors;
  if (first !== undefined) {
    throw new PlatformError('invalid_request', `${first.field}: ${first.message}`, { errors: faults.errors });
  }
  return { tiers, locks };
}

/** What the fields say of each other; reads the settings, not the ledger. */
function checkFields(input: ProjectInput, nowMs: number, faults: Faults): CheckedTier[] {
  const tiers = checkTiers(input, faults);
  checkDates(input, nowMs, faults);
  checkLimits(input, tiers, faults);
  checkVesting(input, faults);
  checkProjectAccounts(input, faults);
  checkCredentials(input, faults);
  checkLockFields(input, nowMs, faults);
  checkUnsold(input, faults);
  checkVestingLocked(input, nowMs, faults);
  return tiers;
}

/** Any price will do where only amounts are looked at: one so low that no sale costs too much. */
const ANY_PRICE = '0.000000000001';

/**
 * What else is wrong with a body that the contract refuses in part: the checks of whatever can be read of it, so that a
 * form names all at once. Reads the settings, not the ledger.
 */
export function faultsBeside(body: Readonly<Record<string, unknown>>, nowMs: number): FieldError[] {
  const faults = new Faults();
  const read = <Name extends keyof ProjectInput>(...names: Name[]): Pick<ProjectInput, Name> | undefined => {
    const fields = Object.fromEntries(names.map((name) => [name, projectInput.shape[name]]));
    return z.object(fields).safeParse(body).data as Pick<ProjectInput, Name> | undefined;
  };
  const priced = Array.isArray(body.tiers) ? body.tiers.map((tier) => ({ ...tier, price_per_token: ANY_PRICE })) : [];
  const whole = read('tiers');
  const tiers = whole?.tiers ?? projectInput.shape.tiers.safeParse(priced).data ?? [];
  checkDates({ ...read('starts_at'), ...read('ends_at'), tiers }, nowMs, faults);
  const token = read('token');
  const checked = token && checkTiers({ ...token, tiers }, faults);
  const limits = read('distribution', 'soft_cap_xrp', 'min_investment_xrp', 'max_per_wallet_xrp');
  if (token && checked && limits && whole) checkLimits({ ...token, ...limits }, checked, faults);
  checkVesting({ ...read('vesting') }, faults);
  const accounts = read('token', 'deposit_address', 'distributor', 'treasury');
  if (accounts) checkProjectAccounts(accounts, faults);
  if (whole) checkCredentials(whole, faults);
  const unsold = read('token', 'distributor', 'ends_at', 'unsold_until');
  if (unsold) checkUnsold(unsold, faults);
  const vested = read('token', 'distributor', 'starts_at', 'ends_at', 'distribution', 'vesting', 'vesting_locked');
  if (vested) checkVestingLocked(vested, nowMs, faults);
  const locks = read('locks');
  if (token && locks) checkLockFields({ ...token, ...locks }, nowMs, faults);
  return faults.errors;
}

export interface CheckedTier {
  tier: number;
  price: ScaledPrice;
  totalUnits: TokenUnits;
  access: 'open' | 'allowlist';
  credential: CredentialRequirement | null;
  startsAt: Date | null;
}

/** An issued-currency amount holds 15 significant digits (docs/ledger-facts.md, 22). */
const MAX_IOU_UNITS: TokenUnits = 10n ** 15n;
/** An MPT's amounts are 63 bits wide (docs/ledger-facts.md, 24). */
const MAX_MPT_UNITS: TokenUnits = 2n ** 63n - 1n;

/** Tiers count from 1, sell something each, and what they sell in all fits the token and costs no more XRP than there is. */
export function checkTiers(input: Pick<ProjectInput, 'tiers' | 'token'>, faults: Faults): CheckedTier[] {
  const { decimals, kind } = input.token;
  const checked = input.tiers.map((tier, index): CheckedTier => {
    const totalUnits = parseUnits(tier.total_tokens, decimals);
    if (totalUnits === null || totalUnits === 0n) {
      faults.add(
        `tiers[${index}].total_tokens`,
        decimalFault(tier.total_tokens, `must be a positive decimal with at most ${decimals} fractional digits`),
      );
    }
    if (tier.tier !== undefined && tier.tier !== index + 1) {
      faults.add(`tiers[${index}].tier`, `must be ${index + 1}: tiers count from 1 in order`);
    }
    return {
      tier: index + 1,
      price: tier.price_per_token,
      totalUnits: totalUnits ?? 0n,
      access: tier.access,
      credential: tier.credential ?? null,
      startsAt: tier.starts_at ?? null,
    };
  });
  const supplyUnits = supplyOf(checked);
  if (kind === 'iou' && supplyUnits > MAX_IOU_UNITS) {
    faults.add(
      'tiers',
      `sell more than 10^${15 - decimals} tokens in all, which a token with ${decimals} decimals cannot hold exactly`,
    );
  } else if (kind === 'mpt' && supplyUnits > MAX_MPT_UNITS) {
    faults.add('tiers', 'sell more than 2^63 - 1 units in all, which is the most that an MPT can have');
  } else if (fullRaiseDrops(checked, decimals) > MAX_DROPS) {
    faults.add('tiers', 'cost more than all XRP there is (100 billion)');
  }
  return checked;
}

/** Units that all tiers sell together. */
const supplyOf = (tiers: readonly Pick<CheckedTier, 'totalUnits'>[]): TokenUnits =>
  tiers.reduce((sum, tier) => sum + tier.totalUnits, 0n);

/** The end lies ahead and after the start; tiers start one after the other, between the two. */
function checkDates(input: Pick<ProjectInput, 'starts_at' | 'ends_at' | 'tiers'>, nowMs: number, faults: Faults): void {
  const startsAtMs = input.starts_at?.getTime() ?? null;
  const endsAtMs = input.ends_at?.getTime() ?? null;
  if (endsAtMs !== null && endsAtMs <= nowMs) faults.add('ends_at', 'must be in the future');
  if (startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs) {
    faults.add('ends_at', 'must be after starts_at');
  }
  let latestMs: number | null = null;
  for (const [index, tier] of input.tiers.entries()) {
    const tierStartsAtMs = tier.starts_at?.getTime() ?? null;
    if (tierStartsAtMs === null) continue;
    const field = `tiers[${index}].starts_at`;
    if (startsAtMs !== null && tierStartsAtMs < startsAtMs) faults.add(field, 'must not be before starts_at');
    if (endsAtMs !== null && tierStartsAtMs >= endsAtMs) faults.add(field, 'must be before ends_at');
    if (latestMs !== null && tierStartsAtMs < latestMs) {
      faults.add(field, 'must not be before the start of a tier ahead of it');
    }
    latestMs = Math.max(latestMs ?? tierStartsAtMs, tierStartsAtMs);
  }
}

type Limits = Pick<
  ProjectInput,
  'token' | 'distribution' | 'soft_cap_xrp' | 'min_investment_xrp' | 'max_per_wallet_xrp'
>;

/** Minimum, maximum and soft cap can be kept by somebody, and leave something to be sold. */
export function checkLimits(input: Limits, tiers: readonly CheckedTier[], faults: Faults): void {
  const { decimals } = input.token;
  const fullDrops = fullRaiseDrops(tiers, decimals);
  const minimum = input.min_investment_xrp ?? null;
  const maximum = input.max_per_wallet_xrp ?? null;
  const softCap = input.soft_cap_xrp ?? null;
  if (minimum === 0n) faults.add('min_investment_xrp', 'must be more than 0; omit it for none');
  if (minimum !== null && minimum > fullDrops) faults.add('min_investment_xrp', 'is more than the whole sale costs');
  if (maximum !== null) {
    if (minimum !== null && minimum > maximum) {
      faults.add('max_per_wallet_xrp', 'must not be less than min_investment_xrp');
    }
    const tooDear = tiers.find((tier) => unitsBoughtFloor(maximum, tier.price, decimals) === 0n);
    if (maximum === 0n) faults.add('max_per_wallet_xrp', 'must be more than 0; omit it for none');
    else if (tooDear !== undefined) {
      faults.add('max_per_wallet_xrp', `does not buy the smallest unit in tier ${tooDear.tier}`);
    }
  }
  if (softCap !== null) {
    if (softCap === 0n) faults.add('soft_cap_xrp', 'must be more than 0; omit it for none');
    if (softCap > fullDrops) faults.add('soft_cap_xrp', 'is more than the whole sale costs');
    if (input.distribution !== 'at_end') {
      faults.add('soft_cap_xrp', 'asks for distribution "at_end": tokens cannot be taken back when it is missed');
    }
  }
}

/**
 * The smallest purchase of a sale whose operator names none: without one, anybody can cause any number of payouts for a
 * drop each. Never more than a wallet may invest, or than the whole sale costs. Null when the setting asks for none.
 */
export function defaultMinimumDrops(
  { token, max_per_wallet_xrp: maximum }: Pick<ProjectInput, 'token' | 'max_per_wallet_xrp'>,
  tiers: readonly CheckedTier[],
): Drops | null {
  const drops = BigInt(env().DEFAULT_MIN_INVESTMENT_DROPS);
  const possible = minBigInt(maximum ?? drops, fullRaiseDrops(tiers, token.decimals));
  return drops === 0n ? null : minBigInt(drops, possible);
}

const ALL_BPS = 10_000;
const MAX_SPAN_DAYS = 3_650;

/** Either all tokens are due at once, or the rest in periods that end within ten years. */
function checkVesting({ vesting }: Pick<ProjectInput, 'vesting'>, faults: Faults): void {
  if (vesting == null) return;
  if (vesting.immediate_bps === ALL_BPS) {
    for (const field of ['periods', 'cliff_days', 'period_days'] as const) {
      if (vesting[field] !== 0)
        faults.add(`vesting.${field}`, 'must be 0 when immediate_bps is 10000: all is due at once');
    }
    return;
  }
  for (const field of ['periods', 'period_days'] as const) {
    if (vesting[field] === 0) faults.add(`vesting.${field}`, 'must be at least 1 when immediate_bps is below 10000');
  }
  if (vesting.cliff_days + vesting.periods * vesting.period_days > MAX_SPAN_DAYS) {
    faults.add('vesting', `must be over within ${MAX_SPAN_DAYS} days: cliff_days + periods * period_days`);
  }
}

function checkUnsold(
  input: Pick<ProjectInput, 'token' | 'distributor' | 'ends_at' | 'unsold_until'>,
  faults: Faults,
): void {
  const { distributor, ends_at: endsAt = null, unsold_until: unsoldUntil = null } = input;
  const found = unsoldFaults({ unsoldUntil, endsAt, distributor, issuer: issuerOf(input.token) });
  for (const { field, message } of found) faults.add(field, message);
}

function checkVestingLocked(
  input: Pick<
    ProjectInput,
    'token' | 'distributor' | 'starts_at' | 'ends_at' | 'distribution' | 'vesting' | 'vesting_locked'
  >,
  nowMs: number,
  faults: Faults,
): void {
  const term = {
    vestingLocked: input.vesting_locked,
    vesting: input.vesting ?? NO_VESTING,
    distribution: input.distribution,
    startsAt: input.starts_at ?? null,
    endsAt: input.ends_at ?? null,
    distributor: input.distributor,
    issuer: issuerOf(input.token),
  };
  for (const { field, message } of vestingLockedFaults(term, nowMs)) faults.add(field, message);
}

type ProjectAccounts = Pick<ProjectInput, 'token' | 'deposit_address' | 'distributor' | 'treasury'>;

/** The deposit account can be signed for and has no other part in the sale. Reads the settings. */
function checkProjectAccounts(input: ProjectAccounts, faults: Faults): void {
  if (input.treasury === input.deposit_address) faults.add('treasury', 'must not be the deposit address');
  if (!canSignFor(input.deposit_address)) {
    faults.add('deposit_address', 'has no signing key configured (SIGNING_KEYS): its refunds could never be sent');
  }
  if (input.deposit_address === input.distributor) faults.add('deposit_address', 'must not be the distributor');
  if (input.deposit_address === issuerOf(input.token)) {
    faults.add('deposit_address', 'must not be the issuer of the token');
  }
}

/** Each is asked for by every quote of a wallet, and by a payment that could buy in its tier. */
const MAX_CREDENTIALS = 10;

/** The credentials of all tiers, by type and issuer, with the field of the first tier that names each. */
function credentialsOf({ tiers }: Pick<ProjectInput, 'tiers'>): Map<string, { field: string; issuer: string }> {
  const found = new Map<string, { field: string; issuer: string }>();
  for (const [index, { credential }] of tiers.entries()) {
    for (const [at, issuer] of credential?.issuers.entries() ?? []) {
      const key = `${credential?.credential_type} ${issuer}`;
      if (!found.has(key)) found.set(key, { field: `tiers[${index}].credential.issuers[${at}]`, issuer });
    }
  }
  return found;
}

function checkCredentials(input: Pick<ProjectInput, 'tiers'>, faults: Faults): void {
  const { size } = credentialsOf(input);
  if (size > MAX_CREDENTIALS) {
    faults.add('tiers', `name ${size} credentials in all, by type and issuer; at most ${MAX_CREDENTIALS} are possible`);
  }
}

/** Who issues credentials has an account. */
async function checkCredentialIssuers(
  ledger: Ledger,
  input: Pick<ProjectInput, 'tiers'>,
  faults: Faults,
): Promise<void> {
  const named = [...new Map([...credentialsOf(input).values()].map((each) => [each.issuer, each.field]))];
  await Promise.all(
    named.map(async ([issuer, field]) => {
      if ((await ledger.account(issuer)) === null) {
        faults.add(field, 'does not exist on the ledger: nobody could hold its credential');
      }
    }),
  );
}

/** Every account that the sale depends on stands on the ledger; that of an MPT's issuer does while the issuance does. */
async function checkAccounts(ledger: Ledger, input: ProjectAccounts, faults: Faults): Promise<void> {
  const named = [
    ['deposit_address', input.deposit_address],
    ['distributor', input.distributor],
    ['token.issuer', input.token.kind === 'iou' ? input.token.issuer : null],
    ['treasury', input.treasury ?? null],
  ] as const;
  const missing = await Promise.all(
    named.map(async ([, address]) => address !== null && (await ledger.account(address)) === null),
  );
  for (const [index, [field]] of named.entries()) {
    if (missing[index]) faults.add(field, 'does not exist on the ledger: fund it first');
  }
}

/** An MPT exists, counts as the project says, and may be issued as often as the tiers sell it. */
async function checkIssuance(
  ledger: Ledger,
  token: TokenInput,
  tiers: readonly CheckedTier[],
  faults: Faults,
): Promise<void> {
  if (token.kind !== 'mpt') return;
  const issuance = await ledger.mptIssuance(token.issuance_id);
  if (issuance === null) {
    faults.add('token.issuance_id', 'does not exist on the ledger');
    return;
  }
  if (issuance.assetScale !== token.decimals) {
    faults.add('token.decimals', `must be ${issuance.assetScale}, the AssetScale of the issuance`);
    return;
  }
  if (supplyOf(tiers) > issuance.maximum && !faults.has('tiers')) {
    faults.add(
      'tiers',
      `sell more than the ${formatUnits(issuance.maximum, token.decimals)} tokens that the issuance allows (MaximumAmount)`,
    );
  }
}
