import { z } from 'zod';
import { formatDrops, formatPrice, MAX_DROPS, parseDecimal, parsePrice, XRP_DECIMALS } from './amounts.ts';

/** The arithmetic stands apart, so that a page can do it without the schemas. */
export * from './amounts.ts';

/** The wire form of an XRP amount: a decimal string with exactly six fractional digits. */
export const xrpAmount = z
  .string()
  .regex(/^\d{1,12}\.\d{6}$/)
  .meta({ description: 'XRP, a decimal string with exactly six fractional digits', example: '250.000000' });

/** The wire form of a token amount in answers. */
export const tokenAmount = z
  .string()
  .regex(/^\d{1,19}\.\d{6}$/)
  .meta({ description: 'Tokens, a decimal string with exactly six fractional digits', example: '2500.000000' });

export const priceText = z
  .string()
  .regex(/^\d+(\.\d{1,12})?$/)
  .meta({ description: 'XRP for one token, a decimal string', example: '0.10' });

/** Codec between an XRP decimal string (up to six fractional digits in) and drops. */
export const xrpCodec = z
  .codec(z.string().max(32), z.bigint(), {
    decode: (text, ctx) => {
      const drops = parseDecimal(text, XRP_DECIMALS);
      if (drops === null || drops > MAX_DROPS) {
        ctx.issues.push({
          code: 'custom',
          input: text,
          message: 'must be an XRP amount of up to 6 fractional digits, at most 100 billion',
        });
        return z.NEVER;
      }
      return drops;
    },
    encode: (drops) => formatDrops(drops),
  })
  .meta({ description: 'XRP, a decimal string with up to six fractional digits', example: '250.000000' });

/** Codec between a price and its integer scaled by 10^12; a price is positive. */
export const priceCodec = z
  .codec(z.string().max(40), z.bigint(), {
    decode: (text, ctx) => {
      const price = parsePrice(text);
      if (price === null || price === 0n) {
        ctx.issues.push({
          code: 'custom',
          input: text,
          message: 'must be a positive decimal of up to 12 fractional digits',
        });
        return z.NEVER;
      }
      return price;
    },
    encode: (price) => formatPrice(price),
  })
  .meta({ description: 'XRP for one token, a positive decimal string of up to 12 fractional digits', example: '0.10' });
