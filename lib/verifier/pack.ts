/** A value of plain objects, arrays, maps, sets and bigints as JSON, and back: what a verification keeps between two slices. */
export const pack = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return { $bigint: each.toString() };
    if (each instanceof Map) return { $map: [...each] };
    if (each instanceof Set) return { $set: [...each] };
    return each;
  });

export const unpack = (text: string): unknown =>
  JSON.parse(text, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if ('$bigint' in each) return BigInt(String(each.$bigint));
    if ('$map' in each) return new Map(each.$map as [unknown, unknown][]);
    if ('$set' in each) return new Set(each.$set as unknown[]);
    return each;
  });
