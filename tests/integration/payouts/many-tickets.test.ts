import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decode, type Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { guardKey } from '#lib/payouts/restore-guard.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { Draw } from '#tests/faults/draw.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

test('tickets for everything that is due are asked for in one ledger, and the next ledger pays it', async () => {
  const [holder] = (await world.holders(1)) as [Wallet];
  for (let i = 0; i < 160; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  expect(await world.run()).toMatchObject({ submitted: 160 });
  world.desk.close();
  await world.run();
  const rows = await world.database.db.select({ status: payouts.status }).from(payouts);
  expect(rows.filter(({ status }) => status === 'validated')).toHaveLength(160);
});

test('no more tickets are asked for than may be under way at once', async () => {
  const [holder] = (await world.holders(1)) as [Wallet];
  for (let i = 0; i < 240; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  expect(await world.ctx.ledger.tickets(world.distributor.address)).toHaveLength(205);
  expect(await world.run()).toMatchObject({ submitted: 200 });
});

const ctxWith = (changed: Partial<Ledger>, redis = world.ctx.redis) =>
  testCtx({ db: world.database.db, overrides: { ledger: { ...world.ctx.ledger, ...changed }, redis } });

const typeOf = (blob: string) => decode(blob).TransactionType;

async function oweMany(count: number, kind: 'distribution' | 'refund' = 'distribution'): Promise<Wallet> {
  const [holder] = (await world.holders(1)) as [Wallet];
  await Promise.all(Array.from({ length: count }, () => world.owe({ kind, to: holder.address, amount: 1_000_000n })));
  return holder;
}

test('a long queue is paid two hundred a ledger: tickets are asked for in the ledger that uses up those before', async () => {
  const holder = await oweMany(430);
  const submitted: number[] = [];
  for (let slice = 0; slice < 5; slice++) {
    submitted.push((await world.run()).submitted);
    world.desk.close();
  }
  expect(submitted).toEqual([0, 200, 200, 30, 0]);
  expect(await world.tokens(holder.address)).toBe('430');
  const requests = await rowsOf(world.database.db, 'ticketRequests');
  expect(requests.map(({ count, status }) => `${count} ${status}`)).toEqual([
    '205 validated',
    '200 validated',
    '30 validated',
  ]);
  // What is left when the queue is at its end keeps the reserve of a few.
  expect(await world.ctx.ledger.tickets(world.distributor.address)).toHaveLength(5);
});

test('an account whose XRP is the reserve of forty tickets pays forty a ledger', async () => {
  const { desk, distributor } = world;
  const state = await world.ctx.ledger.account(distributor.address);
  // The trust line, 1 XRP base reserve, 1 XRP kept for fees, and what fees cost here.
  const left = 1_000_000n + 200_000n + 1_000_000n + 40n * 200_000n + 50_000n;
  await desk.send(distributor, {
    TransactionType: 'Payment',
    Account: distributor.address,
    Destination: world.issuer.address,
    Amount: String((state?.balanceDrops ?? 0n) - left),
  });
  desk.close();
  const holder = await oweMany(120);
  const submitted: number[] = [];
  for (let slice = 0; slice < 4; slice++) {
    submitted.push((await world.run()).submitted);
    desk.close();
  }
  expect(submitted).toEqual([0, 40, 40, 40]);
  expect(await world.tokens(holder.address)).toBe('120');
});

test('where the payments miss the ledger of the tickets that were to follow them, those are asked for again', async () => {
  const holder = await oweMany(260);
  await world.run();
  world.desk.close();
  // The server says that it has applied them, and loses them.
  const losing = ctxWith({
    submit: async (blob) =>
      typeOf(blob) === 'Payment' ? { engineResult: 'tesSUCCESS' } : world.ctx.ledger.submit(blob),
  });
  expect(await world.run(losing)).toMatchObject({ submitted: 200 });
  await world.runUntilDone();
  expect(await world.tokens(holder.address)).toBe('260');
  const requests = await rowsOf(world.database.db, 'ticketRequests');
  expect(requests.map(({ status }) => status)).toEqual(['validated', 'failed', 'validated']);
  expect(await rowsOf(world.database.db, 'payoutAttempts')).toHaveLength(260);
});

test('while a part of a batch is being submitted, the next one is signed and persisted, and the ledger read for the one behind it', async () => {
  const holder = await oweMany(120);
  await world.run();
  world.desk.close();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  let partsRead = 0;
  const slow = ctxWith({
    accountFlags: (address) => {
      if (address === holder.address) partsRead += 1;
      return world.ctx.ledger.accountFlags(address);
    },
    submit: async (blob) => {
      if (typeOf(blob) === 'Payment') await goOn;
      return world.ctx.ledger.submit(blob);
    },
  });
  const running = world.run(slow);
  const persisted = async () => (await rowsOf(world.database.db, 'payoutAttempts')).length;
  await expect.poll(persisted).toBe(100);
  expect(partsRead).toBe(3);
  resolve();
  expect(await running).toMatchObject({ submitted: 120 });
  world.desk.close();
  await world.run();
  expect(await world.tokens(holder.address)).toBe('120');
});

test('the ledger has all of a part before it is asked about the one behind the next: it works while the restore guard is checked', async () => {
  const holder = await oweMany(120);
  await world.run();
  world.desk.close();
  let handedOver = 0;
  const whenAsked: number[] = [];
  const watched = ctxWith({
    accountFlags: (address) => {
      if (address === holder.address) whenAsked.push(handedOver);
      return world.ctx.ledger.accountFlags(address);
    },
    submit: (blob) => {
      handedOver += 1;
      return world.ctx.ledger.submit(blob);
    },
  });
  expect(await world.run(watched)).toMatchObject({ submitted: 120 });
  expect(whenAsked).toEqual([0, 0, 50]);
});

test('what is due next is read, and the ledger asked about it, while what is under way is being looked up', async () => {
  const holder = await oweMany(210);
  await world.run();
  world.desk.close();
  expect(await world.run()).toMatchObject({ submitted: 200 });
  world.desk.close();
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  const waiting = ctxWith({
    accountFlags: (address) => {
      resolve();
      return world.ctx.ledger.accountFlags(address);
    },
    lookUpAll: async (...asked) => {
      await isAsked;
      return world.ctx.ledger.lookUpAll(...asked);
    },
  });
  expect(await world.run(waiting)).toMatchObject({ validated: 200, submitted: 10 });
  await world.runUntilDone();
  expect(await world.tokens(holder.address)).toBe('210');
});

describe('what was read before a ledger that has decided what was under way is read again', () => {
  /** Its look-ups wait until a question about the account is answered, and for the ledger that closes then. */
  const closingAfter = (question: 'trustLine' | 'tickets', account: string, redis = world.ctx.redis) => {
    const { promise: isAnswered, resolve } = Promise.withResolvers<void>();
    const noteAnswer = (asked: typeof question, of: string) => {
      if (asked === question && of === account) resolve();
    };
    const { ledger } = world.ctx;
    let hasClosed = false;
    const changed: Partial<Ledger> = {
      tickets: async (address) => {
        const tickets = await ledger.tickets(address);
        noteAnswer('tickets', address);
        return tickets;
      },
      trustLine: async (holder, issuer, currency) => {
        const line = await ledger.trustLine(holder, issuer, currency);
        noteAnswer('trustLine', holder);
        return line;
      },
      lookUpAll: async (hashes, sentBy) => {
        if (hashes.length > 0) {
          await isAnswered;
          if (!hasClosed) world.desk.close();
          hasClosed = true;
        }
        return ledger.lookUpAll(hashes, sentBy);
      },
    };
    return ctxWith(changed, redis);
  };

  test('tokens that have left with it are not promised again', async () => {
    const [holder, other] = (await world.holders(2)) as [Wallet, Wallet];
    const mostOfIt = 600_000_000_000n;
    const first = await world.owe({ to: holder.address, amount: mostOfIt });
    await world.run();
    world.desk.close();
    expect(await world.run()).toMatchObject({ submitted: 1 });
    const second = await world.owe({ to: other.address, amount: mostOfIt });
    await world.run(closingAfter('trustLine', world.distributor.address));
    expect(await world.payout(first)).toMatchObject({ status: 'validated' });
    expect(await world.payout(second)).toMatchObject({ status: 'ready', reason: 'payer_underfunded' });
    expect(await world.attempts(second)).toEqual([]);
  });

  test('tickets that it has created are used, and not asked for a second time', async () => {
    await oweMany(120);
    await world.run();
    expect(await world.run(closingAfter('tickets', world.distributor.address))).toMatchObject({ submitted: 120 });
    const [first, ...more] = await rowsOf(world.database.db, 'ticketRequests');
    expect(first).toMatchObject({ count: 125, status: 'validated' });
    expect(more).toEqual([]);
  });

  test('the check of the restore guard that was begun with it has ended before the next one writes', async () => {
    const holder = await oweMany(1);
    await world.run();
    world.desk.close();
    expect(await world.run()).toMatchObject({ submitted: 1 });
    await world.owe({ to: holder.address, amount: 1_000_000n });
    const { redis } = world.ctx;
    await redis.del(guardKey(NETWORK_ID));
    const writes: string[] = [];
    const hset: typeof redis.hset = async (...given) => {
      writes.push('begun');
      if (writes.length === 1) {
        const isOvertaken = () => expect(writes.length).toBeGreaterThan(1);
        await vi.waitFor(isOvertaken, { timeout: 300, interval: 10 }).catch(() => undefined);
      }
      const count = await redis.hset(...given);
      writes.push('ended');
      return count;
    };
    const slow = Object.create(redis, { hset: { value: hset } });
    await world.run(closingAfter('trustLine', world.distributor.address, slow));
    expect(writes.slice(0, 3)).toEqual(['begun', 'ended', 'begun']);
  });
});

test('a halt while a part of a batch waits for the one in front of it keeps it from the ledger, until the account goes on', async () => {
  const holder = await oweMany(100);
  await world.run();
  world.desk.close();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  let submissions = 0;
  const slow = ctxWith({
    submit: async (blob) => {
      if (typeOf(blob) === 'Payment') {
        submissions += 1;
        await goOn;
      }
      return world.ctx.ledger.submit(blob);
    },
  });
  const running = world.run(slow);
  await expect.poll(async () => (await rowsOf(world.database.db, 'payoutAttempts')).length).toBe(100);
  const halt = (halted: boolean) => world.database.db.update(depositAccounts).set({ halted });
  await halt(true);
  resolve();
  expect(await running).toMatchObject({ submitted: 50 });
  expect(submissions).toBe(50);
  await halt(false);
  await world.runUntilDone();
  expect(await world.tokens(holder.address)).toBe('100');
});

test('a slice that ends between two parts of a batch leaves the second to the next slice', async () => {
  const holder = await oweMany(120);
  await world.run();
  world.desk.close();
  const cut = ctxWith({
    submit: async (blob) => {
      cut.clock.advance(3_600_000);
      return world.ctx.ledger.submit(blob);
    },
  });
  const { submitted } = await runPayouts(cut, { deadlineMs: cut.clock.nowMs() + 1_000 });
  expect([50, 100]).toContain(submitted);
  await world.runUntilDone();
  expect(await world.tokens(holder.address)).toBe('120');
  expect((await rowsOf(world.database.db, 'payoutAttempts')).length).toBe(120);
});

test.each([1, 2])(
  'a long queue is paid once each, wherever slices break off and whatever is lost (%i)',
  async (seed) => {
    const draw = new Draw(`long queue ${seed}`);
    const count = 330;
    const holder = await oweMany(count);
    const { ledger } = world.ctx;
    for (let slice = 0; slice < 12; slice++) {
      let callsLeft = draw.between(20, 900);
      const call = async <T>(answer: () => Promise<T>): Promise<T> => {
        callsLeft -= 1;
        if (callsLeft < 0) throw ledgerUnavailable('The process is gone');
        return answer();
      };
      const dying = ctxWith({
        tickets: (address) => call(() => ledger.tickets(address)),
        trustLine: (...line) => call(() => ledger.trustLine(...line)),
        lookUpAll: (...asked) => call(() => ledger.lookUpAll(...asked)),
        submit: (blob) =>
          call(async () => {
            if (draw.chance(0.01)) world.desk.close();
            if (draw.chance(0.03)) throw ledgerUnavailable('It never arrived');
            if (draw.chance(0.02)) return { engineResult: 'tesSUCCESS' };
            const answer = await ledger.submit(blob);
            if (draw.chance(0.03)) throw ledgerUnavailable('The answer is lost');
            return answer;
          }),
      });
      await world.run(dying).catch(() => null);
      if (draw.chance(0.7)) world.desk.close();
    }
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe(String(count));
    const attempts = await rowsOf(world.database.db, 'payoutAttempts');
    expect(attempts.filter(({ status }) => status === 'validated')).toHaveLength(count);
    expect(attempts.filter(({ status }) => status === 'open')).toEqual([]);
    expect(await rowsOf(world.database.db, 'ticketRequests', { status: 'open' })).toEqual([]);
    expect(await rowsOf(world.database.db, 'events')).toHaveLength(count);
  },
);
