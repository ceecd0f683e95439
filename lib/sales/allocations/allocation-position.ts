import { z } from 'zod';

/** The place of an allocation in the sale's order. */
export interface AllocationPosition {
  ledgerIndex: number;
  transactionIndex: number;
  tier: number;
}

const PATTERN = /^(\d{1,10})-(\d{1,9})-(\d{1,4})$/;

/** A place as a text that a client can make of the last row it has. */
export const allocationCursorCodec = z
  .string()
  .regex(PATTERN, 'must be <ledger_index>-<transaction_index>-<tier> of a row')
  .transform((text): AllocationPosition => {
    const [ledgerIndex = 0, transactionIndex = 0, tier = 0] = text.split('-').map(Number);
    return { ledgerIndex, transactionIndex, tier };
  });
