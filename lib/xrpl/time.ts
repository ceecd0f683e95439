/** The ledger counts seconds from 2000-01-01T00:00:00Z. */
const RIPPLE_EPOCH_SECONDS = 946_684_800;

export const rippleSecondsToMs = (seconds: number): number => (seconds + RIPPLE_EPOCH_SECONDS) * 1000;
