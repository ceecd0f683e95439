import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';
import type { ValidatedPayment } from './types.ts';

const found = z.object({
  hash: z.string(),
  validated: z.literal(true),
  ledger_index: z.int(),
  meta: z.object({ TransactionResult: z.literal('tesSUCCESS'), delivered_amount: z.unknown().optional() }),
  tx_json: z.object({
    TransactionType: z.literal('Payment'),
    Account: z.string(),
    Destination: z.string(),
    DestinationTag: z.int().optional(),
    date: z.int(),
  }),
});

/** The Payment with this hash; null when this server does not show it validated and successful. */
export async function readValidatedPayment(server: LedgerServer, hash: string): Promise<ValidatedPayment | null> {
  try {
    const answer = found.safeParse(await server.request({ command: 'tx', transaction: hash, binary: false }));
    if (!answer.success) return null;
    const { ledger_index: ledgerIndex, meta, tx_json: tx } = answer.data;
    return {
      hash: answer.data.hash,
      ledgerIndex,
      closedAtMs: rippleSecondsToMs(tx.date),
      account: tx.Account,
      destination: tx.Destination,
      destinationTag: tx.DestinationTag ?? null,
      delivered: meta.delivered_amount,
    };
  } catch (error) {
    if (isFault(error, 'txnNotFound')) return null;
    throw error;
  }
}
