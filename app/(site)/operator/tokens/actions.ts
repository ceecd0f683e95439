'use server';

import { tokenHoldingContract } from '#lib/payouts/token-setup/contracts.ts';
import { openHolding } from '#lib/payouts/token-setup/open-holding.ts';
import { act, type Outcome, outcome, textOf } from '../act.ts';

/** Has the distributor set its trust line or opt in; rehearsed first, with the transaction as it would be signed. */
export async function openDistributor(_: Outcome, form: FormData): Promise<Outcome> {
  const isRehearsal = textOf(form, 'dry_run') === 'true';
  const token =
    textOf(form, 'kind') === 'mpt'
      ? { kind: 'mpt', issuance_id: textOf(form, 'issuance_id') }
      : {
          kind: 'iou',
          currency: textOf(form, 'currency'),
          issuer: textOf(form, 'issuer'),
          limit_tokens: textOf(form, 'limit_tokens'),
        };
  return act(
    tokenHoldingContract,
    {
      params: { address: textOf(form, 'address') },
      body: { token, dry_run: isRehearsal, reason: textOf(form, 'reason') },
    },
    (ctx, { params: { address }, body: { token: parsed, dry_run: dryRun, reason } }) =>
      openHolding(ctx, { address, token: parsed, dryRun, reason }),
    isRehearsal
      ? ({ transaction }) =>
          outcome('rehearsed', 'The platform signs this transaction with the distributor’s key:', {
            effects: Object.entries(transaction).map(([name, value]) => ({
              name,
              value: typeof value === 'object' ? JSON.stringify(value) : String(value),
            })),
          })
      : 'Signed and submitted. The ledger shows it in a few seconds.',
  );
}
