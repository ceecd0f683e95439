import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { events } from '#drizzle/schema/events.ts';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import { type ClosableLedger, openLedger } from '#lib/xrpl/ledger.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let peer: SandboxLedger;
let ledger: ClosableLedger;
let sale: Sale;

beforeAll(async () => {
  stage = await openStage();
  peer = await startLedger({ peerOf: stage.desk.ledger });
});

afterAll(async () => {
  await ledger?.close();
  await peer?.close();
  await stage?.end();
});

beforeEach(async () => {
  stage.set({ XRPL_URLS: stage.desk.ledger.wsUrl });
  peer.faults.clear();
  sale = await stage.launched();
  await ledger?.close();
  const urls = [stage.desk.ledger.wsUrl, peer.wsUrl];
  stage.set({ XRPL_URLS: urls.join(',') });
  ledger = openLedger({ urls, networkId: NETWORK_ID });
});

const advance = async (port: TestCtx['ledger'] = ledger) => {
  const ctx: TestCtx = { ...stage.ctx, ledger: port };
  return advanceAccount(ctx, {
    account: sale.deposit.address,
    server: await port.serverState(),
    deadlineMs: Number.POSITIVE_INFINITY,
    stillMine: async () => true,
  });
};

/** A payment in a ledger that is confirmable. */
async function paid(): Promise<string> {
  const hash = await stage.pay(await stage.account(), sale, 10);
  stage.desk.close(2);
  return hash;
}

const outcomeOf = async (hash: string) =>
  (await stage.ctx.db.select({ outcome: payments.outcome }).from(payments).where(eq(payments.txHash, hash)))[0]
    ?.outcome;

const alerts = async () =>
  (await stage.ctx.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert'))).filter(
    ({ body }) => body.includes('servers_disagree') && body.includes(sale.deposit.address),
  );

const statusOf = async () =>
  (await stage.ctx.db.select({ status: projects.status }).from(projects).where(eq(projects.id, sale.project.id)))[0]
    ?.status;

describe('with two ledger servers configured, a payment is confirmed', () => {
  it('as soon as both report it', async () => {
    const hash = await paid();

    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 1 });
    expect(await outcomeOf(hash)).toBe('invested');
  });

  it('no further than the one that lags behind, and then at once', async () => {
    peer.faults.set({ lagLedgers: 3 });
    const hash = await paid();

    expect(await advance()).toMatchObject({ recognised: 0, confirmed: 0 });
    expect(await alerts()).toEqual([]);

    peer.faults.clear();
    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 1 });
    expect(await outcomeOf(hash)).toBe('invested');
  });

  it('at a time that both tell: until they have its confirming ledger in common, it waits', async () => {
    const hash = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(2);
    peer.faults.set({ lagLedgers: 1 });

    // Both show the payment; only one of them has the ledger after it.
    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 0, more: false });

    stage.desk.close();
    expect(await advance()).toMatchObject({ confirmed: 1 });
    const [row] = await stage.ctx.db
      .select({ ledgerIndex: payments.ledgerIndex, confirmedAt: investments.confirmedAt })
      .from(payments)
      .innerJoin(investments, eq(investments.txHash, payments.txHash))
      .where(eq(payments.txHash, hash));
    expect(row?.confirmedAt?.getTime()).toBe(await ledger.closedAtMs((row?.ledgerIndex ?? 0) + 1));
  });

  it('never at a time that one of them alone tells, however long ago the ledger closed', async () => {
    const hash = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(5);
    const shifted: TestCtx['ledger'] = {
      ...ledger,
      headEverywhere: async (ledgerIndex) => {
        const [first, ...others] = await ledger.headEverywhere(ledgerIndex);
        if (first === undefined) return [];
        const { validatedIndex } = await ledger.serverState();
        // The newest ledger is told alike: the feed itself is agreed on.
        return [ledgerIndex === validatedIndex ? first : { ...first, closedAtMs: first.closedAtMs + 1_000 }, ...others];
      },
    };

    await expect(advance(shifted)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await outcomeOf(hash)).toBe('pending');
    expect(await advance()).toMatchObject({ confirmed: 1 });
  });

  it('never on the word of one of them alone', async () => {
    peer.faults.set({ missingLedgers: [{ from: 1, to: 1_000_000 }] });
    const hash = await paid();

    await expect(advance()).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await outcomeOf(hash)).toBeUndefined();
  });
});

