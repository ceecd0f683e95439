import { AccountSetAsfFlags } from 'xrpl';
import type { SandboxLedger } from './ledger.ts';

export type Keypair = { address: string; seed: string };
export type SaleAccounts = { deposit: Keypair; distributor: Keypair; issuer: Keypair };
/** For sales of owners; each has one key, which the platform holds. */
export type OwnerAccounts = { ownerDeposit: Keypair; ownerDistributor: Keypair };

export const DEMO_CURRENCY = 'DMO';

// Enough for the reserve of 250 tickets and for the fees of a long day.
const START_XRP = 10_000;
// With 6 decimals the highest amount whose 15 significant digits reach its smallest unit (docs/ledger-facts.md, 22).
const LINE_LIMIT = '999999999';
// More than the demo sale sells: further sales may use the same accounts.
const ISSUED_TOKENS = '500000000';

/**
 * Makes the accounts of a sale usable: all funded, the issuer's tokens transferable between holders, and a supply with
 * the distributor. Closes ledgers itself.
 */
export async function prepareAccounts(ledger: SandboxLedger, accounts: SaleAccounts): Promise<void> {
  const { deposit, distributor, issuer } = accounts;
  await Promise.all([deposit, distributor, issuer].map(({ address }) => ledger.fund(address, START_XRP)));
  // Before the first trust line: a line takes the setting over when it comes into being (docs/ledger-facts.md, 20).
  await ledger.settle(issuer.seed, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    SetFlag: AccountSetAsfFlags.asfDefaultRipple,
  });
  const token = { currency: DEMO_CURRENCY, issuer: issuer.address };
  await ledger.settle(distributor.seed, {
    TransactionType: 'TrustSet',
    Account: distributor.address,
    LimitAmount: { ...token, value: LINE_LIMIT },
  });
  await ledger.settle(issuer.seed, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: distributor.address,
    Amount: { ...token, value: ISSUED_TOKENS },
  });
}

/** Funds the accounts for sales of owners: the token that they sell is theirs to bring. */
export async function fundOwnerAccounts(ledger: SandboxLedger, accounts: OwnerAccounts): Promise<void> {
  const { ownerDeposit, ownerDistributor } = accounts;
  await Promise.all([ownerDeposit, ownerDistributor].map(({ address }) => ledger.fund(address, START_XRP)));
}
