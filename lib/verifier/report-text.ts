import type { VerificationReport } from './report.ts';

const VERDICTS: Record<VerificationReport['verdict'], string> = {
  agrees: 'AGREES: everything published follows from the ledger and the anchored terms',
  differs: 'DIFFERS: what is published does not follow from the ledger and the anchored terms',
  unchecked: 'NOT CHECKED: nothing differs, and not everything could be checked',
};

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
