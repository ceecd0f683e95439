import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { termsContract } from '#lib/sales/contracts.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';

/** What a launch has anchored never changes again. */
const ANCHORED = { 'cache-control': 'public, max-age=31536000, immutable' };

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(termsContract, async (ctx, { params }) => {
    const terms = await getTerms(ctx, params.id);
    return new Reply(200, terms, terms.anchor === null ? {} : ANCHORED);
  }),
);
