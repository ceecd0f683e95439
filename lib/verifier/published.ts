import { credentialSchema } from '@tranche/rules/credentials.ts';
import { custodySchema } from '@tranche/rules/custody.ts';
import { lockSchema } from '@tranche/rules/locks.ts';
import { ACTIONS, PROJECT_STATUSES } from '@tranche/rules/types.ts';
import { isoTime, priceText, tokenAmount, xrpAmount } from '@tranche/rules/wire.ts';
import * as z from 'zod';

// The answers of a platform that a verification reads (docs/verification.md): the API's contracts are made of the same schemas.

export const ledgerAccount = z
  .string()
  .meta({ description: 'Ledger account address', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
export const projectId = z
  .string()
  .regex(/^proj_[0-9A-Za-z]{22}$/, 'must be a project id (proj_…)')
  .meta({ description: 'Project id', example: 'proj_5kQ2mB7xN0aYh3uVtR8wZc' });

/** What is published of the account that receives the payments. */
export const depositAccount = z.lazy(() =>
  z.object({
    address: z.string(),
    network_id: z.int(),
    registered_ledger: z.int().meta({ description: 'The feed starts after this ledger' }),
    confirmed_ledger: z.int().meta({ description: 'The last one that `as_of` may name' }),
    refund_min_xrp: xrpAmount.meta({ description: 'Smallest refund of a payment that belongs to no project' }),
  }),
);
export type DepositAccount = z.output<typeof depositAccount>;

const tokenOut = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('iou'), currency: z.string(), issuer: ledgerAccount, decimals: z.int() }),
    z.object({ kind: z.literal('mpt'), issuance_id: z.string(), decimals: z.int() }),
  ]),
);

export const projectResource = z.lazy(() =>
  z
    .object({
      id: projectId,
      name: z.string(),
      slug: z.string(),
      description: z.string(),
      website: z.string().nullable(),
      logo: z.string().nullable(),
      // No terms hold these, and an older platform does not know them.
      links: z.array(z.object({ label: z.string(), url: z.string() })).default([]),
      team: z.array(z.object({ name: z.string(), role: z.string(), url: z.string().nullable() })).default([]),
      documents: z
        .array(
          z.object({
            title: z.string(),
            url: z.string(),
            sha256: z.string().nullable().meta({ description: 'SHA-256 of the file, as the operator gave it' }),
          }),
        )
        .default([]),
      status: z.enum(PROJECT_STATUSES),
      token: tokenOut,
      distributor: ledgerAccount,
      deposit_address: ledgerAccount,
      destination_tag: z.int(),
      tiers: z.array(
        z.object({
          tier: z.int(),
          price_per_token: priceText,
          total_tokens: tokenAmount,
          sold_tokens: tokenAmount,
          access: z.enum(['open', 'allowlist']),
          // A platform from before credentials does not show it.
          credential: z
            .object({
              type: z
                .string()
                .nullable()
                .meta({ description: 'The type as text; null when it is no plain text', example: 'KYC' }),
              ...credentialSchema.unwrap().shape,
            })
            .nullable()
            .default(null)
            .meta({
              description: 'The credential that a buyer must hold, of any of its issuers; null when none is required',
            }),
          starts_at: isoTime.nullable(),
          completed_at: isoTime.nullable(),
        }),
      ),
      starts_at: isoTime.nullable(),
      ends_at: isoTime.nullable(),
      soft_cap_xrp: xrpAmount.nullable(),
      min_investment_xrp: xrpAmount.nullable(),
      max_per_wallet_xrp: xrpAmount.nullable(),
      access: z.enum(['open', 'allowlist']),
      distribution: z.enum(['immediate', 'at_end']),
      vesting: z.object({ immediate_bps: z.int(), cliff_days: z.int(), period_days: z.int(), periods: z.int() }),
      treasury: ledgerAccount.nullable(),
      claim_days: z.int(),
      refund_min_xrp: xrpAmount.meta({
        description: 'Minimum refund of change; less is kept and shown as rounding',
      }),
      progress: z.object({
        tiers_completed: z.int(),
        total_tiers: z.int(),
        total_raised_xrp: xrpAmount.meta({ description: 'Total invested, later refunds included' }),
        cancelled_xrp: xrpAmount.meta({
          description:
            'XRP of investments that the cancellation of the sale ended, refunded or held; total_raised_xrp minus this is still invested',
        }),
        progress_percentage: z.number(),
        total_investors: z.int(),
      }),
      // A platform from before custody does not show it.
      custody: custodySchema
        .nullable()
        .default(null)
        .meta({ description: 'Who must sign what the paying accounts send, as in the terms; null when one key signs' }),
      custody_through_ledger: z.int().nullable().default(null).meta({
        description:
          'Last ledger of the sale’s custody period: after it the accounts are under other signers, and the tag names no sale; null while it lasts',
      }),
      // A platform from before locks does not show them.
      locks: z.array(lockSchema).default([]).meta({
        description:
          'Tokens that cannot move before a time, as in the terms. A launch is refused until the escrows of each lock its amount',
      }),
      // A platform from before it does not show it.
      unsold_until: isoTime.nullable().default(null).meta({
        description:
          'What is not sold is put in escrow at the end of the sale and cannot move before this time, as in the terms; null when nothing is promised',
      }),
      // A platform from before it does not show it.
      vesting_locked: z.boolean().default(false).meta({
        description:
          'What vesting still owes at the end of the sale is put in escrow then and cannot move before the day on which it is due, as in the terms',
      }),
      terms_hash: z.string().nullable(),
      list_hash: z.string().nullable().meta({ description: 'The allowlist version in force' }),
      pending_action: z.object({ action: z.enum(ACTIONS), transaction_hash: z.string() }).nullable(),
      created_at: isoTime,
      launched_at: isoTime.nullable(),
      ended_at: isoTime.nullable(),
      end_reason: z.enum(['sold_out', 'ended', 'end_date', 'soft_cap_missed', 'cancelled']).nullable(),
    })
    .meta({ id: 'Project' }),
);
export type ProjectResource = z.output<typeof projectResource>;

