/** Payments of one account that may be under way at once. */
export const MAX_IN_FLIGHT = 200;
/** Payouts that are checked, signed and submitted together. */
export const BATCH = 50;
/** A slice that stops answers for its account no longer than this. */
export const SIGNER_LEASE_SECONDS = 60;
/** Tickets beyond those needed now, so that the next single payout need not wait for a ledger of its own. */
export const SPARE_TICKETS = 5;
