import { describe, expect, test } from 'vitest';
import type { LedgerServer } from '../read-feed.ts';
import { readFeed } from '../read-feed.ts';

const ACCOUNT = 'rhfCvwR1dJVsifwbv1TqQ1Nv2UM86vP3cs';

interface Page {
  positions: [ledger: number, index: number][];
  min?: number;
  max?: number;
}

const line = ([ledger, index]: [number, number]) => ({
  hash: `${ledger}${String(index).padStart(3, '0')}`.padStart(64, '0'),
  ledger_index: ledger,
  validated: true,
  meta: { TransactionIndex: index, TransactionResult: 'tesSUCCESS', delivered_amount: '1', AffectedNodes: [] },
  tx_json: { TransactionType: 'Payment', Account: 'rSender', Destination: ACCOUNT, date: 848542392 },
});

/** A server that behaves as the given answers say, in ways that a healthy one never does. */
function scripted(pages: Page[], completeLedgers = '2-120'): LedgerServer & { asked: unknown[] } {
  const asked: unknown[] = [];
  let next = 0;
  return {
    url: 'ws://scripted',
    asked,
    async request(command) {
      if (command.command === 'server_info') {
        return { info: { complete_ledgers: completeLedgers, validated_ledger: { seq: 120, hash: 'F' } } };
      }
      if (command.command === 'ledger') {
        return { ledger_hash: `H${command.ledger_index}`, validated: true, ledger: { close_time: 0 } };
      }
      if (command.command !== 'account_tx') throw new Error(`unexpected ${command.command}`);
      asked.push(command.marker);
      const page = pages[next];
      next += 1;
      return {
        ledger_index_min: page?.min ?? command.ledger_index_min,
        ledger_index_max: page?.max ?? command.ledger_index_max,
        ...(next < pages.length ? { marker: { page: next } } : {}),
        transactions: (page?.positions ?? []).map(line),
      };
    },
  };
}
const read = (server: LedgerServer, over: object = {}) =>
  readFeed(server, {
    account: ACCOUNT,
    afterLedger: 100,
    afterHash: 'H100',
    throughLedger: 110,
    maxEntries: 100,
    ...over,
  });
const positionsOf = (page: { entries: { ledgerIndex: number; transactionIndex: number }[] }) =>
  page.entries.map((entry) => [entry.ledgerIndex, entry.transactionIndex]);

describe('reading a feed from a server that does not give what was asked', () => {
  test('empty pages with a marker are read past, and pages are put in order', async () => {
    const server = scripted([
      {
        positions: [
          [101, 2],
          [101, 0],
          [101, 1],
        ],
      },
      { positions: [] },
      { positions: [[103, 0]] },
    ]);
    const page = await read(server);
    expect(positionsOf(page)).toEqual([
      [101, 0],
      [101, 1],
      [101, 2],
      [103, 0],
    ]);
    expect(page).toMatchObject({ readThrough: 110, readThroughHash: 'H110' });
    expect(server.asked).toEqual([undefined, { page: 1 }, { page: 2 }]);
  });

  test('a range silently narrowed at its end is read only as far as it went', async () => {
    const page = await read(
      scripted([
        {
          positions: [
            [101, 0],
            [106, 0],
          ],
          max: 105,
        },
      ]),
    );
    expect(positionsOf(page)).toEqual([[101, 0]]);
    expect(page.readThrough).toBe(105);
  });

  test('a range narrowed on a later page counts for the whole', async () => {
    const page = await read(scripted([{ positions: [[101, 0]] }, { positions: [[104, 0]], max: 103 }]));
    expect(positionsOf(page)).toEqual([[101, 0]]);
    expect(page.readThrough).toBe(103);
  });

  test('a range narrowed to nothing does not move the cursor', async () => {
    expect(await read(scripted([{ positions: [], max: 100 }]))).toEqual({
      entries: [],
      readThrough: 100,
      readThroughHash: 'H100',
    });
  });

  test('a range narrowed at its beginning is refused', async () => {
    await expect(read(scripted([{ positions: [[105, 0]], min: 104 }]))).rejects.toMatchObject({
      code: 'ledger_unavailable',
    });
  });

  test('fragmented history is read to the first gap only, and not at all when it lacks the beginning', async () => {
    expect((await read(scripted([{ positions: [] }], '2-104,107-120'))).readThrough).toBe(104);
    await expect(read(scripted([{ positions: [] }], '2-100,102-120'))).rejects.toMatchObject({
      code: 'ledger_unavailable',
    });
  });

  test('pages that go backwards are refused: whole ledgers could not be told', async () => {
    const server = scripted([{ positions: [[105, 0]] }, { positions: [[103, 0]] }]);
    await expect(read(server)).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });

  test('a line that comes twice counts once', async () => {
    expect(
      positionsOf(
        await read(
          scripted([
            { positions: [[101, 0]] },
            {
              positions: [
                [101, 0],
                [102, 0],
              ],
            },
          ]),
        ),
      ),
    ).toEqual([
      [101, 0],
      [102, 0],
    ]);
  });
});
