import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { tokenAmount } from '#lib/base/money.ts';
import { auditReason } from '#lib/base/plain-text.ts';
import { projectId, projectPatch, projectResource } from '../schemas.ts';
import { DECLARABLE } from './issuer-powers.ts';

export const adminGetProjectContract = defineContract({
  id: 'adminGetProject',
  method: 'GET',
  path: '/api/admin/projects/{id}',
  tag: 'admin',
  summary: 'One project, a draft like any other',
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
  summary: 'Change a draft; after the launch, what its terms do not hold',
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

const ledgerIndex = z.int().meta({ description: 'Newest validated ledger when this was read' });
const percent = z.number().meta({ description: 'Of each transfer between holders, in percent', example: 0 });
const blackHoled = z.boolean().meta({ description: 'Nobody can sign for the issuer any more: it can do nothing' });

const iouPowers = z.object({
  kind: z.literal('iou'),
  currency: z.string(),
  issuer: z.string(),
  ledger_index: ledgerIndex,
  issuer_black_holed: blackHoled,
  can_mint: z.boolean(),
  can_freeze: z.boolean().meta({ description: 'One holder, or all at once' }),
  global_freeze: z.boolean().meta({ description: 'All holders are frozen now' }),
  can_claw_back: z.boolean(),
  requires_authorization: z.boolean().meta({ description: 'Nobody holds the token without the issuer’s consent' }),
  transfer_fee_percent: percent,
  can_charge_transfer_fee: z.boolean(),
  default_ripple: z.boolean().meta({ description: 'Holders can pass the token on to each other' }),
});

const mptPowers = z.object({
  kind: z.literal('mpt'),
  issuance_id: z.string(),
  issuer: z.string(),
  ledger_index: ledgerIndex,
  issuer_black_holed: blackHoled,
  can_mint: z.boolean(),
  outstanding_tokens: tokenAmount,
  maximum_tokens: tokenAmount,
  can_lock: z.boolean().meta({ description: 'One holder, or all at once' }),
  locked: z.boolean().meta({ description: 'All holders are locked now' }),
  can_claw_back: z.boolean(),
  requires_authorization: z.boolean().meta({ description: 'Nobody holds the token without the issuer’s consent' }),
  transfer_fee_percent: percent,
  can_transfer: z.boolean().meta({ description: 'Holders can pass the token on to each other' }),
  can_trade: z.boolean(),
  can_escrow: z.boolean(),
  declared_immutable: z.array(z.enum(DECLARABLE)).meta({
    description:
      'What the issuer has given up changing. On a ledger with the amendment DynamicMPT, whatever is not listed may still be switched on',
  }),
});

export const projectTokenContract = defineContract({
  id: 'getProjectToken',
  method: 'GET',
  path: '/api/projects/{id}/token',
  tag: 'projects',
  summary: 'What the issuer of the token can still do, as the ledger shows it now',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: {
    200: z.object({ project_id: projectId, token: z.discriminatedUnion('kind', [iouPowers, mptPowers]) }),
  },
  errors: ['project_not_found', 'not_found', 'ledger_unavailable'],
  cacheControl: 'public, max-age=15',
});
