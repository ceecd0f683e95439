import { ACTIONS } from '@tranche/rules/types.ts';
import { projectId, projectResource } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract } from '#lib/base/contract.ts';

export const actOnProjectContract = defineContract({
  id: 'actOnProject',
  method: 'POST',
  path: '/api/admin/projects/{id}/{action}',
  tag: 'admin',
  summary: 'Launch, pause, resume, end or cancel a sale by a transaction of its deposit account',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({
    id: projectId,
    action: z
      .enum(ACTIONS)
      .exclude(['list', 'assign'])
      .meta({ description: 'The action to submit', example: 'launch' }),
  }),
  body: z.strictObject({ reason: auditReason }),
  responses: { 202: projectResource },
  errors: [
    'project_not_found',
    'approval_required',
    'transition_not_allowed',
    'launch_not_ready',
    'conflict',
    'ledger_unavailable',
  ],
});

export const actOnOwnProjectContract = defineContract({
  ...actOnProjectContract,
  tag: 'owners',
  id: 'actOnOwnProject',
  path: '/api/owner/projects/{id}/{action}',
  summary: 'Pause, resume or end one of the tenant’s sales by a transaction of its deposit account',
  access: [{ kind: 'member', role: 'owner' }],
  rateLimit: 'write',
  params: z.object({
    id: projectId,
    action: z.enum(['pause', 'resume', 'end']).meta({ description: 'The action to submit', example: 'pause' }),
  }),
  errors: ['project_not_found', 'transition_not_allowed', 'conflict', 'ledger_unavailable'],
});
