import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { isUnexpectedAnswer } from '@tranche/verifier/errors.ts';
import { heldThrough, readHistory } from '@tranche/verifier/read-feed.ts';
import { z } from 'zod';
import { mapBounded } from '#lib/base/bounded.ts';
import type { LedgerServer } from './connection.ts';
import { isFault, orNull } from './fault.ts';
import type { LedgerHistory, LookUp, SentBy, SubmitResult, ValidatedPayment } from './types.ts';

/**
 * Ledgers after the validated one in which a transaction may still be included, as xrpl.js's autofill has it
 * (docs/ledger-facts.md, 17). Past it the transaction can never succeed, and another may take its place.
 */
export const LEDGERS_TO_LIVE = 20;

const submitted = z.lazy(() => z.object({ engine_result: z.string() }));

/**
 * Hands a signed transaction to the server. What comes back is provisional (docs/ledger-facts.md, 15, 30); a blob that
 * the server cannot even read is answered with its error code as `engineResult`.
 */
export async function submitBlob(server: LedgerServer, blob: string): Promise<SubmitResult> {
  try {
    const answer = submitted.parse(await server.request({ command: 'submit', tx_blob: blob }));
    return { engineResult: answer.engine_result };
  } catch (error) {
    if (!isFault(error, 'invalidTransaction', 'invalidParams')) throw error;
    return { engineResult: error.code };
  }
}

const CONCURRENT_REQUESTS = 32;

const found = z.lazy(() =>
  z.discriminatedUnion('validated', [
    z.object({ validated: z.literal(false) }),
    z.object({
      validated: z.literal(true),
      ledger_index: z.int(),
      meta: z.object({ TransactionResult: z.string() }),
      tx_json: z.object({ date: z.int() }),
    }),
  ]),
);

async function lookUpOne(server: LedgerServer, hash: string, history: LedgerHistory): Promise<LookUp> {
  try {
    const answer = found.parse(await server.request({ command: 'tx', transaction: hash, binary: false }));
    // A refused or expired transaction is found too, not validated (docs/ledger-facts.md, 29).
    if (!answer.validated) return { state: 'not_validated', history };
    return {
      state: 'validated',
      ledgerIndex: answer.ledger_index,
      result: answer.meta.TransactionResult,
      closedAtMs: rippleSecondsToMs(answer.tx_json.date),
    };
  } catch (error) {
    if (isFault(error, 'txnNotFound')) return { state: 'not_validated', history };
    // What cannot be read proves nothing, and must not keep the others from being settled.
    if (isUnexpectedAnswer(error)) return { state: 'not_validated', history: { ...history, completeLedgers: [] } };
    throw error;
  }
}

/** Fewer are asked for one by one. */
const MIN_TOGETHER = 10;
const TRANSACTIONS_A_PAGE = 200;
/** What the account has sent and received beside those asked for, the request of tickets behind them at least. */
const BESIDE_THEM = 50;
/** So many hashes are worth a page of the account's history, most of which may be of others. */
const HASHES_A_PAGE = 50;

const validatedPage = z.lazy(() =>
  z.object({
    marker: z.unknown().optional(),
    transactions: z.array(
      z.object({
        hash: z.string(),
        validated: z.literal(true),
        ledger_index: z.int(),
        meta: z.object({ TransactionResult: z.string() }),
        tx_json: z.object({ date: z.int() }),
      }),
    ),
  }),
);

/**
 * Those of many transactions that the account's history shows validated, by hash: two hundred in one answer, where a look-up
 * takes a request for each. What is not there may only be further on, or left out by the server.
 */
