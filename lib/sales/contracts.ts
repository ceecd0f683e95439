import { CREDENTIAL_STATUSES, credentialSchema } from '@tranche/rules/credentials.ts';
import { PROJECT_STATUSES } from '@tranche/rules/types.ts';
import { projectId, projectResource, termsResource } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { positiveXrpCodec } from '#lib/base/money-codecs.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { DECLARABLE } from './projects/issuer-powers.ts';
import { investmentResource, investmentStatus } from './schemas.ts';

const nextCursor = z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' });
const PUBLIC_CACHE = 'public, max-age=1, stale-while-revalidate=5';

export const listProjectsContract = defineContract({
  id: 'listProjects',
  method: 'GET',
  path: '/api/projects',
  tag: 'projects',
  summary: 'List launched projects, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  query: z.strictObject({ ...cursorQuery, status: z.enum(PROJECT_STATUSES).exclude(['draft']).optional() }),
  responses: { 200: z.lazy(() => z.object({ projects: z.array(projectResource), next_cursor: nextCursor })) },
  cacheControl: PUBLIC_CACHE,
});

export const getProjectContract = defineContract({
  id: 'getProject',
  method: 'GET',
  path: '/api/projects/{id}',
  tag: 'projects',
  summary: 'Get a project with its tiers and progress',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: { 200: projectResource },
  errors: ['project_not_found'],
  cacheControl: PUBLIC_CACHE,
});

export const quoteContract = defineContract({
  id: 'quoteInvestment',
  method: 'GET',
  path: '/api/projects/{id}/quote',
  tag: 'projects',
  summary: 'Quote a payment: what an amount would buy now, tier by tier, and what would be refunded',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    amount_xrp: positiveXrpCodec,
    wallet_address: accountAddress
      .optional()
      .meta({ description: 'Who would pay; without it, a wallet that is admitted and has not invested' }),
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        project_id: projectId,
        wallet_address: z.string().nullable(),
        amount_xrp: xrpAmount,
        ledger_index: z.int().meta({ description: 'Every payment up to this ledger is counted' }),
        accepted: z.boolean(),
        halted: z.boolean().meta({
          description:
            'The deposit account is halted: what is paid now is decided once it is resumed, by its ledger position',
        }),
        reason: z.string().nullable().meta({ description: 'Why it would be refused, or why a part would be refunded' }),
        admission: z.enum(['not_required', 'admitted', 'not_admitted', 'assumed']).meta({
          description:
            'Whether the wallet is on the list in force and holds the credentials, where unsold tiers ask for them; `assumed` without a wallet, and where a credential decides while the sale is not active or its account is halted',
        }),
        credentials: z
          .array(
            z.object({
              tier: z.int(),
              type: z.string().nullable().meta({ description: 'The type as text; null when it is no plain text' }),
              ...credentialSchema.unwrap().shape,
              status: z.enum(CREDENTIAL_STATUSES).meta({
                description:
                  'What the wallet has in ledger `ledger_index`: `valid`, `none`, `not_accepted` (it was issued; CredentialAccept accepts it) or `expired`; of several issuers the best',
              }),
              issuer: z.string().nullable().meta({ description: 'Who issued what the wallet has' }),
              expires_at: isoTime.nullable(),
            }),
          )
          .default([])
          .meta({
            description:
              'The credential of each unsold tier that requires one; empty without a wallet, and while the sale is not active or its account is halted',
          }),
        limits: z.object({ remaining_xrp: xrpAmount.nullable(), remaining_listed_xrp: xrpAmount.nullable() }).meta({
          description: 'What the wallet may still invest in total, and in tiers with an allowlist; null for no limit',
        }),
        allocation: z.array(
          z.object({ tier: z.int(), price_per_token: priceText, amount_xrp: xrpAmount, tokens: tokenAmount }),
        ),
        total_tokens: tokenAmount,
        invested_xrp: xrpAmount,
        rounding_xrp: xrpAmount.meta({ description: 'Change too small to refund; included in the last part' }),
        refunded_xrp: xrpAmount,
        held_xrp: xrpAmount.meta({ description: 'A refused payment too small to refund' }),
      }),
    ),
  },
  errors: ['project_not_found', 'ledger_unavailable'],
});

