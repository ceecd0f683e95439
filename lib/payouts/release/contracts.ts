import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { positiveXrpCodec } from '#lib/base/money-codecs.ts';

const projectId = z
  .string()
  .regex(/^proj_[0-9A-Za-z]{22}$/, 'must be a project id (proj_…)')
  .meta({ description: 'Project id', example: 'proj_5kQ2mB7xN0aYh3uVtR8wZc' });

const xrp = (description: string) => xrpAmount.meta({ description });

const releaseAmounts = z
  .object({
    project_id: projectId,
    status: z.string(),
    treasury: z.string().nullable().meta({ description: 'Named in the terms that the launch anchored' }),
    raised_xrp: xrp('Invested in the project now'),
    earned_xrp: xrp('Of it, what validated tokens were paid with; all of it once the sale is completed'),
    released_xrp: xrp('On the treasury, or on its way there'),
    releasable_xrp: xrp('Releasable now: earned and not released, as far as the deposit account can spare it'),
    not_releasable_reason: z.string().nullable(),
    deposit_account: z.object({
      address: z.string(),
      ledger_index: z.int().meta({ description: 'All figures are as of this ledger' }),
      balance_xrp: xrp('The lesser of the ledger’s and the recorded balance'),
      free_xrp: xrp('The balance above the floor'),
      floor_xrp: xrp('What must stay, over all projects of the account: the sum of `floor`'),
      floor: z.object({
        reserve_xrp: xrp('Base reserve, and owner reserve with the tickets that paying the rest takes'),
        unpaid_refunds_xrp: xrp('Refunds that are not validated'),
        held_xrp: xrp('Held of payments, waiting for a person'),
        undecided_xrp: xrp('Received and not decided yet'),
        undistributed_xrp: xrp('Invested without validated tokens, in sales that were or may yet be cancelled'),
        releases_xrp: xrp('Releases that have not left the account yet'),
        fee_float_xrp: xrp('Fees of the payments that the account may have to make'),
      }),
    }),
  })
  .meta({ id: 'ReleaseAmounts' });
export type ReleaseAmounts = z.output<typeof releaseAmounts>;

const releaseResource = z.lazy(() =>
  z
    .object({
      id: z.string().meta({ description: 'Its payout (pay_…), under `/api/admin/payouts`' }),
      release_id: z.string().nullable(),
      amount_xrp: xrpAmount,
      destination: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      transaction_hash: z.string().nullable(),
      ledger_index: z.int().nullable(),
      created_at: isoTime,
    })
    .meta({ id: 'Release' }),
);

const releaseAnswer = z.lazy(() =>
  z.object({
    dry_run: z.boolean(),
    amount_xrp: xrp('What is released; in a dry run, what would be'),
    release: releaseResource.nullable().meta({ description: 'Null in a dry run' }),
    figures: releaseAmounts.meta({ description: 'With this release counted, a dry run apart' }),
  }),
);
export type ReleaseAnswer = z.output<typeof releaseAnswer>;

export const getReleaseContract = defineContract({
  id: 'getRelease',
  method: 'GET',
  path: '/api/admin/projects/{id}/release',
  tag: 'admin',
  summary: 'Get what a sale has raised, what is releasable to its treasury now, and what must stay',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  params: z.object({ id: projectId }),
  responses: { 200: releaseAmounts },
  errors: ['project_not_found', 'conflict', 'ledger_unavailable'],
});

export const releaseContract = defineContract({
  id: 'releaseRaised',
  method: 'POST',
  path: '/api/admin/projects/{id}/release',
  tag: 'admin',
  summary: 'Release raised XRP to the treasury of the terms; a dry run answers 200 and writes nothing',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({ id: projectId }),
  body: z.strictObject({
    amount_xrp: positiveXrpCodec.optional().meta({ description: 'Everything that is releasable when omitted' }),
    release_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
      .optional()
      .meta({ description: 'Your own name for it: asking again with the same one releases nothing more' }),
    dry_run: z.boolean().default(false),
    reason: auditReason,
  }),
  responses: { 200: releaseAnswer, 202: releaseAnswer },
  errors: ['project_not_found', 'approval_required', 'conflict', 'limit_reached', 'ledger_unavailable'],
});
