import { operation, resource } from '#lib/api/route.ts';
import { getAssistantSuggestionsContract } from '#lib/assistant/contracts.ts';
import { getSuggestions } from '#lib/assistant/suggestions.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getAssistantSuggestionsContract, (ctx, { query }) => getSuggestions(ctx, query), { ledger: lazyLedger }),
);
