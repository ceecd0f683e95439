import { z } from 'zod';

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

/** The schema of every time in an answer or event. */
export const isoTime = z.iso.datetime().meta({ description: 'ISO 8601 UTC', example: '2026-11-21T12:00:00.000Z' });
