import { reduceAll } from '@tranche/rules/reduce.ts';
import type { SaleMove } from '@tranche/rules/types.ts';
import type { Db } from '#lib/base/db.ts';
import { loadParties } from '../feed/load-parties.ts';
import { loadAccount, loadPending } from '../feed/load-state.ts';

/**
 * Why an `assign` would have no effect if the ledger brought it now, or null: asked of the rule book itself, with
 * everything counted that has been seen. What arrives before the move may still change the answer.
 */
export async function assignRefusal(
  db: Db,
  assign: { account: string; projectId: string; paymentHash: string },
  nowMs: number,
): Promise<string | null> {
  const { account, state } = await loadAccount(db, assign.account);
  const { entries } = await loadPending(db, assign.account, account.cursorLedger);
  const move: SaleMove = {
    kind: 'move',
    hash: 'dry run',
    ledgerIndex: account.cursorLedger + 1,
    transactionIndex: 0,
    closedAtMs: nowMs,
    projectId: assign.projectId,
    move: 'assign',
    termsHash: null,
    listHash: null,
    paymentHash: assign.paymentHash,
  };
  const run = [...entries, move];
  const { effects } = reduceAll(await loadParties(db, state, run), run);
  const refused = effects.find((effect) => effect.type === 'move_without_effect' && effect.move === move);
  return refused?.type === 'move_without_effect' ? refused.detail : null;
}
