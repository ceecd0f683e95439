'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';

const EVERY_MS = 4_000;
/** After failures, a page asks ever more rarely. */
const MOST_MS = 60_000;

/**
 * Keeps the page current: asks for the project, which costs next to nothing while it is unchanged (304), and has the
 * server render the page anew when it changed. Rests while the page is hidden.
 */
export function LiveUpdates({ projectId, isOver }: { projectId: string; isOver: boolean }) {
  const router = useRouter();
  const known = useRef<string | null>(null);
  useEffect(() => {
    if (isOver) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = EVERY_MS;
    const look = async () => {
      try {
        const answer = await fetch(`/api/projects/${projectId}`, { signal: AbortSignal.timeout(EVERY_MS * 2) });
        if (!answer.ok) throw new Error(`The project answered ${answer.status}`);
        const text = await answer.text();
        if (known.current !== null && known.current !== text) router.refresh();
        known.current = text;
        waitMs = EVERY_MS;
      } catch {
        waitMs = Math.min(MOST_MS, waitMs * 2);
      }
      plan();
    };
    const plan = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(look, waitMs);
    };
    const onVisibility = () => (document.visibilityState === 'visible' ? void look() : clearTimeout(timer));
    plan();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [projectId, isOver, router]);
  return null;
}
