import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { readHistory } from '@tranche/verifier/read-feed.ts';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import type { ServerState } from './types.ts';

const wholeDrops = z.int().nonnegative().transform(BigInt);

const state = z.object({
  state: z.object({
    load_base: wholeDrops.default(256n),
    load_factor: wholeDrops.default(256n),
    validated_ledger: z.object({
      base_fee: wholeDrops,
      close_time: z.int(),
      reserve_base: wholeDrops,
      reserve_inc: wholeDrops,
    }),
  }),
});

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
