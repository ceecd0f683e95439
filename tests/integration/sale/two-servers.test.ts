import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { advanceAccount } from '#lib/jobs/advance-account.ts';
import { type ClosableLedger, openLedger } from '#lib/ledger/ledger.ts';
import type { FeedPage } from '#lib/ledger/types.ts';
import { type SandboxLedger, startLedger } from '#sandbox/ledger/index.ts';
import { NETWORK_ID } from '#tests/integration/ledger/desk.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
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

const without = (page: FeedPage, hash: string): FeedPage => ({
  ...page,
  entries: page.entries.filter((entry) => entry.hash !== hash),
});

describe('with two ledger servers configured, a payment is confirmed', () => {
  it('as soon as both report it', async () => {
    const hash = await paid();

    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 1 });
    expect(await outcomeOf(hash)).toBe('invested');
  });

  it('no further than the one that lags behind, and then at once', async () => {
    peer.faults.set({ lagLedgers: 3 });
    const hash = await paid();

    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 0 });
    expect(await outcomeOf(hash)).toBe('pending');
    expect(await alerts()).toEqual([]);

    peer.faults.clear();
    expect(await advance()).toMatchObject({ recognised: 0, confirmed: 1 });
  });

  it('never on the word of one of them alone', async () => {
    peer.faults.set({ missingLedgers: [{ from: 1, to: 1_000_000 }] });
    const hash = await paid();

    expect(await advance()).toMatchObject({ recognised: 1, confirmed: 0 });
    expect(await outcomeOf(hash)).toBe('pending');
  });

  it('never when a payment that one of them reports is not in the books, and an alert says so once', async () => {
    const before = await paid();
    const hash = await paid();
    const lying: TestCtx['ledger'] = {
      ...ledger,
      readFeed: async (request) => without(await ledger.readFeed(request), hash),
      readFeedEverywhere: async (request) => {
        const [first, ...others] = await ledger.readFeedEverywhere(request);
        return first === undefined ? [] : [without(first, hash), ...others];
      },
    };

    expect(await advance(lying)).toMatchObject({ recognised: 1, confirmed: 1 });
    await advance(lying);

    expect(await outcomeOf(before)).toBe('invested');
    const [row] = await stage.ctx.db
      .select()
      .from(depositAccounts)
      .where(eq(depositAccounts.address, sale.deposit.address));
    // Decided up to the ledger before the one in dispute.
    expect(row?.confirmedLedger).toBeLessThan(row?.cursorLedger ?? 0);
    expect(await alerts()).toHaveLength(1);
  });

  it('never when one of them reports another amount', async () => {
    const hash = await paid();
    const lying: TestCtx['ledger'] = {
      ...ledger,
      readFeedEverywhere: async (request) => {
        const [first, ...others] = await ledger.readFeedEverywhere(request);
        if (first === undefined) return [];
        const entries = first.entries.map((entry) =>
          entry.kind === 'payment' && entry.hash === hash ? { ...entry, deliveredDrops: 1n } : entry,
        );
        return [{ ...first, entries }, ...others];
      },
    };

    expect(await advance(lying)).toMatchObject({ confirmed: 0 });
    expect(await outcomeOf(hash)).toBe('pending');
    expect(await alerts()).toHaveLength(1);
  });
});
