import { type Drops, minBigInt } from '#lib/base/money.ts';
import { MAX_FEE_DROPS } from '#lib/xrpl/fees.ts';
import { FEE_FLOAT_DROPS } from '../check.ts';
import { MIN_REQUEST, SPARE_TICKETS } from '../tickets.ts';
import { BATCH } from '../types.ts';
import type { AccountBooks, AccountOnLedger } from './read-account.ts';
import type { Raised } from './read-raised.ts';

/** What must stay on a deposit account for others, over all of its projects. The sum is the floor. */
export interface Floor {
  /** Base reserve, and the owner reserve of what the account owns and of the tickets that paying the rest may take. */
  reserveDrops: Drops;
  /** Refunds that are not paid yet. */
  refundsOwedDrops: Drops;
  heldDrops: Drops;
  /** Received and not decided: it may all go back. */
  undecidedDrops: Drops;
  /** Invested without validated tokens in sales that were or may yet be cancelled: it may all go back. */
  undistributedDrops: Drops;
  /** Other releases under way. */
  releasesDrops: Drops;
  feeFloatDrops: Drops;
}

/** What counts beside the books. */
export interface Beside {
  /** Releases other than the one in question. */
  releasesDrops: Drops;
  /** Payments to come that the books do not know yet. */
  morePayments: number;
}

/**
 * Who asks for a release counts it and what the account may have to pay a fee for until it is made (tickets, moves): else
 * what may go when it is asked for could not go any more when it is paid.
 */
export const asked = ({ releasesSentDrops, releasesWaitingDrops }: AccountBooks): Beside => ({
  releasesDrops: releasesSentDrops + releasesWaitingDrops,
  morePayments: 10,
});

/** Who pays releases counts those that it has signed; each is one of the account's obligations. */
export const paying = ({ releasesSentDrops }: AccountBooks): Beside => ({
  releasesDrops: releasesSentDrops,
  morePayments: 0,
});

/** The most tickets that the payer holds while it pays so much: for one batch and the next, and what it asks for beyond. */
const ticketsFor = (payments: bigint): number =>
  Number(minBigInt(payments, BigInt(2 * BATCH))) + SPARE_TICKETS + MIN_REQUEST;

export function floorOf(
  books: AccountBooks,
  onLedger: AccountOnLedger,
  { releasesDrops, morePayments }: Beside,
): Floor {
  const { ownerCount, ticketsHeld, server } = onLedger;
  const increment = server.reserveIncrementDrops;
  const payments = (increment === 0n ? 0n : books.ticketReserveDrops / increment) + BigInt(morePayments);
  const objects = ownerCount - ticketsHeld + Math.max(ticketsHeld, ticketsFor(payments));
  return {
    reserveDrops: server.reserveBaseDrops + increment * BigInt(objects),
    refundsOwedDrops: books.refundsOwedDrops,
    heldDrops: books.heldDrops,
    undecidedDrops: books.undecidedDrops,
    undistributedDrops: books.undistributedDrops,
    releasesDrops,
    // Beside what the payer keeps back from every payment, the fee of each payment to come.
    feeFloatDrops: FEE_FLOAT_DROPS + books.feesDrops + MAX_FEE_DROPS * BigInt(morePayments),
  };
}

export const floorDrops = (floor: Floor): Drops => Object.values(floor).reduce((sum: Drops, drops) => sum + drops, 0n);

/**
 * What the account may count on: of the ledger and the books the lesser. XRP that no entry explains may be a payment that
 * was missed; what the books have and the ledger has not is gone. Nothing while the books have not begun. Pure.
 */
export const countedDrops = (books: AccountBooks, onLedger: AccountOnLedger): Drops =>
  minBigInt(books.bookedDrops ?? 0n, onLedger.balanceDrops);

/** What stands above the floor; never negative. Pure. */
export function freeDrops(books: AccountBooks, onLedger: AccountOnLedger, beside: Beside): Drops {
  const free = countedDrops(books, onLedger) - floorDrops(floorOf(books, onLedger, beside));
  return free > 0n ? free : 0n;
}

/**
 * What a sale has earned: all that is invested once it is completed, before that what its validated tokens were paid with.
 * Nothing for a draft, for one that was cancelled or missed its soft cap, and while one runs that distributes at its end.
 * Pure.
 */
export function earnedDrops({ status, distribution, investedDrops, paidForDrops }: Raised): Drops {
  if (status === 'completed') return investedDrops;
  const runs = status === 'active' || status === 'paused';
  return runs && distribution === 'immediate' ? paidForDrops : 0n;
}

/** Earned and not released yet, whatever its account can spare. Pure. */
export function unreleasedDrops(raised: Raised): Drops {
  const left = earnedDrops(raised) - raised.releasedDrops;
  return left > 0n ? left : 0n;
}
