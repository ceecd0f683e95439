import { MIMEType } from 'node:util';

/** One entry of an Accept header as (media type, weight); null for one that is not well-formed. */
function parseEntry(entry: string): { type: string; weight: number } | null {
  try {
    const { essence, params } = new MIMEType(entry);
    const weight = Number(params.get('q') ?? 1);
    return { type: essence, weight: Number.isFinite(weight) ? weight : 0 };
  } catch {
    return null;
  }
}

/**
 * The offered type that an Accept header names with the highest weight; the first one offered where it names none, because
 * an answer in the usual form serves a careless client better than a refusal.
 */
export function preferredType<Type extends string>(accept: string | null, offered: readonly [Type, ...Type[]]): Type {
  const wanted = (accept ?? '').split(',').flatMap((entry) => parseEntry(entry) ?? []);
  const weightOf = (type: Type): number =>
    Math.max(0, ...wanted.filter((one) => one.type === type).map((one) => one.weight));
  return offered.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best));
}
