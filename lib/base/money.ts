/** The codecs stand apart, so that what only counts does without their schemas. */
export * from '@tranche/rules/amounts.ts';
export { priceText, tokenAmount, xrpAmount } from '@tranche/rules/wire.ts';
