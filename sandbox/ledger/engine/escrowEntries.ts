import type { AccountRoot, Escrow } from '../entries.ts';
import { escrowIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { removeFromDirectory } from './directory.ts';
import { issuerOf, releaseTokens } from './escrowTokens.ts';
import type { ApplyContext } from './types.ts';

/** The escrow that a transaction names by its owner and the sequence or ticket that created it. */
export function namedEscrow(view: ReadView, fields: TransactionFields): { index: string; escrow: Escrow | undefined } {
  const index = escrowIndex(fields.Owner ?? '', fields.OfferSequence ?? 0);
  return { index, escrow: read(view, 'Escrow', index) };
}

export type End = {
  readonly index: string;
  readonly escrow: Escrow;
  readonly receiver: AccountRoot;
  /** What a transfer of tokens costs at most, in billionths. */
  readonly lockedRate: number;
};

/** Ends an escrow: its amount goes to the receiver, and the owner's reserve is free again. */
export function endEscrow(context: ApplyContext, { index, escrow, receiver, lockedRate }: End): ResultName {
  const { view } = context;
  const { Account: sender, Amount: amount } = escrow;
  removeFromDirectory(view, sender, escrow.OwnerNode, index, true);
  if (escrow.DestinationNode !== undefined) {
    removeFromDirectory(view, escrow.Destination, escrow.DestinationNode, index, true);
  }
  if (typeof amount === 'string') receiver.Balance = String(BigInt(receiver.Balance) + BigInt(amount));
  else {
    const released = releaseTokens(context, { amount, sender, receiver, lockedRate });
    if (!isSuccess(released)) return released;
    if (escrow.IssuerNode !== undefined) removeFromDirectory(view, issuerOf(amount), escrow.IssuerNode, index, true);
  }
  const owner = view.editAccount(sender);
  if (owner) owner.OwnerCount -= 1;
  view.erase(index);
  return 'tesSUCCESS';
}
