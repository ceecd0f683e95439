import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { acquireLease } from '#lib/base/lease.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { assertLaunchable, readLaunch } from '#lib/sales/actions/launch-readiness.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { LEDGERS_TO_LIVE, lookUpAll } from '#lib/xrpl/transactions.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { addRows, changeRows, deleteRows, rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

const ctxWith = (over: Partial<Ledger>) =>
  testCtx({ db: world.database.db, overrides: { ledger: { ...world.ctx.ledger, ...over } } });
const mute = () => ctxWith({ submit: () => Promise.reject(ledgerUnavailable('The connection broke')) });
const refusal = () => Promise.reject(new PlatformError('service_unavailable', 'refused'));

async function haveTickets(wallet: Wallet, count = 10): Promise<void> {
  await world.desk.send(wallet, { TransactionType: 'TicketCreate', Account: wallet.address, TicketCount: count });
  world.desk.close();
}

/** Pays the deposit account's XRP away except for this much above the reserve of what it owns. */
async function leave(drops: bigint): Promise<void> {
  const [state, server] = await Promise.all([
    world.ctx.ledger.account(world.deposit.address),
    world.ctx.ledger.serverState(),
  ]);
  const spare = (state?.balanceDrops ?? 0n) - server.reserveBaseDrops - drops;
  await world.desk.send(world.deposit, {
    TransactionType: 'Payment',
    Account: world.deposit.address,
    Destination: world.issuer.address,
    Amount: spare.toString(),
  });
  world.desk.close();
}

describe('one fault', () => {
  test('a payout to the token’s issuer is held, and everybody else is paid', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    const toIssuer = await world.owe({ to: world.issuer.address, amount: 1_000_000n });
    const other = await world.owe({ to: holder.address, amount: 1_000_000n });
    const refund = await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect(await world.payout(toIssuer)).toMatchObject({ status: 'held', reason: 'destination_is_issuer' });
    expect((await world.payout(other)).status).toBe('validated');
    expect((await world.payout(refund)).status).toBe('validated');
  });

  test('an odd answer about one holder postpones that payout with a reason, and its account goes on paying', async () => {
    const [odd, holder] = (await world.holders(2)) as [Wallet, Wallet];
    await haveTickets(world.distributor);
    const stuck = await world.owe({ to: odd.address, amount: 1_000_000n });
    const paid = await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const ctx = ctxWith({
      accountFlags: (address) => (address === odd.address ? refusal() : real.accountFlags(address)),
    });
    expect(await world.run(ctx)).toMatchObject({ broken: 0, submitted: 1, waiting: 1 });
    const postponed = await world.payout(stuck);
    expect(postponed).toMatchObject({ status: 'ready', reason: 'facts_unreadable' });
    expect(postponed.nextCheckAt.getTime()).toBeGreaterThan(Date.now() + 20_000);
    expect((await world.payout(paid)).status).toBe('submitted');
  });

  test('a transaction whose submission is refused does not keep the others from being submitted', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor, 20);
    for (let i = 0; i < 12; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    let asked = 0;
    await world.run(
      ctxWith({
        submit: (blob) => {
          asked += 1;
          return asked === 1 ? refusal() : real.submit(blob);
        },
      }),
    );
    world.desk.close();
    expect(await world.tokens(holder.address)).toBe('11');
  });

  test.each(['service_unavailable', 'ledger_unavailable'] as const)(
    'an account that alone gets %s does not keep others from being paid',
    async (code) => {
      const [holder] = (await world.holders(1)) as [Wallet];
      await haveTickets(world.distributor);
      await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
      const id = await world.owe({ to: holder.address, amount: 1_000_000n });
      const real = world.ctx.ledger;
      const ctx = ctxWith({
        account: (address) =>
          address === world.deposit.address ? Promise.reject(new PlatformError(code, 'odd')) : real.account(address),
      });
      expect(await world.run(ctx)).toMatchObject({ broken: 1, submitted: 1 });
      expect((await world.payout(id)).status).toBe('submitted');
    },
  );

  test('an account that could not be paid from is a fault of the run that the scheduler sees', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const ctx = ctxWith({
      account: (address) => (address === world.deposit.address ? refusal() : real.account(address)),
    });
    expect((await processPayments(ctx)).faults).toContain('payouts of 1 account(s)');
  });

  test('which account is paid from first is drawn anew in each slice', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    await world.owe({ to: holder.address, amount: 1_000_000n });
    const orders = new Set<string>();
    const real = world.ctx.ledger;
    for (const first of [0, 255]) {
      const seen: string[] = [];
      const paying = [world.deposit.address, world.distributor.address];
      const ctx = ctxWith({
        tickets: (address) => {
          if (paying.includes(address)) seen.push(address);
          return real.tickets(address);
        },
      });
      let drawn = 0;
      const random = ctx.random;
      ctx.random = (size) => {
        if (size !== 8) return random(size);
        drawn += 1;
        return Buffer.alloc(8, drawn === 1 ? first : 100);
      };
      await world.checkAgain();
      await changeRows(world.database.db, 'payouts', {}, { status: 'ready' });
      await world.run(ctx);
      orders.add([...new Set(seen)].join());
    }
    expect(orders.size).toBe(2);
  });

  test('a slow account stops at its share of the time', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor, 100);
    await haveTickets(world.deposit);
    for (let i = 0; i < 60; i++) await world.owe({ to: holder.address, amount: 1n });
    const refund = await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const ctx = ctxWith({});
    // The distributor's two batches would take all of the time; it is drawn first.
    ctx.ledger.tickets = async (address) => {
      if (address === world.distributor.address) ctx.clock.advance(11_000);
      return real.tickets(address);
    };
    const [first] = [world.deposit.address, world.distributor.address].sort();
    const random = ctx.random;
    let drawn = 0;
    ctx.random = (size) => {
      if (size !== 8) return random(size);
      drawn += 1;
      const isDistributor = (drawn === 1) === (first === world.distributor.address);
      return Buffer.alloc(8, isDistributor ? 0 : 255);
    };
    expect(await runPayouts(ctx, { deadlineMs: ctx.clock.nowMs() + 20_000 })).toMatchObject({ submitted: 51 });
    expect((await world.payout(refund)).status).toBe('submitted');
  });
});

