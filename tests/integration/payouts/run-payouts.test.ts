import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { acquireLease } from '#lib/base/lease.ts';
import { checkAgain } from '#lib/payouts/change-status.ts';
import { payAccount } from '#lib/payouts/run-payouts.ts';
import { noCounts } from '#lib/payouts/types.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, putKeysInForce, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

const transactionOf = async (hash: string | null) => {
  const answer = await world.desk.client.request({ command: 'tx', transaction: hash ?? '' });
  return answer.result.tx_json;
};
const eventTypes = async () => (await rowsOf(world.database.db, 'events')).map((event) => event.type);

/** The real ledger, except that submissions do not arrive. */
function withoutSubmit(onSubmit: () => void = () => undefined): Ledger {
  const real = world.ctx.ledger;
  return {
    ...real,
    submit: () => {
      onSubmit();
      return Promise.reject(ledgerUnavailable('The connection broke'));
    },
  };
}
const ctxWith = (ledger: Ledger) => testCtx({ db: world.database.db, overrides: { ledger } });

/** Gives the distributor tickets, so that a slice of the test is about the payment alone. */
async function haveTickets(wallet: Wallet, count = 10): Promise<void> {
  await world.desk.send(wallet, { TransactionType: 'TicketCreate', Account: wallet.address, TicketCount: count });
  world.desk.close();
}

describe('distributions', () => {
  test('tokens reach investors whose trust line stands, once each, with the event', async () => {
    const holders = await world.holders(7);
    const ids: string[] = [];
    for (const holder of holders) ids.push(await world.owe({ to: holder.address, amount: 1_500_000n, tag: 9 }));
    await world.runUntilDone();
    for (const holder of holders) expect(await world.tokens(holder.address)).toBe('1.5');
    const paid = await world.payout(ids[0]!);
    expect(paid).toMatchObject({ status: 'validated', reason: null, ledgerIndex: expect.any(Number) });
    const transaction = await transactionOf(paid.txHash);
    expect(transaction).toMatchObject({ DestinationTag: 9, TicketSequence: expect.any(Number), Sequence: 0 });
    expect(transaction).not.toHaveProperty('Paths');
    expect(transaction).not.toHaveProperty('SourceTag');
    expect(await eventTypes()).toEqual(Array(7).fill('investment.tokens_distributed'));
    const [event] = await rowsOf(world.database.db, 'events');
    expect(JSON.parse(event!.body).data).toMatchObject({ tokens: '1.500000', project_id: world.projectId });
  });

  test('an investor without a trust line waits, and is paid when the line appears', async () => {
    const [investor] = (await world.desk.accounts(1)) as [Wallet];
    const id = await world.owe({ to: investor.address, amount: 2_000_000n });
    expect(await world.run()).toMatchObject({ waiting: 1, submitted: 0 });
    const waiting = await world.payout(id);
    expect(waiting).toMatchObject({ status: 'waiting_holder', reason: 'trust_line_missing' });
    expect(waiting.nextCheckAt.getTime()).toBeGreaterThan(Date.now() + 20_000);
    expect(await world.run()).toMatchObject({ waiting: 0, remaining: false });

    await world.trust(investor);
    await world.checkAgain();
    await world.runUntilDone();
    expect(await world.payout(id)).toMatchObject({ status: 'validated', reason: null });
    expect(await world.tokens(investor.address)).toBe('2');
  });

  test('a line without room for the whole amount gets nothing rather than a part', async () => {
    const [investor] = (await world.desk.accounts(1)) as [Wallet];
    await world.trust(investor, '3');
    const first = await world.owe({ to: investor.address, amount: 2_000_000n });
    const second = await world.owe({ to: investor.address, amount: 2_000_000n });
    await world.runUntilDone();
    const statuses = [await world.payout(first), await world.payout(second)].map(({ status, reason }) => [
      status,
      reason,
    ]);
    expect(statuses.toSorted()).toEqual([
      ['validated', null],
      ['waiting_holder', 'trust_line_limit'],
    ]);
    expect(await world.tokens(investor.address)).toBe('2');
  });

  test('a payout larger than what the distributor holds waits for the distributor', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await changeRows(world.database.db, 'projects', {}, { decimals: 0 });
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const more = await world.owe({ to: (await world.holders(1))[0]!.address, amount: 1n });
    await world.runUntilDone();
    const statuses = [await world.payout(id), await world.payout(more)].map((row) => `${row.status} ${row.reason}`);
    expect(statuses.filter((status) => status === 'validated null')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'ready payer_underfunded')).toHaveLength(1);
  });

  test('a hundred and twenty payouts are all paid, in batches, with tickets asked for as needed', async () => {
    const holders = await world.holders(12);
    for (let i = 0; i < 120; i++) await world.owe({ to: holders[i % 12]!.address, amount: 1_000_000n });
    await world.runUntilDone();
    for (const holder of holders) expect(await world.tokens(holder.address)).toBe('10');
    expect(await eventTypes()).toHaveLength(120);
  });

  test('tickets are asked for before they run out, and an idle account asks for none', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor, 5);
    for (let i = 0; i < 3; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    expect(await world.run()).toMatchObject({ submitted: 3 });
    await world.runUntilDone();
    expect(await world.ctx.ledger.tickets(world.distributor.address)).toHaveLength(12);
    await world.run();
    expect(await rowsOf(world.database.db, 'ticketRequests')).toMatchObject([{ count: 10, status: 'validated' }]);
  });

  test('an account that cannot be paid from does not keep others from being paid', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    const stuck = await world.owe({ to: holder.address, amount: 1_000_000n });
    await changeRows(world.database.db, 'payouts', { id: stuck }, { account: world.issuer.address });
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    putKeysInForce(world, `${world.issuer.address}=ed25519:sEdUnreadabe,`);
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
    expect(await world.payout(stuck)).toMatchObject({ status: 'ready', reason: 'signing_key_unfit' });
  });

  test('a project without its own signing key leaves its payouts visible to the operator', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 1n });
    await changeRows(world.database.db, 'payouts', {}, { account: world.issuer.address });
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'scheduled', reason: 'signing_key_missing' });
  });

  test('a cancelled project distributes nothing more', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.owe({ to: holder.address, amount: 1_000_000n });
    await changeRows(world.database.db, 'projects', {}, { status: 'cancelled' });
    expect(await world.run()).toMatchObject({ submitted: 0, remaining: false });
  });

  test('a cancelled payout is final: neither a payer nor an operator’s release takes it up again', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await changeRows(world.database.db, 'payouts', {}, { status: 'cancelled', reason: 'cancelled' });
    expect(await checkAgain(world.database.db, { payoutIds: [id] }, true)).toEqual([]);
    expect(await world.run()).toMatchObject({ submitted: 0, remaining: false });
    expect(await world.payout(id)).toMatchObject({ status: 'cancelled', reason: 'cancelled' });
  });
});

