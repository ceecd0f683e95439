import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerServers } from './connection.ts';
import type { LedgerWatch } from './types.ts';

/** So long the other servers have to come to a ledger that enough of them have validated: then whichever is asked knows it. */
const GRACE_MS = 200;

/** Waits for ledgers that `quorum` of the servers have validated. */
export function watchLedgers(servers: LedgerServers, quorum: number): LedgerWatch {
  const newest = new Map<string, number>();
  let told = Promise.withResolvers<void>();
  const subscription = servers.subscribe((url, ledgerIndex) => {
    if (ledgerIndex === null) newest.delete(url);
    else newest.set(url, Math.max(ledgerIndex, newest.get(url) ?? 0));
    told.resolve();
    told = Promise.withResolvers();
  });
  const isEverywhere = (ledgerIndex: number): boolean => [...newest.values()].every((each) => each >= ledgerIndex);
  const agreed = (): number => [...newest.values()].toSorted((a, b) => b - a)[quorum - 1] ?? 0;
  return {
    async next(after, ms) {
      subscription.renew();
      const timer = new AbortController();
      const within = (time: number) =>
        wait(time, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
      try {
        const late = within(ms);
        while (agreed() <= after) if ((await Promise.race([told.promise, late])) === 'late') return null;
        const ledgerIndex = agreed();
        const grace = within(Math.min(GRACE_MS, ms));
        while (!isEverywhere(ledgerIndex)) if ((await Promise.race([told.promise, grace])) === 'late') break;
        return Math.max(ledgerIndex, agreed());
      } finally {
        timer.abort();
      }
    },
    end: () => subscription.end(),
  };
}