async function findTogether(
  server: LedgerServer,
  { validatedIndex, completeLedgers }: LedgerHistory,
  hashes: readonly string[],
  { account, afterLedger }: SentBy,
): Promise<Map<string, LookUp>> {
  const found = new Map<string, LookUp>();
  const sought = new Set(hashes);
  // A server refuses a search that begins below its newest gap (docs/ledger-facts.md, 6).
  const held = completeLedgers.findLast(([first]) => first <= validatedIndex)?.[0] ?? validatedIndex;
  const from = Math.max(afterLedger + 1, held);
  // A server gives 400 at most, whatever is asked for.
  const limit = Math.max(TRANSACTIONS_A_PAGE, hashes.length + BESIDE_THEM);
  let pages = hashes.length < MIN_TOGETHER || from > validatedIndex ? 0 : Math.ceil(hashes.length / HASHES_A_PAGE);
  for (let marker: unknown; pages > 0 && found.size < sought.size; pages--) {
    const asked: Promise<unknown> = server.request({
      command: 'account_tx',
      account,
      ledger_index_min: from,
      ledger_index_max: validatedIndex,
      binary: false,
      // What was sent last is what is asked for most.
      forward: false,
      limit,
      ...(marker === undefined ? {} : { marker }),
    });
    // It is a short cut: whatever goes wrong with it, each look-up that follows tells for itself.
    const answer = validatedPage.safeParse(await asked.catch(() => null));
    if (!answer.success) break;
    for (const { hash, ledger_index: ledgerIndex, meta, tx_json: tx } of answer.data.transactions) {
      if (!sought.has(hash)) continue;
      const closedAtMs = rippleSecondsToMs(tx.date);
      found.set(hash, { state: 'validated', ledgerIndex, result: meta.TransactionResult, closedAtMs });
    }
    ({ marker } = answer.data);
    if (marker === undefined) break;
  }
  return found;
}

/**
 * Looks hashes up on one server. Its history is read first: a ledger it held before the question was searched by the
 * answer, so `provesAbsence` may be asked of a `not_validated` answer (docs/ledger-facts.md, 12). With the account that sent
 * them all, many are found together.
 */
export async function lookUpAll(server: LedgerServer, hashes: readonly string[], sentBy?: SentBy): Promise<LookUp[]> {
  if (hashes.length === 0) return [];
  const history = await readHistory(server);
  const found = sentBy === undefined ? null : await findTogether(server, history, hashes, sentBy);
  return mapBounded(
    hashes,
    CONCURRENT_REQUESTS,
    async (hash) => found?.get(hash) ?? (await lookUpOne(server, hash, history)),
  );
}

const foundPayment = z.lazy(() =>
  z.object({
    hash: z.string(),
    validated: z.literal(true),
    ledger_index: z.int(),
    meta: z.object({ TransactionResult: z.literal('tesSUCCESS'), delivered_amount: z.unknown().optional() }),
    tx_json: z.object({
      TransactionType: z.literal('Payment'),
      Account: z.string(),
      Destination: z.string(),
      DestinationTag: z.int().optional(),
      TicketSequence: z.int().optional(),
      date: z.int(),
    }),
  }),
);

/** The Payment with this hash; null when this server does not show it validated and successful. */
export async function readValidatedPayment(server: LedgerServer, hash: string): Promise<ValidatedPayment | null> {
  const asked = server.request({ command: 'tx', transaction: hash, binary: false });
  const answer = foundPayment.safeParse(await orNull(asked, 'txnNotFound'));
  if (!answer.success) return null;
  const { ledger_index: ledgerIndex, meta, tx_json: tx } = answer.data;
  return {
    hash: answer.data.hash,
    ledgerIndex,
    closedAtMs: rippleSecondsToMs(tx.date),
    account: tx.Account,
    destination: tx.Destination,
    destinationTag: tx.DestinationTag ?? null,
    ticket: tx.TicketSequence ?? null,
    delivered: meta.delivered_amount,
  };
}

/**
 * A server lists a ledger as held a moment before its transactions can be found by hash (they are written behind), so
 * absence is believed only this many ledgers later.
 */
const WRITE_BEHIND_LEDGERS = 2;

/**
 * True when a transaction that `history`'s server did not find validated can never be in a validated ledger:
 * LastLedgerSequence has passed and the server holds every ledger it could be in (docs/ledger-facts.md, 12, 13, 29).
 */
export function provesAbsence(history: LedgerHistory, firstLedger: number, lastLedgerSequence: number): boolean {
  const through = heldThrough(history, firstLedger);
  return through !== null && through >= lastLedgerSequence + WRITE_BEHIND_LEDGERS;
}
