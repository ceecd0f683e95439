import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract, exactlyOne } from '#lib/base/contract.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { transactionHash } from '#lib/xrpl/transaction-hash.ts';

const dryRun = z
  .boolean()
  .default(false)
  .meta({ description: 'Dry run: report what would be done and change nothing' });
const ledgerIndex = z.int().min(1).max(0xffff_ffff);
const MAX_HASHES = 50;
const MAX_LEDGERS = 10_000;

export const processTransactionsContract = defineContract({
  id: 'processTransactions',
  method: 'POST',
  path: '/api/system/process-transactions',
  tag: 'internal',
  summary: 'Read given transactions or ledgers again, compare them with the records, and write the missing ones',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  body: z
    .strictObject({
      transaction_hashes: z.array(transactionHash).min(1).max(MAX_HASHES).optional(),
      from_ledger: ledgerIndex.optional(),
      to_ledger: ledgerIndex.optional(),
      account: accountAddress.optional().meta({ description: 'Only this deposit account; every one when left out' }),
      dry_run: dryRun,
      reason: auditReason,
    })
    .refine((body) => (body.transaction_hashes === undefined) !== (body.from_ledger === undefined), {
      error: 'give transaction_hashes, or from_ledger and to_ledger',
    })
    .refine((body) => (body.from_ledger === undefined) === (body.to_ledger === undefined), {
      path: ['to_ledger'],
      error: 'from_ledger and to_ledger belong together',
    })
    .refine((body) => (body.from_ledger ?? 0) <= (body.to_ledger ?? Number.MAX_SAFE_INTEGER), {
      path: ['to_ledger'],
      error: 'must not be below from_ledger',
    })
    .refine((body) => (body.to_ledger ?? 0) - (body.from_ledger ?? 0) < MAX_LEDGERS, {
      path: ['to_ledger'],
      error: 'must be less than 10,000 ledgers after from_ledger',
    })
    .meta(exactlyOne(['transaction_hashes'], ['from_ledger', 'to_ledger'])),
  responses: {
    200: z.lazy(() =>
      z.object({
        dry_run: z.boolean(),
        from_ledger: z.int().nullable(),
        through_ledger: z
          .int()
          .nullable()
          .meta({ description: 'Last ledger read whole; null for single transactions' }),
        next_from_ledger: z
          .int()
          .nullable()
          .meta({ description: 'Where to go on when the range held too much for one call' }),
        found: z.int().meta({ description: 'Transactions that concern a deposit account' }),
        known: z.int(),
        recorded: z.int().meta({ description: 'Were missing and are now recorded; in a dry run, would be recorded' }),
        ahead: z.int().meta({ description: 'Not read yet: the feed will bring them' }),
        differs: z.int().meta({ description: 'Recorded differently from the ledger; never overwritten' }),
        not_ours: z.int().meta({ description: 'Validated, and of no deposit account' }),
        not_found: z
          .int()
          .meta({ description: 'In no validated ledger since the first deposit account was registered' }),
        transactions: z
          .array(
            z.object({
              transaction_hash: z.string(),
              outcome: z.enum(['known', 'recorded', 'ahead', 'differs', 'not_ours', 'not_found']),
              account: z.string().nullable(),
              kind: z.enum(['payment', 'action', 'change']).nullable(),
              ledger_index: z.int().nullable(),
              transaction_index: z.int().nullable(),
              change_xrp: z.string().nullable().meta({ description: 'What it did to the account’s XRP' }),
              late_discovery: z
                .boolean()
                .meta({ description: 'Discovered late: a payment is held, an action has no effect' }),
              differences: z.array(
                z.object({
                  field: z.string(),
                  recorded: z.union([z.string(), z.int()]).nullable(),
                  ledger: z.union([z.string(), z.int()]).nullable(),
                }),
              ),
            }),
          )
          .meta({ description: 'Each one asked for; of a range, the first 500 that are not known' }),
      }),
    ),
  },
  errors: ['ledger_unavailable', 'service_unavailable'],
});