describe('tokens of the other kind', () => {
  test('an MPT waits for its holder to opt in, and is then paid in its own units', async () => {
    const { desk, distributor } = world;
    await desk.send(distributor, {
      TransactionType: 'MPTokenIssuanceCreate',
      Account: distributor.address,
      AssetScale: 2,
      Flags: 0x20,
    });
    desk.close();
    const { result } = await desk.client.request({
      command: 'account_objects',
      account: distributor.address,
      type: 'mpt_issuance',
    });
    const [issuance] = result.account_objects;
    if (issuance === undefined || !('mpt_issuance_id' in issuance)) throw new Error('The issuance is missing');
    const issuanceId = String(issuance.mpt_issuance_id);
    await changeRows(
      world.database.db,
      'projects',
      {},
      { tokenKind: 'mpt', currency: null, issuer: null, issuanceId, decimals: 2 },
    );
    const [holder] = (await desk.accounts(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 12_345n });
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'waiting_holder', reason: 'token_not_opted_in' });
    await desk.send(holder, {
      TransactionType: 'MPTokenAuthorize',
      Account: holder.address,
      MPTokenIssuanceID: issuanceId,
    });
    desk.close();
    expect(await checkAgain(world.database.db, { payoutIds: [id] }, false)).toEqual([id]);
    await world.runUntilDone();
    expect((await world.ctx.ledger.mptHolding(holder.address, issuanceId))?.amount).toBe(12_345n);
    const [event] = await rowsOf(world.database.db, 'events');
    expect(JSON.parse(event!.body).data).toMatchObject({ tokens: '123.450000' });
  });
});

