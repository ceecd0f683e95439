import { z } from 'zod';

const HEX_LENGTH = 40;

/** The text that a 160-bit code spells; wallets show it in the code's place. */
const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1').replaceAll('\0', '').trim();

/** Published in the document: no look-ahead, which some tools lack. */
export const CURRENCY_FORM =
  /^(?:[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|(?:[1-9A-Fa-f][0-9A-Fa-f]|0[1-9A-Fa-f])[0-9A-Fa-f]{38})$/;

/** Three characters or 160-bit hex not starting 00, never XRP, nor what reads like it (docs/ledger-facts.md, 23). */
export const currencyCode = z
  .string()
  .regex(CURRENCY_FORM, 'must be 3 characters, or 40 hex digits that do not begin with 00')
  .refine((code) => (code.length === HEX_LENGTH ? textOf(code) : code).toUpperCase() !== 'XRP', 'must not be XRP')
  .transform((code) => (code.length === HEX_LENGTH ? code.toUpperCase() : code))
  .meta({ description: 'Currency code of the token', example: 'DMO' });
