'use client';

import { useCallback, useEffect, useState } from 'react';

/**
 * What is typed in a field, kept in this tab: who goes to another page and comes back finds it. Not for secrets. `name` is of
 * the field, and an empty text forgets it; with null nothing is kept.
 */
export function useDraft(name: string | null): [text: string, change: (text: string) => void] {
  const [text, setText] = useState('');
  const key = name === null ? null : `tranche.draft.${name}`;
  useEffect(() => {
    const kept = key === null ? null : sessionStorage.getItem(key);
    if (kept !== null) setText((now) => (now === '' ? kept : now));
  }, [key]);
  const change = useCallback(
    (typed: string) => {
      setText(typed);
      if (key === null) return;
      if (typed === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, typed);
    },
    [key],
  );
  return [text, change];
}
