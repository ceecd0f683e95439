import { z } from 'zod';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import { DIFFERENCE_KINDS } from './types.ts';

const count = z.int().min(0);
const anchor = { transaction_hash: z.string(), ledger_index: z.int() };

/** What a verification found, the same from the command and from the platform's own runs. */
export const verificationReport = z
  .object({
    project_id: z.string(),
    as_of_ledger: z.int(),
    verdict: z.enum(['agrees', 'differs', 'unchecked']).meta({
      description: '`unchecked`: nothing differs, and not everything could be checked',
    }),
    checked: z.object({
      from_ledger: z.int(),
      through_ledger: z.int(),
      ledgers: count,
      entries: count.meta({ description: 'Transactions of the deposit account and of the distributor' }),
      payments: count,
      allocations: count,
      payouts: count,
      payouts_validated: count.meta({ description: 'Each looked up on the ledger' }),
      payouts_owed: count,
      payouts_cancelled: count,
      payouts_to_come: count.meta({ description: 'A sale that has ended within the hour still has to publish them' }),
    }),
    anchors: z.object({
      launch: z.object({ ...anchor, terms_hash: z.string() }).nullable(),
      lists: z.array(z.object({ ...anchor, list_hash: z.string() })),
    }),
    exceptions: z.record(z.string(), count).meta({ description: 'How many are published, by kind' }),
    differences_total: count,
    differences: z
      .array(
        z.object({
          kind: z.enum(DIFFERENCE_KINDS),
          subject: z.string(),
          ledger_index: z.int().nullable(),
          field: z.string().nullable(),
          expected: z.string().nullable(),
          found: z.string().nullable(),
          message: z.string(),
        }),
      )
      .meta({ description: 'The first thousand' }),
    unchecked: z.array(
      z.object({ account: z.string(), from_ledger: z.int(), through_ledger: z.int(), reason: z.string() }),
    ),
  })
  .meta({ id: 'VerificationReport' });
export type VerificationReport = z.output<typeof verificationReport>;

/** The report of a verification that has ended. Pure. */
export function reportOf(progress: Progress, inputs: Inputs): VerificationReport {
  const { findings } = progress;
  const whole = findings.unchecked.length === 0 ? 'agrees' : 'unchecked';
  return {
    project_id: inputs.target.projectId,
    as_of_ledger: progress.asOf,
    verdict: findings.differencesTotal > 0 ? 'differs' : whole,
    checked: {
      from_ledger: inputs.account.registered_ledger + 1,
      through_ledger: progress.through,
      ...findings.counts,
    },
    anchors: { launch: progress.launch, lists: progress.listMoves },
    exceptions: inputs.exceptionCounts,
    differences_total: findings.differencesTotal,
    differences: findings.differences,
    unchecked: findings.unchecked,
  };
}
