import { z } from 'zod';

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

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

export const finding = z.object({
  code: z.enum(FINDINGS),
  severity: z.enum(SEVERITIES).meta({
    description: 'critical: payouts or payments fail now; warning: they will; info: worth knowing',
  }),
  token: z
    .string()
    .nullable()
    .meta({ description: 'currency.issuer or MPT issuance id; null when it concerns the account itself' }),
  message: z.string().meta({ description: 'What was found, and what to do' }),
});
export type Finding = z.output<typeof finding>;
