import type { Custody } from '@tranche/rules/custody.ts';
import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import type { CreatedEscrow } from '@tranche/rules/locks.ts';
import { type Envelope, payoutPayment, selfEscrow, selfEscrowFinish } from '@tranche/rules/transactions.ts';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { accountCustody } from '#lib/account-custody.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { type Db, plannedOnce } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { canSignFor, keyEntryFault } from '#lib/xrpl/keys.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import { findSigner, type Signer, type SignRequest } from '#lib/xrpl/signer.ts';
import { provesAbsence } from '#lib/xrpl/transactions.ts';
import type { AccountState, LookUp, ServerState, ValidatedPayment } from '#lib/xrpl/types.ts';
import { countRows } from './count-attempts.ts';
import { dropsOf } from './in-xrp.ts';
import { isPayable } from './load.ts';
import { paymentCandidate, releasedDrops } from './purposes.ts';
import { BATCH, type Payout, type PayoutReason } from './types.ts';

/** Why nothing can be paid from an account at all. */
type PayerFault = Extract<
  PayoutReason,
  'signing_key_missing' | 'signing_key_unfit' | 'payer_missing' | 'payer_key_disabled' | 'payer_key_changed'
>;

/** A paying account and who signs for it. */
export interface Payer {
  payer: AccountState;
  signer: Signer;
}

/**
 * A paying account with who signs for it, by SIGNING_KEYS and by the newest validated ledger; or why nothing can be paid
 * from it. `known` is its custody where that was read just now. Fails closed: one wrong entry beside a good one is enough. Throws PlatformError `ledger_unavailable`.
 */
export async function findPayer(
  ctx: Pick<Ctx, 'db' | 'ledger'>,
  account: string,
  known?: { custody: Custody | null },
): Promise<Payer | PayerFault> {
  if (!canSignFor(account)) return 'signing_key_missing';
  if ((await keyEntryFault(account)) !== null) return 'signing_key_unfit';
  const [payer, { custody }] = await Promise.all([
    ctx.ledger.account(account),
    known ?? accountCustody(ctx.db, account).then((read) => ({ custody: read })),
  ]);
  if (payer === null) return 'payer_missing';
  const signer = await findSigner(payer, custody);
  return typeof signer === 'string' ? `payer_${signer}` : { payer, signer };
}

const issued = z.lazy(() => z.object({ currency: z.string(), issuer: z.string(), value: z.string() }));
const multiPurpose = z.lazy(() => z.object({ mpt_issuance_id: z.string(), value: z.string() }));
/** Digits behind the point that an issued value of the ledger can have at most. */
const SCALE = 96;

/** True when `meta.delivered_amount` is the payout's amount of its asset, to the last digit. Pure. */
export function deliversExactly({ asset, amount }: Pick<Payout, 'asset' | 'amount'>, delivered: unknown): boolean {
  if (asset.kind === 'xrp') return delivered === amount.toString();
  if (asset.kind === 'mpt') {
    const { data } = multiPurpose.safeParse(delivered);
    return data?.mpt_issuance_id === asset.issuanceId && data.value === amount.toString();
  }
  const { data } = issued.safeParse(delivered);
  if (data?.currency !== asset.currency || data.issuer !== asset.issuer) return false;
  return parseLedgerValue(data.value, SCALE) === amount * 10n ** BigInt(SCALE - asset.decimals);
}

export interface SignedAttempt {
  payout: Payout;
  ticket: number;
  txHash: string;
  txBlob: string;
}

/** True when a Payment of the paying account pays this payout to the last digit; a lock and an unlock are paid by none. Pure. */
export const paysExactly = (
  payout: Payout,
  paid: Pick<ValidatedPayment, 'destination' | 'destinationTag' | 'delivered'>,
): boolean =>
  payout.kind !== 'lock' &&
  payout.kind !== 'unlock' &&
  paid.destination === payout.destination &&
  paid.destinationTag === payout.destinationTag &&
  deliversExactly(payout, paid.delivered);

/**
 * True when an escrow locks what this lock owes, to the last digit, and no less long. Nobody can change it, so whoever else
 * could end it later does not matter (docs/adr/0040-locks.md). Pure.
 */
export const locksExactly = (payout: Payout, { owner, destination, amount, finishAfterMs }: CreatedEscrow): boolean =>
  payout.lockedUntil != null &&
  owner === payout.account &&
  destination === payout.destination &&
  finishAfterMs !== null &&
  finishAfterMs >= payout.lockedUntil.getTime() &&
  deliversExactly(payout, amount);

/** What pays a payout, locks it, or ends its escrow. */
function transactionOf(payout: Payout, envelope: Envelope) {
  if (payout.kind === 'unlock') {
    if (payout.escrowSequence === undefined) throw new Error(`The unlock ${payout.id} names no escrow`);
    return selfEscrowFinish(payout.account, payout.escrowSequence, envelope);
  }
  if (payout.kind !== 'lock') return payoutPayment(payout, envelope);
  if (payout.lockedUntil == null) throw new Error(`The lock ${payout.id} has no time`);
  return selfEscrow({ ...payout, lockedUntilMs: payout.lockedUntil.getTime() }, envelope);
}

