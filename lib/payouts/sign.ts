import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { sql } from 'drizzle-orm';
import type { Payment } from 'xrpl';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { type Drops, formatLedgerValue } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { transactionFee } from '#lib/xrpl/fees.ts';
import { canSignFor, keyEntryFault } from '#lib/xrpl/keys.ts';
import { findSigner, type Signer } from '#lib/xrpl/signer.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import { isPayable } from './load.ts';
import type { Payout, PayoutReason } from './types.ts';

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
 * from it. Fails closed: one wrong entry beside a good one is enough. Throws PlatformError `ledger_unavailable`.
 */
export async function findPayer(ctx: Pick<Ctx, 'ledger'>, account: string): Promise<Payer | PayerFault> {
  if (!canSignFor(account)) return 'signing_key_missing';
  if ((await keyEntryFault(account)) !== null) return 'signing_key_unfit';
  const payer = await ctx.ledger.account(account);
  if (payer === null) return 'payer_missing';
  const signer = await findSigner(payer);
  return typeof signer === 'string' ? `payer_${signer}` : { payer, signer };
}

/** What surrounds the payment itself in a transaction that uses a ticket. */
interface Envelope {
  feeDrops: Drops;
  ticket: number;
  lastLedgerSequence: number;
}

function amountFields(payout: Payout): Pick<Payment, 'Amount' | 'SendMax' | 'SourceTag'> {
  const { asset, amount } = payout;
  if (asset.kind === 'xrp') return { Amount: amount.toString(), SourceTag: REFUND_SOURCE_TAG };
  if (asset.kind === 'mpt') return { Amount: { mpt_issuance_id: asset.issuanceId, value: amount.toString() } };
  const { currency, issuer, decimals } = asset;
  const value = { currency, issuer, value: formatLedgerValue(amount, decimals) };
  // A distributor pays exactly what arrives: preflight refuses tokens with a transfer fee.
  return payout.account === issuer ? { Amount: value } : { Amount: value, SendMax: value };
}

/**
 * The transaction that pays a payout: direct, in full or not at all. Never Paths, never the partial payment flag
 * (docs/ledger-facts.md, 1). A refund carries a SourceTag of ours, so that a receiver that bounces it cannot start a loop
 * (docs/ledger-facts.md, 9).
 */
export function payoutPayment(payout: Payout, envelope: Envelope): Payment {
  return {
    TransactionType: 'Payment',
    Account: payout.account,
    Destination: payout.destination,
    ...amountFields(payout),
    ...(payout.destinationTag === null ? {} : { DestinationTag: payout.destinationTag }),
    Fee: envelope.feeDrops.toString(),
    Sequence: 0,
    TicketSequence: envelope.ticket,
    LastLedgerSequence: envelope.lastLedgerSequence,
  };
}

export interface SignedAttempt {
  payout: Payout;
  ticket: number;
  txHash: string;
  txBlob: string;
}

/**
 * Signs one payment a payout, each with a ticket of its own, and persists them before anything is submitted
 * (docs/ledger-facts.md, 12). Returns those that are persisted, and the payouts that cannot be signed at all (an amount
 * the codec refuses).
 */
export async function signAttempts(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  pairs: readonly { payout: Payout; ticket: number }[],
): Promise<{ persisted: SignedAttempt[]; unsignable: Payout[] }> {
  const envelope = {
    feeDrops: transactionFee(server),
    lastLedgerSequence: server.validatedIndex + LEDGERS_TO_LIVE,
  };
  const signed: SignedAttempt[] = [];
  const unsignable: Payout[] = [];
  for (const { payout, ticket } of pairs) {
    try {
      const { hash, blob } = await signer.sign(payoutPayment(payout, { ...envelope, ticket }));
      signed.push({ payout, ticket, txHash: hash, txBlob: blob });
    } catch (cause) {
      ctx.log.error({ err: cause, payout_id: payout.id }, 'payout cannot be signed');
      unsignable.push(payout);
    }
  }
  const terms = { ...envelope, account: signer.address, firstLedger: server.validatedIndex };
  const persisted = await ctx.db.transaction((tx) => persist(tx, signed, terms));
  return { persisted, unsignable };
}

async function persist(
  tx: Tx,
  signed: readonly SignedAttempt[],
  terms: { account: string; feeDrops: bigint; firstLedger: number; lastLedgerSequence: number },
): Promise<SignedAttempt[]> {
  if (signed.length === 0) return [];
  // Checked again whether it is payable: an operator may have halted the account while the facts were read.
  // The row lock and the unique indexes let one process win each payout and each ticket.
  const inserted = await tx.execute<{ tx_hash: string; payout_id: string }>(sql`
    insert into ${payoutAttempts} (tx_hash, payout_id, attempt, account, tx_blob, ticket, fee_drops, first_ledger,
      last_ledger_sequence)
    select g.tx_hash, ${payouts.id},
      1 + coalesce((select max(a.attempt) from ${payoutAttempts} as a where a.payout_id = ${payouts.id}), 0),
      ${terms.account}, g.tx_blob, g.ticket, ${terms.feeDrops.toString()}::bigint, ${terms.firstLedger}::bigint,
      ${terms.lastLedgerSequence}::bigint
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
    returning tx_hash, payout_id`);
  await tx.execute(sql`
    update ${payouts} as p set status = 'submitted', reason = null
    where p.id = any (${textArray(inserted.rows.map((row) => row.payout_id))})`);
  const hashes = new Set(inserted.rows.map((row) => row.tx_hash));
  return signed.filter((item) => hashes.has(item.txHash));
}
