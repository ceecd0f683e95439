'use client';

import { useCallback, useEffect, useState } from 'react';
import { callApi } from './api.ts';

export interface Reading<T> {
  data: T | null;
  fault: string | null;
  isReading: boolean;
  /** Reads again; the old answer stays until the new one is there. */
  again: () => void;
}

/** Reads a path with the key, and again whenever the path or the key changes. */
export function useResource<T>(key: string | null, path: string): Reading<T> {
  const [state, setState] = useState<Omit<Reading<T>, 'again'>>({ data: null, fault: null, isReading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = round >= 0;
    setState((old) => ({ ...old, isReading: true }));
    callApi<T>(key, 'GET', path).then(
      (data) => isCurrent && setState({ data, fault: null, isReading: false }),
      (err: unknown) =>
        isCurrent &&
        setState((old) => ({
          ...old,
          fault: err instanceof Error ? err.message : 'It could not be read.',
          isReading: false,
        })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, path, round]);
  const again = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, again };
}