describe('reliable submission', () => {
  test('a payout is paid once when many slices run at the same time', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor, 20);
    for (let i = 0; i < 10; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    const ports = Array.from({ length: 3 }, () =>
      openLedger({ urls: [world.desk.ledger.wsUrl], networkId: NETWORK_ID }),
    );
    for (let round = 0; round < 6; round++) {
      await Promise.all(ports.map((ledger) => world.run(ctxWith(ledger))));
      world.desk.close();
    }
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('10');
    expect(await rowsOf(world.database.db, 'payoutAttempts')).toHaveLength(10);
    await Promise.all(ports.map((port) => port.close()));
  });

  test('three signers that each believe to be alone still pay each payout once', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor, 60);
    for (let i = 0; i < 20; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const { promise: allHaveLooked, resolve: goOn } = Promise.withResolvers<void>();
    let looked = 0;
    // All three hold the same payouts for due before any of them signs, and each signs other transactions.
    const signers = [0, 1, 2].map((position) => {
      const ledger: Ledger = {
        ...real,
        async serverState() {
          const state = await real.serverState();
          return { ...state, validatedIndex: state.validatedIndex - position };
        },
        async tickets(address) {
          const tickets = await real.tickets(address);
          looked += 1;
          if (looked >= 3) goOn();
          await allHaveLooked;
          return tickets.slice(20 * position, 20 * position + 20);
        },
      };
      return { ctx: ctxWith(ledger), lease: { name: `signer:test:${position}`, holder: String(position) } };
    });
    for (const { lease } of signers) await acquireLease(world.database.db, lease.name, lease.holder, 60);
    const counts = noCounts();
    await Promise.all(
      signers.map(({ ctx, lease }) =>
        payAccount(ctx, {
          account: world.distributor.address,
          lease,
          deadlineMs: Number.POSITIVE_INFINITY,
          coming: 0,
          counts,
        }),
      ),
    );
    expect(counts.submitted).toBe(20);
    world.desk.close();
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('20');
    expect(await eventTypes()).toHaveLength(20);
  });

  test('a slice whose account another one is paying from does nothing', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.owe({ to: holder.address, amount: 1_000_000n });
    const { db } = world.database;
    expect(await acquireLease(db, `signer:${world.distributor.address}`, 'another', 30)).toBe(true);
    expect(await world.run()).toMatchObject({ busy: 1, submitted: 0, remaining: true });
  });

  test('the transaction is in the database before it is submitted', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const seen: Promise<string>[] = [];
    const ledger = withoutSubmit(() => seen.push(world.payout(id).then((row) => row.status)));
    await world.run(ctxWith(ledger));
    expect(await Promise.all(seen)).toEqual(['submitted']);
    expect(await world.attempts(id)).toMatchObject([{ status: 'open', engineResult: null }]);
  });

  test('a crash between persisting and submitting pays once, with the same transaction', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(ctxWith(withoutSubmit()));
    await world.runUntilDone();
    expect(await world.attempts(id)).toMatchObject([{ attempt: 1, status: 'validated', engineResult: 'tesSUCCESS' }]);
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('a crash between submitting and recording the answer pays once', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const ledger: Ledger = {
      ...real,
      submit: async (blob) => {
        await real.submit(blob);
        throw ledgerUnavailable('The connection broke');
      },
    };
    await world.run(ctxWith(ledger));
    await world.runUntilDone();
    expect(await world.attempts(id)).toHaveLength(1);
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('a ticket that was used is never signed again, also where a server that lags still lists it', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    const { address } = world.distributor;
    await haveTickets(world.distributor, 20);
    const before = await world.ctx.ledger.tickets(address);
    const first = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    const [used] = await world.attempts(first);
    expect(before).toContain(used?.ticket);
    expect(await world.ctx.ledger.tickets(address)).not.toContain(used?.ticket);
    const lagging: Ledger = { ...world.ctx.ledger, tickets: async () => before };
    const second = await world.owe({ to: holder.address, amount: 1_000_000n });
    expect(await world.run(ctxWith(lagging))).toMatchObject({ submitted: 1 });
    const [next] = await world.attempts(second);
    expect(before).toContain(next?.ticket);
    expect(next?.ticket).not.toBe(used?.ticket);
    world.desk.close();
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('2');
  });

  test('a payout that is booked as paid stays paid when an attempt of it expires afterwards', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(ctxWith(withoutSubmit()));
    // Another slice has booked it by a transaction that this one does not know.
    const paid = { status: 'validated', txHash: 'B'.repeat(64), ledgerIndex: 7, validatedAt: new Date(0) } as const;
    await changeRows(world.database.db, 'payouts', { id }, paid);
    world.desk.close(LEDGERS_TO_LIVE + 2);
    expect(await world.run()).toMatchObject({ expired: 1, submitted: 0 });
    expect(await world.attempts(id)).toMatchObject([{ status: 'expired' }]);
    expect(await world.payout(id)).toMatchObject(paid);
  });

  test('a transaction that never arrived expires, and only then is a new one made, with the same ticket', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const mute = ctxWith(withoutSubmit());
    await world.run(mute);
    world.desk.close(LEDGERS_TO_LIVE);
    expect(await world.run(mute)).toMatchObject({ expired: 0, submitted: 0, remaining: true });
    world.desk.close(2);
    expect(await world.run()).toMatchObject({ expired: 1, submitted: 1 });
    world.desk.close();
    await world.runUntilDone();
    const attempts = await world.attempts(id);
    expect(attempts.map((attempt) => attempt.status)).toEqual(['expired', 'validated']);
    expect(attempts[1]!.ticket).toBe(attempts[0]!.ticket);
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('absence is not believed while the server’s history has a gap', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(ctxWith(withoutSubmit()));
    world.desk.close(LEDGERS_TO_LIVE + 5);
    const real = world.ctx.ledger;
    const gap: Ledger = {
      ...withoutSubmit(),
      lookUpAll: async (hashes) =>
        (await real.lookUpAll(hashes)).map((answer) => {
          if (answer.state === 'validated') return answer;
          const { validatedIndex } = answer.history;
          return { ...answer, history: { validatedIndex, completeLedgers: [[validatedIndex - 3, validatedIndex]] } };
        }),
    };
    expect(await world.run(ctxWith(gap))).toMatchObject({ expired: 0, submitted: 0 });
    expect(await world.attempts(id)).toMatchObject([{ status: 'open' }]);
  });

  test('a payment that the ledger refuses is made again when its holder can take it', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    // The holder closes the line after we looked and before we pay.
    const late: Ledger = {
      ...real,
      submit: async (blob) => {
        await world.desk.send(holder, {
          TransactionType: 'TrustSet',
          Account: holder.address,
          LimitAmount: { currency: 'DMO', issuer: world.issuer.address, value: '0' },
        });
        world.desk.close();
        return real.submit(blob);
      },
    };
    await world.run(ctxWith(late));
    world.desk.close();
    expect(await world.run()).toMatchObject({ failed: 1 });
    const refused = await world.payout(id);
    expect(refused.status).toBe('waiting_holder');
    expect(refused.reason).toMatch(/^tec/);
    await world.trust(holder);
    await world.checkAgain();
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('1');
    const attempts = await world.attempts(id);
    expect(attempts.map((attempt) => attempt.status)).toEqual(['failed', 'validated']);
    expect(attempts[1]!.ticket).not.toBe(attempts[0]!.ticket);
  });
});

