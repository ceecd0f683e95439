import * as z from 'zod';
import { custodyReport } from './check-custody.ts';
import { feedBegins, type Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import { DIFFERENCE_KINDS } from './types.ts';

const count = z.int().min(0);
const anchor = { transaction_hash: z.string(), ledger_index: z.int() };

/** What a verification found, the same from the command and from the platform's own runs. */
export const verificationReport = z.lazy(() =>
  z
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
      custody: z
        .object({
          quorum: count,
          platform: z.object({ account: z.string(), weight: count }),
          witnesses: z.array(
            z.object({
              name: z.string(),
              operator: z.string(),
              account: z.string(),
              weight: count,
              signatures: count.meta({ description: 'How many of `transactions` it has signed' }),
            }),
          ),
          least_witnesses: count
            .nullable()
            .meta({ description: 'The fewest witnesses that can sign with the platform; null when all are too few' }),
          may_be_away: count.meta({ description: 'Witnesses, whichever, without whom everything can still be paid' }),
          faults: z
            .array(z.string())
            .meta({ description: 'What the signer set does not keep of what custody promises' }),
          transactions: count.meta({ description: 'Own transactions of both accounts after the launch, each checked' }),
        })
        .nullable()
        .default(null)
        .meta({ description: 'Who can move the money, as the terms say; null when one key can' }),
      locks: z
        .array(
          z.object({
            label: z.string(),
            receiver: z.string(),
            amount: z.string(),
            until: z.string(),
            locked: z
              .string()
              .nullable()
              .meta({ description: 'Tokens in the escrows that the terms name; null when no server tells' }),
            in_escrow: z.string().nullable().default(null).meta({
              description:
                'Of `locked`, tokens that the escrows still hold in `as_of_ledger`: the others were released after the time, or went back to their owner; null when no server holds the state of that ledger',
            }),
          }),
        )
        .default([])
        .meta({ description: 'Tokens that the terms promise to lock, and what the ledger shows of it' }),
      unsold: z
        .object({
          receiver: z.string(),
          until: z.string(),
          amount: z.string().nullable().meta({
            description: 'Tokens that the end of the sale left unsold and to be locked; null when nothing is owed',
          }),
          transaction_hash: z.string().nullable().meta({ description: 'The EscrowCreate that `/payouts` names' }),
          locked: z
            .string()
            .nullable()
            .meta({ description: 'Tokens that it locks; null when nothing is owed, or no server tells' }),
          in_escrow: z
            .string()
            .nullable()
            .meta({ description: 'Of `locked`, what `as_of_ledger` still holds; as in `locks`' }),
        })
        .nullable()
        .default(null)
        .meta({ description: 'The lock of unsold tokens that the terms promise; null when they promise none' }),
      vesting: z
        .object({
          receiver: z.string(),
          days: z
            .int()
            .nullable()
            .meta({ description: 'Days with a lock each; null before the end of the sale, and when nothing is owed' }),
          amount: z.string().nullable().meta({ description: 'Tokens that vesting owes on these days, to be locked' }),
          until: z.string().nullable().meta({ description: 'The last of these days' }),
          locked: z.string().nullable().meta({
            description: 'Tokens that are locked until their day; null when nothing is owed, or no server tells',
          }),
          in_escrow: z
            .string()
            .nullable()
            .meta({ description: 'Of `locked`, what `as_of_ledger` still holds; as in `locks`' }),
        })
        .nullable()
        .default(null)
        .meta({ description: 'The locks of what vesting owes that the terms promise; null when they promise none' }),
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
    .meta({ id: 'VerificationReport' }),
);
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
      from_ledger: feedBegins(inputs) + 1,
      through_ledger: progress.through,
      ...findings.counts,
    },
    anchors: { launch: progress.launch, lists: progress.listActions },
    custody: custodyReport(inputs, progress),
    locks: progress.locks,
    unsold: progress.unsold,
    vesting: progress.vesting,
    exceptions: inputs.exceptionCounts,
    differences_total: findings.differencesTotal,
    differences: findings.differences,
    unchecked: findings.unchecked,
  };
}

