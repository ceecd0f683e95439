import type { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { problemResponse } from './problem.ts';

/** A comment is sent after so long without an event: proxies end what is silent. */
export const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': still here\n\n';

export interface ServerEvent {
  event: string;
  /** JSON. */
  data: unknown;
  /** A client that reconnects sends it back as `Last-Event-ID`. */
  id?: string;
}

/** An answer by server-sent events; `cancel` ends the work on it at once, also while the next event is waited for. */
export class EventStream {
  readonly events: AsyncIterable<ServerEvent>;
  readonly cancel: () => void;

  constructor(events: AsyncIterable<ServerEvent>, cancel: () => void) {
    this.events = events;
    this.cancel = cancel;
  }
}

export interface EventChunksOptions {
  schemas: Readonly<Record<string, z.ZodType>>;
  requestId: string;
  heartbeatMs?: number;
}

const asText = ({ event, data, id }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function checked(sent: ServerEvent, schemas: Readonly<Record<string, z.ZodType>>): ServerEvent {
  const schema = schemas[sent.event];
  if (schema === undefined) throw new Error(`The event ${sent.event} is not declared`);
  if (env().VALIDATE_RESPONSES) schema.parse(sent.data);
  return sent;
}

/**
 * The events as the text of a body. A failure before the first one is thrown, so it is still an answer with a status of its
 * own; a later one becomes the event `error`, and the stream ends.
 */
export function eventChunks(
  { events, cancel }: EventStream,
  { schemas, requestId, heartbeatMs = HEARTBEAT_MS }: EventChunksOptions,
): AsyncIterable<string> {
  const iterator = events[Symbol.asyncIterator]();
  let awaited: Promise<IteratorResult<ServerEvent>> | undefined;
  let hasBegun = false;
  let isOver = false;

  const failed = async (failure: unknown): Promise<IteratorResult<string>> => {
    isOver = true;
    cancel();
    // It may be an event that fails and not the work on them, which holds what it holds until it is ended.
    await iterator.return?.();
    if (!hasBegun) throw failure;
    const problem: unknown = await problemResponse(failure, requestId, logger).json();
    return { done: false, value: asText(checked({ event: 'error', data: problem }, schemas)) };
  };

  const next = async (): Promise<IteratorResult<string>> => {
    if (isOver) return { done: true, value: undefined };
    awaited ??= iterator.next();
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, heartbeatMs, null);
    });
    try {
      const result = await Promise.race([awaited, silence]);
      if (result === null) return { done: false, value: HEARTBEAT };
      awaited = undefined;
      if (result.done === true) return { done: true, value: undefined };
      const value = asText(checked(result.value, schemas));
      hasBegun = true;
      return { done: false, value };
    } catch (failure) {
      return failed(failure);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        isOver = true;
        cancel();
        // What is under way ends by the cancellation, and is not waited for.
        awaited?.catch(() => undefined);
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
