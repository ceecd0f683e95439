import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { PlatformError } from '#lib/base/errors.ts';
import { pagesWorth, trustLineCache } from '#lib/payouts/monitor/check-waiting.ts';
import { counting, flagLines, SET_FREEZE, setLines } from './monitor-scene.ts';
import { openWorld, TOKEN, type World } from './world.ts';

const { currency } = TOKEN;
let world: World;
let holders: Wallet[];
let bare: Wallet;
beforeAll(async () => {
  world = await openWorld();
  holders = await world.desk.accounts(410, 20);
  [bare] = (await world.desk.accounts(1)) as [Wallet];
  await setLines(world, holders, '12.5');
  await flagLines(world, world.issuer, holders.slice(0, 2), SET_FREEZE);
}, 120_000);
afterAll(() => world.end());

it('an issuer’s lines, read in pages, say of each holder what its own line says', async () => {
  const { ledger } = world.ctx;
  const { address: issuer } = world.issuer;
  const all = await ledger.issuedLines(issuer, currency, 5);
  expect(all.complete).toBe(true);
  // The distributor has a line too.
  expect(all.lines.size).toBe(holders.length + 1);
  for (const { address } of [world.distributor, holders[0]!, holders[2]!, holders.at(-1)!]) {
    expect(all.lines.get(address)).toEqual(await ledger.trustLine(address, issuer, currency));
  }
  expect(all.lines.get(holders[0]!.address)).toMatchObject({ frozen: true, limit: '12.5' });
  expect((await ledger.issuedLines(issuer, 'ABC', 5)).lines.size).toBe(0);
  const part = await ledger.issuedLines(issuer, currency, 1);
  expect(part).toMatchObject({ complete: false });
  expect(part.lines.size).toBe(400);
});

it('an issuer that does not exist has no lines', async () => {
  expect(await world.ctx.ledger.issuedLines('rrrrrrrrrrrrrrrrrrrrBZbvji', currency, 5)).toEqual({
    lines: new Map(),
    complete: true,
  });
});

it('a pass is worth a page for each sixteen holders, and never without end', () => {
  expect([0, 15, 16, 300, 1_000_000].map(pagesWorth)).toEqual([0, 0, 1, 18, 200]);
});

it('who was not met by a pass that ended early is asked for by name; the others are not', async () => {
  const { ctx, asked } = counting(world.ctx);
  const { address: issuer } = world.issuer;
  const lineOf = trustLineCache(ctx.ledger, [{ issuer, currency, holders: 20 }]);
  const lines = await Promise.all(holders.map(({ address }) => lineOf(address, issuer, currency)));
  expect(lines.every((line) => line?.limit === '12.5')).toBe(true);
  expect(await lineOf(bare.address, issuer, currency)).toBeNull();
  expect(asked.get('issuedLines')).toBe(1);
  expect(asked.get('trustLine')).toBeLessThanOrEqual(12);
});

it('a server that does not give the whole list is asked for single lines', async () => {
  const { ctx, asked } = counting(world.ctx);
  const { address: issuer } = world.issuer;
  const refusing = {
    ...ctx.ledger,
    issuedLines: async () => {
      throw new PlatformError('service_unavailable', 'no usable answer');
    },
  };
  const lineOf = trustLineCache(refusing, [{ issuer, currency, holders: 20 }]);
  expect(await lineOf(holders[0]!.address, issuer, currency)).toMatchObject({ frozen: true });
  expect(asked.get('trustLine')).toBe(1);
});