const VERDICTS: Record<VerificationReport['verdict'], string> = {
  agrees: 'AGREES: everything published follows from the ledger and the anchored terms',
  differs: 'DIFFERS: what is published does not follow from the ledger and the anchored terms',
  unchecked: 'NOT CHECKED: nothing differs, and not everything could be checked',
};

/** Who can move the money. */
function custodyLines({ custody }: VerificationReport): string[] {
  if (custody === null) return ['custody      one key moves the money'];
  const { quorum, platform, witnesses, least_witnesses: least, may_be_away: away, faults, transactions } = custody;
  return [
    `custody      quorum ${quorum}: the platform (weight ${platform.weight}) with at least ${least ?? 'too many'} of ${witnesses.length} witnesses; ${away} may be away`,
    '             together they can do anything; less than a quorum can move nothing',
    ...witnesses.map(
      ({ name, operator, weight, signatures }) =>
        `witness      ${name} (${operator}), weight ${weight}: signed ${number(signatures)} of ${number(transactions)} transactions`,
    ),
    ...faults.map((fault) => `custody      weak: the signer set ${fault}`),
  ];
}

function lockLine({ label, receiver, amount, until, locked, in_escrow: held }: VerificationReport['locks'][number]) {
  const line = `lock         ${label}: ${locked ?? 'not checked, how many'} of ${amount} tokens for ${receiver} until ${until}`;
  if (locked === null || held === null) return line;
  return `${line}, ${held === locked ? 'all' : held} still in escrow`;
}

function unsoldLine({ unsold }: VerificationReport): string[] {
  if (unsold === null) return [];
  const { amount, receiver, until } = unsold;
  if (amount === null) return [`unsold       nothing to lock so far; what stays unsold is locked until ${until}`];
  return [lockLine({ ...unsold, label: 'Unsold tokens', amount, receiver, until })];
}

function vestingLine({ vesting }: VerificationReport): string[] {
  if (vesting === null) return [];
  const { days, amount, receiver, until } = vesting;
  if (days === null || amount === null || until === null) {
    return ['vesting      nothing to lock so far; what it owes at the end is locked until it is due'];
  }
  const label = `Vesting, due on ${number(days)} ${days === 1 ? 'day' : 'days'}`;
  return [lockLine({ ...vesting, label, amount, receiver, until })];
}

const number = (value: number): string => value.toLocaleString('en-US');

/** The report for people. Pure. */
export function reportText(report: VerificationReport): string {
  const { checked, anchors, exceptions } = report;
  const { launch } = anchors;
  const lines = [
    `sale         ${report.project_id}, as of ledger ${report.as_of_ledger}`,
    launch === null
      ? 'terms        not launched'
      : `terms        SHA-256 ${launch.terms_hash}, anchored in ledger ${launch.ledger_index} by ${launch.transaction_hash}`,
    ...anchors.lists.map(
      (list) =>
        `allowlist    SHA-256 ${list.list_hash}, anchored in ledger ${list.ledger_index} by ${list.transaction_hash}`,
    ),
    ...custodyLines(report),
    ...report.locks.map(lockLine),
    ...unsoldLine(report),
    ...vestingLine(report),
    `ledgers      ${checked.from_ledger} to ${checked.through_ledger}, ${number(checked.entries)} transactions`,
    `payments     ${number(checked.payments)}, in ${number(checked.allocations)} allocations`,
    `payouts      ${number(checked.payouts)}: ${number(checked.payouts_validated)} found on the ledger, ${number(checked.payouts_owed)} owed, ${number(checked.payouts_cancelled)} cancelled, ${number(checked.payouts_to_come)} to come`,
    ...Object.entries(exceptions).map(([kind, count]) => `exceptions   ${number(count)} ${kind}`),
    ...report.unchecked.map(
      (part) => `not checked  ledgers ${part.from_ledger} to ${part.through_ledger} of ${part.account}: ${part.reason}`,
    ),
    ...report.differences.map((difference) => `difference   ${difference.kind}: ${difference.message}`),
  ];
  const unnamed = report.differences_total - report.differences.length;
  if (unnamed > 0) lines.push(`difference   and ${number(unnamed)} more`);
  return [...lines, '', VERDICTS[report.verdict]].join('\n');
}
