import { formatUnits, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { TokenDebt } from '#lib/token-debts.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import type { AccountState, MptHolding, MptIssuance, TrustLine } from '#lib/xrpl/types.ts';
import { parseLedgerValue } from '#lib/xrpl/value.ts';
import type { Finding } from './findings.ts';

export type TokenFacts =
  /** `line` is the distributor's; null when it has none or is the issuer. */
  | { kind: 'iou'; issuer: AccountState | null; line: TrustLine | null }
  /** `holding` is the distributor's, likewise. */
  | { kind: 'mpt'; issuance: MptIssuance | null; holding: MptHolding | null };

export const tokenName = ({ currency, issuer, issuanceId }: TokenDebt): string =>
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
