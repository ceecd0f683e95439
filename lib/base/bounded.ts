/** Maps with at most `limit` calls under way; results in the order of `items`. The first failure rejects, and nothing further is begun. */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  call: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const pending = items.entries();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of pending) {
      if (failed) return;
      results[index] = await call(item, index).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