/** A payout with the ticket that pays it. */
export interface TicketedPayout {
  payout: Payout;
  ticket: number;
}

export interface RefusedPayout {
  payout: Payout;
  /** Transactions that have paid it, as a witness says. */
  paidBy: readonly string[];
}

interface SigningOutcome {
  persisted: SignedAttempt[];
  unsignable: Payout[];
  /** Too few witnesses have answered. */
  waiting: Payout[];
  refused: RefusedPayout[];
}

/**
 * Signs one transaction a payout, each with a ticket of its own, and persists them before anything is submitted
 * (docs/ledger-facts.md, 12). Returns those that are persisted, and the others with what was in the way.
 */
export async function signAttempts(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  pairs: readonly TicketedPayout[],
): Promise<SigningOutcome> {
  const envelope = {
    feeDrops: transactionFee(server, signer.signatures),
    lastLedgerSequence: server.validatedIndex + signer.ledgersToLive,
  };
  const signed: SignedAttempt[] = [];
  const unsigned: Omit<SigningOutcome, 'persisted'> = { unsignable: [], waiting: [], refused: [] };
  const requests: SignRequest[] = [];
  for (const { payout, ticket } of pairs) {
    const transaction = transactionOf(payout, { ...envelope, ticket });
    if (signer.isWitnessed) {
      const released =
        payout.kind === 'release' && payout.projectId !== null ? await releasedDrops(ctx.db, payout.projectId) : 0n;
      requests.push({ transaction, candidate: paymentCandidate(payout, { ...envelope, ticket }, released) });
    } else requests.push({ transaction, candidate: null });
  }
  const outcomes = requests.length === 0 ? [] : await signer.sign(requests);
  for (const [index, { payout, ticket }] of pairs.entries()) {
    const outcome = outcomes[index];
    if (outcome?.kind === 'signed') {
      signed.push({ payout, ticket, txHash: outcome.hash, txBlob: outcome.blob });
    } else if (outcome?.kind === 'waiting') {
      ctx.log.warn({ payout_id: payout.id, detail: outcome.detail }, 'too few witnesses have signed a payout');
      unsigned.waiting.push(payout);
    } else if (outcome?.kind === 'refused') {
      ctx.log.error({ payout_id: payout.id, detail: outcome.detail }, 'witnesses refuse to sign a payout');
      unsigned.refused.push({ payout, paidBy: outcome.paidBy });
    } else {
      ctx.log.error({ err: outcome?.cause, payout_id: payout.id }, 'payout cannot be signed');
      unsigned.unsignable.push(payout);
    }
  }
  const terms = { ...envelope, account: signer.address, firstLedger: server.validatedIndex };
  const persisted = await persist(ctx.db, signed, terms);
  return { persisted, ...unsigned };
}

/**
 * Checked again whether it is payable: an operator may have halted the account while the facts were read. The row lock and the
 * unique indexes let one process win each payout and each ticket. One statement, which is a transaction by itself: it stands
 * between the ledger's answers and the submission.
 */
async function persist(
  db: Db,
  signed: readonly SignedAttempt[],
  terms: { account: string; feeDrops: bigint; firstLedger: number; lastLedgerSequence: number },
): Promise<SignedAttempt[]> {
  if (signed.length === 0) return [];
  const { rows } = await db.execute<{ tx_hash: string }>(sql`${plannedOnce}
    with inserted as (
      insert into ${payoutAttempts} (tx_hash, payout_id, attempt, account, destination, drops, tx_blob, ticket, fee_drops,
        first_ledger, last_ledger_sequence)
      select g.tx_hash, ${payouts.id},
        1 + coalesce((select max(a.attempt) from ${payoutAttempts} as a where a.payout_id = ${payouts.id}), 0),
        ${terms.account}, ${payouts.destination}, ${dropsOf(payouts)}, g.tx_blob, g.ticket,
        ${terms.feeDrops.toString()}::bigint, ${terms.firstLedger}::bigint, ${terms.lastLedgerSequence}::bigint
      from ${bulkRows(
        'g',
        { tx_hash: 'text', payout_id: 'text', tx_blob: 'text', ticket: 'bigint' },
        signed.map((item) => ({
          tx_hash: item.txHash,
          payout_id: item.payout.id,
          tx_blob: item.txBlob,
          ticket: item.ticket,
        })),
      )}
      join ${payouts} on ${payouts.id} = g.payout_id
      left join ${projects} on ${projects.id} = ${payouts.projectId}
      where ${isPayable()}
      order by ${payouts.id}
      for update of ${payouts}
      on conflict do nothing
      returning tx_hash, payout_id),
    submitted as (
      update ${payouts} as p set status = 'submitted', reason = null
      where p.id = any (array(select payout_id from inserted))
      returning p.kind),
    counted as (${countRows(terms.account, sql`select kind, 'signed' as outcome, null as reason from submitted`)})
    select tx_hash from inserted`);
  const hashes = new Set(rows.map((row) => row.tx_hash));
  return signed.filter((item) => hashes.has(item.txHash));
}

