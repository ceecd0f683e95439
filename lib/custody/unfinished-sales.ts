import { formatDrops, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { textOfHex } from '@tranche/rules/wire.ts';
import { httpSource } from '@tranche/verifier/http-source.ts';
import { z } from 'zod';
import type { CustodyLedger, HistoryRow } from './ledger.ts';

const memos = z.array(z.object({ Memo: z.object({ MemoData: z.string() }) }));
const launch = z.object({ project: z.string(), move: z.literal('launch') });

const dropsOf = (text: string): bigint => parseDecimal(text, XRP_DECIMALS) ?? 0n;

/** The sale that a transaction has launched; null when it is no launch. */
function launchedBy({ tx_json: transaction, meta }: HistoryRow, account: string): string | null {
  if (transaction.TransactionType !== 'AccountSet' || transaction.Account !== account) return null;
  if (meta.TransactionResult !== 'tesSUCCESS') return null;
  for (const { Memo } of memos.safeParse(transaction.Memos).data ?? []) {
    try {
      const read = launch.safeParse(JSON.parse(textOfHex(Memo.MemoData) ?? ''));
      if (read.success) return read.data.project;
    } catch {
      // Another memo.
    }
  }
  return null;
}

const created = z.object({
  AffectedNodes: z.array(
    z.object({
      CreatedNode: z
        .object({ LedgerEntryType: z.string(), NewFields: z.object({ Account: z.string().optional() }).optional() })
        .optional(),
    }),
  ),
});
const creates = ({ meta }: HistoryRow, account: string): boolean =>
  created
    .safeParse(meta)
    .data?.AffectedNodes.some(
      ({ CreatedNode: node }) => node?.LedgerEntryType === 'AccountRoot' && node.NewFields?.Account === account,
    ) === true;

/** Sales that the ledger shows launched, and whether it shows the account from its beginning. */
async function launchedOn(ledger: CustodyLedger, account: string): Promise<{ sales: string[]; isWhole: boolean }> {
  const sales: string[] = [];
  let isWhole: boolean | undefined;
  for await (const row of ledger.history(account, -1)) {
    isWhole ??= creates(row, account);
    const sale = launchedBy(row, account);
    if (sale !== null) sales.push(sale);
  }
  return { sales, isWhole: isWhole === true };
}

/**
 * Why the signers of these accounts must not change now; empty when they may. A sale names its signers in its terms for
 * good: under others it could neither be paid nor ended. What was launched is read from the ledger, and how far each sale
 * is from its platform.
 */
export async function unfinishedSales(
  ledger: CustodyLedger,
  accounts: readonly string[],
  baseUrl: string | undefined,
): Promise<string[]> {
  const read = await Promise.all(accounts.map((account) => launchedOn(ledger, account)));
  const launched = new Set(read.flatMap(({ sales }) => sales));
  if (baseUrl === undefined) {
    const how = 'name the platform by --base-url, so that it can be asked';
    if (launched.size > 0)
      return [`Launched on the ledger: ${[...launched].join(', ')}. Whether they are finished: ${how}.`];
    return read.every(({ isWhole }) => isWhole)
      ? []
      : [`The ledger server does not hold the accounts' whole history, so there may be launched sales: ${how}.`];
  }
  const source = httpSource(baseUrl);
  const projects = (await source.projects()).filter(
    ({ deposit_address, distributor }) => accounts.includes(deposit_address) || accounts.includes(distributor),
  );
  const problems: string[] = [];
  for (const { id, name, status, progress } of projects) {
    launched.delete(id);
    if (status !== 'completed' && status !== 'cancelled') {
      problems.push(`${name} (${id}) is ${status}: it must be over.`);
      continue;
    }
    const { confirmed_ledger: asOf } = await source.depositAccount(id);
    let owed = 0;
    let leftDrops = dropsOf(progress.total_raised_xrp) - dropsOf(progress.cancelled_xrp);
    for await (const payouts of source.payouts(id, asOf, null)) {
      for (const payout of payouts) {
        if (payout.status === 'owed') owed += 1;
        if (payout.kind === 'release' && payout.status === 'validated') leftDrops -= dropsOf(payout.amount_xrp ?? '');
      }
    }
    if (owed > 0)
      problems.push(
        `${name} (${id}) still owes ${owed} payouts: see /api/projects/${id}/payouts. When some can never be paid, leave the signers and use a new deposit account for later sales.`,
      );
    if (leftDrops > 0n)
      problems.push(`${name} (${id}) has ${formatDrops(leftDrops)} XRP that were not released to its treasury.`);
  }
  return [
    ...problems,
    ...[...launched].map((id) => `${id} was launched on the ledger, and ${baseUrl} does not know it.`),
  ];
}
