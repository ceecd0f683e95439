import { and, eq, ne } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';

/** A slug for a project that was given none; its id makes it its own. */
export function slugFor(name: string, id: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
  return `${words || 'sale'}-${id.slice(-6).toLowerCase()}`;
}

export const slugTaken = (): PlatformError =>
  new PlatformError('conflict', 'This slug is in use. Choose another.', {
    errors: [{ field: 'slug', message: 'is in use' }],
  });

/** Throws `conflict` when another project than `id` has the slug. */
export async function assertSlugFree(tx: Tx, slug: string, id: string): Promise<void> {
  const [taken] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.slug, slug), ne(projects.id, id)));
  if (taken !== undefined) throw slugTaken();
}
