import type { FlowControl, Message } from './message.ts';

/** Whether a message may go: now, at a later time, or when `leave` or `abandon` hands it back. */
export type Entry = 'now' | 'held' | { atMs: number };

/** Keeps each flow-control key within its parallelism and its rate; what is over them waits in order of arrival. */
export class FlowGate {
  readonly #inFlight = new Map<string, number>();
  readonly #held = new Map<string, Message[]>();
  /** The latest starts of a key, taken or promised, oldest first; no more than its rate. */
  readonly #starts = new Map<string, number[]>();
  readonly #promised = new WeakSet<Message>();

  enter(message: Message, nowMs: number): Entry {
    const { flowControl } = message;
    if (flowControl === undefined) return 'now';
    const count = this.#inFlight.get(flowControl.key) ?? 0;
    if (count >= flowControl.parallelism) {
      this.#promised.delete(message);
      const held = this.#held.get(flowControl.key);
      if (held === undefined) this.#held.set(flowControl.key, [message]);
      else held.push(message);
      return 'held';
    }
    if (!this.#promised.delete(message)) {
      const atMs = this.#promiseStart(flowControl, nowMs);
      if (atMs > nowMs) {
        this.#promised.add(message);
        return { atMs };
      }
    }
    this.#inFlight.set(flowControl.key, count + 1);
    return 'now';
  }

  /** Gives the message's place up; answers the messages that may try again. */
  leave(message: Message): Message[] {
    const { flowControl } = message;
    if (flowControl === undefined) return [];
    const count = (this.#inFlight.get(flowControl.key) ?? 1) - 1;
    if (count > 0) this.#inFlight.set(flowControl.key, count);
    else this.#inFlight.delete(flowControl.key);
    return this.#nextHeld(flowControl.key);
  }

  /** A message that could have gone does not go now, being cancelled or promised a later start: the next one may try. */
  abandon(message: Message): Message[] {
    const { flowControl } = message;
    if (flowControl === undefined || (this.#inFlight.get(flowControl.key) ?? 0) >= flowControl.parallelism) return [];
    return this.#nextHeld(flowControl.key);
  }

  /** The earliest time that keeps any `rate + 1` starts a period apart. */
  #promiseStart({ key, rate, periodMs }: FlowControl, nowMs: number): number {
    if (!Number.isFinite(rate)) return nowMs;
    const starts = this.#starts.get(key) ?? [];
    const before = starts.at(-rate);
    const atMs = before === undefined ? nowMs : Math.max(nowMs, before + periodMs);
    this.#starts.set(key, [...starts, atMs].slice(-rate));
    return atMs;
  }

  #nextHeld(key: string): Message[] {
    const held = this.#held.get(key);
    // All that were cancelled meanwhile, and the first that was not.
    const nextIndex = held?.findIndex((candidate) => candidate.status === 'waiting') ?? -1;
    const released = held?.splice(0, nextIndex === -1 ? held.length : nextIndex + 1) ?? [];
    if (held?.length === 0) this.#held.delete(key);
    return released.filter((candidate) => candidate.status === 'waiting');
  }
}
