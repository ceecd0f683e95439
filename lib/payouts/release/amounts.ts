import { type Drops, formatDrops, minBigInt } from '#lib/base/money.ts';
import { MAX_FEE_DROPS } from '#lib/xrpl/server-state.ts';
import { BATCH, FEE_FLOAT_DROPS, MIN_TICKET_REQUEST, SPARE_TICKETS } from '../types.ts';
import type { ReleaseAmounts } from './contracts.ts';
import type { AccountCommitments, AccountOnLedger, Raised } from './read-amounts.ts';

/** What must stay on a deposit account for others, over all of its projects. The sum is the floor. */
interface Floor {
  /** Base reserve, and the owner reserve of what the account owns and of the tickets that paying the rest may take. */
  reserveDrops: Drops;
  /** Refunds that are not paid yet. */
  unpaidRefundsDrops: Drops;
  heldDrops: Drops;
  /** Received and not decided: it may all go back. */
  undecidedDrops: Drops;
  /** Invested without validated tokens in sales that were or may yet be cancelled: it may all go back. */
  undistributedDrops: Drops;
  /** Other releases under way. */
  releasesDrops: Drops;
  feeFloatDrops: Drops;
}

/** What counts for the floor and is not in the records. */
interface FloorContext {
  /** Releases other than the one in question. */
  releasesDrops: Drops;
  /** Payments to come that the records do not know yet. */
  morePayments: number;
}

/**
 * A request counts all other releases, and what the account may have to pay a fee for until this one is made (tickets,
 * actions of its sales): else what may go when it is requested could not go any more when it is paid.
 */
const whenRequested = ({ releasesSentDrops, releasesWaitingDrops }: AccountCommitments): FloorContext => ({
  releasesDrops: releasesSentDrops + releasesWaitingDrops,
  morePayments: 10,
});

/** The payer counts only releases that are signed: the others are those in question. */
export const whenPaid = ({ releasesSentDrops }: AccountCommitments): FloorContext => ({
  releasesDrops: releasesSentDrops,
  morePayments: 0,
});

/** The most tickets that the payer holds while it pays so much: for one batch and the next, and what it asks for beyond. */
const ticketsFor = (payments: bigint): number =>
  Number(minBigInt(payments, BigInt(2 * BATCH))) + SPARE_TICKETS + MIN_TICKET_REQUEST;

function floorOf(
  commitments: AccountCommitments,
  onLedger: AccountOnLedger,
  { releasesDrops, morePayments }: FloorContext,
): Floor {
  const { ownerCount, ticketsHeld, server } = onLedger;
  const increment = server.reserveIncrementDrops;
  const payments = (increment === 0n ? 0n : commitments.ticketReserveDrops / increment) + BigInt(morePayments);
  const objects = ownerCount - ticketsHeld + Math.max(ticketsHeld, ticketsFor(payments));
  return {
    reserveDrops: server.reserveBaseDrops + increment * BigInt(objects),
    unpaidRefundsDrops: commitments.unpaidRefundsDrops,
    heldDrops: commitments.heldDrops,
    undecidedDrops: commitments.undecidedDrops,
    undistributedDrops: commitments.undistributedDrops,
    releasesDrops,
    // Beside what the payer keeps back from every payment, the fee of each payment to come.
    feeFloatDrops: FEE_FLOAT_DROPS + commitments.feesDrops + MAX_FEE_DROPS * BigInt(morePayments),
  };
}

const floorDrops = (floor: Floor): Drops => Object.values(floor).reduce((sum: Drops, drops) => sum + drops, 0n);

/**
 * What the account may count on: of the ledger and the records the lesser. XRP that no entry explains may be a payment that
 * was missed; what the records have and the ledger has not is gone. Nothing while the records have not begun. Pure.
 */
const countedDrops = (commitments: AccountCommitments, onLedger: AccountOnLedger): Drops =>
  minBigInt(commitments.recordedBalanceDrops ?? 0n, onLedger.balanceDrops);

/** What stands above the floor; never negative. Pure. */
export function freeDrops(commitments: AccountCommitments, onLedger: AccountOnLedger, context: FloorContext): Drops {
  const free = countedDrops(commitments, onLedger) - floorDrops(floorOf(commitments, onLedger, context));
  return free > 0n ? free : 0n;
}

