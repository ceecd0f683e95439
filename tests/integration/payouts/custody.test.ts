import { decodeAssignment } from '@tranche/rules/custody.ts';
import type { Candidate, Refusal } from '@tranche/witness/protocol.ts';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decode } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { loadStored } from '#lib/payouts/load.ts';
import { purposeIdOf } from '#lib/payouts/purposes.ts';
import { settlePaid } from '#lib/payouts/settle.ts';
import { noCounts } from '#lib/payouts/types.ts';
import { type CustodyWorld, openCustodyWorld } from './custody-world.ts';

let world: CustodyWorld;
beforeAll(async () => {
  world = await openCustodyWorld();
});
afterEach(async () => {
  for (const witness of world.witnesses) {
    witness.refuse = () => null;
    witness.isAway = false;
    witness.isForging = false;
    witness.ledgerIndex = null;
  }
  await world.checkAgain();
  await world.runUntilDone();
});
afterAll(() => world.close());

const blobsOf = async (id: string) => (await world.attempts(id)).map(({ txBlob }) => decode(txBlob));
const alertsOf = async (reason: string) =>
  (await world.ctx.db.select().from(events).where(eq(events.type, 'system.alert'))).filter(
    ({ body }) => JSON.parse(body).data.details.reason === reason,
  );

test('everything is paid with a ticket that was created for it, by exactly as many signatures as the quorum needs', async () => {
  const [holder] = await world.holders(1);
  const ids = [
    await world.owe({ to: holder!.address, amount: 5_000_000n }),
    await world.owe({ to: holder!.address, amount: 5_000_000n }),
    await world.owe({ kind: 'refund', to: holder!.address, amount: 2_000_000n, tag: 9 }),
  ];
  await world.runUntilDone();
  expect(await world.tokens(holder!.address)).toBe('10');
  for (const id of ids) {
    const { status, txHash } = await world.payout(id);
    expect(status).toBe('validated');
    const [blob] = await blobsOf(id);
    const signers = blob?.Signers as { Signer: { Account: string } }[];
    expect(signers).toHaveLength(3);
    expect(blob).toMatchObject({ SigningPubKey: '', Fee: '48', Sequence: 0 });
    const [assigned] = await world.ctx.db.select().from(ticketAssignments).where(eq(ticketAssignments.payoutId, id));
    expect(assigned?.ticket).toBe(blob?.TicketSequence);
    const [request] = await world.ctx.db
      .select()
      .from(ticketRequests)
      .where(eq(ticketRequests.txHash, assigned!.requestHash));
    const create = decode(request!.txBlob);
    expect(decodeAssignment(create.Memos)[assigned!.ticket - request!.sequence - 1]).toBe(assigned?.purpose);
    expect(txHash).not.toBeNull();
  }
});

test('one witness may be away; with two away payouts wait, with an alert, and are paid once one is back', async () => {
  const [holder] = await world.holders(1);
  world.witnesses[0]!.isAway = true;
  const first = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.runUntilDone();
  expect((await world.payout(first)).status).toBe('validated');

  world.witnesses[1]!.isAway = true;
  const second = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.run();
  expect(await world.payout(second)).toMatchObject({ status: 'ready', reason: 'waiting_witnesses' });
  expect(await world.attempts(second)).toEqual([]);
  expect(await alertsOf('waiting_witnesses')).toHaveLength(1);
  world.witnesses[1]!.isAway = false;
  await world.checkAgain();
  await world.runUntilDone();
  expect((await world.payout(second)).status).toBe('validated');
});

test('a signature that is not over the very bytes, or by another key, is not used', async () => {
  const [holder] = await world.holders(1);
  world.witnesses[0]!.isForging = true;
  const id = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.runUntilDone();
  expect((await world.payout(id)).status).toBe('validated');
  const [blob] = await blobsOf(id);
  expect(JSON.stringify(blob)).not.toContain(world.witnesses[0]!.wallet.address);

  world.witnesses[1]!.isForging = true;
  const other = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.run();
  expect(await world.payout(other)).toMatchObject({ status: 'ready', reason: 'waiting_witnesses' });
});