describe('what one of two servers alone says never reaches the books, and stops nothing for good', () => {
  /** The first server's answers, altered. */
  const lying = (alter: (entry: FeedEntry) => FeedEntry | null): TestCtx['ledger'] => ({
    ...ledger,
    readFeedEverywhere: async (request) => {
      const [first, ...others] = await ledger.readFeedEverywhere(request);
      if (first === undefined) return [];
      return [{ ...first, entries: first.entries.flatMap((entry) => alter(entry) ?? []) }, ...others];
    },
  });

  const lies: Readonly<Record<string, (hash: string) => (entry: FeedEntry) => FeedEntry | null>> = {
    'a payment left out': (hash) => (entry) => (entry.hash === hash ? null : entry),
    'another amount': (hash) => (entry) =>
      entry.hash === hash && entry.kind === 'payment' ? { ...entry, deliveredDrops: 1n } : entry,
    'another SourceTag, to which the tokens would go': (hash) => (entry) =>
      entry.hash === hash && entry.kind === 'payment' ? { ...entry, sourceTag: 666 } : entry,
    'another sender': (hash) => (entry) =>
      entry.hash === hash && entry.kind === 'payment' ? { ...entry, sender: sale.issuer.address } : entry,
    'an invented payment': (hash) => (entry) => (entry.hash === hash ? { ...entry, hash: 'F'.repeat(64) } : entry),
  };

  it.each(Object.entries(lies))('%s', async (_, lie) => {
    const before = await paid();
    const hash = await paid();

    expect(await advance(lying(lie(hash)))).toMatchObject({ recognised: 1, confirmed: 1 });
    await advance(lying(lie(hash)));

    expect(await outcomeOf(before)).toBe('invested');
    expect(await outcomeOf(hash)).toBeUndefined();
    expect(await alerts()).toHaveLength(1);

    // The servers agree again: the sale goes on by itself.
    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 1 });
    expect(await outcomeOf(hash)).toBe('invested');
  });

  it('an action that says something else', async () => {
    await stage.act(sale, 'pause');
    stage.desk.close(2);
    const turned = lying((entry) =>
      entry.kind === 'self' ? { ...entry, memos: entry.memos.map((memo) => memo.replace('pause', 'cancel')) } : entry,
    );

    await advance(turned);
    expect(await statusOf()).toBe('active');
    await advance();
    expect(await statusOf()).toBe('paused');
  });

  it('a wrong hash of the ledger where a page ends', async () => {
    await paid();
    const liar: TestCtx['ledger'] = {
      ...ledger,
      headEverywhere: async (index) => {
        const [first, ...others] = await ledger.headEverywhere(index);
        return first === undefined ? [] : [{ ...first, hash: '0'.repeat(64) }, ...others];
      },
    };

    expect(await advance(liar)).toMatchObject({ recognised: 0 });
    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 1 });
  });

  it('a later close time, by which the sale would be over', async () => {
    const { db } = stage.database;
    const endsAt = new Date(stage.ctx.clock.nowMs() + 30_000);
    await changeRows(db, 'projects', { id: sale.project.id }, { endsAt });
    stage.desk.close(2);
    const liar: TestCtx['ledger'] = {
      ...ledger,
      headEverywhere: async (index) => {
        const [first, ...others] = await ledger.headEverywhere(index);
        return first === undefined ? [] : [{ ...first, closedAtMs: endsAt.getTime() + 1 }, ...others];
      },
    };

    await advance(liar);
    expect(await statusOf()).toBe('active');
  });
});
