import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { transactionFee } from '#lib/xrpl/fees.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/lifetime.ts';
import type { Signer } from '#lib/xrpl/signer.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { isOwed } from './load.ts';
import { payoutPayment } from './payment.ts';
import type { Payout } from './types.ts';

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
  // Asked again whether it is owed: an operator may have halted the account while the facts were read.
  // The row lock and the unique indexes leave one winner a payout and a ticket, whoever else is at work.
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
    where ${isOwed()}
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