test('what witnesses refuse waits with its reason and keeps no other payout from being paid', async () => {
  const [holder] = await world.holders(1);
  const refused = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const paid = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  const [assigned] = await world.ctx.db.select().from(ticketAssignments).where(eq(ticketAssignments.payoutId, refused));
  for (const witness of world.witnesses) {
    witness.refuse = (candidate) =>
      candidate.kind === 'payment' && candidate.ticket === assigned?.ticket
        ? { reason: 'not_owed', detail: 'by the rules' }
        : null;
  }
  await world.run();
  expect(await world.payout(refused)).toMatchObject({ status: 'ready', reason: 'witness_refused' });
  expect((await world.payout(paid)).status).toBe('submitted');
  expect(await alertsOf('witness_refused')).toHaveLength(1);
});

test('one purpose whose ticket is refused keeps no other from getting its own', async () => {
  const holders = await world.holders(3);
  const ids: string[] = [];
  for (const { address } of holders) ids.push(await world.owe({ to: address, amount: 1_000_000n }));
  const bad = await world.payout(ids[1]!);
  for (const witness of world.witnesses) {
    witness.refuse = (candidate) => {
      const isBad = (one: { kind: string; transaction_index?: number }) => one.transaction_index === badIndex;
      return candidate.kind === 'ticket_create' && candidate.purposes.some(isBad)
        ? { reason: 'not_owed', detail: 'by the rules' }
        : null;
    };
  }
  const { rows } = await world.ctx.db.execute<{ transaction_index: number }>(
    `select transaction_index from payments where tx_hash = '${bad.paymentHash}'`,
  );
  const badIndex = Number(rows[0]?.transaction_index);
  await world.runUntilDone();
  expect(await world.payout(ids[1]!)).toMatchObject({ status: 'ready', reason: 'witness_refused' });
  for (const id of [ids[0]!, ids[2]!]) expect((await world.payout(id)).status).toBe('validated');
});

test('the refusal of a witness that is behind the platform only means to wait', async () => {
  const [holder] = await world.holders(1);
  for (const witness of world.witnesses) {
    witness.ledgerIndex = 1;
    witness.refuse = () => ({ reason: 'not_owed', detail: 'not seen yet' });
  }
  const id = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.run();
  expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'waiting_witnesses' });
});

test('a payout whose attempt the records have lost is settled by the payment that witnesses name, and paid once', async () => {
  const [holder] = await world.holders(1);
  const id = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  await world.run();
  const [attempt] = await world.attempts(id);
  world.desk.close();
  await world.ctx.db.execute(`delete from payout_attempts where payout_id = '${id}'`);
  await world.ctx.db.execute(`update payouts set status = 'ready' where id = '${id}'`);
  await world.ctx.redis.flushall();
  for (const witness of world.witnesses) {
    witness.refuse = () => ({ reason: 'paid', detail: 'paid already', transaction_hash: attempt!.txHash });
  }
  await world.run();
  expect(await world.payout(id)).toMatchObject({ status: 'validated', txHash: attempt!.txHash });
  expect(await world.tokens(holder!.address)).toBe('1');
});

test('nothing is signed while the ledger shows another signer list than the custody', async () => {
  const { db } = world.ctx;
  const other = { ...world.custody, quorum: 5 };
  await db.update(depositAccounts).set({ custody: other }).where(eq(depositAccounts.address, world.deposit.address));
  const [holder] = await world.holders(1);
  const id = await world.owe({ kind: 'refund', to: holder!.address, amount: 1_000_000n });
  await world.run();
  expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'payer_key_changed' });
  await db
    .update(depositAccounts)
    .set({ custody: world.custody })
    .where(eq(depositAccounts.address, world.deposit.address));
});

/** The sequences of the TicketCreates that witnesses were asked for; `refuse` says what they sign. */
function recordSequences(refuse: (candidate: Candidate) => Refusal | null): Set<number> {
  const sequences = new Set<number>();
  for (const witness of world.witnesses) {
    witness.refuse = (candidate) => {
      if (candidate.kind === 'ticket_create') sequences.add(candidate.sequence);
      return refuse(candidate);
    };
  }
  return sequences;
}

