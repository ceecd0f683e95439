import { sha256Hex } from '@tranche/rules/sha256.ts';

const MODULUS = 2n ** 256n;

/** A digest of rows in their order, which goes on row by row. */
export const chained = (before: string, row: object): string => sha256Hex(before + JSON.stringify(row));

/** A digest of rows whatever their order. */
export const added = (before: bigint, row: object): bigint =>
  (before + BigInt(`0x${sha256Hex(JSON.stringify(row))}`)) % MODULUS;
