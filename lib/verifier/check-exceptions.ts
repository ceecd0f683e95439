import { formatDrops } from '@tranche/rules/amounts.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import type { TaggedPayment } from './expected.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress, VerificationWork } from './progress.ts';
import type { PublishedPayout } from './published.ts';

/** Operators' refunds that the exceptions name, of payments up to the ledger verified: the payout by the payment. */
export const publishedRefunds = ({ operatorRefunds }: Inputs, { asOf }: Progress): Map<string, string> =>
  new Map(
    [...operatorRefunds].flatMap(([id, { payment, ledgerIndex }]) => (ledgerIndex > asOf ? [] : [[payment, id]])),
  );

/** Whether the operators' refunds that were found among the payouts are those that the exceptions name. */
export function refundsAgree(inputs: Inputs, progress: Progress): boolean {
  const said = publishedRefunds(inputs, progress);
  const { refundsFound } = progress;
  return said.size === refundsFound.size && [...refundsFound].every(([id, payment]) => said.get(payment) === id);
}

/**
 * Each exception about an operator's refund must name a published refund of that payment, which was compared like any other,
 * and each such refund needs its exception. A refund of before the last reading must be in it; one of since has its exception by now.
 */
export async function checkExceptions(work: VerificationWork): Promise<void> {
  const { source, inputs, progress } = work;
  const { publishedRefunds, refundsFound } = progress;
  for (const [payment, id] of publishedRefunds)
    if (refundsFound.get(id) !== payment) notPublished(progress, id, payment);
  const silent = [...refundsFound].filter(([id, payment]) => inputs.operatorRefunds.get(id)?.payment !== payment);
  if (silent.length > 0) {
    const now = await source.exceptions(inputs.target.projectId);
    const said = new Set(
      now.flatMap((each) => (each.kind === 'refund' ? [`${each.payout_id} ${each.payment_hash}`] : [])),
    );
    for (const [id, payment] of silent) {
      if (said.has(`${id} ${payment}`)) continue;
      addDifference(progress.findings, {
        kind: 'exception_not_published',
        subject: id,
        expected: id,
        message: `${id}: refunds what was held of ${payment}, and is not published as an exception`,
      });
    }
  }
  await checkSpent(work);
}

const notPublished = ({ findings }: Progress, id: string, payment: string): void =>
  addDifference(findings, {
    kind: 'exception_not_on_ledger',
    subject: id,
    found: id,
    message: `${id}: is published as an operator’s refund of ${payment}, and no such refund is among the payouts`,
  });

/**
 * An assign to the sale was passed over because the payment was sent back: then a refund of all that the feed shows as held of
 * it is published, by this sale and compared before, or by another one of the account.
 */
async function checkSpent({ source, inputs, progress }: VerificationWork): Promise<void> {
  for (const hash of new Set(progress.spentPayments)) {
    const held = progress.sale.held.get(hash);
    if (held === undefined || [...progress.refundsFound.values()].includes(hash)) continue;
    const payment = held as TaggedPayment;
    const said = inputs.refundedByOperators.get(hash) ?? [];
    let found = false;
    for (const { projectId, payoutId } of said) {
      if (projectId === inputs.target.projectId) continue;
      for await (const page of source.payouts(projectId, progress.asOf, null)) {
        found ||= page.some((row) => row.id === payoutId && givesBack(row, payment, inputs.account.address));
      }
    }
    if (!found && !progress.publishedRefunds.has(hash)) notPublished(progress, said[0]?.payoutId ?? hash, hash);
  }
}

const givesBack = (row: PublishedPayout, payment: TaggedPayment, account: string): boolean =>
  row.kind === 'refund' &&
  row.id === derivedId('pay', 'refund', payment.hash, String(row.part)) &&
  row.payment_hash === payment.hash &&
  row.account === account &&
  row.destination === payment.sender &&
  row.destination_tag === payment.sourceTag &&
  row.amount_xrp === formatDrops(payment.receivedDrops);
