import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { readHistory } from '@tranche/verifier/read-feed.ts';
import { z } from 'zod';
import { type Drops, divideCeil, minBigInt } from '#lib/base/money.ts';
import type { LedgerServer } from './connection.ts';
import type { ServerState } from './types.ts';

const wholeDrops = () => z.int().nonnegative().transform(BigInt);

const state = z.lazy(() =>
  z.object({
    state: z.object({
      load_base: wholeDrops().default(256n),
      load_factor: wholeDrops().default(256n),
      validated_ledger: z.object({
        base_fee: wholeDrops(),
        close_time: z.int(),
        reserve_base: wholeDrops(),
        reserve_inc: wholeDrops(),
      }),
    }),
  }),
);

/**
 * The newest validated ledger, what the server holds, and today's costs in whole drops. `server_info` gives XRP as
 * floating point, so costs come from `server_state`.
 */
export async function readServerState(server: LedgerServer): Promise<ServerState> {
  const [history, answer] = await Promise.all([readHistory(server), server.request({ command: 'server_state' })]);
  const { validated_ledger: validated, ...load } = state.parse(answer).state;
  return {
    ...history,
    validatedAtMs: rippleSecondsToMs(validated.close_time),
    baseFeeDrops: validated.base_fee,
    reserveBaseDrops: validated.reserve_base,
    reserveIncrementDrops: validated.reserve_inc,
    loadFactor: load.load_factor,
    loadBase: load.load_base,
  };
}

/** 0.05 XRP: above it a transaction waits for a calmer ledger; it expires unpaid and a new attempt is made. */
export const MAX_FEE_DROPS: Drops = 50_000n;

/**
 * What a transaction offers: base fee × load × 1.2, rounded up, never above MAX_FEE_DROPS. The cushion is the one of
 * autofill (docs/ledger-facts.md, 17): the load may rise until the transaction arrives. Each of several `signatures` costs
 * a base fee more.
 */
export function transactionFee(
  state: Pick<ServerState, 'baseFeeDrops' | 'loadFactor' | 'loadBase'>,
  signatures = 0,
): Drops {
  const baseDrops = state.baseFeeDrops * BigInt(1 + signatures);
  const cushioned = divideCeil(baseDrops * state.loadFactor * 12n, state.loadBase * 10n);
  return minBigInt(cushioned, MAX_FEE_DROPS);
}

/**
 * True when the transaction's fee is more than what it pays, and more than it would be in a calm ledger: who sends back what
 * is worth so little waits for that. Pure.
 */
export function isFeeAbove(
  drops: Drops,
  state: Pick<ServerState, 'baseFeeDrops' | 'loadFactor' | 'loadBase'>,
  signatures = 0,
): boolean {
  const fee = transactionFee(state, signatures);
  return fee > drops && fee > transactionFee({ ...state, loadFactor: state.loadBase }, signatures);
}

/** Objects (tickets, mostly) that a paying account must be able to afford beside what it owns. */
const SPARE_OBJECTS = 10n;
/** For fees of actions, refunds and payouts, and what payouts keep back for them. */
const PAYING_FLOAT_DROPS: Drops = 5_000_000n;

/** The XRP that an account must have before a sale may rely on it to pay: reserves, tickets and fees. Pure. */
export const payingNeedDrops = (
  ownerCount: number,
  { reserveBaseDrops, reserveIncrementDrops }: Pick<ServerState, 'reserveBaseDrops' | 'reserveIncrementDrops'>,
): Drops => reserveBaseDrops + reserveIncrementDrops * (BigInt(ownerCount) + SPARE_OBJECTS) + PAYING_FLOAT_DROPS;
