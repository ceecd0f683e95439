import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { anyPresent, defineContract } from '#lib/base/contract.ts';
import { idPattern } from '#lib/base/ids.ts';

const MAX_INVESTMENTS = 500;
const MAX_PAYOUTS = 2_000;
const count = z.int().min(0);

/** What became of a payout that was asked for. */
export const ISSUE_OUTCOMES = [
  'submitted',
  'validated',
  'queued',
  'waiting',
  'held',
  'stopped',
  'under_way',
  'already_paid',
  'not_due',
  'cancelled',
  'nothing_owed',
] as const;
export type IssueOutcome = (typeof ISSUE_OUTCOMES)[number];

const MEANINGS: Record<IssueOutcome, string> = {
  submitted: 'Submitted by this call, or at the same time by another; in a dry run, would be',
  validated: 'Submitted and already paid',
  queued: 'Payable, and paid by the next runs: tickets, the hour or the time of this call did not reach',
  waiting: 'Cannot be paid now: its reason says why',
  held: 'Waits for a person: its reason says why',
  stopped: 'Its sale is cancelled, or an account is halted',
  under_way: 'Was submitted before this call',
  already_paid: 'Was paid before this call; never paid again',
  not_due: 'Not due: a later vesting part, or the sale has not ended',
  cancelled: 'Refunded in XRP',
  nothing_owed: 'The investment is not confirmed',
};

export const issueTokensContract = defineContract({
  id: 'issueTokens',
  method: 'POST',
  path: '/api/system/issue-tokens',
  tag: 'internal',
  summary: 'Pay out due tokens now, chosen by sale or by investment',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  body: z
    .strictObject({
      project_id: z.string().regex(idPattern('proj'), 'must be proj_<id>').optional(),
      investment_ids: z
        .array(z.string().regex(idPattern('inv'), 'must be inv_<id>'))
        .min(1)
        .max(MAX_INVESTMENTS)
        .optional(),
      limit: z.int().min(1).max(MAX_PAYOUTS).default(500).meta({
        description: 'Payouts tried by this call at most, those due longest first',
      }),
      dry_run: z
        .boolean()
        .default(false)
        .meta({ description: 'Dry run: report what would be done and change nothing' }),
      reason: auditReason,
    })
    .refine((body) => body.project_id !== undefined || body.investment_ids !== undefined, {
      path: ['project_id'],
      error: 'give project_id, investment_ids, or both',
    })
    .meta(anyPresent('project_id', 'investment_ids')),
  responses: {
    200: z.lazy(() =>
      z.object({
        dry_run: z.boolean(),
        selected: count.meta({ description: 'Due and unpaid, within the limit: what this call tried' }),
        beyond_limit: count.meta({ description: 'Due and unpaid beyond the limit: call again' }),
        outcomes: z.object(
          Object.fromEntries(
            ISSUE_OUTCOMES.map((outcome) => [outcome, count.meta({ description: MEANINGS[outcome] })]),
          ) as Record<IssueOutcome, typeof count>,
        ),
        refusals: z
          .array(
            z.object({
              investment_id: z.string(),
              payout_id: z.string().nullable().meta({ description: 'Null when the investment has no payout' }),
              part: z.int().nullable(),
              due_at: isoTime.nullable(),
              outcome: z.enum(ISSUE_OUTCOMES),
              reason: z.string(),
            }),
          )
          .meta({
            description: 'What was tried and not paid; of investments asked for by id, also why nothing was tried',
          }),
        continued: z.boolean().meta({ description: 'The next run of process-payments goes on with it' }),
        duration_ms: z.int(),
      }),
    ),
  },
  errors: ['project_not_found', 'investment_not_found', 'ledger_unavailable', 'service_unavailable'],
});
