import { and, eq } from 'drizzle-orm';
import { apiKeys } from '#drizzle/schema/access.ts';
import { portalLinks } from '#drizzle/schema/portal.ts';
import { database } from '#lib/base/db.ts';
import { idPattern } from '#lib/base/ids.ts';
import { isUsable } from './authenticate-portal.ts';
import { FRAME_ORIGIN } from './frame-origin.ts';

const FORM = idPattern('ptl');

/**
 * The origins whose pages may show this link's portal in a frame. None where there is no such link, where it is over or ended,
 * or its key.
 */
export async function frameOriginsOf(linkId: string): Promise<readonly string[]> {
  if (!FORM.test(linkId)) return [];
  const db = await database();
  const [row] = await db
    .select({ frameOrigins: portalLinks.frameOrigins })
    .from(portalLinks)
    .innerJoin(apiKeys, isUsable)
    .where(and(eq(portalLinks.id, linkId)));
  return (row?.frameOrigins ?? []).filter((origin) => FRAME_ORIGIN.test(origin));
}
