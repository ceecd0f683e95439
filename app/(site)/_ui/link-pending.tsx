'use client';

import { useLinkStatus } from 'next/link';

/**
 * Within a link: a line at the top of the screen while its page is being made. A skeleton page in its place would be all
 * that a visitor without scripts sees, and would answer 200 for what does not exist.
 */
export function LinkPending() {
  const { pending } = useLinkStatus();
  if (!pending) return null;
  return (
    <span role="status" className="fixed inset-x-0 top-0 z-50 h-0.5 animate-pulse bg-accent">
      <span className="sr-only">Loading</span>
    </span>
  );
}
