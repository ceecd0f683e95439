import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import { type Drops, formatDrops, formatUnits, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { TokenLiability } from '#lib/token-liabilities.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import type { AccountState, MptHolding, MptIssuance, ServerState, TrustLine } from '#lib/xrpl/types.ts';
import { spendableDrops } from '../check.ts';
import type { Finding } from './contracts.ts';

/** An account that pays for sales which are no drafts, with what the records say it owes. */
export interface PayingAccount {
  address: string;
  roles: ('deposit' | 'distributor')[];
  /** A sale that takes payments to this account, or pays out from it, is active or paused. */
  selling: boolean;
  /** XRP that is not paid back or released yet, what is held included. */
  unpaidDrops: Drops;
  /** Payouts still to be made from it, the waiting ones too: each costs a fee and uses a ticket. */
  outstanding: number;
  /** Of them, locks that can still be made: each escrow keeps a reserve until it ends. */
  locks: number;
}

/** What the ledger shows of a paying account. */
export interface AccountFacts {
  /** Null when it does not exist. */
  state: AccountState | null;
  tickets: number;
  /** Why nothing can be signed for it with the configured key; null when it works. */
  keyFault: { code: 'key_missing' | 'key_unfit'; message: string } | null;
}

/** XRP of an account, as a payer may count on it. */
export interface AccountFunds {
  reserveDrops: Drops;
  /** Beyond the reserve and the float for fees. */
  spendableDrops: Drops;
  /** For what is owed, the fees of all that is outstanding, and the reserve of the tickets and escrows that it takes. */
  neededDrops: Drops;
}

/** Tickets without which outstanding payouts only trickle. */
const WORKING_TICKETS = 10;

/** What the account can spend and what it needs, by today's reserves and fees. Pure. */
export function fundsOf(
  account: PayingAccount,
  state: AccountState,
  tickets: number,
  server: ServerState,
): AccountFunds {
  const { locks, outstanding } = account;
  // An escrow takes over the reserve of the ticket that makes it.
  const missingObjects = Math.max(0, locks + Math.min(outstanding - locks, WORKING_TICKETS) - tickets);
  return {
    reserveDrops: server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(state.ownerCount),
    spendableDrops: spendableDrops(state, server),
    neededDrops:
      account.unpaidDrops +
      transactionFee(server) * BigInt(outstanding) +
      server.reserveIncrementDrops * BigInt(missingObjects),
  };
}

/** Something that is wrong, before it is said of which token. */
type Problem = Omit<Finding, 'token'>;
const critical = (code: Finding['code'], message: string): Problem => ({ code, severity: 'critical', message });
const info = (code: Finding['code'], message: string): Problem => ({ code, severity: 'info', message });

const findingsOf = (token: string | null, problems: Iterable<Problem>): Finding[] =>
  Array.from(problems, ({ code, severity, message }) => ({ code, severity, token, message }));

/** What is wrong with the account itself, for any token. Pure. */
export const accountFindings = (account: PayingAccount, facts: AccountFacts, means: AccountFunds | null): Finding[] =>
  findingsOf(null, accountProblems(account, facts, means));

function* accountProblems(
  { address, roles, selling, outstanding, unpaidDrops }: PayingAccount,
  { state, keyFault }: AccountFacts,
  means: AccountFunds | null,
): Generator<Problem> {
  const isDeposit = roles.includes('deposit');
  // A sale that is over and owes nothing may close its accounts.
  const severity = selling || outstanding > 0 || unpaidDrops > 0n ? 'critical' : 'info';
  if (keyFault !== null) yield { ...keyFault, severity };
  if (state === null || means === null) {
    const message = `${address} does not exist on the ledger: nothing can be paid ${isDeposit ? 'to or from it' : 'from it'}. Send it its reserve again.`;
    yield { code: 'account_missing', severity, message };
    return;
  }
  if (isDeposit && selling && hasAccountFlag(state, 'depositAuthorization')) {
    const message = `${address} has DepositAuth set, so nobody can pay it. Clear it (AccountSet, ClearFlag 9).`;
    yield critical('deposit_authorization', message);
  }
  if (isDeposit && selling && !hasAccountFlag(state, 'requireDestinationTag')) {
    const message = `${address} takes payments without a destination tag, which are sent back. Set RequireDest (AccountSet, SetFlag 1) to have the ledger refuse them.`;
    yield info('destination_tag_optional', message);
  }
  const shortDrops = means.neededDrops - means.spendableDrops;
  if (shortDrops > 0n) {
    const [has, needs, lacks] = [means.spendableDrops, means.neededDrops, shortDrops].map(formatDrops);
    const message = `${address} can spend ${has} XRP and needs ${needs} XRP for what it owes, fees, tickets and escrows. Send it at least ${lacks} XRP.`;
    yield critical('xrp_short', message);
  } else if (means.spendableDrops === 0n && selling) {
    const message = `${address} has no XRP beyond its reserve and the float for fees: its next payouts will wait. Send it some XRP.`;
    yield { code: 'xrp_low', severity: 'warning', message };
  }
}

export type TokenFacts =
  /** `line` is the distributor's; null when it has none or is the issuer. */
  | { kind: 'iou'; issuer: AccountState | null; line: TrustLine | null }
  /** `holding` is the distributor's, likewise. */
  | { kind: 'mpt'; issuance: MptIssuance | null; holding: MptHolding | null };

const tokenName = ({ currency, issuer, issuanceId }: TokenLiability): string =>
  issuanceId ?? `${currency ?? ''}.${issuer ?? ''}`;

const tokens = (micros: bigint): string => formatUnits(micros, WIRE_TOKEN_DECIMALS);

/** What the distributor can give out, in 10^-6 token; null when it issues without a limit, or there is nothing to read. */
export function heldMicros(liability: TokenLiability, facts: TokenFacts): bigint | null {
  if (facts.kind === 'iou') {
    if (liability.distributor === liability.issuer) return null;
    return facts.line === null ? 0n : parseLedgerValue(facts.line.balance, WIRE_TOKEN_DECIMALS);
  }
  if (facts.issuance === null) return null;
  const scale = 10n ** BigInt(Math.max(0, WIRE_TOKEN_DECIMALS - facts.issuance.assetScale));
  const units =
    liability.distributor === facts.issuance.issuer
      ? facts.issuance.maximum - facts.issuance.outstanding
      : (facts.holding?.amount ?? 0n);
  return units * scale;
}

/** What stands between a distributor and the tokens that it owes; none when it owes none. Pure. */
export const tokenFindings = (liability: TokenLiability, facts: TokenFacts): Finding[] =>
  liability.micros === 0n ? [] : findingsOf(tokenName(liability), tokenProblems(liability, facts));

function* tokenProblems(liability: TokenLiability, facts: TokenFacts): Generator<Problem> {
  yield* facts.kind === 'iou' ? lineProblems(liability, facts) : mptProblems(liability, facts);
  const held = heldMicros(liability, facts);
  if (held === null || held >= liability.micros) return;
  const [has, owes, lacks] = [held, liability.micros, liability.micros - held].map(tokens);
  const message = `${liability.distributor} can give out ${has} tokens and owes up to ${owes}, unsold ones included. Give it ${lacks} more.`;
  yield critical('tokens_short', message);
}

function* lineProblems(liability: TokenLiability, { issuer, line }: TokenFacts & { kind: 'iou' }): Generator<Problem> {
  const { distributor } = liability;
  if (issuer === null) {
    yield critical(
      'issuer_missing',
      `The issuer ${liability.issuer} does not exist on the ledger. Its payouts are held.`,
    );
    return;
  }
  if (!hasAccountFlag(issuer, 'noFreeze')) {
    yield info(
      'issuer_can_freeze',
      `${issuer.address} can freeze holders’ lines: it has not given that up (NoFreeze).`,
    );
  }
  if (hasAccountFlag(issuer, 'allowTrustLineClawback')) {
    yield info('issuer_can_claw_back', `${issuer.address} can claw tokens back from their holders.`);
  }
  if (distributor === issuer.address) return;
  if (!hasAccountFlag(issuer, 'defaultRipple')) {
    yield critical(
      'default_ripple_off',
      `${issuer.address} has no DefaultRipple: holders with new lines cannot receive from ${distributor}. Set it (AccountSet, SetFlag 8), and clear NoRipple on the lines made before.`,
    );
  }
  if (hasAccountFlag(issuer, 'globalFreeze')) {
    yield critical(
      'issuer_frozen',
      `${issuer.address} has frozen its tokens globally: payouts wait until it lifts that.`,
    );
  }
  if (issuer.transferRate !== NO_TRANSFER_FEE) {
    yield critical(
      'transfer_fee',
      `${issuer.address} charges a transfer fee: payouts are held. Remove it (AccountSet, TransferRate 0), or distribute from the issuer.`,
    );
  }
  if (line === null) {
    yield critical(
      'payer_not_opted_in',
      `${distributor} has no trust line to ${issuer.address}. Set one, and give it the tokens.`,
    );
    return;
  }
  if (hasAccountFlag(issuer, 'requireAuthorization') && !line.authorized) {
    yield critical(
      'payer_unauthorised',
      `${issuer.address} has not authorised the line of ${distributor}. Authorise it (TrustSet, tfSetfAuth).`,
    );
  }
  if (line.frozen) {
    yield critical(
      'payer_frozen',
      `${issuer.address} has frozen the line of ${distributor}: payouts wait until it is lifted.`,
    );
  }
}

function* mptProblems(
  liability: TokenLiability,
  { issuance, holding }: TokenFacts & { kind: 'mpt' },
): Generator<Problem> {
  const { distributor } = liability;
  if (issuance === null) {
    yield critical(
      'issuer_missing',
      `The issuance ${liability.issuanceId} does not exist on the ledger. Its payouts are held.`,
    );
    return;
  }
  if (issuance.canLock) yield info('issuer_can_freeze', `${issuance.issuer} can lock holders’ tokens.`);
  if (issuance.canClawback) {
    yield info('issuer_can_claw_back', `${issuance.issuer} can claw tokens back from their holders.`);
  }
  if (issuance.locked) {
    yield critical(
      'issuer_frozen',
      `${issuance.issuer} has locked the token for all holders: payouts wait until it is unlocked.`,
    );
  }
  if (distributor === issuance.issuer) return;
  if (!issuance.canTransfer) {
    yield critical(
      'not_transferable',
      'The token cannot be transferred (CanTransfer): payouts are held. Distribute from its issuer.',
    );
  }
  if (issuance.transferFee > 0) {
    yield critical(
      'transfer_fee',
      `${issuance.issuer} charges a transfer fee: payouts are held. Remove it, or distribute from the issuer.`,
    );
  }
  if (holding === null) {
    yield critical(
      'payer_not_opted_in',
      `${distributor} has not opted in to the token. Opt in (MPTokenAuthorize), and give it the tokens.`,
    );
    return;
  }
  if (issuance.requiresAuthorization && !holding.authorized) {
    yield critical(
      'payer_unauthorised',
      `${issuance.issuer} has not authorised ${distributor} to hold the token (MPTokenAuthorize).`,
    );
  }
  if (holding.locked) {
    yield critical(
      'payer_frozen',
      `${issuance.issuer} has locked the tokens of ${distributor}: payouts wait until they are unlocked.`,
    );
  }
}
