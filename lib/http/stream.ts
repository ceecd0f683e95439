import { takeStreamPlace } from './open-streams.ts';

/** A client that takes nothing for so long is broken off: its place is another's. */
export const STALLED_AFTER_MS = 15_000;

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
 * away ends the iteration (`finally` blocks of a generator run). Throws `service_unavailable` while too many are open.
 */
export async function openBody(
  chunks: AsyncIterable<string>,
  onFailure: (failure: unknown) => void,
  takePlace: () => () => void = takeStreamPlace,
): Promise<ReadableStream<Uint8Array>> {
  const leave = takePlace();
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    return bodyOf(iterator, await iterator.next(), onFailure, leave);
  } catch (failure) {
    leave();
    throw failure;
  }
}

function bodyOf(
  iterator: AsyncIterator<string>,
  firstChunk: IteratorResult<string>,
  onFailure: (failure: unknown) => void,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string> | null = firstChunk;
  let stalled: NodeJS.Timeout;
  let isOver = false;
  const stop = () => {
    isOver = true;
    clearTimeout(stalled);
  };
  const end = () => {
    stop();
    leave();
  };
  const breakOff = (controller: ReadableStreamDefaultController, why: string) => {
    end();
    controller.error(new Error(why));
  };
  const awaitClient = (controller: ReadableStreamDefaultController) => {
    stalled = setTimeout(() => {
      breakOff(controller, 'The client took nothing for too long');
      iterator.return?.().catch(onFailure);
    }, STALLED_AFTER_MS).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: awaitClient,
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const { done, value } = first ?? (await iterator.next());
          first = null;
          // The client went away meanwhile.
          if (isOver) return;
          if (done === true) {
            end();
            controller.close();
          } else {
            controller.enqueue(encoder.encode(value));
            awaitClient(controller);
          }
        } catch (failure) {
          onFailure(failure);
          breakOff(controller, 'The rest of the body could not be read');
        }
      },
      async cancel() {
        stop();
        try {
          await iterator.return?.();
        } finally {
          leave();
        }
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
