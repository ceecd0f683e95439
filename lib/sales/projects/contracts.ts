import { PROJECT_STATUSES } from '@tranche/rules/types.ts';
import { projectId, projectResource } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { projectInput, projectPatch } from './project-input.ts';

const nextCursor = z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' });

export const createProjectContract = defineContract({
  id: 'createProject',
  method: 'POST',
  path: '/api/admin/projects',
  tag: 'admin',
  summary: 'Create a project as a draft',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  body: projectInput,
  responses: { 201: projectResource },
  errors: ['conflict', 'ledger_unavailable'],
});

export const adminListProjectsContract = defineContract({
  id: 'adminListProjects',
  method: 'GET',
  path: '/api/admin/projects',
  tag: 'admin',
  summary: 'List all projects, drafts included, newest first',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({ ...cursorQuery, status: z.enum(PROJECT_STATUSES).optional() }),
  responses: { 200: z.lazy(() => z.object({ projects: z.array(projectResource), next_cursor: nextCursor })) },
});

export const adminGetProjectContract = defineContract({
  id: 'adminGetProject',
  method: 'GET',
  path: '/api/admin/projects/{id}',
  tag: 'admin',
  summary: 'Get a project, drafts included',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: { 200: projectResource },
  errors: ['project_not_found'],
});

export const patchProjectContract = defineContract({
  id: 'patchProject',
  method: 'PATCH',
  path: '/api/admin/projects/{id}',
  tag: 'admin',
  summary: 'Change a draft, or what the terms of a launched project leave open',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  params: z.object({ id: projectId }),
  body: projectPatch.extend({
    reason: auditReason,
    deposit_address: z
      .never({ error: 'cannot be changed, because the destination tag belongs to it: create another project' })
      .optional(),
  }),
  responses: { 200: projectResource },
  errors: ['project_not_found', 'conflict', 'ledger_unavailable'],
});

const members = { tag: 'owners', params: z.object({ id: projectId }) } as const;
const viewer = { access: [{ kind: 'member', role: 'viewer' }], rateLimit: 'read' } as const;
const editor = { access: [{ kind: 'member', role: 'editor' }], rateLimit: 'write' } as const;

/** The slug follows from the name and the id: a choice would tell which slugs others' drafts have. */
const noSlug = {
  slug: z.never({ error: 'is made of the name; ask an administrator for another one' }).optional(),
};

export const listOwnProjectsContract = defineContract({
  ...adminListProjectsContract,
  ...viewer,
  id: 'listOwnProjects',
  path: '/api/owner/projects',
  tag: 'owners',
  summary: 'List the tenant’s sales, drafts included, newest first',
});

export const createOwnProjectContract = defineContract({
  ...createProjectContract,
  ...editor,
  id: 'createOwnProject',
  path: '/api/owner/projects',
  tag: 'owners',
  summary: 'Create a sale of the tenant as a draft',
  body: projectInput.extend(noSlug),
  errors: ['conflict', 'limit_reached', 'ledger_unavailable'],
});

export const getOwnProjectContract = defineContract({
  ...adminGetProjectContract,
  ...members,
  ...viewer,
  id: 'getOwnProject',
  path: '/api/owner/projects/{id}',
  summary: 'Get one of the tenant’s sales, drafts included',
});

export const patchOwnProjectContract = defineContract({
  ...patchProjectContract,
  ...members,
  ...editor,
  id: 'patchOwnProject',
  path: '/api/owner/projects/{id}',
  summary: 'Change a draft of the tenant, or what the terms of a launched sale leave open',
  body: patchProjectContract.body.extend({ ...noSlug, reason: auditReason.optional() }),
});

export const deleteOwnDraftContract = defineContract({
  ...members,
  ...editor,
  id: 'deleteOwnDraft',
  method: 'DELETE',
  path: '/api/owner/projects/{id}',
  summary: 'Delete a draft of the tenant; its destination tag is never used again',
  query: z.strictObject({ reason: auditReason.optional() }),
  responses: { 204: z.undefined() },
  errors: ['project_not_found', 'conflict'],
});
