import type { createListFromPlatformIdsContract } from '#lib/accounts/platform-ids/contracts.ts';
import { createListFromPlatformIds } from '#lib/accounts/platform-ids/make-list.ts';
import type { Contract } from '#lib/base/contract.ts';
import type { Ctx } from '#lib/ctx.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { addEntries } from '#lib/sales/lists/add-entries.ts';
import { commitList } from '#lib/sales/lists/commit-list.ts';
import type { commitListContract, createListContract, EntryInput } from '#lib/sales/lists/contracts.ts';
import { createList } from '#lib/sales/lists/create-list.ts';
import { discardList } from '#lib/sales/lists/discard-list.ts';
import { formatAmount, formatCount, formatCounted, formatTime } from '../../../_ui/format.ts';
import { actAt, type Desk, numberOf, type Outcome, outcome, refused, textOf } from '../../act.ts';

/** A contract that takes what another one takes. */
type Like<C extends Contract> = Contract & Pick<C, Extract<keyof C, 'params' | 'body'>>;

/** The console that a form of a list was sent from, and the contract that it goes by. */
export interface ListDesk<C extends Contract> {
  desk: Desk<Ctx>;
  contract: Like<C>;
}

/** `r…` or `r…,250.5` a line; empty lines are passed over, and counted as the lines that they are. */
function entriesOf(text: string): { entries: EntryInput[]; lines: number[] } {
  const written = text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((line) => line.text !== '');
  return {
    entries: written.map((line) => {
      const [wallet = '', cap = ''] = line.text.split(',').map((part) => part.trim());
      return { wallet_address: wallet, cap_xrp: cap === '' ? null : cap };
    }),
    lines: written.map(({ line }) => line),
  };
}

/** Creates a draft of the pasted wallets; none when any of them is wrong. */
export async function upload(
  { desk, contract }: ListDesk<typeof createListContract>,
  form: FormData,
): Promise<Outcome> {
  // As it was pasted: without its first empty lines every number would be another.
  const pasted = form.get('entries');
  const { entries, lines } = entriesOf(typeof pasted === 'string' ? pasted : '');
  if (entries.length === 0) return refused('Paste at least one wallet.');
  const given = { params: { id: textOf(form, 'id') }, body: { reason: textOf(form, 'reason') } };
  return actAt(
    desk,
    contract,
    given,
    async (ctx, { params, body: { reason } }) => {
      const list = await createList(ctx, { projectId: params.id, reason });
      try {
        await addEntries(ctx, { projectId: params.id, listId: list.id, entries, lines, reason });
      } catch (err) {
        await discardList(ctx, { projectId: params.id, listId: list.id, reason: 'its entries were refused' });
        throw err;
      }
    },
    'The draft is created. Check its size, then publish it.',
  );
}

/** Rehearsed first: the draft is made of the very snapshot that the rehearsal counted, or not at all. */
export async function fromPlatformIds(
  { desk, contract }: ListDesk<typeof createListFromPlatformIdsContract>,
  form: FormData,
): Promise<Outcome> {
  const cap = numberOf(form, 'cap_xrp');
  const ledger = numberOf(form, 'ledger_index');
  const isRehearsal = textOf(form, 'dry_run') === 'true';
  const given = {
    params: { id: textOf(form, 'id') },
    body: {
      min_level: textOf(form, 'min_level'),
      reason: textOf(form, 'reason'),
      dry_run: isRehearsal,
      ...(cap === '' ? {} : { cap_xrp: cap }),
      ...(ledger === '' ? {} : { ledger_index: Number(ledger) }),
    },
  };
  return actAt(
    desk,
    contract,
    given,
    (ctx, { params, body }) => createListFromPlatformIds(ctx, { ...body, projectId: params.id }),
    isRehearsal
      ? (made) =>
          outcome('rehearsed', `Creates a draft of ${formatCounted(made.wallets, 'wallet')}.`, {
            effects: [
              { name: 'Minimum balance', value: `${formatAmount(made.required_balance)} tokens` },
              { name: 'Counted at', value: formatTime(made.synced_at) },
              { name: 'Ledger', value: formatCount(made.ledger_index) },
            ],
            carried: { ledger_index: String(made.ledger_index) },
          })
      : 'The draft is created. Check its size, then publish it.',
  );
}

export async function commit(
  { desk, contract }: ListDesk<typeof commitListContract>,
  form: FormData,
): Promise<Outcome> {
  const given = {
    params: { id: textOf(form, 'id'), list_id: textOf(form, 'list_id') },
    body: { reason: textOf(form, 'reason') },
  };
  return actAt(
    desk,
    contract,
    given,
    (ctx, { params, body }) =>
      thenWake(ctx, commitList(ctx, { projectId: params.id, listId: params.list_id, reason: body.reason })),
    'The version is published, and the action that anchors it is on its way.',
  );
}
