'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi } from './api.ts';

export interface Reading<T> {
  data: T | null;
  /** The path that `data` is the answer of: for a moment the one before. */
  of: string | null;
  fault: string | null;
  isReading: boolean;
  /** The last answer that was asked for by itself did not come: `data` is older than it should be. */
  isStale: boolean;
  /** Reads again; the old answer stays until the new one is there. */
  again: () => void;
}

/** After failures it is asked ever more rarely. */
const MOST_MS = 60_000;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Reads a path with the key, and again whenever the path or the key changes; nothing while the path is null. With `everyMs`
 * it is read again by itself, so long after each answer; not while the page is hidden, and at once when it is shown again.
 */
export function useResource<T>(key: string | null, path: string | null, everyMs: number | null = null): Reading<T> {
  const [state, setState] = useState<Omit<Reading<T>, 'again'>>({
    data: null,
    of: null,
    fault: null,
    isReading: path !== null,
    isStale: false,
  });
  const [round, setRound] = useState(0);
  /** Of two answers the one that was asked for later counts. */
  const asked = useRef(0);
  const taken = useRef(0);

  useEffect(() => {
    if (path === null) return;
    let isCurrent = round >= 0;
    const turn = ++asked.current;
    setState((old) => ({ ...old, isReading: true }));
    callApi<T>(key, 'GET', path).then(
      (data) => {
        if (!isCurrent || turn < taken.current) return;
        taken.current = turn;
        setState({ data, of: path, fault: null, isReading: false, isStale: false });
      },
      (err: unknown) => {
        if (!isCurrent) return;
        const fault = err instanceof Error ? err.message : 'It could not be read.';
        setState((old) => ({ ...old, fault, isReading: false }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, path, round]);

  useEffect(() => {
    if (path === null || everyMs === null) return;
    let isCurrent = true;
    let waitMs = everyMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isShown = () => document.visibilityState === 'visible';
    const look = async () => {
      const turn = ++asked.current;
      try {
        const data = await callApi<T>(key, 'GET', path);
        waitMs = everyMs;
        if (isCurrent && turn >= taken.current) {
          taken.current = turn;
          setState((old) =>
            old.of === path && same(old.data, data) && old.fault === null && !old.isStale
              ? old
              : { ...old, data, of: path, fault: null, isStale: false },
          );
        }
      } catch {
        waitMs = Math.min(MOST_MS, waitMs * 2);
        if (isCurrent) setState((old) => ({ ...old, isStale: true }));
      }
      if (isCurrent) plan();
    };
    const plan = () => {
      clearTimeout(timer);
      if (isShown()) timer = setTimeout(look, waitMs);
    };
    const onVisibility = () => {
      clearTimeout(timer);
      if (isShown()) void look();
    };
    plan();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [key, path, everyMs]);

  const again = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, again };
}
