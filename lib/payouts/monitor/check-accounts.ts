import { mapBounded } from '#lib/base/bounded.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { readTokenDebts, type TokenDebt } from '#lib/token-debts.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { accountFindings, meansOf } from './account-findings.ts';
import { type AccountHealth, toAccountHealth, unreadableAccount } from './account-resource.ts';
import { healthAlerts } from './alerts.ts';
import { loadPayingAccounts, type PayingAccount } from './load-paying-accounts.ts';
import { readAccountFacts, readTokenFacts } from './read-account.ts';
import { tokenFindings } from './token-findings.ts';

const CONCURRENT_ACCOUNTS = 4;

/**
 * The health of every account that pays for sales which are no drafts, by address. Writes nothing. Throws PlatformError
 * `ledger_unavailable`.
 */
export async function examineAccounts(ctx: Ctx): Promise<AccountHealth[]> {
  // First: what is validated after this ledger may be missing from the balances.
  const server = await ctx.ledger.serverState();
  const [paying, debts] = await Promise.all([
    loadPayingAccounts(ctx.db),
    readTokenDebts(ctx.db, { balanceLedger: server.validatedIndex }),
  ]);
  return mapBounded(paying, CONCURRENT_ACCOUNTS, async (account) => {
    const owed = debts.filter(({ distributor }) => distributor === account.address);
    try {
      return await checkAccount(ctx, account, server, owed);
    } catch (error) {
      // An odd answer about one account says nothing about the others; without the ledger there is nothing to say.
      if (!(error instanceof PlatformError) || error.code === 'ledger_unavailable') throw error;
      ctx.log.error({ err: error, account: account.address }, 'the ledger’s answer about an account is odd');
      return unreadableAccount(account);
    }
  });
}

/**
 * The same, and alerts for what is wrong: each finding once a day (UTC) while it lasts. `alerts` is how many are new.
 * Throws PlatformError `ledger_unavailable`.
 */
export async function checkAccounts(ctx: Ctx): Promise<{ accounts: AccountHealth[]; alerts: number }> {
  const accounts = await examineAccounts(ctx);
  const found = healthAlerts(accounts, ctx.clock.nowMs());
  for (const { data } of found) ctx.log.warn({ kind: data.kind, details: data.details }, data.message);
  const alerts = await ctx.db.transaction((tx) => appendEvents(tx, found));
  return { accounts, alerts };
}

async function checkAccount(
  ctx: Ctx,
  account: PayingAccount,
  server: ServerState,
  debts: readonly TokenDebt[],
): Promise<AccountHealth> {
  const facts = await readAccountFacts(ctx.ledger, account.address);
  const means = facts.state === null ? null : meansOf(account, facts.state, facts.tickets, server);
  const tokens = await mapBounded(debts, CONCURRENT_ACCOUNTS, async (debt) => ({
    debt,
    facts: await readTokenFacts(ctx.ledger, debt),
  }));
  const findings = [
    ...accountFindings(account, facts, means),
    ...tokens.flatMap((token) => tokenFindings(token.debt, token.facts)),
  ];
  return toAccountHealth(account, facts, means, tokens, findings);
}