/**
 * What a sale has earned: all that is invested once it is completed, before that what its validated tokens were paid with.
 * Nothing for a draft, for one that was cancelled or missed its soft cap, and while one runs that distributes at its end.
 * Pure.
 */
function earnedDrops({ status, distribution, investedDrops, paidForDrops }: Raised): Drops {
  if (status === 'completed') return investedDrops;
  const runs = status === 'active' || status === 'paused';
  return runs && distribution === 'immediate' ? paidForDrops : 0n;
}

/** Earned and not released yet, even where its account cannot spare it. Pure. */
function unreleasedDrops(raised: Raised): Drops {
  const left = earnedDrops(raised) - raised.releasedDrops;
  return left > 0n ? left : 0n;
}

/** A project and its deposit account, all as of one ledger. */
export interface ReleaseFacts {
  raised: Raised;
  commitments: AccountCommitments;
  onLedger: AccountOnLedger;
}

/** What may go now. Pure. */
export const releasableDrops = ({ raised, commitments, onLedger }: ReleaseFacts): Drops =>
  reasonNotReleasable(raised, commitments) === null
    ? minBigInt(unreleasedDrops(raised), freeDrops(commitments, onLedger, whenRequested(commitments)))
    : 0n;

/** Why nothing may go at all, as shown to the operator; null when something may. Pure. */
export function reasonNotReleasable(raised: Raised, commitments: AccountCommitments): string | null {
  const { status, distribution, treasury } = raised;
  if (status === 'draft') return 'The sale has not been launched.';
  if (status === 'cancelled') return 'The sale was cancelled or missed its soft cap: nothing is released.';
  if (treasury === null) return 'The terms that the launch anchored name no treasury.';
  if (status !== 'completed' && distribution === 'at_end') {
    return 'The sale distributes at its end: nothing is released before it is completed.';
  }
  if (commitments.halted) return 'The deposit account is halted. Resume it first.';
  return commitments.recordedBalanceDrops === null
    ? 'The balance of the deposit account is not recorded yet. Try again in a minute.'
    : null;
}

/** Why not all that the sale has earned may go now; null when it may. Pure. */
export function reasonNotAllReleasable(facts: ReleaseFacts): string | null {
  const obstacle = reasonNotReleasable(facts.raised, facts.commitments);
  if (obstacle !== null) return obstacle;
  const unreleased = unreleasedDrops(facts.raised);
  if (unreleased === 0n) return 'Everything that the sale has earned so far is released.';
  return releasableDrops(facts) < unreleased
    ? 'The rest must stay on the deposit account for now: see `deposit_account.floor`.'
    : null;
}

export function toReleaseAmounts(facts: ReleaseFacts): ReleaseAmounts {
  const { raised, commitments, onLedger } = facts;
  const floor = floorOf(commitments, onLedger, whenRequested(commitments));
  return {
    project_id: raised.id,
    status: raised.status,
    treasury: raised.treasury,
    raised_xrp: formatDrops(raised.investedDrops),
    earned_xrp: formatDrops(earnedDrops(raised)),
    released_xrp: formatDrops(raised.releasedDrops),
    releasable_xrp: formatDrops(releasableDrops(facts)),
    not_releasable_reason: reasonNotAllReleasable(facts),
    deposit_account: {
      address: raised.depositAddress,
      ledger_index: commitments.ledgerIndex,
      balance_xrp: formatDrops(countedDrops(commitments, onLedger)),
      free_xrp: formatDrops(freeDrops(commitments, onLedger, whenRequested(commitments))),
      floor_xrp: formatDrops(floorDrops(floor)),
      floor: {
        reserve_xrp: formatDrops(floor.reserveDrops),
        unpaid_refunds_xrp: formatDrops(floor.unpaidRefundsDrops),
        held_xrp: formatDrops(floor.heldDrops),
        undecided_xrp: formatDrops(floor.undecidedDrops),
        undistributed_xrp: formatDrops(floor.undistributedDrops),
        releases_xrp: formatDrops(floor.releasesDrops),
        fee_float_xrp: formatDrops(floor.feeFloatDrops),
      },
    },
  };
}
