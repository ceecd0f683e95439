import type { Message } from './message.ts';

interface Held {
  untilMs: number;
  overtakenBy: Set<string>;
}

/** Holds messages back until later ones have overtaken them, or their time is up. */
export class Overtaking {
  readonly #held = new Map<Message, Held>();

  /** Keeps the message if it has yet to be overtaken and its time is not up. True if it is kept. */
  hold(message: Message, nowMs: number): boolean {
    const untilMs = message.dueAtMs + message.fate.heldForMs;
    if (message.fate.behind === 0 || untilMs <= nowMs) return false;
    this.#held.set(message, { untilMs, overtakenBy: new Set() });
    return true;
  }

  holds(message: Message): boolean {
    return this.#held.has(message);
  }

  /** A message has been attempted; answers those that enough messages have now overtaken. */
  passed(later: Message): Message[] {
    return this.#release((message, { overtakenBy }) => {
      if (message.sequence < later.sequence) overtakenBy.add(later.messageId);
      return overtakenBy.size >= message.fate.behind;
    });
  }

  /** Those whose time is up. */
  expired(nowMs: number): Message[] {
    return this.#release((_message, { untilMs }) => untilMs <= nowMs);
  }

  /** When the next one's time is up. */
  get nextExpiryMs(): number | undefined {
    if (this.#held.size === 0) return undefined;
    return Math.min(...[...this.#held.values()].map(({ untilMs }) => untilMs));
  }

  #release(mayGo: (message: Message, held: Held) => boolean): Message[] {
    const released: Message[] = [];
    for (const [message, held] of this.#held) {
      if (!mayGo(message, held)) continue;
      message.fate.behind = 0;
      this.#held.delete(message);
      released.push(message);
    }
    return released;
  }
}