describe('the XRP of a deposit account', () => {
  test('refunds that the account can just pay are all paid: no spare ticket locks up what they need', async () => {
    const [sender] = (await world.desk.accounts(1)) as [Wallet];
    // What the launch check asks for beside the payments: ten objects and five XRP.
    await leave(7_000_000n + 50n * 100_000_000n);
    for (let i = 0; i < 50; i++) await world.owe({ kind: 'refund', to: sender.address, amount: 100_000_000n });
    for (let slice = 0; slice < 20; slice++) {
      await world.checkAgain();
      await world.run();
      world.desk.close();
    }
    const rows = await world.database.db.select({ status: payouts.status }).from(payouts);
    expect(rows.filter(({ status }) => status === 'validated')).toHaveLength(50);
  });
});

describe('absence', () => {
  test('a connection that leads to two machines, of which one lags, pays nothing twice', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run();
    world.desk.close(LEDGERS_TO_LIVE + 5);
    const { client } = world.desk;
    const proxied = ctxWith({
      lookUpAll: (hashes) =>
        lookUpAll(
          {
            url: 'proxy',
            request: async (command) =>
              command.command === 'tx'
                ? { validated: false }
                : (await client.request({ command: 'server_info' })).result,
          },
          hashes,
        ),
    });
    expect(await world.run(proxied)).toMatchObject({ expired: 0, submitted: 0 });
    await world.runUntilDone();
    expect(await world.attempts(id)).toMatchObject([{ status: 'validated' }]);
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('a payment that the first server has no history of is settled by one that has', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run();
    world.desk.close(LEDGERS_TO_LIVE + 20);
    const real = world.ctx.ledger;
    const { validatedIndex } = await real.serverState();
    const short = (hashes: readonly string[]) =>
      hashes.map(() => ({
        state: 'not_validated' as const,
        history: { validatedIndex, completeLedgers: [[validatedIndex - 3, validatedIndex]] as [number, number][] },
      }));
    const lookUpAll = async (hashes: readonly string[]) => short(hashes);
    const alone = ctxWith({ lookUpAll, lookUpEverywhere: async (hashes) => [short(hashes)] });
    expect(await world.run(alone)).toMatchObject({ validated: 0, expired: 0 });
    const both = ctxWith({
      lookUpAll,
      lookUpEverywhere: async (hashes) => [await real.lookUpAll(hashes), short(hashes)],
    });
    expect(await world.run(both)).toMatchObject({ validated: 1 });
    expect((await world.payout(id)).status).toBe('validated');
  });

  test('a ticket that stands in a ledger before LastLedgerSequence proves nothing', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(mute());
    world.desk.close(LEDGERS_TO_LIVE + 5);
    const [attempt] = await world.attempts(id);
    const real = world.ctx.ledger;
    const shownAt = (over: number) =>
      ctxWith({
        ticketsAt: async (address) => {
          const shown = await real.ticketsAt(address);
          return shown && { ...shown, ledgerIndex: (attempt?.lastLedgerSequence ?? 0) + over };
        },
      });
    expect(await world.run(shownAt(-1))).toMatchObject({ expired: 0, submitted: 0 });
    expect(await world.run(shownAt(0))).toMatchObject({ expired: 1, submitted: 1 });
  });
});

