import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { lockAndLoad, readFeedPosition } from '#lib/sales/feed/load-state.ts';
import type { Undecided } from '#lib/sales/feed/quote-arrivals.ts';
import { recognise, recordEntries } from '#lib/sales/feed/recognise.ts';
import type { FeedPage } from '#lib/xrpl/types.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let investor: Wallet;
beforeAll(async () => {
  stage = await openStage();
  investor = await stage.account();
});
afterAll(() => stage.end());

/** What the ledger has brought since, in a page. */
async function nextPage({ deposit }: Sale): Promise<FeedPage> {
  stage.desk.close();
  const { cursorLedger, cursorHash } = await readFeedPosition(stage.database.db, deposit.address);
  const { validatedIndex } = await stage.ctx.ledger.serverState();
  return stage.ctx.ledger.readFeed({
    account: deposit.address,
    afterLedger: cursorLedger,
    afterHash: cursorHash,
    throughLedger: validatedIndex,
    maxEntries: 100,
  });
}

async function take({ deposit }: Sale, page: FeedPage, kept: Undecided | null): Promise<Undecided> {
  const { cursorLedger } = await readFeedPosition(stage.database.db, deposit.address);
  const { advanced, undecided } = await recognise(stage.ctx, {
    account: deposit.address,
    afterLedger: cursorLedger,
    page,
    kept,
  });
  if (!advanced || undecided === null) throw new Error('The page was not written');
  return undecided;
}

/** As if the first tier were sold out by what waits: whoever goes on from this quotes the second. */
const soldOutFirstTier = (kept: Undecided): Undecided => ({
  ...kept,
  state: {
    ...kept.state,
    projects: new Map(
      [...kept.state.projects].map(([tag, project]) => [
        tag,
        {
          ...project,
          tiers: project.tiers.map((tier) =>
            tier.tier === 1 ? { ...tier, soldUnits: tier.totalUnits, completedAtMs: 1 } : tier,
          ),
        },
      ]),
    ),
  },
});

const tierQuoted = async (hash: string) => {
  const [row] = await rowsOf(stage.database.db, 'investments', { txHash: hash });
  return row?.quoteTier;
};

it('a page is quoted by what waits before it, each of them in its own page', async () => {
  const sale = await stage.launched({ max_per_wallet_xrp: '110' });
  let kept: Undecided | null = null;
  const hashes: string[] = [];
  for (const xrp of [40, 50, 30]) {
    hashes.push(await stage.pay(investor, sale, xrp));
    kept = await take(sale, await nextPage(sale), kept);
  }
  const quotes = await Promise.all(hashes.map((hash) => rowsOf(stage.database.db, 'investments', { txHash: hash })));
  expect(kept?.payments).toBe(3);
  // Of the last one 20 XRP are within the limit: the first 10 take what is left of the first tier.
  expect(quotes.flat().map(({ quoteTier, quoteUnits }) => [quoteTier, quoteUnits])).toEqual([
    [1, 400_000_000n],
    [1, 500_000_000n],
    [1, 150_000_000n],
  ]);
});

it('a page goes on from what the page before has left, and reads no earlier payment again', async () => {
  const sale = await stage.launched();
  await stage.pay(investor, sale, 10);
  const kept = await take(sale, await nextPage(sale), null);
  const hash = await stage.pay(investor, sale, 10);
  await take(sale, await nextPage(sale), soldOutFirstTier(kept));
  expect(await tierQuoted(hash)).toBe(2);
});

it.each<[string, (sale: Sale, first: FeedPage, hidden: FeedPage['entries']) => Promise<unknown>]>([
  [
    'something was decided meanwhile',
    ({ deposit }, { readThrough }) =>
      confirm(stage.ctx, {
        account: deposit.address,
        throughLedger: readThrough,
        closedAtMs: null,
        confirmedAtMs: () => stage.ctx.clock.nowMs(),
      }),
  ],
  [
    'another process has recorded a payment that was missing',
    ({ deposit }, { readThrough }, hidden) =>
      stage.database.db.transaction(async (tx) =>
        recordEntries(stage.ctx, tx, await lockAndLoad(tx, deposit.address), hidden, readThrough),
      ),
  ],
  ['an action comes with it', (sale) => stage.act(sale, 'pause')],
])('a page reads all that waits where %s', async (_, happens) => {
  const sale = await stage.launched();
  await stage.pay(investor, sale, 10);
  await stage.pay(investor, sale, 20);
  const first = await nextPage(sale);
  const kept = await take(sale, { ...first, entries: first.entries.slice(0, 1) }, null);
  await happens(sale, first, first.entries.slice(1));
  const hash = await stage.pay(investor, sale, 10);
  await take(sale, await nextPage(sale), soldOutFirstTier(kept));
  expect(await tierQuoted(hash)).toBe(1);
});
