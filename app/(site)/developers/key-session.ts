'use client';

import { useSyncExternalStore } from 'react';

/** The key lives in this tab and goes with it: nothing of it is kept by the browser or sent to a page. */
const NAME = 'tranche.api-key';
const CHANGED = 'tranche:api-key';

/** A key with the wallet that it was made for; null where that is not known. */
export interface StoredKey {
  key: string;
  wallet: string | null;
}

const subscribe = (changed: () => void) => {
  addEventListener(CHANGED, changed);
  return () => removeEventListener(CHANGED, changed);
};

/** One space apart: neither holds one. */
const textOf = ({ key, wallet }: StoredKey): string => (wallet === null ? key : `${key} ${wallet}`);

export function storeKey(kept: StoredKey | null): void {
  if (kept === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, textOf(kept));
  dispatchEvent(new Event(CHANGED));
}

/** The key of this tab; null without one; undefined while the page is not yet alive. */
export function useKey(): StoredKey | null | undefined {
  const text = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(NAME),
    () => undefined,
  );
  if (text === undefined || text === null) return text;
  const [key = '', wallet = null] = text.split(' ');
  return { key, wallet };
}
