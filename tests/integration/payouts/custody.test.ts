import { decodeAssignment, type Purpose } from '@tranche/rules/custody.ts';
import type { Candidate, Refusal, RefusalReason } from '@tranche/witness/protocol.ts';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decode } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { requestAssignedTickets } from '#lib/payouts/assigned-tickets.ts';
import { loadStored } from '#lib/payouts/load.ts';
import { purposeIdOf } from '#lib/payouts/purposes.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { settlePaid } from '#lib/payouts/settle.ts';
import { settleTicketRequests } from '#lib/payouts/tickets.ts';
import { noCounts } from '#lib/payouts/types.ts';
import { signerFor } from '#lib/xrpl/signer.ts';
import { WITNESS_TIMEOUT_MS } from '#lib/xrpl/witnesses.ts';
import { type CustodyWorld, openCustodyWorld } from './custody-world.ts';

let world: CustodyWorld;
beforeAll(async () => {
  world = await openCustodyWorld();
});
afterEach(async () => {
  for (const witness of world.witnesses) {
    witness.refuse = () => null;
    witness.isAway = false;
    witness.isHanging = false;
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

/** A payout that is paid on the ledger, with a database that was restored from before its payment; gives the payment. */
async function paidBeforeRestore(): Promise<{ id: string; holder: string; txHash: string }> {
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
  return { id, holder: holder!.address, txHash: attempt!.txHash };
}

/** From before the TicketCreate, too. */
async function loseTickets(id: string): Promise<void> {
  const [lost] = await world.ctx.db.select().from(ticketAssignments).where(eq(ticketAssignments.payoutId, id));
  await world.ctx.db.delete(ticketAssignments).where(eq(ticketAssignments.requestHash, lost!.requestHash));
  await world.ctx.db.delete(ticketRequests).where(eq(ticketRequests.txHash, lost!.requestHash));
}

test('a payout whose attempt the records have lost is settled by the use of its ticket, without asking a witness', async () => {
  const { id, holder, txHash } = await paidBeforeRestore();
  const before = world.witnesses[0]!.requests;
  await world.run();
  expect(await world.payout(id)).toMatchObject({ status: 'validated', txHash });
  expect(world.witnesses[0]!.requests).toBe(before);
  expect(await world.tokens(holder)).toBe('1');
});

test('one whose ticket the records have lost, too, is settled by the payment that witnesses name, as the memo on the ledger says', async () => {
  const { id, holder, txHash } = await paidBeforeRestore();
  await loseTickets(id);
  for (const witness of world.witnesses) {
    witness.refuse = () => ({ reason: 'paid', detail: 'paid already', transaction_hash: txHash });
  }
  await world.run();
  expect(await world.payout(id)).toMatchObject({ status: 'validated', txHash });
  expect(await world.tokens(holder)).toBe('1');
});

test('a ticket that the records have lost is used for what its memo on the ledger names', async () => {
  const [holder] = await world.holders(1);
  const id = await world.owe({ to: holder!.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  const tickets = await world.ctx.ledger.tickets(world.distributor.address);
  await loseTickets(id);
  for (let slices = 0; slices < 3; slices++) await world.run();
  expect(tickets).toContain((await world.attempts(id))[0]?.ticket);
  await world.runUntilDone();
  expect(await world.tokens(holder!.address)).toBe('1');
});

test('a ticket that something else has used up is looked for once, and its payout gets another', async () => {
  const { id, holder } = await paidBeforeRestore();
  // Its ticket has not paid it.
  await world.ctx.db.update(payouts).set({ amount: 2_000_000n }).where(eq(payouts.id, id));
  await world.runUntilDone();
  expect(await world.payout(id)).toMatchObject({ status: 'validated' });
  expect(await world.tokens(holder)).toBe('3');
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

/** The TicketCreates of the distributor that are on their way, in their order. */
const openCreates = () =>
  world.ctx.db
    .select()
    .from(ticketRequests)
    .where(
      and(
        eq(ticketRequests.account, world.distributor.address),
        eq(ticketRequests.status, 'open'),
        gt(ticketRequests.count, 0),
      ),
    )
    .orderBy(ticketRequests.sequence);

/** Owes that many payouts of one token to one holder. */
async function oweMany(count: number): Promise<{ holder: string; ids: string[] }> {
  const [holder] = await world.holders(1);
  const ids: string[] = [];
  for (let owed = 0; owed < count; owed++) ids.push(await world.owe({ to: holder!.address, amount: 1_000_000n }));
  return { holder: holder!.address, ids };
}

test('tickets for all that may be paid at once are asked for in one ledger, and used in the next one', async () => {
  const { holder } = await oweMany(130);
  await world.run();
  const [first, second, ...more] = await openCreates();
  expect(more).toEqual([]);
  expect([first!.count, second!.count]).toEqual([100, 30]);
  expect(second!.sequence).toBe(first!.sequence + 101);
  world.desk.close();
  await world.run();
  world.desk.close();
  expect(await world.tokens(holder)).toBe('130');
});

test('a long queue is paid two hundred a ledger: each ledger creates the tickets of the next one', async () => {
  const [holder] = await world.holders(1);
  await Promise.all(Array.from({ length: 400 }, () => world.owe({ to: holder!.address, amount: 1_000_000n })));
  const submitted: number[] = [];
  for (let slice = 0; slice < 4; slice++) {
    submitted.push((await world.run()).submitted);
    world.desk.close();
  }
  expect(submitted).toEqual([0, 200, 200, 0]);
  expect(await world.tokens(holder!.address)).toBe('400');
  expect(await world.ctx.ledger.tickets(world.distributor.address)).toEqual([]);
});

test('witnesses that have forgotten what they signed give the next tickets a ledger later, and nothing is put off', async () => {
  const [holder] = await world.holders(1);
  await Promise.all(Array.from({ length: 300 }, () => world.owe({ to: holder!.address, amount: 1_000_000n })));
  const submitted: number[] = [];
  let putOff = 0;
  for (let slice = 0; slice < 4; slice++) {
    const { length: held } = await world.ctx.ledger.tickets(world.distributor.address);
    for (const witness of world.witnesses) {
      witness.refuse = (candidate) =>
        candidate.kind === 'ticket_create' && held + candidate.purposes.length > 250
          ? { reason: 'too_many_tickets', detail: 'for a test' }
          : null;
    }
    const counts = await world.run();
    submitted.push(counts.submitted);
    putOff += counts.waiting;
    world.desk.close();
  }
  expect(submitted).toEqual([0, 200, 50, 50]);
  expect(await world.tokens(holder!.address)).toBe('300');
  expect(putOff).toBe(0);
});

test('what stands behind a TicketCreate that is never validated expires with it, and is asked for anew', async () => {
  const { holder } = await oweMany(101);
  const { ledger } = world.ctx;
  let lost: string | null = null;
  const ctx = {
    ...world.ctx,
    ledger: {
      ...ledger,
      // Of the first one nothing arrives.
      async submit(blob: string) {
        const { TransactionType: type } = decode(blob) as { TransactionType: string };
        if (type === 'TicketCreate') lost ??= blob;
        if (blob === lost) throw new PlatformError('ledger_unavailable', 'for a test');
        return ledger.submit(blob);
      },
    },
  };
  await world.run(ctx);
  const [first, second] = await openCreates();
  expect(second!.sequence).toBe(first!.sequence + 101);
  for (let closed = 0; closed < 25; closed++) world.desk.close();
  await world.run(ctx);
  const ended = await world.ctx.db
    .select({ status: ticketRequests.status })
    .from(ticketRequests)
    .where(inArray(ticketRequests.txHash, [first!.txHash, second!.txHash]));
  expect(ended).toEqual([{ status: 'expired' }, { status: 'expired' }]);
  expect((await openCreates())[0]).toMatchObject({ sequence: first!.sequence, count: 100 });
  await world.runUntilDone();
  expect(await world.tokens(holder)).toBe('101');
});

test('an action does not wait behind a TicketCreate that a failed one in front of it keeps from the ledger', async () => {
  const account = world.distributor.address;
  const { validatedIndex } = await world.ctx.ledger.serverState();
  const next = await nextSequence(world.ctx, account);
  const request = (txHash: string, over: object) => ({
    txHash,
    account,
    txBlob: '',
    count: 100,
    sequence: next - 1,
    firstLedger: validatedIndex,
    lastLedgerSequence: validatedIndex + 10,
    ...over,
  });
  const behind = request('B'.repeat(64), { sequence: next + 100 });
  await world.ctx.db.insert(ticketRequests).values(behind);
  // A server that does not know of the one in front yet is no reason to use its sequence.
  expect(await nextSequence(world.ctx, account)).toBe(next + 201);
  await world.ctx.db.insert(ticketRequests).values(request('A'.repeat(64), { status: 'failed' }));
  expect(await nextSequence(world.ctx, account)).toBe(next);
  await world.ctx.db.delete(ticketRequests).where(inArray(ticketRequests.txHash, ['A'.repeat(64), 'B'.repeat(64)]));
});

test('of a batch with one refused purpose all others have a ticket after one ledger', async () => {
  const { holder, ids } = await oweMany(9);
  for (const witness of world.witnesses) witness.refuse = await refuseTicketFor(ids[0]!);
  await world.run();
  const creates = await openCreates();
  expect(creates.reduce((sum, { count }) => sum + count, 0)).toBe(8);
  for (const [index, { sequence }] of creates.entries()) {
    const before = creates[index - 1];
    if (before !== undefined) expect(sequence).toBe(before.sequence + before.count + 1);
  }
  world.desk.close();
  await world.run();
  world.desk.close();
  expect(await world.tokens(holder)).toBe('8');
  await world.runUntilDone();
  expect(await world.payout(ids[0]!)).toMatchObject({ status: 'ready', reason: 'witness_refused' });
});

/** Refuses tickets for the payout's payment. */
async function refuseTicketFor(
  id: string,
  reason: RefusalReason = 'not_owed',
): Promise<(candidate: Candidate) => Refusal | null> {
  const [stored] = await loadStored(world.ctx.db, eq(payouts.id, id), [], 1);
  const place = stored!.payout.paymentPlace!.transactionIndex;
  return (candidate) =>
    candidate.kind === 'ticket_create' &&
    candidate.purposes.some((one) => one.kind !== 'release' && one.transaction_index === place)
      ? { reason, detail: 'by the rules' }
      : null;
}

test('where no quorum answers, a batch with one refused purpose is asked about once', async () => {
  const { ids } = await oweMany(9);
  const [away, halted, refusing] = world.witnesses;
  away!.isAway = true;
  halted!.refuse = () => ({ reason: 'halted', detail: 'by its operator' });
  refusing!.refuse = await refuseTicketFor(ids[0]!);
  const before = refusing!.requests;
  await world.run();
  expect(refusing!.requests - before).toBe(1);
  expect(await openCreates()).toEqual([]);
});

test('after its deadline a slice asks for no further part of a batch, and keeps what is signed', async () => {
  const { ids } = await oweMany(9);
  for (const witness of world.witnesses) witness.refuse = await refuseTicketFor(ids[8]!);
  await runPayouts(world.ctx, { deadlineMs: 0 });
  expect((await openCreates()).map(({ count }) => count)).toEqual([5]);
  world.desk.close();
  await world.runUntilDone();
  for (const id of ids.slice(0, 8)) expect((await world.payout(id)).status).toBe('validated');
});

test('a witness that never answers is not waited for once the others have refused', async () => {
  const [holder] = await world.holders(1);
  const id = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const [hanging, ...refusing] = world.witnesses;
  hanging!.isHanging = true;
  for (const witness of refusing) witness.refuse = () => ({ reason: 'not_owed', detail: 'by the rules' });
  const startedAtMs = performance.now();
  await world.run();
  expect(performance.now() - startedAtMs).toBeLessThan(WITNESS_TIMEOUT_MS);
  expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'witness_refused' });
});

test('a refusal that concerns the whole account is asked about once, not for each payout', async () => {
  const [holder] = await world.holders(1);
  for (let owed = 0; owed < 8; owed++) await world.owe({ to: holder!.address, amount: 1_000_000n });
  for (const witness of world.witnesses) witness.refuse = () => ({ reason: 'halted', detail: 'x'.repeat(100_000) });
  const before = world.witnesses[0]!.requests;
  await world.run();
  expect(world.witnesses[0]!.requests - before).toBe(1);
});

test('what is not due yet by the time of the ledger waits without an alarm, and keeps no other waiting', async () => {
  const [holder] = await world.holders(1);
  const early = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const due = await world.owe({ to: holder!.address, amount: 1_000_000n });
  const refuse = await refuseTicketFor(early, 'not_due');
  for (const witness of world.witnesses) witness.refuse = refuse;
  await world.runUntilDone();
  expect(await world.payout(early)).toMatchObject({ status: 'ready', reason: 'waiting_witnesses' });
  expect((await world.payout(due)).status).toBe('validated');
});

/** The newest ticket of the deposit account, created for the last of these purposes, on behalf of this payout. */
async function ticketFor(purposes: readonly Purpose[], payoutId: string | null): Promise<number> {
  const { ctx, deposit, custody } = world;
  const state = await ctx.ledger.account(deposit.address);
  const signer = await signerFor(state!, custody);
  const keepLease = async () => true;
  const wanted = purposes.map((purpose) => ({ purpose, payoutId }));
  const deadlineMs = Number.POSITIVE_INFINITY;
  await requestAssignedTickets(ctx, signer, await ctx.ledger.serverState(), wanted, { keepLease, deadlineMs });
  world.desk.close();
  await settleTicketRequests(ctx, deposit.address);
  return (await ctx.ledger.tickets(deposit.address)).at(-1)!;
}

/** A slice that pays a refund beside, and the ledgers after it; gives the tickets that are left. */
async function ticketsAfterRefund(): Promise<number[]> {
  const [holder] = await world.holders(1);
  await world.owe({ kind: 'refund', to: holder!.address, amount: 1_000_000n });
  for (let slices = 0; slices < 4; slices++) {
    await world.run();
    world.desk.close();
  }
  return world.ctx.ledger.tickets(world.deposit.address);
}

test('a release that is not paid now gives its ticket back, so that the next release has its turn', async () => {
  const { db } = world.ctx;
  const { projectId, deposit } = world;
  const release = {
    kind: 'release' as const,
    projectId,
    account: deposit.address,
    destination: world.issuer.address,
    amount: 1_000_000n,
    dueAt: new Date(),
    nextCheckAt: new Date(Date.now() + 3_600_000),
  };
  await db.insert(payouts).values({ ...release, id: 'pay_release' });
  const ticket = await ticketFor([{ kind: 'release', projectId }], 'pay_release');
  expect(await ticketsAfterRefund()).not.toContain(ticket);
  await db.update(payouts).set({ status: 'held', reason: 'operator_hold' }).where(eq(payouts.id, 'pay_release'));
});

test('a payout on hold gives its ticket back, also when nothing else waits for the room', async () => {
  const [holder] = await world.holders(1);
  const id = await world.owe({ kind: 'refund', to: holder!.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  const [ticket] = await world.ctx.ledger.tickets(world.deposit.address);
  await world.ctx.db.update(payouts).set({ status: 'held', reason: 'operator_hold' }).where(eq(payouts.id, id));
  expect(ticket).toBeDefined();
  expect(await ticketsAfterRefund()).toEqual([]);
});

test('the ticket of an assign that was never made is given back, but not before it had its time', async () => {
  const payment = { ledgerIndex: 5, transactionIndex: 5 };
  const ticket = await ticketFor([{ kind: 'refund', payment, part: 1 }], null);
  expect(await ticketsAfterRefund()).toEqual([ticket]);
  const longAgo = new Date(Date.now() - 3_600_000);
  await world.ctx.db.update(ticketAssignments).set({ createdAt: longAgo }).where(eq(ticketAssignments.ticket, ticket));
  expect(await ticketsAfterRefund()).toEqual([]);
});

test('an account full of tickets whose payouts cannot be paid now still pays those that can', async () => {
  const [holder] = await world.holders(1);
  const waiting = await world.owe({ kind: 'refund', to: holder!.address, amount: 1_000_000n });
  const later = new Date(Date.now() + 3_600_000);
  await world.ctx.db.update(payouts).set({ nextCheckAt: later }).where(eq(payouts.id, waiting));
  const purposes = Array.from({ length: 250 }, (_, transactionIndex): Purpose => {
    return { kind: 'refund', payment: { ledgerIndex: 6, transactionIndex }, part: 1 };
  });
  await ticketFor(purposes, waiting);
  expect(await world.ctx.ledger.tickets(world.deposit.address)).toHaveLength(250);
  const id = await world.owe({ kind: 'refund', to: holder!.address, amount: 1_000_000n });
  for (let slices = 0; slices < 5; slices++) {
    await world.run();
    world.desk.close();
  }
  expect(await world.payout(id)).toMatchObject({ status: 'validated' });
  await world.ctx.db.update(payouts).set({ status: 'cancelled' }).where(eq(payouts.id, waiting));
  for (let slices = 0; slices < 6; slices++) {
    await world.owe({ kind: 'refund', to: holder!.address, amount: 1_000_000n });
    await world.run();
    world.desk.close();
  }
  expect((await world.ctx.ledger.tickets(world.deposit.address)).length).toBeLessThan(10);
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

test('a ticket that only a failed TicketCreate was to create for a payout settles nothing', async () => {
  const { id, txHash } = await paidBeforeRestore();
  const { db, ledger } = world.ctx;
  const [assigned] = await db.select().from(ticketAssignments).where(eq(ticketAssignments.payoutId, id));
  const setStatus = (status: 'failed' | 'validated') =>
    db.update(ticketRequests).set({ status }).where(eq(ticketRequests.txHash, assigned!.requestHash));
  await setStatus('failed');
  const [stored] = await loadStored(db, eq(payouts.id, id), [], 1);
  const refused = [{ payout: stored!.payout, paidBy: [txHash] }];
  const settle = () => settlePaid(world.ctx, world.distributor.address, refused, noCounts());
  expect(await ledger.validatedPayment(txHash)).not.toBeNull();
  expect([...(await settle())]).toEqual([]);
  await setStatus('validated');
  expect([...(await settle())]).toEqual([id]);
});
