'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const EVERY_MS = 4_000;
/** After failures, a page asks ever more rarely. */
const MOST_MS = 60_000;

/**
 * Keeps the page current: asks whether the project is still as the page shows it (`etag`), which costs next to nothing while
 * it is (304), and has the server render the page anew until it is. Rests while the page is hidden.
 */
export function LiveUpdates({ projectId, etag, isOver }: { projectId: string; etag: string; isOver: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (isOver) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = EVERY_MS;
    const look = async () => {
      try {
        const answer = await fetch(`/api/projects/${projectId}`, {
          headers: { 'if-none-match': etag },
          signal: AbortSignal.timeout(EVERY_MS * 2),
        });
        await answer.body?.cancel();
        if (answer.ok) router.refresh();
        else if (answer.status !== 304) throw new Error(`The project answered ${answer.status}`);
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
  }, [projectId, etag, isOver, router]);
  return null;
}
