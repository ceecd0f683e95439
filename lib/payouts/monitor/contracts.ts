import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { xrpAmount } from '#lib/base/money.ts';

const count = z.int().min(0);

/** Distributions that waited, by what the ledger shows of their holder now. `checked` is the sum of the others. */
export const waitingCounts = z.object({
  checked: count.meta({ description: 'Distributions that waited and were looked at' }),
  ready: count.meta({ description: 'Payable now, and on their way' }),
  missing: count.meta({ description: 'No trust line, no opt-in to the MPT, or no account any more' }),
  limit_too_low: count,
  frozen: count.meta({ description: 'The line is frozen, or the MPT locked, for this holder or for all' }),
  unauthorised: count,
  other: count.meta({
    description: 'The holder’s account refuses it, or the paying account must be seen to: its row says why',
  }),
});

export type WaitingCounts = z.output<typeof waitingCounts>;

export const noneWaiting = (): WaitingCounts => ({
  checked: 0,
  ready: 0,
  missing: 0,
  limit_too_low: 0,
  frozen: 0,
  unauthorised: 0,
  other: 0,
});

const SEVERITIES = ['info', 'warning', 'critical'] as const;

/** What can be wrong with an account that pays. The closed list. */
export const FINDINGS = [
  'account_missing',
  'unreadable',
  'key_missing',
  'key_unfit',
  'deposit_authorization',
  'destination_tag_optional',
  'xrp_short',
  'xrp_low',
  'issuer_missing',
  'default_ripple_off',
  'issuer_frozen',
  'transfer_fee',
  'not_transferable',
  'payer_not_opted_in',
  'payer_unauthorised',
  'payer_frozen',
  'tokens_short',
  'issuer_can_freeze',
  'issuer_can_claw_back',
] as const;

const finding = z.lazy(() =>
  z.object({
    code: z.enum(FINDINGS),
    severity: z.enum(SEVERITIES).meta({
      description: 'critical: payouts or payments fail now; warning: they will; info: worth knowing',
    }),
    token: z
      .string()
      .nullable()
      .meta({ description: 'currency.issuer or MPT issuance id; null when it concerns the account itself' }),
    message: z.string().meta({ description: 'What was found, and what to do next' }),
  }),
);
export type Finding = z.output<typeof finding>;

const tokenHealth = z.lazy(() =>
  z.object({
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
  }),
);
export type TokenHealth = z.output<typeof tokenHealth>;

export const accountHealth = z.lazy(() =>
  z.object({
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
    liabilities_xrp: xrpAmount.meta({ description: 'Refunds and releases to be paid, held amounts included' }),
    needed_xrp: xrpAmount
      .nullable()
      .meta({ description: 'liabilities_xrp with fees, tickets and escrows of all outstanding payouts' }),
    outstanding_payouts: z.int(),
    tickets: z.int().nullable(),
    tokens: z.array(tokenHealth),
    findings: z.array(finding),
  }),
);
export type AccountHealth = z.output<typeof accountHealth>;

export const trustlineMonitorContract = defineContract({
  id: 'trustlineMonitor',
  method: 'GET',
  path: '/api/system/trustline-monitor',
  tag: 'internal',
  summary: 'Check every holder with a due distribution, and the health of every paying account',
  access: [{ kind: 'scheduler' }, { kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() =>
      waitingCounts.extend({
        continued: z
          .boolean()
          .meta({ description: 'Time budget used up: the counts are of this slice, and the next slice continues' }),
        accounts: z.array(accountHealth),
        duration_ms: z.int(),
      }),
    ),
  },
  errors: ['conflict', 'ledger_unavailable', 'service_unavailable'],
});
