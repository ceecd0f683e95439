/**
 * An answer that is written as it is made, for bodies of any length. The contract lists its media types; `chunks` are
 * pulled one at a time, as fast as the client takes them, so a page of rows a chunk keeps the memory flat. A verb gives the
 * parts, the route file makes the Stream: `new Stream(await exportAllocations(ctx, …))`.
 */
export class Stream {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  readonly headers: Record<string, string>;
  /** Only for a body whose bytes are known to be the same whenever they are asked for; quoted. */
  readonly etag: string | null;

  constructor({
    contentType,
    chunks,
    headers = {},
    etag = null,
  }: {
    contentType: string;
    chunks: AsyncIterable<string>;
    headers?: Record<string, string>;
    etag?: string | null;
  }) {
    this.contentType = contentType;
    this.chunks = chunks;
    this.headers = headers;
    this.etag = etag;
  }
}

/**
 * The chunks as a body. Waits for the first one, so what fails before it is still a problem answer; a later failure goes
 * to `onFailure` and breaks the connection: the client must never take a short file for a whole one. A client that goes
 * away ends the iteration (`finally` blocks of a generator run).
 */
export async function openBody(
  chunks: AsyncIterable<string>,
  onFailure: (failure: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let first: IteratorResult<string> | null = await iterator.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = first ?? (await iterator.next());
          first = null;
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (failure) {
          onFailure(failure);
          controller.error(new Error('The rest of the body could not be read'));
        }
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
