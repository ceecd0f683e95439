import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { LedgerToken } from '#lib/xrpl/token-name.ts';
import type { HolderPage } from '#lib/xrpl/types.ts';
import type { Sync } from './start-sync.ts';
import { pageWriter } from './write-pages.ts';

/**
 * How the reading ended: all pages are written; the time is over; the server has too much to do; it knows its place no more;
 * or another run has taken the synchronisation from us.
 */
export type Reading = 'whole' | 'paused' | 'refused' | 'lost' | 'overtaken';

/**
 * Reads and writes the pages of a synchronisation, from `first` on where it is given, else from the marker of its row, until
 * the deadline; one page at least. The next page is on its way while the last ones are written, and all of them are written
 * when it ends, also by an error.
 */
export async function readPages(
  ctx: Ctx,
  token: LedgerToken,
  { sync, first, deadlineMs }: { sync: Sync; first: HolderPage | null; deadlineMs: number },
): Promise<Reading> {
  if (first === null && sync.pages > 0 && sync.marker === null) return 'whole';
  const writer = pageWriter(ctx.db, sync);
  const read = (marker: unknown) => ctx.ledger.holderPage(token, sync, marker);
  let coming = first === null ? read(sync.marker) : Promise.resolve<HolderPage | null>(first);
  try {
    for (;;) {
      const page = await coming.catch(refusal);
      if (page === null || page === 'refused') return (await writer.end()) ? (page ?? 'lost') : 'overtaken';
      const goesOn = page.marker !== null && ctx.clock.nowMs() < deadlineMs;
      if (goesOn) {
        coming = read(page.marker);
        // Should the writing fail first, this failure is nobody's.
        coming.catch(() => undefined);
      }
      if (!(await writer.take(page))) return 'overtaken';
      if (!goesOn) return (await writer.end()) ? (page.marker === null ? 'whole' : 'paused') : 'overtaken';
    }
  } catch (error) {
    // The next slice begins at the place that is written: no statement of this one may come after.
    await writer.end().catch(() => undefined);
    throw error;
  }
}

function refusal(error: unknown): 'refused' {
  if (error instanceof PlatformError && error.code === 'ledger_unavailable') return 'refused';
  throw error;
}
