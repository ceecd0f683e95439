/** Payments that the console refunds at once. */
export const BULK_SIZE = 200;
