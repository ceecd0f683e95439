import type { RequestOpts } from '@oazapfts/runtime';

interface Page {
  next_cursor: string | null;
  /** Of a list without an end: more of it is there already. */
  has_more?: boolean;
}
type RowOf<Listed> = {
  [Field in keyof Listed]: Listed[Field] extends readonly (infer Row)[] ? Row : never;
}[keyof Listed];

/**
 * Every row of a list, page by page, as you take them: `for await (const project of all(listProjects, {}, tranche))`.
 * It returns the cursor to go on from later where the list has no end, such as that of events.
 */
export async function* all<Arguments extends { cursor?: string }, Answer>(
  list: (given: Arguments, connection: RequestOpts) => Promise<Answer>,
  given: NoInfer<Arguments>,
  connection: RequestOpts,
): AsyncGenerator<RowOf<Extract<Answer, Page>>, string | null, undefined> {
  let cursor: string | null | undefined = given.cursor;
  for (;;) {
    const page = (await list(cursor == null ? given : { ...given, cursor }, connection)) as Page;
    for (const rows of Object.values(page)) if (Array.isArray(rows)) yield* rows;
    cursor = page.next_cursor;
    if (cursor === null || page.has_more === false) return cursor;
  }
}
