import { bigint, text, timestamp } from 'drizzle-orm/pg-core';

/** Drops, token units and ledger amounts: int8, always bigint in code. */
export const amount = () => bigint({ mode: 'bigint' });
/** Ledger indexes, tags and counters below 2^53. */
export const wholeNumber = () => bigint({ mode: 'number' });
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });
export const createdAt = () => instant().notNull().defaultNow();
export const id = () => text().primaryKey();