describe('a payer that cannot sign', () => {
  async function disableMasterKey(): Promise<void> {
    const Account = world.distributor.address;
    const RegularKey = world.deposit.address;
    await world.desk.send(world.distributor, { TransactionType: 'SetRegularKey', Account, RegularKey });
    await world.desk.send(world.distributor, { TransactionType: 'AccountSet', Account, SetFlag: 4 });
    world.desk.close();
  }

  test('with its master key disabled postpones its payouts with the reason and signs nothing', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await disableMasterKey();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'payer_key_disabled' });
    expect(await world.attempts(id)).toEqual([]);
  });

  test('what the server keeps refusing waits longer with the refusal as its reason, and the third expiry is logged as an error', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const ctx = ctxWith({
      submit: async () => ({ engineResult: 'telINSUF_FEE_P' }),
    });
    const alarm = vi.spyOn(ctx.log, 'error');
    for (let expiry = 1; expiry <= 3; expiry++) {
      await world.run(ctx);
      world.desk.close(LEDGERS_TO_LIVE + 5);
      expect(alarm).not.toHaveBeenCalled();
      expect(await world.run(ctx)).toMatchObject({ expired: 1, submitted: 0 });
      const row = await world.payout(id);
      expect(row).toMatchObject({ status: 'ready', reason: 'telINSUF_FEE_P' });
      expect(row.nextCheckAt.getTime()).toBeGreaterThan(Date.now() + 20_000);
      await world.checkAgain();
    }
    expect(alarm).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ payout_id: id, expired: 3, engine_result: 'telINSUF_FEE_P' }),
      'a payout expires again and again',
    );
    alarm.mockRestore();
  });
});

describe('the sequence', () => {
  test('an action behind a ticket request that has died leaves no gap', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    await world.run(mute());
    world.desk.close(LEDGERS_TO_LIVE + 10);
    const account = await world.ctx.ledger.account(world.deposit.address);
    await submitAction(world.ctx, { projectId: world.projectId, action: 'pause', reason: 'emergency' });
    const [action] = await rowsOf(world.database.db, 'actions');
    expect(action?.sequence).toBe(account?.sequence);
    world.desk.close();
    expect((await world.ctx.ledger.lookUp(action?.txHash ?? '')).state).toBe('validated');
  });

  test('who has lost the lease while submitting asks for no tickets', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor, 1);
    await world.owe({ to: holder.address, amount: 1_000_000n });
    const { db } = world.database;
    const real = world.ctx.ledger;
    const ctx = ctxWith({
      submit: async (blob) => {
        const name = `signer:${world.distributor.address}`;
        await changeRows(db, 'leases', { name }, { leasedUntil: new Date(0) });
        await acquireLease(db, name, 'another', 60);
        return real.submit(blob);
      },
    });
    expect(await world.run(ctx)).toMatchObject({ submitted: 1 });
    expect(await rowsOf(db, 'ticketRequests')).toEqual([]);
  });
});

describe('a halted deposit account', () => {
  test('hands nothing to the ledger that was signed before, and still owes it after it has expired', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(mute());
    await changeRows(world.database.db, 'depositAccounts', {}, { halted: true });
    await world.run();
    world.desk.close(LEDGERS_TO_LIVE + 5);
    await world.run();
    expect(await world.tokens(holder.address)).toBe('0');
    expect(await world.attempts(id)).toMatchObject([{ status: 'expired' }]);
    expect((await world.payout(id)).status).toBe('ready');
    await changeRows(world.database.db, 'depositAccounts', {}, { halted: false });
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('signs nothing that was read as due before the halt', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await haveTickets(world.distributor);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const ctx = ctxWith({
      tickets: async (address) => {
        await changeRows(world.database.db, 'depositAccounts', {}, { halted: true });
        return real.tickets(address);
      },
    });
    expect(await world.run(ctx)).toMatchObject({ submitted: 0 });
    expect((await world.payout(id)).status).toBe('scheduled');
    expect(await rowsOf(world.database.db, 'payoutAttempts')).toEqual([]);
  });
});

describe('a launch', () => {
  test('does not count on tokens that were paid out after its facts were read', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.owe({ to: holder.address, amount: 500_000_000_000n });
    const { db } = world.database;
    const [running] = await rowsOf(db, 'projects');
    if (running === undefined) throw new Error('The world has a project');
    const id = newId('proj', world.ctx.random);
    await addRows(db, 'projects', {
      ...running,
      id,
      slug: id.toLowerCase(),
      destinationTag: 78,
      status: 'draft',
      treasury: world.issuer.address,
    });
    const [row] = await rowsOf(db, 'projects', { id });
    if (row === undefined) throw new Error('The draft was inserted');
    const launchOf = async (totalUnits: bigint) => {
      await deleteRows(db, 'tiers', { projectId: id });
      await addRows(db, 'tiers', { projectId: id, tier: 1, price: 1n, totalUnits });
      return readLaunch(world.ctx, row);
    };
    const early = await launchOf(1_000_000_000_000n);
    await world.runUntilDone();
    await expect(assertLaunchable(db, 0, row, early)).rejects.toMatchObject({ code: 'launch_not_ready' });
    await assertLaunchable(db, 0, row, await launchOf(500_000_000_000n));
  });
});
