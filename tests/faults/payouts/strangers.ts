import type { Client, Wallet } from 'xrpl';
import type { Draw } from '#tests/faults/draw.ts';
import type { Send } from './acts.ts';

/** The first ones are those in use. */
const TICKETS_IN_USE = 8;

/** Somebody tries to end an account's escrows to itself, as anybody may after their time. */
export async function endAnyEscrow(client: Client, send: Send, owner: Wallet, by: Wallet): Promise<void> {
  const { result } = await client.request({
    command: 'account_objects',
    account: owner.address,
    type: 'escrow',
    ledger_index: 'validated',
    limit: 400,
  });
  for (const entry of result.account_objects) {
    if (!('FinishAfter' in entry) || !('PreviousTxnID' in entry)) continue;
    const { result: created } = await client.request({ command: 'tx', transaction: entry.PreviousTxnID });
    const { TicketSequence, Sequence } = created.tx_json;
    const OfferSequence = TicketSequence ?? Sequence;
    await send(by, { TransactionType: 'EscrowFinish', Owner: owner.address, OfferSequence });
  }
}

/**
 * Somebody else signs with the key of a payer and uses one of its tickets up, where it has any: for nothing, or to pay
 * somebody a drop.
 */
export async function spendTicket(client: Client, send: Send, payer: Wallet, to: Wallet, draw: Draw): Promise<void> {
  const { result } = await client.request({
    command: 'account_objects',
    account: payer.address,
    type: 'ticket',
    ledger_index: 'validated',
    limit: 400,
  });
  const tickets = result.account_objects.flatMap((each) => ('TicketSequence' in each ? [each.TicketSequence] : []));
  const [drawn, pays] = [draw.between(0, TICKETS_IN_USE - 1), draw.chance(0.3)];
  const TicketSequence = tickets.sort((a, b) => a - b)[drawn];
  if (TicketSequence === undefined) return;
  const nothing = { TransactionType: 'AccountSet' };
  const drop = { TransactionType: 'Payment', Destination: to.address, Amount: '1' };
  await send(payer, { ...(pays ? drop : nothing), Sequence: 0, TicketSequence });
}
