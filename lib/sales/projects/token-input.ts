import { z } from 'zod';
import { accountAddress } from '#lib/xrpl/address.ts';
import { currencyCode } from '#lib/xrpl/currency.ts';
import { issuanceId } from '#lib/xrpl/issuance-id.ts';

const decimals = z.int().min(0).max(6);

/** The token that a project sells, as an operator gives it. */
export const tokenInput = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('iou'),
    currency: currencyCode,
    issuer: accountAddress,
    decimals: decimals.default(6),
  }),
  z.strictObject({
    kind: z.literal('mpt'),
    issuance_id: issuanceId,
    decimals: decimals.meta({ description: 'The AssetScale of the issuance', example: 6 }),
  }),
]);
export type TokenInput = z.output<typeof tokenInput>;
