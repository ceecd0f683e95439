import { turns } from '@tranche/rules/turns.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { callerNetworks } from '#lib/base/rate-limiter.ts';

/** Streams of one caller at a time in one process; the program that verifies a sale reads two at once. */
export const STREAMS_PER_CALLER = 2;
/** Streams of all callers in one process: each keeps a page of rows in memory while its client reads. */
export const MAX_OPEN_STREAMS = 32;
/** Pages of rows that are read for streams at a time: more would take the connections that payments need. */
const PAGES_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 5;

/** A client that has had so long to take what was ready must have taken it at this rate, or is broken off. */
export const RATE_COUNTS_AFTER_MS = 60_000;
const LEAST_BYTES_PER_SECOND = 4_096;
/** While all places are taken, a newcomer gets that of the slowest client which has had at least so long. */
export const MAY_BE_REPLACED_AFTER_MS = 10_000;

interface Seat {
  caller: string;
  breakOff: (why: string) => void;
  /** Taken by the client; what is ready for it counts once it is taken. */
  bytes: number;
  readyBytes: number;
  /** How long the client has been waited for, but for the present wait. */
  waitedMs: number;
  /** When the present wait for the client began; null while rows are read for it. */
  readySinceMs: number | null;
}

const seats = new Set<Seat>();
const inTurn = turns(PAGES_AT_ONCE);

const waitedMs = (seat: Seat, nowMs: number): number =>
  seat.waitedMs + (seat.readySinceMs === null ? 0 : nowMs - seat.readySinceMs);
const bytesPerSecond = (seat: Seat, nowMs: number): number => (seat.bytes * 1_000) / Math.max(1, waitedMs(seat, nowMs));

const full = (whose: string) =>
  new PlatformError(
    'service_unavailable',
    `${whose} are being written already. Try again in ${RETRY_AFTER_SECONDS} s.`,
    {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      isExpected: true,
    },
  );

function requireRoomOf(caller: string): void {
  for (const { name, share } of callerNetworks(caller)) {
    const taken = [...seats].filter((seat) => callerNetworks(seat.caller).some((network) => network.name === name));
    const most = STREAMS_PER_CALLER * share;
    if (taken.length >= most) throw full(`${most} exports to your address`);
  }
}

/** Breaks off the slowest client where all places are taken; throws where none has had its time yet. */
function makeRoom(nowMs: number): void {
  if (seats.size < MAX_OPEN_STREAMS) return;
  const slowest = [...seats]
    .filter((seat) => waitedMs(seat, nowMs) >= MAY_BE_REPLACED_AFTER_MS)
    .sort((a, b) => bytesPerSecond(a, nowMs) - bytesPerSecond(b, nowMs))[0];
  if (slowest === undefined) throw full(`${MAX_OPEN_STREAMS} exports`);
  slowest.breakOff('All places were taken, and its client was the slowest');
}

/** The place of one open stream. */
interface StreamSlot {
  /** Reads for the stream when it is its turn. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** So many bytes are ready for the client from now on; it takes them, or does not. */
  offer(bytes: number): void;
  /** The client took what was ready. False when it was too slow at that, all in all. */
  taken(): boolean;
  /** Gives the place back, once however often it is called. */
  leave(): void;
}

/**
 * Takes the place of a caller's stream. Throws `service_unavailable` when the caller has as many as it may, or when all are
 * taken by clients that have not had their time yet; otherwise `breakOff` is called of the slowest, whose place this is now.
 */
function takeStreamSlot(caller: string, breakOff: (why: string) => void): StreamSlot {
  requireRoomOf(caller);
  makeRoom(performance.now());
  const seat: Seat = { caller, breakOff, bytes: 0, readyBytes: 0, waitedMs: 0, readySinceMs: null };
  seats.add(seat);
  return {
    read: inTurn,
    offer(bytes) {
      seat.readyBytes = bytes;
      seat.readySinceMs = performance.now();
    },
    taken() {
      const nowMs = performance.now();
      seat.waitedMs = waitedMs(seat, nowMs);
      seat.readySinceMs = null;
      seat.bytes += seat.readyBytes;
      seat.readyBytes = 0;
      return seat.waitedMs < RATE_COUNTS_AFTER_MS || bytesPerSecond(seat, nowMs) >= LEAST_BYTES_PER_SECOND;
    },
    leave: () => void seats.delete(seat),
  };
}

/** The place of what needs none: it holds no rows, and its verb bounds it. */
const NO_STREAM_SLOT: StreamSlot = {
  read: (work) => work(),
  offer: () => undefined,
  taken: () => true,
  leave: () => undefined,
};

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
    position.leave();
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
    position.offer(chunk.done === true ? 0 : Buffer.byteLength(chunk.value));
    stalled = setTimeout(breakOff, STALLED_AFTER_MS, 'It took nothing for too long').unref();
  };

  const position = caller === null ? NO_STREAM_SLOT : takeStreamSlot(caller, breakOff);
  let ready: IteratorResult<string> | null;
  try {
    ready = await position.read(() => iterator.next());
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
        if (!position.taken()) {
          breakOff('It took too little for too long');
          return;
        }
        try {
          const { done, value } = ready ?? (await position.read(() => iterator.next()));
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
          position.leave();
        }
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
