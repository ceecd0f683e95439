import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments, projects } from '#drizzle/schema/sale.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops, formatUnits, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { readTokenLiabilities, type TokenLiability } from '#lib/token-liabilities.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import { canSignFor, checkSigningKeys, type KeyEntryFault, keyEntryFault } from '#lib/xrpl/keys.ts';
import { findSigner } from '#lib/xrpl/signer.ts';
import type { AccountState, Ledger, ServerState } from '#lib/xrpl/types.ts';
import { type AlertEvent, alert, utcDay } from '../events.ts';
import { isInXrp } from '../in-xrp.ts';
import type { AccountHealth, Finding, TokenHealth } from './contracts.ts';
import {
  type AccountFacts,
  type AccountFunds,
  accountFindings,
  fundsOf,
  heldMicros,
  type PayingAccount,
  type TokenFacts,
  tokenFindings,
} from './findings.ts';

const CONCURRENT_ACCOUNTS = 4;

/**
 * The health of every account that pays for sales which are no drafts, by address. Writes nothing. Throws PlatformError
 * `ledger_unavailable`.
 */
export async function examineAccounts(ctx: Ctx): Promise<AccountHealth[]> {
  // First: what is validated after this ledger may be missing from the balances.
  const server = await ctx.ledger.serverState();
  const [paying, liabilities] = await Promise.all([
    loadPayingAccounts(ctx.db),
    readTokenLiabilities(ctx.db, { shownBy: server, withEnding: true }),
  ]);
  return mapBounded(paying, CONCURRENT_ACCOUNTS, async (account) => {
    const owed = liabilities.filter(({ distributor }) => distributor === account.address);
    try {
      return await checkAccount(ctx, account, server, owed);
    } catch (error) {
      // An odd answer about one account says nothing about the others; without the ledger there is nothing to say.
      if (!(error instanceof PlatformError) || error.code === 'ledger_unavailable') throw error;
      ctx.log.error(
        { err: error, account: account.address },
        'unexpected answer of the ledger server about an account',
      );
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
  liabilities: readonly TokenLiability[],
): Promise<AccountHealth> {
  const facts = await readAccountFacts(ctx.ledger, account.address);
  const means = facts.state === null ? null : fundsOf(account, facts.state, facts.tickets, server);
  const tokens = await mapBounded(liabilities, CONCURRENT_ACCOUNTS, async (liability) => ({
    liability,
    facts: await readTokenFacts(ctx.ledger, liability),
  }));
  const findings = [
    ...accountFindings(account, facts, means),
    ...tokens.flatMap((token) => tokenFindings(token.liability, token.facts)),
  ];
  return toAccountHealth(account, facts, means, tokens, findings);
}

/** Every one of them, by address. */
async function loadPayingAccounts(db: Db): Promise<PayingAccount[]> {
  const { rows } = await db.execute<Omit<PayingAccount, 'unpaidDrops'> & { unpaidDrops: string }>(sql`
    with paying as (
      select address, array_agg(distinct role order by role) as roles, bool_or(selling) as selling
      from (
        select ${projects.depositAddress} as address, 'deposit' as role,
          ${projects.status} in ('active', 'paused') as selling
        from ${projects} where ${projects.status} <> 'draft'
        union all
        select ${projects.distributor}, 'distributor', ${projects.status} in ('active', 'paused')
        from ${projects} where ${projects.status} <> 'draft'
      ) as roles
      group by address
    ), unpaid as (
      select ${payouts.account}, count(*)::int as outstanding,
        (count(*) filter (where ${payouts.kind} = 'lock' and ${payouts.lockedUntil} > now()))::int as locks,
        sum(${payouts.amount}) filter (where ${isInXrp()}) as drops
      from ${payouts}
      where ${payouts.status} in ('scheduled', 'waiting_holder', 'ready', 'submitted', 'held')
      group by 1
    ), held as (
      select ${payments.account}, sum(${payments.heldDrops}) as drops
      from ${payments} where ${payments.heldDrops} > 0
      group by 1
    )
    select paying.address, to_json(paying.roles) as roles, paying.selling,
      coalesce(unpaid.outstanding, 0) as outstanding, coalesce(unpaid.locks, 0) as locks,
      (coalesce(unpaid.drops, 0) + coalesce(held.drops, 0))::text as "unpaidDrops"
    from paying
    left join unpaid on unpaid.account = paying.address
    left join held on held.account = paying.address
    order by paying.address`);
  return rows.map((row) => ({ ...row, unpaidDrops: BigInt(row.unpaidDrops) }));
}

/** What the ledger shows of a paying account, and whether the configured key signs for it. */
export async function readAccountFacts(ledger: Ledger, address: string): Promise<AccountFacts> {
  const [state, tickets] = await Promise.all([ledger.account(address), ledger.tickets(address)]);
  return { state, tickets: tickets.length, keyFault: await readKeyFault(address, state) };
}

const ENTRY_FAULTS: Record<KeyEntryFault, (address: string) => string> = {
  address_invalid: (address) =>
    `${address} in SIGNING_KEYS is no account address: its checksum does not fit. Correct it and deploy.`,
  seed_unreadable: (address) =>
    `The seed in SIGNING_KEYS for ${address} cannot be read: a character is wrong or missing. Correct it and deploy.`,
  algorithm_differs: (address) =>
    `The seed in SIGNING_KEYS for ${address} makes its key under the other algorithm. Correct the algorithm and deploy.`,
};

async function readKeyFault(address: string, state: AccountState | null): Promise<AccountFacts['keyFault']> {
  if (!canSignFor(address)) {
    return {
      code: 'key_missing',
      message: `No key for ${address} stands in SIGNING_KEYS: nothing can be paid from it. Add it and deploy.`,
    };
  }
  const unfit = (message: string) => ({ code: 'key_unfit', message }) as const;
  const fault = await keyEntryFault(address);
  if (fault !== null) return unfit(ENTRY_FAULTS[fault](address));
  if (state === null) return null;
  const isListed = (key: string | null) => state.signerList?.signers.some(({ account }) => account === key) ?? false;
  // With a key of the signer list witnesses sign too: whether it is that of the custody, each payout asks.
  if ((await checkSigningKeys()).some(({ account, keyAddress }) => account === address && isListed(keyAddress))) {
    return null;
  }
  const signer = await findSigner(state, null);
  if (signer === 'key_disabled') {
    return unfit(`The master key of ${address} is disabled on the ledger. Add its regular key to SIGNING_KEYS.`);
  }
  if (signer === 'key_changed') {
    return unfit(
      `The key in SIGNING_KEYS for ${address} is neither its master key nor its regular key on the ledger. If none of your people changed the regular key, halt the account and move its funds.`,
    );
  }
  return null;
}

/** What the ledger shows of a token at its distributor. */
async function readTokenFacts(ledger: Ledger, liability: TokenLiability): Promise<TokenFacts> {
  const { distributor, tokenKind } = liability;
  const issuer = liability.issuer ?? '';
  if (tokenKind === 'iou') {
    const [state, line] = await Promise.all([
      ledger.account(issuer),
      distributor === issuer ? null : ledger.trustLine(distributor, issuer, liability.currency ?? ''),
    ]);
    return { kind: 'iou', issuer: state, line };
  }
  const id = liability.issuanceId ?? '';
  const [issuance, holding] = await Promise.all([
    ledger.mptIssuance(id),
    distributor === issuer ? null : ledger.mptHolding(distributor, id),
  ]);
  return { kind: 'mpt', issuance, holding };
}

/** One alert for each finding above `info`. Sent once a day (UTC), account and finding, however often it is looked at. */
function healthAlerts(accounts: readonly AccountHealth[], nowMs: number): AlertEvent[] {
  return accounts.flatMap(({ address, findings }) =>
    findings.flatMap(({ code, severity, token, message }) => {
      if (severity === 'info') return [];
      return alert(`${address}:${code}:${token ?? ''}:${utcDay(nowMs)}`, nowMs, {
        kind: 'account_health',
        message,
        details: { account: address, finding: code, severity, token },
      });
    }),
  );
}

function toAccountHealth(
  account: PayingAccount,
  { state, tickets }: AccountFacts,
  means: AccountFunds | null,
  tokens: readonly { liability: TokenLiability; facts: TokenFacts }[],
  findings: Finding[],
): AccountHealth {
  return {
    address: account.address,
    roles: account.roles,
    healthy: findings.every(({ severity }) => severity === 'info'),
    exists: state !== null,
    flags:
      state === null
        ? null
        : {
            require_destination_tag: hasAccountFlag(state, 'requireDestinationTag'),
            deposit_authorization: hasAccountFlag(state, 'depositAuthorization'),
            master_key_disabled: hasAccountFlag(state, 'disableMasterKey'),
            default_ripple: hasAccountFlag(state, 'defaultRipple'),
            global_freeze: hasAccountFlag(state, 'globalFreeze'),
            no_freeze: hasAccountFlag(state, 'noFreeze'),
          },
    regular_key: state?.regularKey ?? null,
    balance_xrp: state === null ? null : formatDrops(state.balanceDrops),
    reserve_xrp: means === null ? null : formatDrops(means.reserveDrops),
    spendable_xrp: means === null ? null : formatDrops(means.spendableDrops),
    liabilities_xrp: formatDrops(account.unpaidDrops),
    needed_xrp: means === null ? null : formatDrops(means.neededDrops),
    outstanding_payouts: account.outstanding,
    tickets,
    tokens: tokens.map(({ liability, facts }) => toTokenHealth(liability, facts)),
    findings,
  };
}

/** Of an account about which the ledger answers what cannot be read. */
function unreadableAccount(account: PayingAccount): AccountHealth {
  const message = `The ledger’s answer about ${account.address} or its tokens could not be read. Look at the log and the servers in XRPL_URLS.`;
  const found: Finding = { code: 'unreadable', severity: 'critical', token: null, message };
  const missing = toAccountHealth(account, { state: null, tickets: 0, keyFault: null }, null, [], [found]);
  return { ...missing, exists: null, tickets: null };
}

function toTokenHealth(liability: TokenLiability, facts: TokenFacts): TokenHealth {
  const held = heldMicros(liability, facts);
  const charges =
    facts.kind === 'iou'
      ? (facts.issuer?.transferRate ?? NO_TRANSFER_FEE) !== NO_TRANSFER_FEE
      : (facts.issuance?.transferFee ?? 0) > 0;
  const frozen =
    facts.kind === 'iou'
      ? facts.issuer !== null && hasAccountFlag(facts.issuer, 'globalFreeze')
      : (facts.issuance?.locked ?? false);
  return {
    kind: liability.tokenKind,
    currency: liability.currency,
    issuer: liability.issuer,
    issuance_id: liability.issuanceId,
    held: held === null ? null : formatUnits(held, WIRE_TOKEN_DECIMALS),
    owed: formatUnits(liability.micros, WIRE_TOKEN_DECIMALS),
    transfer_fee: charges,
    frozen,
  };
}
