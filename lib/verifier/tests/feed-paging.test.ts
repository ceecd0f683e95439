import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerServer } from '../read-feed.ts';
import { readFeed } from '../read-feed.ts';

const ACCOUNT = 'rhfCvwR1dJVsifwbv1TqQ1Nv2UM86vP3cs';
const FIRST_LEDGER = 95;
/** The feed is read from behind this ledger. */
const START_LEDGER = 97;

const lineOf = (ledgerIndex: number, transactionIndex: number) => ({
  hash: `${ledgerIndex}${String(transactionIndex).padStart(3, '0')}`.padStart(64, '0'),
  ledger_index: ledgerIndex,
  validated: true,
  meta: {
    TransactionIndex: transactionIndex,
    TransactionResult: 'tesSUCCESS',
    delivered_amount: '1',
    AffectedNodes: [],
  },
  tx_json: { TransactionType: 'Payment', Account: 'rSender', Destination: ACCOUNT, date: 848542392 },
});
type Line = ReturnType<typeof lineOf>;

/** How a server answers one `account_tx`. */
interface Mood {
  /** When it begins a range: how many of the newest ledgers it leaves out of what it has; null leaves none out. */
  endsBehind: number | null;
  /** Whether a page comes with its lines backwards: inside a page no order is promised. */
  backwards: boolean;
}

/** A server that pages through `lines` by markers, and may narrow a range as long as it says so. */
function pagingServer(
  lines: readonly Line[],
  lastLedger: number,
  pageSize: number,
  moods: readonly Mood[],
): LedgerServer {
  let asked = 0;
  return {
    url: 'ws://paging',
    async request(command) {
      if (command.command === 'server_info') {
        return { info: { complete_ledgers: `1-${lastLedger}`, validated_ledger: { seq: lastLedger, hash: 'F' } } };
      }
      if (command.command === 'ledger') {
        return { ledger_hash: `H${command.ledger_index}`, validated: true, ledger: { close_time: 0 } };
      }
      if (command.command !== 'account_tx') throw new Error(`unexpected ${command.command}`);
      const { ledger_index_min, ledger_index_max, marker } = command;
      const [from, to] = [Number(ledger_index_min ?? 1), Number(ledger_index_max ?? lastLedger)];
      const mood = moods[asked % moods.length];
      asked += 1;
      const behind = marker === undefined ? (mood?.endsBehind ?? null) : null;
      const through = behind === null ? to : Math.min(to, Math.max(from, lastLedger - behind));
      const start = typeof marker === 'number' ? marker : 0;
      const range = lines.filter((line) => line.ledger_index >= from && line.ledger_index <= through);
      const page = range.slice(start, start + pageSize);
      return {
        ledger_index_min: from,
        ledger_index_max: through,
        transactions: mood?.backwards ? page.toReversed() : page,
        ...(start + pageSize < range.length ? { marker: start + pageSize } : {}),
      };
    },
  };
}

const scenario = fc.record({
  sizes: fc.array(fc.constantFrom(0, 1, 3, 40), { minLength: 6, maxLength: 36 }),
  pageSize: fc.integer({ min: 1, max: 30 }),
  moods: fc.array(fc.record({ endsBehind: fc.option(fc.nat(4), { freq: 2 }), backwards: fc.boolean() }), {
    minLength: 1,
    maxLength: 7,
  }),
  maxEntries: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
});

test('a feed comes whole, in order and once, whatever the pages, the narrowed ranges and the limits', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ sizes, pageSize, moods, maxEntries }) => {
      const lastLedger = FIRST_LEDGER + sizes.length - 1;
      const lines = sizes.flatMap((size, at) =>
        Array.from({ length: size }, (_, index) => lineOf(FIRST_LEDGER + at, index)),
      );
      // A server that always leaves ledgers out would never come to the end.
      const server = pagingServer(lines, lastLedger, pageSize, [...moods, { endsBehind: null, backwards: false }]);
      const seen: string[] = [];
      let at = { afterLedger: START_LEDGER, afterHash: `H${START_LEDGER}` };
      for (let step = 0; at.afterLedger < lastLedger; step++) {
        expect(step, 'calls without coming to the end').toBeLessThan(500);
        const { entries, readThrough, readThroughHash } = await readFeed(server, {
          account: ACCOUNT,
          ...at,
          throughLedger: lastLedger,
          maxEntries: maxEntries[step % maxEntries.length] ?? 1,
        });
        expect(readThroughHash).toBe(`H${readThrough}`);
        for (const entry of entries) {
          expect(entry.ledgerIndex).toBeGreaterThan(at.afterLedger);
          expect(entry.ledgerIndex).toBeLessThanOrEqual(readThrough);
          seen.push(entry.hash);
        }
        at = { afterLedger: readThrough, afterHash: readThroughHash };
      }
      expect(seen).toEqual(lines.filter((line) => line.ledger_index > START_LEDGER).map((line) => line.hash));
    }),
    { numRuns: 300 },
  );
});
