import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { type ClosableLedger, openLedger } from '#lib/xrpl/ledger.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from './desk.ts';

let desk: LedgerDesk;
let port: ClosableLedger;
let deposit: Wallet;
let firstLedger: number;
let lastLedger: number;

beforeAll(async () => {
  desk = await openDesk();
  port = openLedger({ urls: [desk.ledger.wsUrl], networkId: NETWORK_ID });
  const [account, alice, bob] = await desk.accounts(3, 100_000);
  deposit = account!;
  firstLedger = desk.close(2);
  for (const size of [3, 0, 1, 230, 0, 5, 2]) {
    for (let i = 0; i < size; i++) {
      await desk.send(i % 2 === 0 ? alice! : bob!, {
        TransactionType: 'Payment',
        Account: (i % 2 === 0 ? alice! : bob!).address,
        Destination: deposit.address,
        Amount: String(1_000_000 + i),
        DestinationTag: 77,
        SourceTag: i,
      });
    }
    desk.close();
  }
  await desk.send(deposit, {
    TransactionType: 'AccountSet',
    Account: deposit.address,
    Memos: [{ Memo: { MemoData: Buffer.from('{"v":1}').toString('hex').toUpperCase() } }],
  });
  await desk.send(deposit, {
    TransactionType: 'Payment',
    Account: deposit.address,
    Destination: alice!.address,
    Amount: '5',
  });
  lastLedger = desk.close(3);
});
afterAll(async () => {
  await port?.close();
  await desk?.end();
});

async function readAll(maxEntries: number): Promise<{ entries: FeedEntry[]; pages: number }> {
  const entries: FeedEntry[] = [];
  let afterLedger = firstLedger;
  let afterHash: string | null = null;
  for (let pages = 1; ; pages++) {
    const page = await port.readFeed({
      account: deposit.address,
      afterLedger,
      afterHash,
      throughLedger: lastLedger,
      maxEntries,
    });
    entries.push(...page.entries);
    expect(page.readThrough).toBeGreaterThan(afterLedger);
    afterLedger = page.readThrough;
    afterHash = page.readThroughHash;
    if (afterLedger === lastLedger) return { entries, pages };
  }
}

describe('the feed of an account', () => {
  test('is the same in every page size, also where one ledger holds more than a page', async () => {
    const whole = await readAll(10_000);
    expect(whole.pages).toBe(1);
    expect(whole.entries).toHaveLength(243);
    for (const maxEntries of [1, 2, 7, 200, 231, 242]) {
      const paged = await readAll(maxEntries);
      expect(paged.entries, `maxEntries ${maxEntries}`).toEqual(whole.entries);
    }
  });

  test('stands in ledger order, and inside a ledger in transaction order', async () => {
    const { entries } = await readAll(50);
    const positions = entries.map((entry) => entry.ledgerIndex * 1_000 + entry.transactionIndex);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(entries.map((entry) => entry.hash)).size).toBe(entries.length);
  });

  test('tells payments, the account’s own memos and everything else apart', async () => {
    const { entries } = await readAll(10_000);
    expect(entries.filter((entry) => entry.kind === 'payment')).toHaveLength(241);
    expect(entries[0]).toMatchObject({ kind: 'payment', destinationTag: 77, deliveredDrops: expect.any(BigInt) });
    expect(entries.filter((entry) => entry.kind === 'self').map((entry) => entry.memos)).toEqual([['{"v":1}']]);
    expect(entries.filter((entry) => entry.kind === 'other')).toHaveLength(1);
  });

  test('never passes the newest validated ledger', async () => {
    const page = await port.readFeed({
      account: deposit.address,
      afterLedger: lastLedger - 1,
      afterHash: null,
      throughLedger: lastLedger + 500,
      maxEntries: 10,
    });
    expect(page).toMatchObject({ entries: [], readThrough: lastLedger });
    const nothing = await port.readFeed({
      account: deposit.address,
      afterLedger: lastLedger,
      afterHash: page.readThroughHash,
      throughLedger: lastLedger + 500,
      maxEntries: 10,
    });
    expect(nothing).toEqual({ entries: [], readThrough: lastLedger, readThroughHash: page.readThroughHash });
  });

  test('stops with a clear error when the ledger read before has another hash now', async () => {
    const request = { account: deposit.address, afterLedger: firstLedger, throughLedger: lastLedger, maxEntries: 10 };
    await expect(port.readFeed({ ...request, afterHash: 'A'.repeat(64) })).rejects.toMatchObject({
      code: 'service_unavailable',
      detail: expect.stringContaining('history differs'),
    });
  });

  test('is refused by a server that does not hold the beginning', async () => {
    const request = { account: deposit.address, afterHash: null, throughLedger: lastLedger, maxEntries: 10 };
    await expect(port.readFeed({ ...request, afterLedger: 0 })).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });
});
