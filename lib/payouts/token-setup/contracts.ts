import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract } from '#lib/base/contract.ts';
import { POSITIVE_TOKENS_PATTERN } from '#lib/base/money-codecs.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { currencyCode, issuanceId } from '#lib/xrpl/token.ts';

const holdingToken = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('iou'),
      currency: currencyCode,
      issuer: accountAddress,
      limit_tokens: z
        .string()
        .max(40)
        .regex(new RegExp(POSITIVE_TOKENS_PATTERN), 'must be a positive decimal of up to 6 fractional digits')
        .meta({
          description:
            'The most that the trust line takes, at most 15 significant digits: what the sales of the account owe',
          example: '1000000',
        }),
    }),
    z.strictObject({ kind: z.literal('mpt'), issuance_id: issuanceId }),
  ]),
);
export type HoldingToken = z.output<typeof holdingToken>;

export const tokenHoldingContract = defineContract({
  id: 'openTokenHolding',
  method: 'POST',
  path: '/api/admin/accounts/{address}/token-holding',
  tag: 'admin',
  summary:
    'Have a distributor set its trust line, or opt in to an MPT, so that its issuer can send it the supply; a dry run answers 200 and signs nothing',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({
    address: accountAddress.meta({ description: 'The distributor, for which SIGNING_KEYS holds a key' }),
  }),
  body: z.strictObject({ token: holdingToken, dry_run: z.boolean().default(false), reason: auditReason }),
  responses: {
    200: z.lazy(() =>
      z.object({ dry_run: z.literal(true), transaction: z.looseObject({ TransactionType: z.string() }) }),
    ),
    202: z.lazy(() =>
      z.object({
        dry_run: z.literal(false),
        transaction: z.looseObject({ TransactionType: z.string() }),
        transaction_hash: z.string(),
        last_ledger_sequence: z.int().meta({ description: 'Past it the transaction can never succeed' }),
      }),
    ),
  },
  errors: ['not_found', 'conflict', 'ledger_unavailable'],
});
