'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { formatDuration } from './format.ts';

const SECOND_MS = 1_000;
/** The ledger that passes the time closes a few seconds after it. */
const AFTER_MS = 5_000;

/** The time left until `at`, counted down while the page is seen; has the page made anew once it has passed. */
export function Countdown({ at, nowMs }: { at: string; nowMs: number }) {
  const router = useRouter();
  const [now, setNow] = useState(nowMs);
  const leftMs = Date.parse(at) - now;
  const isPassed = leftMs <= 0;
  useEffect(() => {
    if (isPassed) {
      const timer = setTimeout(() => router.refresh(), AFTER_MS);
      return () => clearTimeout(timer);
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [isPassed, router]);
  return <span className="figures">{isPassed ? 'any moment' : `in ${formatDuration(leftMs / SECOND_MS)}`}</span>;
}
