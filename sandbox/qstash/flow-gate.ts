import type { Message } from './message.ts';

/** Keeps each flow-control key within its parallelism; what is over it waits in order of arrival. */
export class FlowGate {
  readonly #inFlight = new Map<string, number>();
  readonly #held = new Map<string, Message[]>();

  /** True if the message may go now; otherwise it is kept until `leave` hands it back. */
  enter(message: Message): boolean {
    const { flowControl } = message;
    if (flowControl === undefined) return true;
    const count = this.#inFlight.get(flowControl.key) ?? 0;
    if (count < flowControl.parallelism) {
      this.#inFlight.set(flowControl.key, count + 1);
      return true;
    }
    const held = this.#held.get(flowControl.key);
    if (held === undefined) this.#held.set(flowControl.key, [message]);
    else held.push(message);
    return false;
  }

  /** Gives the message's place up; answers the messages that may try again. */
  leave(message: Message): Message[] {
    const { flowControl } = message;
    if (flowControl === undefined) return [];
    const count = (this.#inFlight.get(flowControl.key) ?? 1) - 1;
    if (count > 0) this.#inFlight.set(flowControl.key, count);
    else this.#inFlight.delete(flowControl.key);
    const held = this.#held.get(flowControl.key);
    // All that were cancelled meanwhile, and the first that was not.
    const nextIndex = held?.findIndex((candidate) => candidate.status === 'waiting') ?? -1;
    const released = held?.splice(0, nextIndex === -1 ? held.length : nextIndex + 1) ?? [];
    if (held?.length === 0) this.#held.delete(flowControl.key);
    return released.filter((candidate) => candidate.status === 'waiting');
  }
}
