'use client';

import type { Suggestion } from './use-chat.ts';

/** What may be asked next; empty without any. */
export const Suggestions = ({
  suggestions,
  onChoose,
}: {
  suggestions: readonly Suggestion[];
  onChoose: (prompt: string) => void;
}) =>
  suggestions.length === 0 ? null : (
    <ul aria-label="Suggestions" className="flex gap-2 overflow-x-auto px-4 pt-1 pb-3">
      {suggestions.map((suggestion) => (
        <li key={suggestion.prompt}>
          <button
            type="button"
            title={suggestion.prompt}
            onClick={() => onChoose(suggestion.prompt)}
            className="min-h-8 rounded-full border border-line-strong/50 px-3 py-1.5 text-xs whitespace-nowrap hover:bg-sunken"
          >
            {suggestion.title}
          </button>
        </li>
      ))}
    </ul>
  );
