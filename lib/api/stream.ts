import { NO_PLACE, takeStreamPlace } from './open-streams.ts';

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

interface BodyOptions {
  /** Whose place the stream takes; null for one that needs none. */
  caller?: string | null;
  /** Hears why a client was broken off. Nothing has failed then. */
  onBreakOff?: (why: string) => void;
}

/**
 * The chunks as a body. Waits for the first one, so what fails before it is still a problem answer; a later failure goes
 * to `onFailure` and breaks the connection: the client must never take a short file for a whole one. A client that goes
 * away ends the iteration (`finally` blocks of a generator run). A client that takes nothing for a while, or too little
 * over a long one, is broken off. Throws `service_unavailable` while its caller has too many open.
 */
export async function openBody(
  chunks: AsyncIterable<string>,
  onFailure: (failure: unknown) => void,
  { caller = 'unknown', onBreakOff = () => undefined }: BodyOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;

  const stop = () => {
    isOver = true;
    clearTimeout(stalled);
  };
  const end = () => {
    stop();
    place.leave();
  };
  const close = () => void iterator.return?.().catch(onFailure);
  const breakOff = (why: string) => {
    if (isOver) return;
    onBreakOff(why);
    end();
    close();
    // By this name Next.js knows that nothing has failed.
    controller?.error(new DOMException(why, 'AbortError'));
  };
  const offer = (chunk: IteratorResult<string>) => {
    place.offer(chunk.done === true ? 0 : Buffer.byteLength(chunk.value));
    stalled = setTimeout(breakOff, STALLED_AFTER_MS, 'It took nothing for too long').unref();
  };

  const place = caller === null ? NO_PLACE : takeStreamPlace(caller, breakOff);
  let ready: IteratorResult<string> | null;
  try {
    ready = await place.read(() => iterator.next());
  } catch (failure) {
    end();
    throw failure;
  }

  return new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
        if (isOver) given.error(new DOMException('It was broken off', 'AbortError'));
        else if (ready !== null) offer(ready);
      },
      async pull(given) {
        clearTimeout(stalled);
        if (!place.taken()) {
          breakOff('It took too little for too long');
          return;
        }
        try {
          const { done, value } = ready ?? (await place.read(() => iterator.next()));
          ready = null;
          // The client went away meanwhile.
          if (isOver) return;
          if (done === true) {
            end();
            given.close();
          } else {
            given.enqueue(encoder.encode(value));
            offer({ done: false, value });
          }
        } catch (failure) {
          if (isOver) return;
          onFailure(failure);
          end();
          given.error(new Error('The rest of the body could not be read'));
        }
      },
      async cancel() {
        stop();
        try {
          await iterator.return?.();
        } finally {
          place.leave();
        }
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
