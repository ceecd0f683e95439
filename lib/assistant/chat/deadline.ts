import { PlatformError } from '#lib/base/errors.ts';

export interface Deadline {
  /** Aborted when the time is over or the client has gone; the reason says which. */
  signal: AbortSignal;
  leftMs(): number;
  /** Ends all that still runs for the answer. */
  end(): void;
}

const tooLate = (): PlatformError =>
  new PlatformError('service_unavailable', 'The answer took too long. Ask again, or ask for less at a time.', {
    headers: { 'retry-after': '5' },
  });

/** A deadline of so many milliseconds from now that the client's going away ends too. */
export function withDeadline(client: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(tooLate()), timeoutMs);
  const leave = () => controller.abort(client.reason);
  if (client.aborted) leave();
  else client.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    leftMs: () => endsAt - performance.now(),
    end() {
      clearTimeout(timer);
      client.removeEventListener('abort', leave);
      controller.abort();
    },
  };
}

/** The parts as they come; throws the signal's reason as soon as it is aborted, whatever the parts wait for. */
export async function* until<T>(parts: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  // It may be rejected while nothing is awaited.
  aborted.catch(() => undefined);
  try {
    signal.throwIfAborted();
    for (;;) {
      const result = await Promise.race([iterator.next(), aborted]);
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: it would wait for what the signal has ended, or what does not end.
    iterator.return?.()?.catch(() => undefined);
  }
}
