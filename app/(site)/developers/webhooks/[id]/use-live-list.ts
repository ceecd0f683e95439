'use client';

import { useState } from 'react';

interface Identified {
  id: string;
}

/**
 * A list that is read again and again, as it may be shown to somebody who reads: while `isHeld`, its rows stay where they are and
 * only change their content, and `fresh` counts the new ones, which `show` brings in. Otherwise it is the newest answer.
 */
export function useLiveList<T extends Identified>(
  newest: readonly T[] | null,
  { isHeld, of }: { isHeld: boolean /** What it is a list of: another one is shown at once. */; of: string },
): { shown: readonly T[] | null; fresh: number; show: () => void } {
  const [kept, setKept] = useState<{ of: string; ids: readonly string[]; rows: readonly T[] } | null>(null);
  const keep = () => setKept(newest === null ? null : { of, ids: newest.map(({ id }) => id), rows: newest });
  if (!isHeld || kept === null || kept.of !== of) {
    if (kept?.rows !== newest && newest !== null) keep();
    return { shown: newest, fresh: 0, show: keep };
  }
  const byId = new Map(newest?.map((row) => [row.id, row]));
  const shown = kept.rows.map((row) => byId.get(row.id) ?? row);
  const known = new Set(kept.ids);
  const fresh = newest?.filter(({ id }) => !known.has(id)).length ?? 0;
  return { shown, fresh, show: keep };
}
