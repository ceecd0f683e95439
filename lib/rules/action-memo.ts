import * as z from 'zod';
import type { SelfEntry } from './feed-entry.ts';
import { ACTIONS, type SaleAction } from './types.ts';
import { hexOfText } from './wire.ts';

/** What an action's memo holds (docs/verification.md, section 2). */
const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/);
export const actionMemo = z.lazy(() =>
  z.strictObject({
    v: z.literal(1),
    project: z.string().regex(/^proj_[0-9A-Za-z]{22}$/),
    move: z.enum(ACTIONS),
    /** With `launch`: the terms. */
    terms_hash: sha256().optional(),
    /** With `list`: the allowlist version. */
    list_hash: sha256().optional(),
    /** With `assign`: the transaction hash of the held payment. */
    payment: z
      .string()
      .regex(/^[0-9A-F]{64}$/)
      .optional(),
  }),
);
export type ActionMemo = z.output<typeof actionMemo>;

/** The memo of an AccountSet as xrpl.js takes it. */
export const encodeActionMemo = (
  memo: ActionMemo,
): { Memo: { MemoType: string; MemoFormat: string; MemoData: string } } => ({
  Memo: {
    MemoType: hexOfText('tranche/move'),
    MemoFormat: hexOfText('application/json'),
    MemoData: hexOfText(JSON.stringify(memo)),
  },
});

/** The action that a transaction of the account to itself carries, or null. Foreign and malformed memos are no actions. */
export function decodeAction(entry: SelfEntry): SaleAction | null {
  for (const text of entry.memos) {
    const memo = parseMemo(text);
    if (memo !== null) {
      return {
        kind: 'action',
        hash: entry.hash,
        ledgerIndex: entry.ledgerIndex,
        transactionIndex: entry.transactionIndex,
        closedAtMs: entry.closedAtMs,
        projectId: memo.project,
        action: memo.move,
        termsHash: memo.terms_hash ?? null,
        listHash: memo.list_hash ?? null,
        paymentHash: memo.payment ?? null,
        signers: entry.signers,
      };
    }
  }
  return null;
}

function parseMemo(text: string): ActionMemo | null {
  try {
    const result = actionMemo.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
