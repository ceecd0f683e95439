import { type Drops, formatDrops, minBigInt } from '#lib/base/money.ts';
import type { ReleaseFigures } from './contracts.ts';
import { asked, countedDrops, earnedDrops, floorDrops, floorOf, freeDrops, unreleasedDrops } from './figures.ts';
import type { AccountBooks, AccountOnLedger } from './read-account.ts';
import type { Raised } from './read-raised.ts';

/** A project and its deposit account, all as of one ledger. */
export interface ReleaseFacts {
  raised: Raised;
  books: AccountBooks;
  onLedger: AccountOnLedger;
}

/** What may go now. Pure. */
export const releasableDrops = ({ raised, books, onLedger }: ReleaseFacts): Drops =>
  releaseObstacle(raised, books) === null
    ? minBigInt(unreleasedDrops(raised), freeDrops(books, onLedger, asked(books)))
    : 0n;

/** Why nothing may go whatever the figures say, as shown to the operator; null when something may. Pure. */
export function releaseObstacle(raised: Raised, books: AccountBooks): string | null {
  const { status, distribution, treasury } = raised;
  if (status === 'draft') return 'The sale has not been launched.';
  if (status === 'cancelled') return 'The sale was cancelled or missed its soft cap: nothing of it is released.';
  if (treasury === null) return 'The terms that the launch anchored name no treasury.';
  if (status !== 'completed' && distribution === 'at_end') {
    return 'The sale distributes at its end: nothing is released before it is completed.';
  }
  if (books.halted) return 'The deposit account is halted. Resume it first.';
  return books.bookedDrops === null ? 'The books of the deposit account have not begun. Try again in a minute.' : null;
}

/** Why not all that the sale has earned may go now; null when it may. Pure. */
export function whyNotAll(facts: ReleaseFacts): string | null {
  const obstacle = releaseObstacle(facts.raised, facts.books);
  if (obstacle !== null) return obstacle;
  const unreleased = unreleasedDrops(facts.raised);
  if (unreleased === 0n) return 'Everything that the sale has earned so far is released.';
  return releasableDrops(facts) < unreleased
    ? 'The rest must stay on the deposit account for now: see `deposit_account.floor`.'
    : null;
}

export function releaseFiguresOf(facts: ReleaseFacts): ReleaseFigures {
  const { raised, books, onLedger } = facts;
  const floor = floorOf(books, onLedger, asked(books));
  return {
    project_id: raised.id,
    status: raised.status,
    treasury: raised.treasury,
    raised_xrp: formatDrops(raised.investedDrops),
    earned_xrp: formatDrops(earnedDrops(raised)),
    released_xrp: formatDrops(raised.releasedDrops),
    releasable_xrp: formatDrops(releasableDrops(facts)),
    not_releasable_because: whyNotAll(facts),
    deposit_account: {
      address: raised.depositAddress,
      ledger_index: books.ledgerIndex,
      balance_xrp: formatDrops(countedDrops(books, onLedger)),
      free_xrp: formatDrops(freeDrops(books, onLedger, asked(books))),
      floor_xrp: formatDrops(floorDrops(floor)),
      floor: {
        reserve_xrp: formatDrops(floor.reserveDrops),
        refunds_owed_xrp: formatDrops(floor.refundsOwedDrops),
        held_xrp: formatDrops(floor.heldDrops),
        undecided_xrp: formatDrops(floor.undecidedDrops),
        undistributed_xrp: formatDrops(floor.undistributedDrops),
        releases_xrp: formatDrops(floor.releasesDrops),
        fee_float_xrp: formatDrops(floor.feeFloatDrops),
      },
    },
  };
}