export const termsResource = z.lazy(() =>
  z.object({
    project_id: projectId,
    canonical: z.string().meta({ description: 'RFC 8785 JSON; its UTF-8 bytes are what the hash is of' }),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    anchor: z.object({ transaction_hash: z.string(), ledger_index: z.int() }).nullable(),
  }),
);

export const listResource = z.lazy(() =>
  z
    .object({
      id: z.string(),
      project_id: projectId,
      version: z.int().meta({
        description:
          'One more than the highest version of the project so far; the number of a discarded draft may be used again',
      }),
      status: z.enum(['draft', 'committed']),
      entries: z.int().meta({ description: 'Wallets on it' }),
      hash: z.string().nullable().meta({ description: 'SHA-256 of the bytes behind `url`; null while it is a draft' }),
      in_force: z.boolean().meta({ description: 'The last `list` action on the ledger names this version' }),
      anchors: z
        .array(z.object({ transaction_hash: z.string(), ledger_index: z.int(), applied_at: isoTime }))
        .meta({ description: 'Actions that have put it in force, in ledger order' }),
      url: z.string().nullable().meta({ description: 'The published entries as JSON Lines; null while it is a draft' }),
      committed_at: isoTime.nullable(),
      created_at: isoTime,
    })
    .meta({ id: 'AllowList' }),
);
export type ListResource = z.output<typeof listResource>;

const position = { ledger_index: z.int(), transaction_index: z.int() };
const ofPayment = { payment_hash: z.string(), investor_account: z.string(), amount_xrp: xrpAmount };

