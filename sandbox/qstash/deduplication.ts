import { createHash } from 'node:crypto';
import type { DeliveryOrder } from './message.ts';

const WINDOW_MS = 10 * 60 * 1000;

/** An id for what Upstash-Content-Based-Deduplication compares: destination, headers and body. */
export function contentDeduplicationId(order: DeliveryOrder): string {
  const headers = Object.entries(order.headers).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256')
    .update(JSON.stringify([order.url, order.method, headers]))
    .update(order.body);
  return `content-${hash.digest('hex')}`;
}

/** Remembers for ten minutes which message took a deduplication id. */
export class DeduplicationWindow {
  readonly #seen = new Map<string, { messageId: string; untilMs: number }>();

  /** The message that holds this id already, if any. */
  holder(deduplicationId: string, nowMs: number): string | undefined {
    this.#forget(nowMs);
    return this.#seen.get(deduplicationId)?.messageId;
  }

  take(deduplicationId: string, messageId: string, nowMs: number): void {
    this.#seen.set(deduplicationId, { messageId, untilMs: nowMs + WINDOW_MS });
  }

  /** A Map keeps insertion order and the window has one length: the oldest stand in front. */
  #forget(nowMs: number): void {
    for (const [deduplicationId, { untilMs }] of this.#seen) {
      if (untilMs > nowMs) return;
      this.#seen.delete(deduplicationId);
    }
  }
}
