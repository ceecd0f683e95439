'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useTransition } from 'react';

const EVERY_MS = 3_000;

/**
 * Has the server render the page anew again and again, one time after the other; rests while the page is hidden, and begins
 * at once when it is seen again. What is typed, opened or focused stays: only what the server wrote changes.
 */
export function AutoRefresh({ everyMs = EVERY_MS }: { everyMs?: number | undefined }) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && !isPending) startTransition(() => router.refresh());
  });
  useEffect(() => {
    const timer = setInterval(refresh, everyMs);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [everyMs]);
  return null;
}