describe('refunds', () => {
  test('a refund goes to its sender with the sender’s own tag, and with ours as its source', async () => {
    const [sender] = (await world.desk.accounts(1)) as [Wallet];
    const id = await world.owe({ kind: 'refund', to: sender.address, amount: 2_500_000n, tag: 4242 });
    await world.runUntilDone();
    const paid = await world.payout(id);
    expect(paid.status).toBe('validated');
    expect(await transactionOf(paid.txHash)).toMatchObject({
      Account: world.deposit.address,
      Destination: sender.address,
      DestinationTag: 4242,
      SourceTag: REFUND_SOURCE_TAG,
      DeliverMax: '2500000',
    });
    expect(await eventTypes()).toEqual(['investment.refunded']);
    expect((await world.ctx.ledger.account(sender.address))?.balanceDrops).toBe(1_002_500_000n);
  });

  test('a refund that its sender’s account does not take is held with the reason', async () => {
    const [tagged, closed] = (await world.desk.accounts(2)) as [Wallet, Wallet];
    await world.desk.send(tagged, { TransactionType: 'AccountSet', Account: tagged.address, SetFlag: 1 });
    await world.desk.send(closed, { TransactionType: 'AccountSet', Account: closed.address, SetFlag: 9 });
    world.desk.close();
    const gone = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
    const ids = [tagged.address, closed.address, gone].map((to) => world.owe({ kind: 'refund', to, amount: 999_999n }));
    const reasons: (string | null)[] = [];
    await Promise.all(ids);
    await world.runUntilDone();
    for (const id of ids) {
      const row = await world.payout(await id);
      expect(row.status).toBe('held');
      reasons.push(row.reason);
    }
    expect(reasons).toEqual(['destination_tag_required', 'deposit_authorization_required', 'destination_missing']);
    expect(await rowsOf(world.database.db, 'payoutAttempts')).toEqual([]);
  });

  test('a held refund is paid once its reason is gone and an operator releases it', async () => {
    const [sender] = (await world.desk.accounts(1)) as [Wallet];
    const flag = (over: object) =>
      world.desk.send(sender, { TransactionType: 'AccountSet', Account: sender.address, ...over });
    await flag({ SetFlag: 9 });
    world.desk.close();
    const id = await world.owe({ kind: 'refund', to: sender.address, amount: 1_000_000n });
    await world.run();
    await flag({ ClearFlag: 9 });
    world.desk.close();
    expect(await checkAgain(world.database.db, { payoutIds: [id] }, false)).toEqual([]);
    expect(await checkAgain(world.database.db, { payoutIds: [id] }, true)).toEqual([id]);
    await world.runUntilDone();
    expect(await world.payout(id)).toMatchObject({ status: 'validated', reason: null });
  });

  test('a payment that belongs to no project is refunded without an event', async () => {
    const [sender] = (await world.desk.accounts(1)) as [Wallet];
    const id = await world.owe({ kind: 'refund', to: sender.address, amount: 1_000_000n });
    await changeRows(world.database.db, 'payouts', { id }, { projectId: null, investmentId: null });
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
    expect(await eventTypes()).toEqual([]);
  });
});
