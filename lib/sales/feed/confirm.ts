import { CredentialUnknown } from '@tranche/rules/credentials.ts';
import { type Reduced, reduceAll } from '@tranche/rules/reduce.ts';
import type { LedgerClose, SaleAction, SalePayment, SaleState } from '@tranche/rules/types.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { createLocks, createPayouts } from '#lib/payouts/create-payouts.ts';
import { confirmationEvents } from './confirmation-events.ts';
import { loadSenderState } from './load-sender-state.ts';
import { loadPending, loadProjects, lockAccount, type Pending } from './load-state.ts';
import { newLocks, newPayouts } from './new-payouts.ts';
import { writeAllocations, writePayments, writeSale } from './write-decisions.ts';

/** Entries decided in one transaction. */
export const MAX_ENTRIES = 2_000;

interface Confirmed {
  /** Everything up to here is decided. */
  confirmedLedger: number;
  confirmed: number;
  refused: number;
  tiersCompleted: number;
  /** What comes next depends on a credential that was not read. */
  needsCredentials: boolean;
  /** More recognised entries wait below the bound. */
  more: boolean;
}

/**
 * Decides recognised entries up to `throughLedger` in feed order: the reducer's effects become allocations, refusals,
 * payouts owed and events, in one transaction under the account's row lock and a constant number of statements.
 * `closedAtMs` is the close time of `throughLedger`, by which time alone may end a sale; null when no end is near.
 * `confirmedAtMs` says when the payments of a ledger are confirmed: what it does not know (undefined) is not decided,
 * nor anything after it; the same holds for a payment that depends on a credential which was not read.
 */
export async function confirm(
  ctx: Ctx,
  input: {
    account: string;
    throughLedger: number;
    closedAtMs: number | null;
    confirmedAtMs: (ledgerIndex: number) => number | undefined;
  },
): Promise<Confirmed> {
  return ctx.db.transaction(async (tx) => {
    const account = await lockAccount(tx, input.account);
    const bound = Math.min(input.throughLedger, account.cursorLedger);
    const nothing = { confirmed: 0, refused: 0, tiersCompleted: 0, needsCredentials: false, more: false };
    if (account.halted || bound <= account.confirmedLedger) {
      return { confirmedLedger: account.confirmedLedger, ...nothing };
    }
    const pending = await loadPending(tx, input.account, bound, MAX_ENTRIES);
    const timed = upToUnknownTime(pending, input.confirmedAtMs);
    if (timed.through <= account.confirmedLedger) {
      return { confirmedLedger: account.confirmedLedger, ...nothing, more: true };
    }
    // The close time belongs to the last ledger asked for: it may end a sale only when everything up to it is in.
    const closing: LedgerClose[] =
      timed.through === input.throughLedger && input.closedAtMs !== null
        ? [{ kind: 'close', closedAtMs: input.closedAtMs }]
        : [];
    const confirmedAt = (ledgerIndex: number): Date => {
      const atMs = input.confirmedAtMs(ledgerIndex);
      if (atMs === undefined)
        throw new Error(`The close time of the ledger that confirms ledger ${ledgerIndex} is unknown`);
      return new Date(atMs);
    };
    const loaded = await loadProjects(tx, account, { entries: timed.entries });
    const before = await loadSenderState(tx, loaded.state, timed.entries);
    const { state, effects, through, needsCredentials } = reduceKnown(before, timed, closing);
    if (through <= account.confirmedLedger) {
      return { confirmedLedger: account.confirmedLedger, ...nothing, needsCredentials, more: true };
    }
    const invested = effects.filter((effect) => effect.type === 'invested');
    const refused = effects.filter((effect) => effect.type === 'refused');

    await writePayments(tx, loaded.rows, { effects, invested, refused, confirmedAt });
    const newWallets = await writeAllocations(tx, invested);
    await createPayouts(tx, newPayouts(input.account, loaded.rows, effects));
    await createLocks(tx, newLocks(loaded.rows, effects));
    const decided = { account: input.account, through, effects, before, after: state, newWallets };
    await writeSale(tx, loaded.rows, decided);
    const events = await confirmationEvents(tx, loaded.rows, { state, effects, confirmedAt });
    await appendEvents(tx, events);
    return {
      confirmedLedger: through,
      confirmed: invested.length,
      refused: refused.length,
      tiersCompleted: effects.filter((effect) => effect.type === 'tier_completed').length,
      needsCredentials,
      more: through < bound,
    };
  });
}

/** Reduces the entries, or those before the first one that depends on a credential which was not read: whole ledgers. */
function reduceKnown(
  before: SaleState,
  { entries, through }: Pending,
  closing: readonly LedgerClose[],
): Reduced & { through: number; needsCredentials: boolean } {
  try {
    return { ...reduceAll(before, [...entries, ...closing]), through, needsCredentials: false };
  } catch (error) {
    if (!(error instanceof CredentialUnknown)) throw error;
    // The question is about the ledger before the entry's.
    const known = error.question.ledgerIndex;
    const reduced = reduceAll(
      before,
      entries.filter((entry) => entry.ledgerIndex <= known),
    );
    return { ...reduced, through: known, needsCredentials: true };
  }
}

/** The entries before the first one whose confirmation time is unknown: whole ledgers. */
function upToUnknownTime(pending: Pending, confirmedAtMs: (ledgerIndex: number) => number | undefined): Pending {
  const unknown = pending.entries.find(
    (entry) => needsConfirmationTime(entry) && confirmedAtMs(entry.ledgerIndex) === undefined,
  );
  if (unknown === undefined) return pending;
  const through = unknown.ledgerIndex - 1;
  return { entries: pending.entries.filter((entry) => entry.ledgerIndex <= through), through };
}

/** Only what settles an investment: a payment, and an action that assigns one. */
const needsConfirmationTime = (entry: SalePayment | SaleAction): boolean =>
  entry.kind === 'payment' || entry.action === 'assign';
