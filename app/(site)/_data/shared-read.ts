import { ResponseCache } from '#lib/base/response-cache.ts';
import type { Ctx } from '#lib/ctx.ts';
import { getProjectByName } from '#lib/sales/projects/get-project.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';

/**
 * What the public pages read: for half a second, all viewers share one reading of a sale, so that the database does the same work
 * for one viewer as for thousands. Nothing here depends on the caller. A draft is read anew for each.
 */

/** Half of the second within which a change is seen: the other half is for the page that is made of it. */
const MAX_AGE_MS = 500;
const MAX_ENTRIES = 300;

type Read<T> = (ctx: Ctx, key: string) => Promise<T>;

/** One reading at a time of each key, kept for half a second. */
export function shared<T>(read: Read<T>): Read<T> {
  const caches = new WeakMap<Ctx['db'], ResponseCache<T>>();
  return (ctx, key) => {
    let cache = caches.get(ctx.db);
    if (cache === undefined) {
      cache = new ResponseCache({
        maxAgeMs: MAX_AGE_MS,
        maxEntries: MAX_ENTRIES,
        keeps: () => true,
        sharesSlowAnswers: true,
      });
      caches.set(ctx.db, cache);
    }
    return cache.get(key, ctx.clock.nowMs(), () => read(ctx, key));
  };
}

type Sale = Pick<ProjectResource, 'id' | 'status'>;

/** What belongs to a sale, by its id. */
export function ofSale<T>(read: Read<T>): (ctx: Ctx, sale: Sale) => Promise<T> {
  const kept = shared(read);
  return (ctx, { id, status }) => (status === 'draft' ? read(ctx, id) : kept(ctx, id));
}

const bySlug = shared(getProjectByName);

/** A sale by its slug, or by its id, which opens drafts too and is therefore read anew. Throws as `getProjectByName`. */
export const readSale = (ctx: Ctx, name: string): Promise<ProjectResource> =>
  name.startsWith('proj_') ? getProjectByName(ctx, name) : bySlug(ctx, name);
