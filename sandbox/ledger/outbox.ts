import { WebSocket } from 'ws';
import type { JsonObject } from './json.ts';
import type { Subscriber } from './rpc/types.ts';

/** How much is handed to the socket at once; the rest waits in the outbox, where subscribers share the texts. */
const MOST_IN_FLIGHT = 1024 * 1024;
/** RFC 6455: the connection ends because of a rule of the server's own. */
const POLICY_VIOLATION = 1008;
const TOO_SLOW = 'Policy error: client is too slow.';
/** Sent texts are dropped from the front of the queue in runs of so many. */
const COMPACT_AFTER = 1024;

export type OutboxOptions = {
  /** How much may wait for a client that reads too slowly, in characters. */
  readonly mostWaiting: number;
  /** Called once when the client is given up. */
  readonly onDropped: (waiting: number) => void;
};

/**
 * What waits to be sent to one client, in order. A client that does not read, so that more waits than is allowed, is
 * dropped with the server's reason; what waited is forgotten at once.
 */
export class Outbox implements Subscriber {
  private readonly socket: WebSocket;
  private readonly options: OutboxOptions;
  private queue: string[] = [];
  private head = 0;
  private waiting = 0;
  private inFlight = 0;
  private isDropped = false;

  constructor(socket: WebSocket, options: OutboxOptions) {
    this.socket = socket;
    this.options = options;
  }

  /** Whether the client was given up: nothing is sent to it and nothing it asks is answered. */
  get isClosed(): boolean {
    return this.isDropped;
  }

  get isBusy(): boolean {
    return this.waiting > 0;
  }

  send(message: JsonObject): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    if (this.isDropped || this.socket.readyState !== WebSocket.OPEN) return;
    this.queue.push(text);
    this.waiting += text.length;
    this.drain();
    if (this.waiting > this.options.mostWaiting) this.drop();
  }

  private drain(): void {
    while (this.head < this.queue.length && this.inFlight < MOST_IN_FLIGHT) {
      const text = this.queue[this.head] ?? '';
      this.head += 1;
      this.waiting -= text.length;
      this.inFlight += text.length;
      this.socket.send(text, () => {
        this.inFlight -= text.length;
        this.drain();
      });
    }
    if (this.head === this.queue.length || this.head >= COMPACT_AFTER) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
  }

  private drop(): void {
    const { waiting } = this;
    this.isDropped = true;
    this.queue = [];
    this.head = 0;
    this.waiting = 0;
    this.socket.close(POLICY_VIOLATION, TOO_SLOW);
    this.options.onDropped(waiting);
  }
}