test('tickets are never asked for behind others that no ledger shows yet: witnesses sign the next sequences only', async () => {
  const [holder] = await world.holders(1);
  for (let owed = 0; owed < 60; owed++) await world.owe({ to: holder!.address, amount: 1_000_000n });
  const sequences = recordSequences(() => null);
  await world.run();
  expect(sequences.size).toBe(1);
  await world.runUntilDone();
  expect(await world.tokens(holder!.address)).toBe('60');
});

test('of a batch with one refused purpose too, one TicketCreate is under way at a time', async () => {
  const [holder] = await world.holders(1);
  const bad = await world.owe({ to: holder!.address, amount: 1_000_000n });
  for (let owed = 0; owed < 8; owed++) await world.owe({ to: holder!.address, amount: 1_000_000n });
  const [stored] = await loadStored(world.ctx.db, eq(payouts.id, bad), [], 1);
  const place = stored!.payout.paymentPlace!.transactionIndex;
  const sequences = recordSequences((candidate) =>
    candidate.kind === 'ticket_create' &&
    candidate.purposes.some((one) => one.kind !== 'release' && one.transaction_index === place)
      ? { reason: 'not_owed', detail: 'by the rules' }
      : null,
  );
  await world.run();
  expect(sequences.size).toBe(1);
  await world.runUntilDone();
  expect(await world.tokens(holder!.address)).toBe('8');
  expect(await world.payout(bad)).toMatchObject({ status: 'ready', reason: 'witness_refused' });
});

test('a refusal that concerns the whole account is asked about once, not for each payout', async () => {
  const [holder] = await world.holders(1);
  for (let owed = 0; owed < 8; owed++) await world.owe({ to: holder!.address, amount: 1_000_000n });
  recordSequences(() => ({ reason: 'halted', detail: 'x'.repeat(100_000) }));
  const before = world.witnesses[0]!.requests;
  await world.run();
  expect(world.witnesses[0]!.requests - before).toBe(1);
});

test('what is not due yet by the time of the ledger waits without an alarm, and keeps no other waiting', async () => {
  const [holder] = await world.holders(1);
  const early = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const due = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const [stored] = await loadStored(world.ctx.db, eq(payouts.id, early), [], 1);
  const place = stored!.payout.paymentPlace!.transactionIndex;
  recordSequences((candidate) =>
    candidate.kind === 'ticket_create' &&
    candidate.purposes.some((one) => one.kind !== 'release' && one.transaction_index === place)
      ? { reason: 'not_due', detail: 'in a second' }
      : null,
  );
  await world.runUntilDone();
  expect(await world.payout(early)).toMatchObject({ status: 'ready', reason: 'waiting_witnesses' });
  expect((await world.payout(due)).status).toBe('validated');
});

test('a payment that an attempt of another payout has made settles no payout, whatever witnesses say', async () => {
  const [holder] = await world.holders(1);
  const paid = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.runUntilDone();
  const { txHash } = await world.payout(paid);
  // As while the outcome of the attempt is not written yet.
  await world.ctx.db.update(payouts).set({ status: 'submitted', txHash: null }).where(eq(payouts.id, paid));
  const [assigned] = await world.ctx.db.select().from(ticketAssignments).where(eq(ticketAssignments.payoutId, paid));
  const other = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const [stored] = await loadStored(world.ctx.db, eq(payouts.id, other), [], 1);
  // Releases of one sale have one purpose.
  await world.ctx.db
    .update(ticketAssignments)
    .set({ purpose: purposeIdOf(stored!.payout) })
    .where(eq(ticketAssignments.payoutId, assigned!.payoutId!));
  const refused = [{ payout: stored!.payout, paidBy: [txHash!] }];
  expect([...(await settlePaid(world.ctx, world.distributor.address, refused, noCounts()))]).toEqual([]);
  await world.ctx.db.update(payouts).set({ status: 'validated', txHash }).where(eq(payouts.id, paid));
});
