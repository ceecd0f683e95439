import type { Client } from 'xrpl';

/** A transaction that succeeded, as the ledger shows it. */
export interface Shown {
  hash: string;
  ledgerIndex: number;
  transactionIndex: number;
  type: string;
  sender: string;
  destination: string | undefined;
  destinationTag: number | null;
  sourceTag: number | null;
  /** Drops as text, or what was delivered of a token, as text. */
  delivered: string;
  isXrp: boolean;
  /** Paths, or a partial payment. */
  isPlain: boolean;
}

const PARTIAL_PAYMENT = 0x0002_0000;

type Delivered = string | { currency?: string; value: string; mpt_issuance_id?: string };

const textOf = (delivered: Delivered): string =>
  typeof delivered === 'string'
    ? delivered
    : `${delivered.value} ${delivered.mpt_issuance_id === undefined ? delivered.currency : 'mpt'}`;

/** Every successful transaction of an account after a ledger, in ledger order, by plain xrpl.js from a server without faults. */
export async function readHistory(client: Client, account: string, afterLedger: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      ledger_index_min: afterLedger + 1,
      forward: true,
      limit: 200,
      ...(marker === undefined ? {} : { marker }),
    });
    for (const { tx_json: tx, meta, hash = '', ledger_index: ledgerIndex = 0 } of result.transactions) {
      if (tx === undefined || typeof meta !== 'object')
        throw new Error('The ledger shows a transaction without its outcome');
      if (meta.TransactionResult !== 'tesSUCCESS') continue;
      const isPayment = tx.TransactionType === 'Payment';
      const delivered = (meta as { delivered_amount?: Delivered }).delivered_amount ?? '';
      shown.push({
        hash,
        ledgerIndex,
        transactionIndex: meta.TransactionIndex,
        type: tx.TransactionType,
        sender: tx.Account,
        destination: isPayment ? tx.Destination : undefined,
        destinationTag: (isPayment ? tx.DestinationTag : undefined) ?? null,
        sourceTag: tx.SourceTag ?? null,
        delivered: textOf(delivered),
        isXrp: isPayment && typeof delivered === 'string',
        isPlain: !isPayment || (tx.Paths === undefined && (Number(tx.Flags ?? 0) & PARTIAL_PAYMENT) === 0),
      });
    }
    marker = result.marker;
  } while (marker !== undefined);
  return shown.sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
}
