import { custodySchema } from '@tranche/rules/custody.ts';
import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { visibleName } from '#lib/base/visible-name.ts';
import { accountAddress } from '#lib/xrpl/address.ts';

const accountResource = z.lazy(() =>
  z
    .object({
      address: z.string(),
      network_id: z.int(),
      halted: z
        .boolean()
        .meta({ description: 'Nothing is read, confirmed or paid out while halted; claims do not change' }),
      registered_ledger: z.int().meta({ description: 'The feed starts after this ledger' }),
      cursor_ledger: z.int().meta({ description: 'Every payment up to this ledger is recorded' }),
      confirmed_ledger: z.int().meta({ description: 'Everything up to this ledger is decided for good' }),
      validated_ledger: z
        .int()
        .nullable()
        .meta({ description: 'The newest on the ledger; null while no server answers' }),
      lag: z.int().nullable().meta({ description: 'Ledgers validated and not yet read' }),
      recorded_balance_xrp: xrpAmount
        .nullable()
        .meta({ description: 'Recorded balance: what must be on the account by all recorded changes' }),
      difference_xrp: z
        .string()
        .regex(/^-?\d{1,12}\.\d{6}$/)
        .meta({
          description:
            'Balance on the ledger minus the recorded balance; any value but 0.000000 means that a change was missed',
        }),
      reconciled_ledger: z.int().nullable().meta({ description: 'The last ledger where the two were compared' }),
      held_xrp: xrpAmount.meta({ description: 'Held of payments, waiting for a person' }),
      unpaid_refunds_xrp: xrpAmount.meta({ description: 'Unpaid refunds: not yet validated on the ledger' }),
      fees_xrp: xrpAmount.meta({
        description: 'Fees that the account has paid since its registration; fees of distributors are not included',
      }),
      custody: custodySchema
        .nullable()
        .meta({ description: 'Who must sign what the account sends, for sales that are launched now; null: one key' }),
      payout_fees_xrp: xrpAmount.meta({ description: 'Of them, for refunds and releases, failed attempts included' }),
    })
    .meta({ id: 'DepositAccount' }),
);
export type AccountResource = z.output<typeof accountResource>;

export const listAccountsContract = defineContract({
  id: 'listDepositAccounts',
  method: 'GET',
  path: '/api/admin/accounts',
  tag: 'admin',
  summary: 'List deposit accounts with their reading position and whether the records agree with the ledger',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({
    ...cursorQuery,
    cursor: accountAddress.optional().meta({ description: 'Opaque; `next_cursor` of the page before' }),
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        accounts: z.array(accountResource),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
});

const switchContract = <const Id extends string, const Path extends string>(id: Id, path: Path, summary: string) =>
  defineContract({
    id,
    method: 'POST',
    path,
    tag: 'admin',
    summary,
    access: [{ kind: 'administrator', role: 'operator' }],
    rateLimit: 'internal',
    idempotent: true,
    params: z.object({ address: accountAddress }),
    body: z.strictObject({
      reason: auditReason,
    }),
    responses: { 200: accountResource },
    errors: ['not_found'],
  });

export const haltAccountContract = switchContract(
  'haltDepositAccount',
  '/api/admin/accounts/{address}/halt',
  'Stop reading, confirming and paying for a deposit account; payments keep their ledger position',
);

export const resumeAccountContract = switchContract(
  'resumeDepositAccount',
  '/api/admin/accounts/{address}/resume',
  'Resume a halted deposit account where it stopped',
);

const { quorum, platform, ledgers_to_live } = custodySchema.unwrap().shape;
const signer = platform.extend({ account: accountAddress });

export const setCustodyContract = defineContract({
  id: 'setCustody',
  method: 'PUT',
  path: '/api/admin/accounts/{address}/custody',
  tag: 'admin',
  summary: 'Set who must sign what a deposit account sends, for its drafts and the sales that are launched from now on',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  params: z.object({ address: accountAddress }),
  body: z.strictObject({
    custody: z
      .strictObject({
        quorum,
        platform: signer,
        witnesses: z
          .array(signer.extend({ name: visibleName(60), operator: visibleName(120) }))
          .min(2)
          .max(31),
        ledgers_to_live,
      })
      .nullable()
      .meta({ description: 'The signer set of the account and of the distributors of its sales; null for one key' }),
    reason: auditReason,
  }),
  responses: { 200: accountResource },
  errors: ['not_found', 'conflict'],
});
