import { ACTIONS } from '@tranche/rules/types.ts';
import { listResource, projectId } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { idPattern } from '#lib/base/ids.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { POSITIVE_XRP_PATTERN } from '#lib/base/money-codecs.ts';
import { ADDRESS_PATTERN } from '#lib/xrpl/address.ts';

/** A part of a list: about 10,000 wallets with their caps. */
export const MAX_PART_BYTES = 1_048_576;

const operator = [{ kind: 'administrator', role: 'operator' }] as const;
const ofProject = z.object({ id: projectId });
const ofList = z.object({
  id: projectId,
  list_id: z.string().regex(idPattern('list'), 'must be a list id (list_…)').meta({ description: 'Allowlist version' }),
});

const listPage = z.object({
  lists: z.array(listResource),
  next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
});

export const listListsContract = defineContract({
  id: 'listAllowlists',
  method: 'GET',
  path: '/api/projects/{id}/lists',
  tag: 'projects',
  summary: 'List the published versions of a project’s allowlist, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: ofProject,
  query: z.strictObject(cursorQuery),
  responses: { 200: listPage },
  errors: ['project_not_found'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});

export const getListContract = defineContract({
  id: 'getAllowlist',
  method: 'GET',
  path: '/api/projects/{id}/lists/{list_id}',
  tag: 'projects',
  summary:
    'Export the wallets of a published allowlist version, sorted by address; the ledger holds the SHA-256 of these bytes',
  access: [{ kind: 'public' }],
  rateLimit: 'export',
  params: ofList,
  query: z.strictObject({}),
  mediaTypes: ['application/jsonl'],
  streamHeaders: ['ETag'],
  responses: {
    200: z.lazy(() =>
      z.object({
        wallet_address: z.string(),
        cap_xrp: xrpAmount.nullable().meta({ description: 'What the wallet may invest; null is no limit of its own' }),
      }),
    ),
  },
  errors: ['not_found'],
  cacheControl: 'public, max-age=31536000, immutable',
});

export const adminListListsContract = defineContract({
  id: 'adminListAllowlists',
  method: 'GET',
  path: '/api/admin/projects/{id}/lists',
  tag: 'admin',
  summary: 'List all versions of a project’s allowlist, drafts included, newest first',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  params: ofProject,
  query: z.strictObject(cursorQuery),
  responses: { 200: listPage },
  errors: ['project_not_found'],
});

export const createListContract = defineContract({
  id: 'createAllowlist',
  method: 'POST',
  path: '/api/admin/projects/{id}/lists',
  tag: 'admin',
  summary: 'Create a new version of a project’s allowlist as an empty draft',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  params: ofProject,
  body: z.strictObject({ reason: auditReason.optional() }),
  responses: { 201: listResource },
  errors: ['project_not_found', 'transition_not_allowed', 'limit_reached'],
});

const MAX_LINE = 1_000_000_000;

/** Only the form; `checkEntries` reads the values, so that its faults stay few and name duplicates too. */
const entryInput = z.strictObject({
  wallet_address: z.string().max(100).meta({
    description: 'Ledger account address (r…), or its X-address without a tag; the checksum must fit',
    example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    pattern: ADDRESS_PATTERN,
  }),
  cap_xrp: z
    .string()
    .max(32)
    .meta({ pattern: POSITIVE_XRP_PATTERN })
    .nullish()
    .meta({ description: 'What the wallet may invest in all, in XRP; null or left out: no limit of its own' }),
});
export type EntryInput = z.output<typeof entryInput>;

export const addEntriesContract = defineContract({
  id: 'addAllowlistEntries',
  method: 'POST',
  path: '/api/admin/projects/{id}/lists/{list_id}/entries',
  tag: 'admin',
  summary: 'Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  params: ofList,
  body: z.strictObject({
    entries: z.array(entryInput).min(1, 'must hold at least one entry'),
    first_line: z.int().min(1).max(MAX_LINE).optional().meta({
      description: 'Line of your file on which the first entry stands: faults then name lines, also in later parts',
      example: 10_001,
    }),
    reason: auditReason.optional(),
  }),
  maxBodyBytes: MAX_PART_BYTES,
  responses: {
    200: z.lazy(() =>
      z.object({
        added: z.int().meta({ description: 'Wallets that are new on the draft' }),
        changed: z.int().meta({ description: 'Wallets whose cap is another now' }),
        entries: z.int().meta({ description: 'Wallets on the draft' }),
      }),
    ),
  },
  errors: ['not_found', 'conflict', 'limit_reached'],
});

export const commitListContract = defineContract({
  id: 'commitAllowlist',
  method: 'POST',
  path: '/api/admin/projects/{id}/lists/{list_id}/commit',
  tag: 'admin',
  summary: 'Publish an allowlist version and put it in force by a transaction of the deposit account',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  params: ofList,
  body: z.strictObject({ reason: auditReason }),
  responses: {
    202: z.lazy(() =>
      listResource.unwrap().extend({
        pending_action: z.object({ action: z.enum(ACTIONS), transaction_hash: z.string() }).nullable(),
      }),
    ),
  },
  errors: ['not_found', 'project_not_found', 'transition_not_allowed', 'conflict', 'ledger_unavailable'],
});

export const discardListContract = defineContract({
  id: 'discardAllowlist',
  method: 'DELETE',
  path: '/api/admin/projects/{id}/lists/{list_id}',
  tag: 'admin',
  summary: 'Discard an allowlist draft; a published version cannot be discarded',
  access: operator,
  rateLimit: 'internal',
  params: ofList,
  query: z.strictObject({ reason: auditReason.optional() }),
  responses: { 204: z.undefined() },
  errors: ['not_found', 'conflict'],
});

const editor = { tag: 'owners', access: [{ kind: 'member', role: 'editor' }], rateLimit: 'write' } as const;

export const listOwnListsContract = defineContract({
  ...adminListListsContract,
  id: 'listOwnAllowlists',
  path: '/api/owner/projects/{id}/lists',
  tag: 'owners',
  summary: 'List all versions of the allowlist of one of the tenant’s sales, drafts included, newest first',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
});

export const createOwnListContract = defineContract({
  ...createListContract,
  ...editor,
  id: 'createOwnAllowlist',
  path: '/api/owner/projects/{id}/lists',
});

export const addOwnEntriesContract = defineContract({
  ...addEntriesContract,
  ...editor,
  id: 'addOwnAllowlistEntries',
  path: '/api/owner/projects/{id}/lists/{list_id}/entries',
});

export const commitOwnListContract = defineContract({
  ...commitListContract,
  ...editor,
  id: 'commitOwnAllowlist',
  path: '/api/owner/projects/{id}/lists/{list_id}/commit',
});

export const discardOwnListContract = defineContract({
  ...discardListContract,
  ...editor,
  id: 'discardOwnAllowlist',
  path: '/api/owner/projects/{id}/lists/{list_id}',
});
