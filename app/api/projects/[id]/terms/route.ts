import { operation, resource } from '#lib/http/route.ts';
import { termsContract } from '#lib/sale/contracts.ts';
import { getTerms } from '#lib/sale/get-terms.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(termsContract, (ctx, { params }) => getTerms(ctx, params.id)),
);
