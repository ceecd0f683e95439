import { Reply } from '#lib/http/answer.ts';
import { operation, resource } from '#lib/http/route.ts';
import { termsContract } from '#lib/sale/contracts.ts';
import { getTerms } from '#lib/sale/projects/get-terms.ts';

/** What a launch has anchored never changes again. */
const ANCHORED = { 'cache-control': 'public, max-age=31536000, immutable' };

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(termsContract, async (ctx, { params }) => {
    const terms = await getTerms(ctx, params.id);
    return new Reply(200, terms, terms.anchor === null ? {} : ANCHORED);
  }),
);
