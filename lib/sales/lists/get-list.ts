import type { Ctx } from '#lib/ctx.ts';
import { entryLines } from './entry-lines.ts';
import { findList, listNotFound } from './list-resource.ts';

/** The published form of a version with its SHA-256. A draft is nobody's business yet. Throws `not_found`. */
export async function getList(
  ctx: Ctx,
  input: { projectId: string; listId: string },
): Promise<{ hash: string; lines: AsyncIterable<string> }> {
  const list = await findList(ctx.db, input.projectId, input.listId);
  if (list === null || list.hash === null) throw listNotFound();
  return { hash: list.hash, lines: entryLines(ctx.db, list.id) };
}
