import {
  formatDrops,
  formatPrice,
  MAX_DROPS,
  PRICE_DECIMALS,
  parseDecimal,
  parsePrice,
  WIRE_TOKEN_DECIMALS,
  XRP_DECIMALS,
} from '@tranche/rules/amounts.ts';
import { z } from 'zod';
import { decimalFault } from './typed-number.ts';

/**
 * What `parseDecimal` takes with so many fractional digits, as a pattern for the document: zeros may follow. Nothing in it
 * that common tools lack, so what is above zero is spelled out instead of looked ahead for.
 */
const fraction = (digits: number): string => `\\.[0-9]{1,${digits}}0{0,${24 - digits}}`;
const fractionAboveZero = (digits: number): string =>
  `\\.(?:${Array.from({ length: digits }, (_, zeros) => `0{${zeros}}[1-9][0-9]{0,${digits - 1 - zeros}}`).join('|')})0{0,${24 - digits}}`;

/** Up to 100 billion, all the XRP that there is. */
const XRP_ABOVE_ONE = `[1-9][0-9]{0,10}(?:${fraction(XRP_DECIMALS)})?|100000000000(?:\\.0{1,24})?`;
const XRP_PATTERN = `^(?:0(?:${fraction(XRP_DECIMALS)})?|${XRP_ABOVE_ONE})$`;
export const POSITIVE_XRP_PATTERN = `^(?:0${fractionAboveZero(XRP_DECIMALS)}|${XRP_ABOVE_ONE})$`;
const PRICE_PATTERN = `^(?:0${fractionAboveZero(PRICE_DECIMALS)}|[1-9][0-9]{0,24}(?:${fraction(PRICE_DECIMALS)})?)$`;
/** Tokens above zero; the token's own decimals may ask for fewer digits. */
export const POSITIVE_TOKENS_PATTERN = `^(?:0${fractionAboveZero(WIRE_TOKEN_DECIMALS)}|[1-9][0-9]{0,24}(?:${fraction(WIRE_TOKEN_DECIMALS)})?)$`;

/** Codec between an XRP decimal string (up to six fractional digits in) and drops. */
export const xrpCodec = z
  .codec(z.string().max(32), z.bigint(), {
    decode: (text, ctx) => {
      const drops = parseDecimal(text, XRP_DECIMALS);
      if (drops === null || drops > MAX_DROPS) {
        ctx.issues.push({
          code: 'custom',
          input: text,
          message: decimalFault(text, 'must be an XRP amount of up to 6 fractional digits, at most 100 billion'),
        });
        return z.NEVER;
      }
      return drops;
    },
    encode: (drops) => formatDrops(drops),
  })
  .meta({
    description: 'XRP, a decimal string with up to six fractional digits',
    example: '250.000000',
    pattern: XRP_PATTERN,
  });

/** The same for an amount that must be above zero. */
export const positiveXrpCodec = xrpCodec
  .refine((drops) => drops > 0n, 'must be more than 0')
  .meta({
    description: 'XRP above 0, a decimal string with up to six fractional digits',
    example: '250.000000',
    pattern: POSITIVE_XRP_PATTERN,
  });

/** Codec between a price and its integer scaled by 10^12; a price is positive. */
export const priceCodec = z
  .codec(z.string().max(40), z.bigint(), {
    decode: (text, ctx) => {
      const price = parsePrice(text);
      if (price === null || price === 0n) {
        ctx.issues.push({
          code: 'custom',
          input: text,
          message: decimalFault(text, 'must be a positive decimal of up to 12 fractional digits'),
        });
        return z.NEVER;
      }
      return price;
    },
    encode: (price) => formatPrice(price),
  })
  .meta({
    description: 'XRP for one token, a positive decimal string of up to 12 fractional digits',
    example: '0.10',
    pattern: PRICE_PATTERN,
  });
