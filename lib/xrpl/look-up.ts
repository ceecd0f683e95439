import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { isOddAnswer } from '@tranche/verifier/errors.ts';
import { readHistory } from '@tranche/verifier/read-feed.ts';
import { z } from 'zod';
import { mapBounded } from '#lib/base/bounded.ts';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';
import type { LedgerHistory, LookUp } from './types.ts';

const CONCURRENT_REQUESTS = 8;

const found = z.discriminatedUnion('validated', [
  z.object({ validated: z.literal(false) }),
  z.object({
    validated: z.literal(true),
    ledger_index: z.int(),
    meta: z.object({
      TransactionIndex: z.int(),
      TransactionResult: z.string(),
      delivered_amount: z.unknown().optional(),
    }),
    tx_json: z.object({ date: z.int() }),
  }),
]);

async function lookUpOne(server: LedgerServer, hash: string, history: LedgerHistory): Promise<LookUp> {
  try {
    const answer = found.parse(await server.request({ command: 'tx', transaction: hash, binary: false }));
    // A refused or expired transaction is found too, not validated (docs/ledger-facts.md, 29).
    if (!answer.validated) return { state: 'not_validated', history };
    return {
      state: 'validated',
      ledgerIndex: answer.ledger_index,
      transactionIndex: answer.meta.TransactionIndex,
      result: answer.meta.TransactionResult,
      closedAtMs: rippleSecondsToMs(answer.tx_json.date),
      deliveredAmount: answer.meta.delivered_amount,
    };
  } catch (error) {
    if (isFault(error, 'txnNotFound')) return { state: 'not_validated', history };
    // What cannot be read proves nothing, and must not keep the others from being settled.
    if (isOddAnswer(error)) return { state: 'not_validated', history: { ...history, completeLedgers: [] } };
    throw error;
  }
}

/**
 * Looks hashes up on one server. Its history is read first: a ledger it held before the question was searched by the
 * answer, so `provesAbsence` may be asked of a `not_validated` answer (docs/ledger-facts.md, 12).
 */
export async function lookUpAll(server: LedgerServer, hashes: readonly string[]): Promise<LookUp[]> {
  if (hashes.length === 0) return [];
  const history = await readHistory(server);
  return mapBounded(hashes, CONCURRENT_REQUESTS, (hash) => lookUpOne(server, hash, history));
}
