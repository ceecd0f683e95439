import { type Drops, formatDrops } from '#lib/base/money.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import { transactionFee } from '#lib/xrpl/fees.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import { spendableDrops } from '../check.ts';
import type { Finding } from './findings.ts';
import type { PayingAccount } from './load-paying-accounts.ts';

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
