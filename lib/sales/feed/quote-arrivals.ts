import { isDeepStrictEqual } from 'node:util';
import { type Quote, quotesOf } from '@tranche/rules/quote-payments.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { SaleAction, SalePayment, SaleState } from '@tranche/rules/types.ts';
import { sql } from 'drizzle-orm';
import { actions, payments } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { loadSenderState } from './load-sender-state.ts';
import { type LoadedAccount, loadPending } from './load-state.ts';

/** Each run copies the totals of the wallets once. */
const RUN = 1_000;

/**
 * What everything that is recorded and not decided comes to, as one page left it for the next: a page then reads its own
 * payments, and not all that wait before them.
 */
export interface Undecided {
  readonly confirmedLedger: number;
  /** Confirmed, without what waits. */
  readonly confirmed: SaleState;
  /** The same with what waits reduced. */
  readonly state: SaleState;
  /** Payments that wait. */
  readonly payments: number;
}

/**
 * Quotes for payments that were just recorded, up to `throughLedger`, with every earlier one counted. `kept` is what the page
 * before has left, and is used where nothing but these payments has come since.
 */
export async function quoteArrivals(
  tx: Tx,
  loaded: LoadedAccount,
  { arrived, throughLedger, kept }: { arrived: readonly SalePayment[]; throughLedger: number; kept: Undecided | null },
): Promise<{ quotes: Quote[]; undecided: Undecided }> {
  const { account, state: confirmed } = loaded;
  const goesOn = kept !== null && (await isAllThatWaits(tx, loaded, { arrived, throughLedger, kept }));
  const entries = goesOn ? arrived : (await loadPending(tx, account.address, throughLedger)).entries;
  const ofSenders = await loadSenderState(tx, confirmed, entries);
  const before = goesOn ? afterWhatWaits(kept.state, ofSenders) : ofSenders;
  const { state, quotes } = quoteByRuns(before, entries, new Set(arrived.map(({ hash }) => hash)));
  return {
    quotes,
    undecided: {
      confirmedLedger: account.confirmedLedger,
      confirmed,
      state,
      payments: (goesOn ? kept.payments : 0) + entries.filter(({ kind }) => kind === 'payment').length,
    },
  };
}

/** Quotes, and what the entries come to. What they do one by one is held of a short run at a time. */
function quoteByRuns(
  before: SaleState,
  entries: readonly (SalePayment | SaleAction)[],
  wanted: ReadonlySet<string>,
): { state: SaleState; quotes: Quote[] } {
  const quotes: Quote[] = [];
  let state = before;
  for (let first = 0; first < entries.length; first += RUN) {
    const reduced = reduceAll(state, entries.slice(first, first + RUN));
    quotes.push(...quotesOf(state, reduced.effects, wanted));
    state = reduced.state;
  }
  return { state, quotes };
}

/**
 * Whether `kept` and what has arrived are all that waits: nothing was decided meanwhile, no terms have changed, and no other
 * process has recorded anything. An action may need to know more of earlier senders: with one, everything is read.
 */
async function isAllThatWaits(
  tx: Tx,
  { account, state }: LoadedAccount,
  { arrived, throughLedger, kept }: { arrived: readonly SalePayment[]; throughLedger: number; kept: Undecided },
): Promise<boolean> {
  if (kept.confirmedLedger !== account.confirmedLedger || !isDeepStrictEqual(kept.confirmed, state)) return false;
  const { rows } = await tx.execute<{ payments: string; actions: string }>(sql`
    select
      (select count(*) from ${payments} p where p.account = ${account.address} and p.outcome = 'pending'
        and p.ledger_index <= ${throughLedger}) as payments,
      (select count(*) from ${actions} m where m.account = ${account.address} and m.status = 'seen'
        and m.ledger_index <= ${throughLedger}) as actions`);
  return Number(rows[0]?.actions) === 0 && Number(rows[0]?.payments) === kept.payments + arrived.length;
}

/** What waits, and what the senders of the next payments had before that: lists, credentials, and totals of those not seen yet. */
const afterWhatWaits = (waiting: SaleState, ofSenders: SaleState): SaleState => ({
  ...ofSenders,
  held: waiting.held,
  projects: new Map(
    [...waiting.projects].map(([tag, project]) => {
      const { lists, wallets } = ofSenders.projects.get(tag) ?? project;
      return [tag, { ...project, lists, wallets: new Map([...wallets, ...project.wallets]) }];
    }),
  ),
});
