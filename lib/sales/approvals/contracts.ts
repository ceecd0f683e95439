import { projectId } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { APPROVABLE_ACTIONS } from '#lib/base/env.ts';
import { idPattern } from '#lib/base/ids.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { positiveXrpCodec } from '#lib/base/money-codecs.ts';

const approvalId = z
  .string()
  .regex(idPattern('apr'), 'must be an approval id (apr_…)')
  .meta({ description: 'Approval id', example: 'apr_4qUZk0r2bJ8sVd1mX7nTqL' });
const action = z.enum(APPROVABLE_ACTIONS);
const person = z.object({
  kind: z.enum(['administrator', 'member']),
  name: z.string().meta({ description: 'An administrator’s name, or a member’s wallet', example: 'alice' }),
});

export const APPROVAL_STATUSES = ['open', 'approved', 'refused', 'withdrawn', 'lapsed'] as const;

export const approvalResource = z.lazy(() =>
  z
    .object({
      id: approvalId,
      project_id: projectId,
      project_name: z.string(),
      action,
      status: z.enum(APPROVAL_STATUSES).meta({
        description:
          '`lapsed`: what it names has changed, or nobody decided it in time. Only an `open` one can be decided',
      }),
      requested_by: person.extend({
        tenant_id: z.string().nullable().meta({ description: 'The tenant of a member' }),
      }),
      reason: z.string().meta({ description: 'Why it was asked for' }),
      launch: z
        .object({
          terms_hash: z.string().meta({ description: 'SHA-256 of the terms that the launch would anchor: no others' }),
          canonical: z.string().meta({ description: 'These terms, as canonical JSON' }),
        })
        .nullable()
        .meta({ description: 'What a launch would do; null for another action' }),
      release: z
        .object({ destination: z.string(), amount_xrp: xrpAmount })
        .nullable()
        .meta({ description: 'What a release would pay, and to whom; null for another action' }),
      created_at: isoTime,
      expires_at: isoTime.meta({ description: 'Undecided until then, it lapses' }),
      closed_at: isoTime.nullable(),
      closed_by: person.nullable().meta({ description: 'Who approved, refused or withdrew it' }),
      closed_reason: z.string().nullable().meta({ description: 'Why, or why it lapsed' }),
      transaction_hash: z.string().nullable().meta({ description: 'Of the approved launch' }),
      payout_id: z.string().nullable().meta({ description: 'Of the approved release' }),
    })
    .meta({ id: 'Approval' }),
);
export type ApprovalResource = z.output<typeof approvalResource>;

export const listApprovalsContract = defineContract({
  id: 'listApprovals',
  method: 'GET',
  path: '/api/admin/approvals',
  tag: 'admin',
  summary: 'List requests for approval, newest first',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({
    ...cursorQuery,
    status: z.enum(APPROVAL_STATUSES).optional(),
    project_id: projectId.optional(),
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        approvals: z.array(approvalResource),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
});

export const askForApprovalContract = defineContract({
  id: 'askForApproval',
  method: 'POST',
  path: '/api/admin/approvals',
  tag: 'admin',
  summary: 'Ask another operator to approve a launch or a release, which is checked but not carried out',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  body: z.strictObject({
    project_id: projectId,
    action: action.meta({ description: 'What to approve', example: 'launch' }),
    amount_xrp: positiveXrpCodec
      .optional()
      .meta({ description: 'Of a release; everything that is releasable now when omitted' }),
    reason: auditReason,
  }),
  responses: { 201: approvalResource },
  errors: [
    'project_not_found',
    'transition_not_allowed',
    'launch_not_ready',
    'conflict',
    'limit_reached',
    'ledger_unavailable',
  ],
});

export const getApprovalContract = defineContract({
  id: 'getApproval',
  method: 'GET',
  path: '/api/admin/approvals/{id}',
  tag: 'admin',
  summary: 'Get a request for approval, with exactly what it would do',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  params: z.object({ id: approvalId }),
  query: z.strictObject({}),
  responses: { 200: approvalResource },
  errors: ['not_found'],
});

export const decideApprovalContract = defineContract({
  id: 'decideApproval',
  method: 'POST',
  path: '/api/admin/approvals/{id}/{decision}',
  tag: 'admin',
  summary: 'Approve a request, which carries out its action in your name; refuse it; or withdraw your own',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({
    id: approvalId,
    decision: z.enum(['approve', 'refuse', 'withdraw']).meta({
      description: 'Approve and refuse are for somebody else than who asked, withdraw for who asked',
      example: 'approve',
    }),
  }),
  body: z.strictObject({ reason: auditReason }),
  responses: { 200: approvalResource },
  errors: [
    'not_found',
    'transition_not_allowed',
    'launch_not_ready',
    'conflict',
    'limit_reached',
    'ledger_unavailable',
  ],
});

const ofOwnProject = { tag: 'owners', params: z.object({ id: projectId }) } as const;
const { project_id: _, ...ownFilters } = listApprovalsContract.query.shape;
const { project_id: __, ...ownRequest } = askForApprovalContract.body.shape;

export const listOwnApprovalsContract = defineContract({
  ...listApprovalsContract,
  ...ofOwnProject,
  id: 'listOwnApprovals',
  path: '/api/owner/projects/{id}/approvals',
  summary: 'List the requests for approval of one of the tenant’s sales, newest first',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  query: z.strictObject(ownFilters),
  errors: ['project_not_found'],
});

export const askForOwnApprovalContract = defineContract({
  ...askForApprovalContract,
  ...ofOwnProject,
  id: 'askForOwnApproval',
  path: '/api/owner/projects/{id}/approvals',
  summary: 'Ask an administrator to approve the launch of one of the tenant’s sales, or a release to its treasury',
  access: [{ kind: 'member', role: 'owner' }],
  rateLimit: 'write',
  body: z.strictObject(ownRequest),
});

export const withdrawOwnApprovalContract = defineContract({
  ...ofOwnProject,
  id: 'withdrawOwnApproval',
  method: 'POST',
  path: '/api/owner/projects/{id}/approvals/{approval_id}/withdraw',
  summary: 'Withdraw a request for approval that the tenant made',
  access: [{ kind: 'member', role: 'owner' }],
  rateLimit: 'write',
  idempotent: true,
  params: z.object({ id: projectId, approval_id: approvalId }),
  body: z.strictObject({ reason: auditReason }),
  responses: { 200: approvalResource },
  errors: ['project_not_found', 'not_found', 'conflict'],
});