/** Where a person or the lateness of a server, not the order of the ledger, has decided (docs/verification.md, section 8). */
export const exceptionResource = z.lazy(() =>
  z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('assign'),
        action_hash: z.string().meta({ description: 'The `assign` action: anyone can check it on the ledger' }),
        ...position,
        ...ofPayment,
        payment_ledger_index: z.int(),
        investment_id: z.string(),
        assigned_at: isoTime,
      }),
      z.object({
        kind: z
          .literal('late_discovery')
          .meta({ description: 'Discovered in a ledger that was already decided: it is held' }),
        ...position,
        ...ofPayment,
      }),
      z.object({
        kind: z
          .literal('late_action')
          .meta({ description: 'Discovered in a ledger that was already decided: it has no effect' }),
        ...position,
        action_hash: z.string(),
        action: z.string(),
      }),
      z.object({
        kind: z.literal('refund').meta({ description: 'An operator refunded the held amount of a payment' }),
        ...position,
        ...ofPayment,
        payout_id: z.string(),
      }),
    ])
    .meta({ id: 'SaleException' }),
);
export type ExceptionResource = z.output<typeof exceptionResource>;

/** One row of the export: what one investment bought in one tier. */
export const allocationRow = z.lazy(() =>
  z
    .object({
      investment_id: z.string(),
      transaction_hash: z.string().meta({ description: 'The payment' }),
      ledger_index: z
        .int()
        .meta({ description: 'Where it was decided: the payment’s ledger, or that of `assigned_by`' }),
      transaction_index: z.int(),
      investor_account: z.string(),
      tier: z.int(),
      price_per_token: priceText,
      amount_xrp: xrpAmount,
      tokens: tokenAmount,
      assigned_by: z.string().nullable().meta({ description: 'The action that credited a payment held before' }),
      confirmed_at: isoTime.meta({
        description: 'Close time of the ledger that confirmed it (CONFIRMATIONS after the one that decided)',
      }),
      decided_at: isoTime.meta({ description: 'Close time of the ledger that decided, as in `/payments`' }),
    })
    .meta({ id: 'PublishedAllocation' }),
);
export type PublishedAllocation = z.output<typeof allocationRow>;

const tag = z.int().nullable();

/** One decision about one payment (docs/verification.md, section 7). */
export const publishedPayment = z.lazy(() =>
  z
    .object({
      transaction_hash: z.string().meta({ description: 'The payment' }),
      ledger_index: z.int().meta({ description: 'Where it was decided: its own ledger, or that of `assigned_by`' }),
      transaction_index: z.int(),
      decided_at: isoTime,
      payment_ledger_index: z.int(),
      sender: z.string(),
      destination_tag: tag,
      source_tag: tag,
      received_xrp: xrpAmount,
      outcome: z.enum(['invested', 'partial', 'refunded', 'held']),
      reason: z.string().nullable().meta({ description: 'Why nothing was invested' }),
      invested_xrp: xrpAmount,
      refunded_xrp: xrpAmount,
      held_xrp: xrpAmount,
      rounding_xrp: xrpAmount.meta({ description: 'Change too small to be sent back; inside `invested_xrp`' }),
      total_tokens: tokenAmount,
      investment_id: z.string().nullable(),
      assigned_by: z.string().nullable().meta({ description: 'The action that credited a payment held before' }),
    })
    .meta({ id: 'PublishedPayment' }),
);
export type PublishedPayment = z.output<typeof publishedPayment>;

export const publishedPayout = z.lazy(() =>
  z
    .object({
      id: z.string(),
      kind: z.enum(['distribution', 'refund', 'release', 'lock']),
      part: z.int(),
      investment_id: z.string().nullable(),
      payment_hash: z.string().nullable().meta({ description: 'Null for a release or a lock' }),
      decided_ledger_index: z.int().nullable().meta({ description: 'Place of the payment’s decision' }),
      decided_transaction_index: z.int().nullable(),
      account: z.string().meta({ description: 'Who pays' }),
      destination: z.string(),
      destination_tag: tag,
      amount_xrp: xrpAmount.nullable().meta({ description: 'Of a refund or a release' }),
      tokens: tokenAmount.nullable().meta({ description: 'Of a distribution or a lock' }),
      due_at: isoTime,
      status: z.enum(['owed', 'validated', 'cancelled']),
      transaction_hash: z.string().nullable(),
      ledger_index: z.int().nullable(),
    })
    .meta({ id: 'PublishedPayout' }),
);
export type PublishedPayout = z.output<typeof publishedPayout>;
