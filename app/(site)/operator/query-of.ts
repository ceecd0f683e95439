import type { z } from 'zod';

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/**
 * What a page's address asks for, by the contract of the operation that answers it: empty fields are left out, and a field
 * that the contract refuses counts as left out, named in `faults`.
 */
export async function queryOf<T extends z.ZodType>(
  schema: T,
  searchParams: SearchParams,
  fixed: Record<string, unknown> = {},
): Promise<{ query: z.output<T>; given: Record<string, string>; faults: string[] }> {
  const all = Object.entries(await searchParams).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  );
  const given = Object.fromEntries(all.map(([name, value]) => [name, value.trim()]));
  const read = schema.safeParse({ ...given, ...fixed });
  if (read.success) return { query: read.data, given, faults: [] };
  const wrong = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])],
  );
  const faults = read.error.issues.map((issue) => `${issue.path.join('.') || 'address'}: ${issue.message}`);
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name)));
  const again = schema.safeParse({ ...kept, ...fixed });
  return { query: again.success ? again.data : schema.parse(fixed), given: kept, faults };
}

/** The same address with other fields; an empty one is left out. */
export function addressWith(path: string, given: Record<string, string>, changed: Record<string, string>): string {
  const fields = Object.entries({ ...given, ...changed }).filter(([, value]) => value !== '');
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields)}`;
}