/**
 * Transactions that are being submitted at once: the account's tickets let them arrive in any order. A whole part of a batch, so that
 * a server has all of it before the questions about the next one, and works at those while the restore guard is checked.
 */
export const CONCURRENT_SUBMITS = BATCH;

/** What a server said to the submission of an attempt. */
interface Answered<Attempt> {
  attempt: Attempt;
  engineResult: string;
  /** It has applied it to its open ledger. */
  isApplied: boolean;
}

/**
 * Submits signed transactions that are persisted already. Nothing is decided here: an answer is provisional, and a submission
 * that failed is made again by the next slice (docs/ledger-facts.md, 15). Returns what the server answered to those that it
 * answered.
 */
export async function submitAttempts<Attempt extends { txHash: string; txBlob: string }>(
  ctx: Ctx,
  attempts: readonly Attempt[],
): Promise<Answered<Attempt>[]> {
  const answers: Answered<Attempt>[] = [];
  let unreachable = false;
  await mapBounded(attempts, CONCURRENT_SUBMITS, async (attempt) => {
    if (unreachable) return;
    try {
      const { engineResult } = await ctx.ledger.submit(attempt.txBlob);
      answers.push({ attempt, engineResult, isApplied: engineResult === 'tesSUCCESS' });
    } catch (cause) {
      // What is refused concerns this one transaction; without the ledger the rest need not be tried.
      unreachable ||= cause instanceof PlatformError && cause.code === 'ledger_unavailable';
      ctx.log.warn({ err: cause, transaction_hash: attempt.txHash }, 'payout not submitted yet');
    }
  });
  return answers;
}

/** Writes down what the server said. `validatedLedger` is the newest that was known when it was asked. */
export async function recordAnswers(
  ctx: Ctx,
  answers: readonly Answered<{ txHash: string }>[],
  validatedLedger: number,
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(({ attempt, engineResult }) => ({ tx_hash: attempt.txHash, engine_result: engineResult }));
  await ctx.db.execute(sql`${plannedOnce}
    update ${payoutAttempts} as a set engine_result = g.engine_result, submitted_ledger = ${validatedLedger}::bigint
    from ${bulkRows('g', { tx_hash: 'text', engine_result: 'text' }, rows)}
    where a.tx_hash = g.tx_hash and a.status = 'open'
      and a.tx_hash = any (${lockedAttempts(rows.map((row) => row.tx_hash))})`);
}

/** The hashes of these attempts, locked in their order: the one order for all who write several (change-status.ts). */
export const lockedAttempts = (hashes: readonly string[]): SQL =>
  sql`array(select ${payoutAttempts.txHash} from ${payoutAttempts} where ${payoutAttempts.txHash} = any (${textArray(hashes)})
    order by ${payoutAttempts.txHash} for no key update)`;

/** A transaction that was persisted before it was submitted. */
interface Submitted {
  txHash: string;
  firstLedger: number;
  lastLedgerSequence: number;
}

/** True when a server that has gone past the transaction's last ledger did not find it. */
export const isPastLastLedger = ({ lastLedgerSequence }: Submitted, lookUp: LookUp | undefined): boolean =>
  lookUp?.state === 'not_validated' && lookUp.history.validatedIndex >= lastLedgerSequence;

/**
 * True when the transaction may be submitted now, or again: a server that has answered its submission since the newest
 * validated ledger has it, and would say the same while the ledger stands still.
 */
export const isSubmittable = (
  { lastLedgerSequence, submittedLedger }: Pick<Submitted, 'lastLedgerSequence'> & { submittedLedger: number | null },
  validatedLedger: number,
): boolean => validatedLedger < lastLedgerSequence && (submittedLedger === null || submittedLedger < validatedLedger);

/**
 * Looks all of them up, which the account has sent, on one server, in the order given. What should be final by now and was not found is asked of every
 * server: a validated answer of any of them is a fact, whatever the others lack, and so is an absence that the history of
 * any of them proves. A validated answer goes before a proof of absence.
 */
export async function lookUpSubmitted(ctx: Ctx, account: string, submitted: readonly Submitted[]): Promise<LookUp[]> {
  const lookUps = await ctx.ledger.lookUpAll(
    submitted.map(({ txHash }) => txHash),
    { account, afterLedger: Math.min(...submitted.map(({ firstLedger }) => firstLedger)) },
  );
  const overdue = submitted.filter((each, index) => isPastLastLedger(each, lookUps[index]));
  if (overdue.length === 0) return lookUps;
  const everywhere = await ctx.ledger.lookUpEverywhere(overdue.map(({ txHash }) => txHash));
  const decisive = new Map<string, LookUp>();
  for (const [index, { txHash, firstLedger, lastLedgerSequence }] of overdue.entries()) {
    const answers = everywhere.flatMap((server) => server[index] ?? []);
    const answer =
      answers.find(({ state }) => state === 'validated') ??
      answers.find(
        (each) => each.state === 'not_validated' && provesAbsence(each.history, firstLedger, lastLedgerSequence),
      );
    if (answer !== undefined) decisive.set(txHash, answer);
  }
  return lookUps.map((lookUp, index) => decisive.get(submitted[index]?.txHash ?? '') ?? lookUp);
}
