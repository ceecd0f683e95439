import { expect, test } from 'vitest';
import { ticketsToRequest } from '#lib/payouts/tickets.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';

const server: ServerState = {
  networkId: 0,
  validatedIndex: 100,
  validatedHash: '',
  validatedAtMs: 0,
  completeLedgers: [[1, 100]],
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncrementDrops: 200_000n,
  loadFactor: 256n,
  loadBase: 256n,
};
const payer = (balanceDrops: bigint): AccountState => ({
  address: 'rPayer',
  balanceDrops,
  sequence: 1,
  ownerCount: 0,
  flags: 0,
  transferRate: 1_000_000_000,
  regularKey: null,
  signerList: null,
  ledgerIndex: 8,
});
const request = (wanted: number, free: number, held = free, balanceDrops = 1_000_000_000n) =>
  ticketsToRequest({
    wanted,
    free,
    held,
    leaving: 0,
    payable: wanted,
    unpaidDrops: 0n,
    payer: payer(balanceDrops),
    server,
  });

test('tickets are asked for when payouts lack them, not one at a time', () => {
  expect(request(50, 50)).toBe(0);
  expect(request(1, 0)).toBe(10);
  expect(request(100, 20)).toBe(80);
});

test('no more tickets than the ledger allows an account, and than their reserve can be paid', () => {
  expect(request(100, 0, 240)).toBe(10);
  expect(request(100, 0, 250)).toBe(0);
  expect(request(100, 0, 0, 3_000_000n)).toBe(5);
  expect(request(100, 0, 0, 2_000_000n)).toBe(0);
});

test('spare tickets leave the XRP alone that refunds need; tickets used at once may stand on it', () => {
  const about = { free: 0, held: 0, leaving: 0, unpaidDrops: 100_000_000n, server };
  const short = { ...about, wanted: 105, payer: payer(102_000_000n + 400_000n) };
  expect(ticketsToRequest({ ...short, payable: 50 })).toBe(10);
  expect(ticketsToRequest({ ...short, payable: 3 })).toBe(3);
  expect(ticketsToRequest({ ...short, payable: 0 })).toBe(2);
  expect(ticketsToRequest({ ...about, wanted: 105, payable: 50, payer: payer(200_000_000n) })).toBe(105);
});

test('tickets that submitted payments use up give their room and their reserve to new ones', () => {
  const full = { held: 250, free: 50, payable: 200, unpaidDrops: 0n, server };
  const rich = { ...payer(1_000_000_000n), ownerCount: 250 };
  expect(ticketsToRequest({ ...full, wanted: 205, leaving: 0, payer: rich })).toBe(0);
  expect(ticketsToRequest({ ...full, wanted: 205, leaving: 120, payer: rich })).toBe(120);
  expect(ticketsToRequest({ ...full, wanted: 205, leaving: 200, payer: rich })).toBe(155);
  // 1 XRP base reserve, 1 XRP kept for fees, and the reserve of 40 tickets.
  const poor = { ...payer(2_000_000n + 40n * 200_000n), ownerCount: 40 };
  const few = { ...full, held: 40, free: 0, wanted: 205, payer: poor };
  expect(ticketsToRequest({ ...few, leaving: 0 })).toBe(0);
  expect(ticketsToRequest({ ...few, leaving: 40 })).toBe(40);
  // Of XRP that refunds need, no more than ten tickets stand on what they give back at once.
  expect(ticketsToRequest({ ...few, leaving: 40, unpaidDrops: 100_000_000n })).toBe(10);
});
