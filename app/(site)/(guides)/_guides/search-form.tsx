'use client';

import Form from 'next/form';
import { useSearchParams } from 'next/navigation';

/** Searches the guides; works without a script too. */
export function SearchForm() {
  const query = useSearchParams().get('q') ?? '';
  return (
    <Form action="/docs/search" prefetch={false} role="search">
      <label className="sr-only" htmlFor="guide-search">
        Search the guides
      </label>
      <input
        key={query}
        id="guide-search"
        type="search"
        name="q"
        defaultValue={query}
        required
        maxLength={200}
        placeholder="Search the guides"
        className="w-full rounded-lg border border-line-strong bg-card px-3 py-2 text-sm placeholder:text-soft"
      />
    </Form>
  );
}
