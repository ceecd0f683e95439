import { z } from 'zod';
import { formatDrops, formatUnits, WIRE_TOKEN_DECIMALS, xrpAmount } from '#lib/base/money.ts';
import type { TokenDebt } from '#lib/token-debts.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import type { AccountFacts, Means } from './account-findings.ts';
import { type Finding, finding } from './findings.ts';
import type { PayingAccount } from './load-paying-accounts.ts';
import { heldMicros, type TokenFacts } from './token-findings.ts';

const tokenHealth = z.object({
  kind: z.enum(['iou', 'mpt']),
  currency: z.string().nullable(),
  issuer: z.string().nullable(),
  issuance_id: z.string().nullable(),
  held: z
    .string()
    .nullable()
    .meta({ description: 'What the distributor can give out; null when it issues without a limit' }),
  owed: z.string().meta({ description: 'Over all its sales: payouts not validated, and what is not sold yet' }),
  transfer_fee: z.boolean(),
  frozen: z.boolean().meta({ description: 'Frozen or locked for all holders' }),
});
type TokenHealth = z.output<typeof tokenHealth>;

export const accountHealth = z.object({
  address: z.string(),
  roles: z.array(z.enum(['deposit', 'distributor'])),
  healthy: z.boolean().meta({ description: 'No finding above info' }),
  exists: z.boolean().nullable().meta({ description: 'Null when the ledger’s answer could not be read' }),
  flags: z
    .object({
      require_destination_tag: z.boolean(),
      deposit_authorization: z.boolean(),
      master_key_disabled: z.boolean(),
      default_ripple: z.boolean(),
      global_freeze: z.boolean(),
      no_freeze: z.boolean(),
    })
    .nullable(),
  regular_key: z.string().nullable(),
  balance_xrp: xrpAmount.nullable(),
  reserve_xrp: xrpAmount.nullable(),
  spendable_xrp: xrpAmount.nullable().meta({ description: 'Beyond the reserve and a float for fees' }),
  owed_xrp: xrpAmount.meta({ description: 'To be paid back or released, what is held included' }),
  needed_xrp: xrpAmount.nullable().meta({ description: 'owed_xrp with fees and tickets for all outstanding payouts' }),
  outstanding_payouts: z.int(),
  tickets: z.int().nullable(),
  tokens: z.array(tokenHealth),
  findings: z.array(finding),
});
export type AccountHealth = z.output<typeof accountHealth>;

export function toAccountHealth(
  account: PayingAccount,
  { state, tickets }: AccountFacts,
  means: Means | null,
  tokens: readonly { debt: TokenDebt; facts: TokenFacts }[],
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
    owed_xrp: formatDrops(account.owedDrops),
    needed_xrp: means === null ? null : formatDrops(means.neededDrops),
    outstanding_payouts: account.outstanding,
    tickets,
    tokens: tokens.map(({ debt, facts }) => toTokenHealth(debt, facts)),
    findings,
  };
}

/** Of an account about which the ledger answers what cannot be read. */
export const unreadableAccount = (account: PayingAccount): AccountHealth => ({
  address: account.address,
  roles: account.roles,
  healthy: false,
  exists: null,
  flags: null,
  regular_key: null,
  balance_xrp: null,
  reserve_xrp: null,
  spendable_xrp: null,
  owed_xrp: formatDrops(account.owedDrops),
  needed_xrp: null,
  outstanding_payouts: account.outstanding,
  tickets: null,
  tokens: [],
  findings: [
    {
      code: 'unreadable',
      severity: 'critical',
      token: null,
      message: `The ledger’s answer about ${account.address} or its tokens could not be read. Look at the log and the servers in XRPL_URLS.`,
    },
  ],
});

function toTokenHealth(debt: TokenDebt, facts: TokenFacts): TokenHealth {
  const held = heldMicros(debt, facts);
  const charges =
    facts.kind === 'iou'
      ? (facts.issuer?.transferRate ?? NO_TRANSFER_FEE) !== NO_TRANSFER_FEE
      : (facts.issuance?.transferFee ?? 0) > 0;
  const frozen =
    facts.kind === 'iou'
      ? facts.issuer !== null && hasAccountFlag(facts.issuer, 'globalFreeze')
      : (facts.issuance?.locked ?? false);
  return {
    kind: debt.tokenKind,
    currency: debt.currency,
    issuer: debt.issuer,
    issuance_id: debt.issuanceId,
    held: held === null ? null : formatUnits(held, WIRE_TOKEN_DECIMALS),
    owed: formatUnits(debt.micros, WIRE_TOKEN_DECIMALS),
    transfer_fee: charges,
    frozen,
  };
}
