import { type Drops, formatDrops, formatUnits, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { TokenDebt } from '#lib/token-debts.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import { transactionFee } from '#lib/xrpl/fees.ts';
import type { AccountState, MptHolding, MptIssuance, ServerState, TrustLine } from '#lib/xrpl/types.ts';
import { parseLedgerValue } from '#lib/xrpl/value.ts';
import { spendableDrops } from '../check.ts';
import type { Finding } from './contracts.ts';

/** An account that pays for sales which are no drafts, with what the books say it owes. */
export interface PayingAccount {
  address: string;
  roles: ('deposit' | 'distributor')[];
  /** A sale that takes payments to this account, or pays out from it, is active or paused. */
  selling: boolean;
  /** XRP that is not paid back or released yet, what is held included. */
  owedDrops: Drops;
  /** Payouts still to be made from it, whatever they wait for: each costs a fee and uses a ticket. */
  outstanding: number;
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
export interface Means {
  reserveDrops: Drops;
  /** Beyond the reserve and the float for fees. */
  spendableDrops: Drops;
  /** For what is owed, the fees of all that is outstanding, and the tickets that it takes. */
  neededDrops: Drops;
}

/** Tickets without which outstanding payouts only trickle. */
const WORKING_TICKETS = 10;

/** What the account can spend and what it needs, by today's reserves and fees. Pure. */
export function meansOf(account: PayingAccount, state: AccountState, tickets: number, server: ServerState): Means {
  const missingTickets = Math.max(0, Math.min(account.outstanding, WORKING_TICKETS) - tickets);
  return {
    reserveDrops: server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(state.ownerCount),
    spendableDrops: spendableDrops(state, server),
    neededDrops:
      account.owedDrops +
      transactionFee(server) * BigInt(account.outstanding) +
      server.reserveIncrementDrops * BigInt(missingTickets),
  };
}

/** What is wrong with the account itself, whatever token it distributes. Pure. */
export function accountFindings(account: PayingAccount, facts: AccountFacts, means: Means | null): Finding[] {
  const findings: Finding[] = [];
  const find = (code: Finding['code'], severity: Finding['severity'], message: string) =>
    void findings.push({ code, severity, token: null, message });
  const isDeposit = account.roles.includes('deposit');
  const { state, keyFault } = facts;
  // A sale that is over and owes nothing may close its accounts.
  const severity = account.selling || account.outstanding > 0 || account.owedDrops > 0n ? 'critical' : 'info';
  if (keyFault !== null) find(keyFault.code, severity, keyFault.message);
  if (state === null || means === null) {
    find(
      'account_missing',
      severity,
      `${account.address} does not exist on the ledger: nothing can be paid ${isDeposit ? 'to or from it' : 'from it'}. Send it its reserve again.`,
    );
    return findings;
  }
  if (isDeposit && account.selling && hasAccountFlag(state, 'depositAuthorization')) {
    find(
      'deposit_authorization',
      'critical',
      `${account.address} has DepositAuth set: nobody can pay in. Clear it (AccountSet, ClearFlag 9).`,
    );
  }
  if (isDeposit && account.selling && !hasAccountFlag(state, 'requireDestinationTag')) {
    find(
      'destination_tag_optional',
      'info',
      `${account.address} takes payments without a destination tag, which are sent back. Set RequireDest (AccountSet, SetFlag 1) to have the ledger refuse them.`,
    );
  }
  const shortDrops = means.neededDrops - means.spendableDrops;
  if (shortDrops > 0n) {
    find(
      'xrp_short',
      'critical',
      `${account.address} can spend ${formatDrops(means.spendableDrops)} XRP and needs ${formatDrops(means.neededDrops)} XRP for what it owes, fees and tickets. Send it at least ${formatDrops(shortDrops)} XRP.`,
    );
  } else if (means.spendableDrops === 0n && account.selling) {
    find(
      'xrp_low',
      'warning',
      `${account.address} has no XRP beyond its reserve and the float for fees: its next payouts will wait. Send it some XRP.`,
    );
  }
  return findings;
}

export type TokenFacts =
  /** `line` is the distributor's; null when it has none or is the issuer. */
  | { kind: 'iou'; issuer: AccountState | null; line: TrustLine | null }
  /** `holding` is the distributor's, likewise. */
  | { kind: 'mpt'; issuance: MptIssuance | null; holding: MptHolding | null };

const tokenName = ({ currency, issuer, issuanceId }: TokenDebt): string =>
  issuanceId ?? `${currency ?? ''}.${issuer ?? ''}`;

const tokens = (micros: bigint): string => formatUnits(micros, WIRE_TOKEN_DECIMALS);

/** What the distributor can give out, in 10^-6 token; null when it issues without a limit, or there is nothing to read. */
export function heldMicros(debt: TokenDebt, facts: TokenFacts): bigint | null {
  if (facts.kind === 'iou') {
    if (debt.distributor === debt.issuer) return null;
    return facts.line === null ? 0n : parseLedgerValue(facts.line.balance, WIRE_TOKEN_DECIMALS);
  }
  if (facts.issuance === null) return null;
  const scale = 10n ** BigInt(Math.max(0, WIRE_TOKEN_DECIMALS - facts.issuance.assetScale));
  const units =
    debt.distributor === facts.issuance.issuer
      ? facts.issuance.maximum - facts.issuance.outstanding
      : (facts.holding?.amount ?? 0n);
  return units * scale;
}

/** What stands between a distributor and the tokens that it owes; none when it owes none. Pure. */
export function tokenFindings(debt: TokenDebt, facts: TokenFacts): Finding[] {
  if (debt.micros === 0n) return [];
  const findings: Finding[] = [];
  const find: Find = (code, severity, message) =>
    void findings.push({ code, severity, token: tokenName(debt), message });
  if (facts.kind === 'iou') lineFindings(debt, facts, find);
  else mptFindings(debt, facts, find);
  const held = heldMicros(debt, facts);
  if (held !== null && held < debt.micros) {
    const [has, owes, lacks] = [held, debt.micros, debt.micros - held].map(tokens);
    find(
      'tokens_short',
      'critical',
      `${debt.distributor} can give out ${has} tokens and owes up to ${owes}, unsold ones included. Give it ${lacks} more.`,
    );
  }
  return findings;
}

type Find = (code: Finding['code'], severity: Finding['severity'], message: string) => void;

function lineFindings(debt: TokenDebt, { issuer, line }: TokenFacts & { kind: 'iou' }, find: Find): void {
  const { distributor } = debt;
  if (issuer === null) {
    find('issuer_missing', 'critical', `The issuer ${debt.issuer} does not exist on the ledger. Its payouts are held.`);
    return;
  }
  if (!hasAccountFlag(issuer, 'noFreeze')) {
    find(
      'issuer_can_freeze',
      'info',
      `${issuer.address} can freeze holders’ lines: it has not given that up (NoFreeze).`,
    );
  }
  if (hasAccountFlag(issuer, 'allowTrustLineClawback')) {
    find('issuer_can_claw_back', 'info', `${issuer.address} can claw tokens back from their holders.`);
  }
  if (distributor === issuer.address) return;
  if (!hasAccountFlag(issuer, 'defaultRipple')) {
    find(
      'default_ripple_off',
      'critical',
      `${issuer.address} has no DefaultRipple: holders with new lines cannot receive from ${distributor}. Set it (AccountSet, SetFlag 8), and clear NoRipple on the lines made before.`,
    );
  }
  if (hasAccountFlag(issuer, 'globalFreeze')) {
    find(
      'issuer_frozen',
      'critical',
      `${issuer.address} has frozen its tokens globally: payouts wait until it lifts that.`,
    );
  }
  if (issuer.transferRate !== NO_TRANSFER_FEE) {
    find(
      'transfer_fee',
      'critical',
      `${issuer.address} charges a transfer fee: payouts are held. Remove it (AccountSet, TransferRate 0), or distribute from the issuer.`,
    );
  }
  if (line === null) {
    find(
      'payer_not_opted_in',
      'critical',
      `${distributor} has no trust line to ${issuer.address}. Set one, and give it the tokens.`,
    );
    return;
  }
  if (hasAccountFlag(issuer, 'requireAuthorization') && !line.authorized) {
    find(
      'payer_unauthorised',
      'critical',
      `${issuer.address} has not authorised the line of ${distributor}. Authorise it (TrustSet, tfSetfAuth).`,
    );
  }
  if (line.frozen) {
    find(
      'payer_frozen',
      'critical',
      `${issuer.address} has frozen the line of ${distributor}: payouts wait until it is lifted.`,
    );
  }
}

function mptFindings(debt: TokenDebt, { issuance, holding }: TokenFacts & { kind: 'mpt' }, find: Find): void {
  const { distributor } = debt;
  if (issuance === null) {
    find(
      'issuer_missing',
      'critical',
      `The issuance ${debt.issuanceId} does not exist on the ledger. Its payouts are held.`,
    );
    return;
  }
  if (issuance.canLock) find('issuer_can_freeze', 'info', `${issuance.issuer} can lock holders’ tokens.`);
  if (issuance.canClawback) {
    find('issuer_can_claw_back', 'info', `${issuance.issuer} can claw tokens back from their holders.`);
  }
  if (issuance.locked) {
    find(
      'issuer_frozen',
      'critical',
      `${issuance.issuer} has locked the token for all holders: payouts wait until it is unlocked.`,
    );
  }
  if (distributor === issuance.issuer) return;
  if (!issuance.canTransfer) {
    find(
      'not_transferable',
      'critical',
      'The token cannot be transferred (CanTransfer): payouts are held. Distribute from its issuer.',
    );
  }
  if (issuance.transferFee > 0) {
    find(
      'transfer_fee',
      'critical',
      `${issuance.issuer} charges a transfer fee: payouts are held. Remove it, or distribute from the issuer.`,
    );
  }
  if (holding === null) {
    find(
      'payer_not_opted_in',
      'critical',
      `${distributor} has not opted in to the token. Opt in (MPTokenAuthorize), and give it the tokens.`,
    );
    return;
  }
  if (issuance.requiresAuthorization && !holding.authorized) {
    find(
      'payer_unauthorised',
      'critical',
      `${issuance.issuer} has not authorised ${distributor} to hold the token (MPTokenAuthorize).`,
    );
  }
  if (holding.locked) {
    find(
      'payer_frozen',
      'critical',
      `${issuance.issuer} has locked the tokens of ${distributor}: payouts wait until they are unlocked.`,
    );
  }
}