export const termsContract = defineContract({
  id: 'getTerms',
  method: 'GET',
  path: '/api/projects/{id}/terms',
  tag: 'projects',
  summary: 'Get the terms of a sale as canonical JSON, with their SHA-256 and the launch that anchors them',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: { 200: termsResource },
  errors: ['project_not_found'],
  cacheControl: PUBLIC_CACHE,
});

export const projectInvestmentsContract = defineContract({
  id: 'listProjectInvestments',
  method: 'GET',
  path: '/api/projects/{id}/investments',
  tag: 'projects',
  summary: 'List the investments in a sale, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({ ...cursorQuery, status: investmentStatus.optional() }),
  responses: { 200: z.lazy(() => z.object({ investments: z.array(investmentResource), next_cursor: nextCursor })) },
  errors: ['project_not_found'],
  cacheControl: PUBLIC_CACHE,
});

export const historyContract = defineContract({
  id: 'getRaisedHistory',
  method: 'GET',
  path: '/api/projects/{id}/history',
  tag: 'projects',
  summary: 'Get what a sale has raised over time, in at most 96 steps',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() =>
      z.object({
        project_id: projectId,
        points: z
          .array(
            z.object({
              at: isoTime.meta({ description: 'Close time of the last ledger of the step' }),
              raised_xrp: xrpAmount.meta({
                description: 'Invested up to then, refunds of a cancelled sale included',
              }),
              investments: z.int().meta({ description: 'Confirmed investments up to then' }),
            }),
          )
          .meta({
            description:
              'Equal steps from the first payment to the last; one in which nobody paid is left out. From 10,000 investors on they are up to a minute old',
          }),
      }),
    ),
  },
  errors: ['project_not_found'],
  cacheControl: PUBLIC_CACHE,
});

export const getInvestmentContract = defineContract({
  id: 'getInvestment',
  method: 'GET',
  path: '/api/investments/{id}',
  tag: 'investments',
  summary: 'Get an investment with its allocation, payouts and refunds',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: z.string().regex(/^inv_[0-9A-Za-z]{22}$/, 'must be an investment id (inv_…)') }),
  query: z.strictObject({}),
  responses: { 200: investmentResource },
  errors: ['investment_not_found'],
  cacheControl: PUBLIC_CACHE,
});

export const listInvestmentsContract = defineContract({
  id: 'listInvestments',
  method: 'GET',
  path: '/api/investments',
  tag: 'investments',
  summary: 'List the investments of a wallet, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  query: z.strictObject({
    ...cursorQuery,
    wallet_address: accountAddress,
    project_id: projectId.optional(),
    status: investmentStatus.optional(),
  }),
  responses: { 200: z.lazy(() => z.object({ investments: z.array(investmentResource), next_cursor: nextCursor })) },
  cacheControl: PUBLIC_CACHE,
});

const ledgerIndex = z.int().meta({ description: 'Newest validated ledger when this was read' });
const percent = z.number().meta({ description: 'Of each transfer between holders, in percent', example: 0 });
const blackHoled = z.boolean().meta({ description: 'Nobody can sign for the issuer any more: it can do nothing' });

const iouPowers = z.lazy(() =>
  z.object({
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
  }),
);

const mptPowers = z.lazy(() =>
  z.object({
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
  }),
);

export const projectTokenContract = defineContract({
  id: 'getProjectToken',
  method: 'GET',
  path: '/api/projects/{id}/token',
  tag: 'projects',
  summary: 'Get what the issuer can still do with the token, read from the ledger now',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() => z.object({ project_id: projectId, token: z.discriminatedUnion('kind', [iouPowers, mptPowers]) })),
  },
  errors: ['project_not_found', 'not_found', 'ledger_unavailable'],
  cacheControl: 'public, max-age=15',
});
