import type { PublishedPayout } from '../published/contracts.ts';
import type { Work } from './check-feed.ts';
import { owedBy } from './check-sent.ts';
import { addDifference } from './findings.ts';
import type { Progress } from './progress.ts';
import type { ReadTerms } from './terms.ts';
import type { Unmatched } from './types.ts';

const keyOf = (account: string, destination: string, tag: number | null, amount: bigint): string =>
  `${account}/${destination}/${tag}/${amount}`;

/**
 * Looks into payments on the ledger that no validated payout of the sale stands for. A payout that is still owed explains
 * one (the platform has not seen it yet), and so does a payout of another project. What is left and went to an investor of
 * the sale is a difference.
 */
export async function explainUnmatched({ source, inputs, progress }: Work): Promise<void> {
  if (progress.unmatched.length === 0) return;
  const { target } = inputs;
  await explainByOwed(source.payouts(target.projectId, progress.asOf, null), progress, target, true);
  await markInvestors(source.payments(target.projectId, progress.asOf, null), progress);
  const ofInvestors = progress.unmatched.filter((each) => each.isInvestor || each.paidAlready !== null);
  if (ofInvestors.length > 0) await explainByOthers(source, inputs, progress);
  for (const each of progress.unmatched) if (each.isInvestor || each.paidAlready !== null) report(progress, each);
}

async function explainByOwed(
  pages: AsyncIterable<readonly PublishedPayout[]>,
  progress: Progress,
  terms: ReadTerms,
  own: boolean,
): Promise<void> {
  const open = Map.groupBy(progress.unmatched, (each) =>
    keyOf(each.account, each.destination, each.destinationTag, each.amount),
  );
  const hashes = new Map(progress.unmatched.map((each) => [each.hash, each]));
  const explained = new Set<Unmatched>();
  for await (const page of pages) {
    for (const row of page) {
      const byHash = own || row.transaction_hash === null ? undefined : hashes.get(row.transaction_hash);
      if (byHash !== undefined) explained.add(byHash);
      const same = open.get(keyOf(row.account, row.destination, row.destination_tag, owedBy(row, terms).amount));
      const payment = same?.find((each) => !explained.has(each));
      if (payment === undefined) continue;
      if (row.status === 'owed') explained.add(payment);
      else if (own && row.status === 'validated') payment.paidAlready ??= row.id;
    }
  }
  progress.unmatched = progress.unmatched.filter((each) => !explained.has(each));
}

async function markInvestors(pages: AsyncIterable<readonly { sender: string }[]>, progress: Progress): Promise<void> {
  const open = Map.groupBy(progress.unmatched, (each) => each.destination);
  for await (const page of pages) {
    for (const { sender } of page) for (const each of open.get(sender) ?? []) each.isInvestor = true;
  }
}

/** Other launched sales that pay from the same accounts. */
async function explainByOthers(
  source: Work['source'],
  { target, account }: Work['inputs'],
  progress: Progress,
): Promise<void> {
  for (const other of await source.projects()) {
    const shares = other.deposit_address === account.address || other.distributor === target.terms.distributor;
    if (other.id === target.projectId || !shares || progress.unmatched.length === 0) continue;
    const { confirmed_ledger: confirmed } = await source.depositAccount(other.id);
    const asOf = Math.min(progress.asOf, confirmed);
    await explainByOwed(source.payouts(other.id, asOf, null), progress, target, false);
  }
}

function report(
  { findings }: Progress,
  { hash, ledgerIndex, account, destination, amount, paidAlready }: Unmatched,
): void {
  const about = { ledger_index: ledgerIndex, found: hash };
  if (paidAlready !== null) {
    addDifference(findings, {
      ...about,
      kind: 'payout_paid_twice',
      subject: paidAlready,
      message: `${paidAlready}: was paid, and ${hash} in ledger ${ledgerIndex} pays the same to ${destination} again`,
    });
    return;
  }
  addDifference(findings, {
    ...about,
    kind: 'unexplained_payment',
    subject: hash,
    message: `${hash}: ${account} has paid ${amount} (drops, or units of the token) to the investor ${destination}, and no published payout stands for it`,
  });
}
