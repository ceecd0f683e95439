import { hash } from 'node:crypto';

const MODULUS = 2n ** 256n;
const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** A digest of rows in their order, which goes on row by row. */
export const chained = (before: string, row: object): string => sha256(before + JSON.stringify(row));

/** A digest of rows whatever their order. */
export const added = (before: bigint, row: object): bigint =>
  (before + BigInt(`0x${sha256(JSON.stringify(row))}`)) % MODULUS;
