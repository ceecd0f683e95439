import type { Client } from 'xrpl';

/** Ledgers of one account, inclusive. */
export interface History {
  account: string;
  fromLedger: number;
  throughLedger: number;
}

/** The most a public server gives in one page. */
const PAGE_LIMIT = 200;

/** Counts the transactions of the histories, one plain `account_tx` after the other with xrpl.js alone; nothing is kept. */
export async function readHistories(client: Client, histories: readonly History[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { account, fromLedger, throughLedger } of histories) {
    let transactions = 0;
    let marker: unknown;
    do {
      const { result } = await client.request({
        command: 'account_tx',
        account,
        ledger_index_min: fromLedger,
        ledger_index_max: throughLedger,
        forward: true,
        limit: PAGE_LIMIT,
        ...(marker === undefined ? {} : { marker }),
      });
      transactions += result.transactions.length;
      ({ marker } = result);
    } while (marker !== undefined);
    counts.push(transactions);
  }
  return counts;
}
