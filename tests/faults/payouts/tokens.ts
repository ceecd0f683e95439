/** The token of the campaign's sales, as issued currency and as MPT alike. */
export const CURRENCY = 'DMO';
export const DECIMALS = 6;
