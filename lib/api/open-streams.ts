import { turns } from '@tranche/rules/turns.ts';
import { callerNetworks } from '#lib/base/caller-networks.ts';
import { PlatformError } from '#lib/base/errors.ts';

/** Streams of one caller at a time in one process; the program that verifies a sale reads two at once. */
export const STREAMS_PER_CALLER = 2;
/** Streams of all callers in one process: each keeps a page of rows in memory while its client reads. */
export const MAX_OPEN_STREAMS = 32;
/** Pages of rows that are read for streams at a time: more would take the connections that payments need. */
const PAGES_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 5;

/** A client that has had so long to take what was ready must have taken it at this rate, or is broken off. */
export const RATE_COUNTS_AFTER_MS = 60_000;
export const LEAST_BYTES_PER_SECOND = 4_096;
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
export interface StreamPlace {
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
export function takeStreamPlace(caller: string, breakOff: (why: string) => void): StreamPlace {
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
export const NO_PLACE: StreamPlace = {
  read: (work) => work(),
  offer: () => undefined,
  taken: () => true,
  leave: () => undefined,
};
